import { type SentSpan, type Span, textAttribute } from './span.ts';

/** Attributes by which libraries name the call that a span belongs to, the one that names it best first. */
const REFS = ['gen_ai.conversation.id', 'conversation.id', 'lk.room_sid', 'lk.job_id', 'session.id'] as const;
const LONGEST_REF = 255;

/** What a span calls its call, best first. */
export function callRefsOf(span: Pick<Span, 'attributes'>): string[] {
  const found = REFS.map((name) => textAttribute(span, name)).filter((ref) => ref !== null);
  return [...new Set(found.filter((ref) => ref.length <= LONGEST_REF))];
}

/** Whether a span stands for a whole call: it comes last, as spans are sent when they end. */
export function isWholeCall({ name, scope, attributes }: Pick<SentSpan, 'name' | 'scope' | 'attributes'>): boolean {
  if (name === 'agent_session') return scope.startsWith('livekit') || 'lk.agent_label' in attributes;
  return name === 'conversation' && (scope.startsWith('pipecat') || 'conversation.id' in attributes);
}
