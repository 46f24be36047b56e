import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { type SentSpan, textAttribute } from '../../domain/spans/span.ts';
import type { CallSpans } from '../../domain/spans/split-calls.ts';
import { anyText, jsonAttribute, looseJson, numberAttribute } from './attributes.ts';
import { addSeconds, answered, type CallDraft, called, emptyDraft, said } from './draft.ts';
import { messagesOf } from './messages.ts';

/** Spans of the GenAI conventions alone: texts and tools, and no time at which anything was heard. */
export function draftOfGenAi(call: CallSpans): CallDraft {
  const draft = { ...emptyDraft(), tellsEnd: false };
  const tools = new Set<string>();
  for (const span of call.spans) if (operationOf(span) === 'execute_tool') addTool(draft, span, tools);
  const seen = new Set<string>();
  let users = 0;
  const agents = new Map(call.spans.filter((s) => operationOf(s) === 'invoke_agent').map((s) => [s.spanId, s]));
  for (const span of call.spans) {
    if (operationOf(span) !== 'chat' && operationOf(span) !== 'generate_content') continue;
    users = addTalk(draft, { span, beganMs: beginOf(span, agents) }, users, seen, tools);
  }
  draft.disconnectionReason = anyText(call.spans.toReversed(), 'gen_ai.agent.invocation.end_reason');
  return draft;
}

const operationOf = (span: SentSpan) => textAttribute(span, 'gen_ai.operation.name');

/** What the caller said came before all that the agent did about it. */
const beginOf = (span: SentSpan, agents: ReadonlyMap<string, SentSpan>) =>
  agents.get(span.parentId ?? '')?.startMs ?? span.startMs;

/** @returns how many things the caller has said so far: each model is given all of them again. */
function addTalk(
  draft: CallDraft,
  { span, beganMs }: { span: SentSpan; beganMs: number },
  before: number,
  seen: Set<string>,
  tools: Set<string>,
): number {
  const input = messagesOf(jsonAttribute(span, 'gen_ai.input.messages'));
  const users = input.filter(({ role, text }) => role === 'user' && text !== '');
  for (const { text } of users.slice(before)) draft.turns.push(said('caller', text, beganMs));
  addSeconds(draft.latency.llmMs, numberAttribute(span, 'gen_ai.response.time_to_first_chunk'));
  for (const { text, calls } of messagesOf(jsonAttribute(span, 'gen_ai.output.messages'))) {
    if (text !== '') draft.turns.push(said('agent', text, span.endMs));
    for (const call of calls) {
      const key = call.id ?? `${span.spanId} ${call.name}`;
      if (tools.has(key) || seen.has(key)) continue;
      seen.add(key);
      draft.turns.push(called(call, span.endMs));
    }
  }
  return Math.max(before, users.length);
}

function addTool(draft: CallDraft, span: SentSpan, tools: Set<string>): void {
  const id = textAttribute(span, 'gen_ai.tool.call.id');
  const name = textAttribute(span, 'gen_ai.tool.name') ?? 'unnamed tool';
  if (id !== null) tools.add(id);
  draft.turns.push(called({ id, name, args: looseJson(span.attributes['gen_ai.tool.call.arguments']) }, span.startMs));
  const body = looseJson(span.attributes['gen_ai.tool.call.result']);
  const fault = textAttribute(span, 'error.type') ?? span.error;
  const latencyMs = Math.round(span.endMs - span.startMs);
  const verdict = fault === null ? judgeToolBody(body).ok : false;
  const okSource = fault !== null ? 'flag' : verdict === null ? 'unknown' : 'body';
  draft.turns.push(answered({ id, name, body: body ?? fault, latencyMs, ok: verdict, okSource }, span.endMs));
}
