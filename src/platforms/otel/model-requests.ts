import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { type SentSpan, type SpanEvent, textAttribute } from '../../domain/spans/span.ts';
import { looseJson } from './attributes.ts';
import { indexedValue } from './indexed.ts';
import { type Message, messagesOf } from './messages.ts';
import { kindOf } from './span-kind.ts';

/** What a model was given and what it answered, as one span tells it. */
export interface ModelRequest {
  span: SentSpan;
  /** When the agent began to answer what it was given. Milliseconds since 1970. */
  beganMs: number;
  /** What the model was told to be. */
  system: string;
  /** The talk so far, or as much of it as the model was given; without what it was told to be. */
  input: Message[];
  output: Message[];
  /** Names of the steps that it was made for, from within. */
  within: string;
  /** It was made to weigh what was said, by what its library says. */
  judged: boolean;
}

/** The requests to models of a call in order of their begin; of two that tell of the same one the outer. */
export function modelRequestsOf(spans: readonly SentSpan[]): ModelRequest[] {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  const requests = new Map<SentSpan, ModelRequest>();
  for (const span of spans) {
    if (kindOf(span) !== 'model') continue;
    const around = stepsAround(span, byId);
    const request = {
      ...requestOf(span),
      beganMs:
        around.find((step) => step.attributes['gen_ai.operation.name'] === 'invoke_agent')?.startMs ?? span.startMs,
      within: around
        .map(({ name, attributes }) =>
          [name, attributes['traceloop.entity.name']].filter((one) => typeof one === 'string').join(' '),
        )
        .join(' '),
      judged: around.some((step) => kindOf(step) === 'judge'),
    };
    const outer = around.map((step) => requests.get(step)).find((found) => found !== undefined);
    // A framework and the client that it uses each make a span of one request.
    if (outer === undefined || answerOf(outer) !== answerOf(request)) requests.set(span, request);
  }
  return [...requests.values()];
}

export function requestOf(span: SentSpan): Omit<ModelRequest, 'beganMs' | 'within' | 'judged'> {
  const given = firstWithWords(INPUTS, span);
  const told = given.filter(({ role }) => role === 'system').map(({ text }) => text);
  const beside = [
    textAttribute(span, 'gen_ai.agent.system_prompt'),
    ...messagesOf(span.attributes['gen_ai.system_instructions'] ?? null, 'system').map(({ text }) => text),
  ];
  const system = [...beside, ...told].filter((text) => text !== null).join('\n');
  return {
    span,
    system,
    input: given.filter(({ role }) => role !== 'system' && role !== 'other'),
    output: firstWithWords(OUTPUTS, span).map((message) => ({ ...message, role: 'assistant' })),
  };
}

/** How far up the steps around a request are looked at. */
const LEVELS = 8;

function stepsAround(span: SentSpan, byId: ReadonlyMap<string, SentSpan>): SentSpan[] {
  const around: SentSpan[] = [];
  let above = byId.get(`${span.traceId} ${span.parentId ?? ''}`);
  while (above !== undefined && around.length < LEVELS) {
    around.push(above);
    above = byId.get(`${above.traceId} ${above.parentId ?? ''}`);
  }
  return around;
}

const answerOf = ({ output }: ModelRequest) =>
  JSON.stringify(output.map(({ text, calls }) => [text, calls.map(({ name }) => name)]));

type Reader = (span: SentSpan) => Message[];

function firstWithWords(readers: readonly Reader[], span: SentSpan): Message[] {
  for (const read of readers) {
    const messages = read(span).map(unhidden);
    if (messages.some(({ text, calls, results }) => text !== '' || calls.length > 0 || results.length > 0)) {
      return messages;
    }
  }
  return [];
}

/** What stands in place of words that a sender keeps back. */
const HIDDEN = /^(__REDACTED__|\[REDACTED\]|<redacted>)$/i;
const unhidden = (message: Message): Message => (HIDDEN.test(message.text) ? { ...message, text: '' } : message);

const attribute =
  (name: string, role: Message['role']): Reader =>
  ({ attributes }) =>
    messagesOf(attributes[name] ?? null, role);

const indexed =
  (prefix: string, role: Message['role']): Reader =>
  ({ attributes }) =>
    messagesOf(indexedValue(attributes, prefix), role);

