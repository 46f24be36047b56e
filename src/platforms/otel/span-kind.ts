import { type SentSpan, textAttribute } from '../../domain/spans/span.ts';

/**
 * What a span stands for: a request to a model, a tool that ran, a step that was given words and answered some, or what
 * weighs answers and speaks to nobody.
 */
export type SpanKind = 'model' | 'tool' | 'step' | 'judge' | 'other';

const KINDS: Readonly<Record<string, SpanKind>> = {
  chat: 'model',
  text_completion: 'model',
  generate_content: 'model',
  completion: 'model',
  llm: 'model',
  chat_model: 'model',
  generation: 'model',
  execute_tool: 'tool',
  tool: 'tool',
  function: 'tool',
  invoke_agent: 'step',
  agent: 'step',
  chain: 'step',
  workflow: 'step',
  task: 'step',
  span: 'step',
  evaluator: 'judge',
  guardrail: 'judge',
};

/** Attributes by which libraries say what a span is, those that know it best first. */
const NAMED_BY = [
  'openinference.span.kind',
  'langfuse.observation.type',
  'langsmith.span.kind',
  'traceloop.span.kind',
  'mlflow.spanType',
  'gen_ai.operation.name',
  'llm.request.type',
] as const;

export function kindOf(span: SentSpan): SpanKind {
  const operation = textAttribute(span, 'ai.operationId');
  if (operation !== null) return kindOfAiSdk(operation);
  for (const name of NAMED_BY) {
    const value = textAttribute(span, name)?.toLowerCase();
    if (value !== undefined) return Object.hasOwn(KINDS, value) ? (KINDS[value] ?? 'other') : 'other';
  }
  if (span.name === 'llm' && span.scope.startsWith('pipecat')) return 'model';
  if ('gcp.vertex.agent.llm_request' in span.attributes) return 'model';
  if ('gcp.vertex.agent.tool_call_args' in span.attributes) return 'tool';
  return writesMessages(span) ? 'model' : 'other';
}

/** The AI SDK makes a span of each request within one of the whole answer. */
function kindOfAiSdk(operation: string): SpanKind {
  if (/\.do(Generate|Stream)$/.test(operation)) return 'model';
  return operation === 'ai.toolCall' ? 'tool' : 'step';
}

const writesMessages = ({ attributes, events }: SentSpan) =>
  Object.keys(attributes).some((name) =>
    /^(gen_ai\.(prompt|completion|input\.messages)|llm\.input_messages)\b/.test(name),
  ) || events.some(({ name }) => /^gen_ai\.((user|assistant)\.message|choice)$/.test(name));
