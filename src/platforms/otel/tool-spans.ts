import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import { type SentSpan, textAttribute } from '../../domain/spans/span.ts';
import { looseJson } from './attributes.ts';
import { answered, called, type DraftTurn } from './draft.ts';
import { requestOf } from './model-requests.ts';

/** A tool that ran, as a span of any library tells it. */
export interface ToolSpan {
  id: string | null;
  name: string;
  turns: DraftTurn[];
}

const ARGUMENTS = [
  'gen_ai.tool.call.arguments',
  'ai.toolCall.args',
  'ai.toolCall.input',
  'gcp.vertex.agent.tool_call_args',
  'traceloop.entity.input',
  'langfuse.observation.input',
  'input.value',
  'tool.parameters',
  'mlflow.spanInputs',
  'gen_ai.prompt',
] as const;

const RESULTS = [
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'ai.toolCall.output',
  'gcp.vertex.agent.tool_response',
  'traceloop.entity.output',
  'langfuse.observation.output',
  'output.value',
  'mlflow.spanOutputs',
  'gen_ai.completion',
] as const;

export function toolSpanOf(span: SentSpan): ToolSpan {
  const { input, output } = requestOf({ ...span, attributes: {} });
  const given = input.flatMap(({ calls }) => calls)[0] ?? null;
  // Where a tool's span has events, what it was given comes as the tool's message, and what it answered as the choice.
  const sent = input.flatMap(({ results }) => results)[0] ?? null;
  const answer = output.flatMap(({ results }) => results)[0] ?? null;
  const id =
    textAttribute(span, 'gen_ai.tool.call.id', 'tool_call.id', 'tool.id', 'ai.toolCall.id') ??
    given?.id ??
    sent?.id ??
    null;
  const name = nameOf(span);
  const args = argumentsOf(firstOf(span, ARGUMENTS)) ?? given?.args ?? sent?.body ?? null;
  const body = firstOf(span, RESULTS) ?? answer?.body ?? spokenOf(output.map(({ text }) => text));
  const fault = faultOf(span);
  const latencyMs = Math.round(span.endMs - span.startMs);
  const verdict = fault === null ? judgeToolBody(body).ok : false;
  const okSource = fault !== null ? 'flag' : verdict === null ? 'unknown' : 'body';
  return {
    id,
    name,
    turns: [
      called({ id, name, args }, span.startMs),
      answered({ id, name, body: body ?? fault, latencyMs, ok: verdict, okSource }, span.endMs),
    ],
  };
}

function nameOf(span: SentSpan): string {
  const named = textAttribute(span, 'gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name');
  return named ?? (span.name.replace(/^execute_tool\s+/, '').replace(/\.tool$/, '') || 'unnamed tool');
}

function faultOf(span: SentSpan): string | null {
  const failed =
    textAttribute(span, 'gen_ai.tool.status') === 'error' ||
    textAttribute(span, 'langfuse.observation.level') === 'ERROR';
  const told = textAttribute(span, 'error.type', 'langfuse.observation.status_message') ?? span.error;
  return told ?? (failed ? 'error' : null);
}

function firstOf({ attributes }: SentSpan, names: readonly string[]): Json {
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined && value !== null && value !== '') return looseJson(value);
  }
  return null;
}

/** Decorators write what a function was given as `{args, kwargs}`. */
function argumentsOf(given: Json): Json {
  if (!isJsonObject(given) || !Array.isArray(given.args) || !isJsonObject(given.kwargs ?? null)) return given;
  const { args, kwargs } = given;
  if (args.length === 0) return kwargs ?? null;
  const [first = null] = args;
  return args.length === 1 && isJsonObject(first) ? first : given;
}

const spokenOf = (texts: readonly string[]): Json => {
  const text = texts.join(' ').trim();
  return text === '' ? null : looseJson(text);
};