/** Where the messages of a request stand as an attribute of an event. */
const details =
  (name: string, role: Message['role']): Reader =>
  ({ events }) =>
    events.flatMap(({ attributes }) => messagesOf(attributes[name] ?? null, role));

const INPUTS: readonly Reader[] = [
  attribute('gen_ai.input.messages', 'user'),
  details('gen_ai.input.messages', 'user'),
  ({ events }) => events.flatMap(messageOfEvent),
  ({ attributes }) => eventsWithin(attributes).flatMap(messageOfEvent),
  indexed('gen_ai.prompt', 'user'),
  indexed('llm.input_messages', 'user'),
  attribute('gen_ai.prompt', 'user'),
  details('gen_ai.prompt', 'user'),
  attribute('langfuse.observation.input', 'user'),
  attribute('ai.prompt.messages', 'user'),
  attribute('ai.prompt', 'user'),
  attribute('gcp.vertex.agent.llm_request', 'user'),
  attribute('context_messages', 'user'),
  attribute('input', 'user'),
  indexed('llm.prompts', 'user'),
  attribute('input.value', 'user'),
  attribute('mlflow.spanInputs', 'user'),
  attribute('traceloop.entity.input', 'user'),
];

const OUTPUTS: readonly Reader[] = [
  attribute('gen_ai.output.messages', 'assistant'),
  details('gen_ai.output.messages', 'assistant'),
  ({ events }) => events.flatMap(choiceOfEvent),
  ({ attributes }) => eventsWithin(attributes).flatMap(choiceOfEvent),
  indexed('gen_ai.completion', 'assistant'),
  indexed('llm.output_messages', 'assistant'),
  attribute('gen_ai.completion', 'assistant'),
  details('gen_ai.completion', 'assistant'),
  attribute('langfuse.observation.output', 'assistant'),
  aiSdkAnswer,
  attribute('gcp.vertex.agent.llm_response', 'assistant'),
  attribute('output', 'assistant'),
  indexed('llm.choices', 'assistant'),
  attribute('output.value', 'assistant'),
  attribute('mlflow.spanOutputs', 'assistant'),
  attribute('traceloop.entity.output', 'assistant'),
];

function aiSdkAnswer({ attributes }: SentSpan): Message[] {
  const text = attributes['ai.response.text'] ?? attributes['ai.response.object'];
  const calls = looseJson(attributes['ai.response.toolCalls']);
  if (typeof text !== 'string' && !Array.isArray(calls)) return [];
  return messagesOf({ role: 'assistant', content: typeof text === 'string' ? text : '', tool_calls: calls });
}

/** Events that stand in one attribute, as a list. */
function eventsWithin(attributes: JsonObject): SpanEvent[] {
  const list = looseJson(attributes.events);
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map((entry) => ({ name: String(entry['event.name']), atMs: 0, attributes: entry }));
}

/** A message of the talk so far, as an event of its own. */
function messageOfEvent({ name, attributes }: SpanEvent): Message[] {
  const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
  if (role === undefined) return [];
  const body = bodyOf(attributes);
  return messagesOf({ ...body, role: textOr(body.role, role), tool_call_id: body.tool_call_id ?? body.id ?? null });
}

function choiceOfEvent({ name, attributes }: SpanEvent): Message[] {
  if (name !== 'gen_ai.choice') return [];
  const body = bodyOf(attributes);
  const { message } = body;
  if (isJsonObject(message ?? null)) {
    return messagesOf({ role: 'assistant', tool_calls: body.tool_calls ?? null, ...(message as JsonObject) });
  }
  if (message !== undefined && message !== null) return messagesOf(message, 'assistant');
  return messagesOf({ ...body, role: 'assistant' });
}

/** What an event says: its attributes, one of them that holds the others, and parts that were written out with points. */
function bodyOf(attributes: JsonObject): JsonObject {
  const whole = looseJson(attributes['gen_ai.event.content'] ?? attributes.body);
  const body: JsonObject = { ...attributes, ...(isJsonObject(whole) ? whole : {}) };
  for (const name of ['message', 'tool_calls'] as const) body[name] = looseJson(body[name]);
  const content = attributes['message.content'];
  if (body.message === null && typeof content === 'string') body.message = { role: 'assistant', content };
  return body;
}

const textOr = (value: Json | undefined, otherwise: string) =>
  typeof value === 'string' && value !== '' ? value : otherwise;
