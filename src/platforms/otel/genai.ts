import { isJsonObject, type Json } from '../../domain/json.ts';
import type { SentSpan } from '../../domain/spans/span.ts';
import type { CallSpans } from '../../domain/spans/split-calls.ts';
import type { Side } from '../../domain/vocabulary.ts';
import { anyText, looseJson, numberAttribute } from './attributes.ts';
import { addSeconds, type CallDraft, emptyDraft, said } from './draft.ts';
import { messagesOf } from './messages.ts';
import { type ModelRequest, modelRequestsOf, requestOf } from './model-requests.ts';
import { kindOf } from './span-kind.ts';
import { type Told, talkOf } from './talk/talk.ts';
import { addTalkedTools } from './talked-tools.ts';
import { toolSpanOf } from './tool-spans.ts';

/**
 * Spans of libraries that tell of requests to models and of tools, and of no turns: the GenAI conventions, OpenLLMetry,
 * OpenInference, Langfuse, LangSmith, the AI SDK and others. Texts and tools, and no time at which anything was heard.
 */
export function draftOfGenAi(call: CallSpans): CallDraft {
  const draft = { ...emptyDraft(), tellsEnd: false };
  const requests = modelRequestsOf(call.spans);
  const tools = call.spans.filter((span) => kindOf(span) === 'tool').map(toolSpanOf);
  const answered = talkOf(requests);
  const told = answered.some(({ text }) => text !== '') ? answered : talkOf(agentRequestsOf(call.spans));
  for (const item of told) addSaid(draft, item);
  if (draft.turns.length === 0) addSteps(draft, call.spans);
  for (const { turns } of tools) draft.turns.push(...turns);
  addTalkedTools(draft, told, tools);
  for (const { span } of requests) {
    addSeconds(draft.latency.llmMs, numberAttribute(span, 'gen_ai.response.time_to_first_chunk'));
  }
  for (const span of call.spans)
    addSeconds(draft.latency.e2eMs, numberAttribute(span, 'conversation.user_to_bot_latency'));
  draft.notRecorded = notRecorded(draft, requests);
  draft.aloud = call.spans.some(isSpeech);
  draft.disconnectionReason = anyText(call.spans.toReversed(), 'gen_ai.agent.invocation.end_reason', 'call.end_reason');
  draft.callerNumber = anyText(call.spans, 'caller.number', 'caller_number', 'from_number');
  return draft;
}

function addSaid(draft: CallDraft, { kind, text, atMs }: Told): void {
  if (kind === 'caller' || kind === 'agent') draft.turns.push(said(kind, text, atMs));
}

/** A side whose words all requests keep back may have said anything. */
function notRecorded({ turns }: CallDraft, requests: readonly ModelRequest[]): Side[] {
  const isGiven = requests.some(({ input }) => input.length > 0);
  const isAnswered = requests.some(({ output }) => output.length > 0);
  if (turns.length === 0 || isGiven === isAnswered) return [];
  return isGiven ? ['agent'] : ['caller'];
}

/** A span of something that was heard or synthesised. */
const isSpeech = ({ name, attributes }: SentSpan) =>
  /^(?:pipecat\.)?(?:stt|tts)$/.test(name) ||
  /^(?:stt|tts|speech_to_text|text_to_speech|transcription|speech)$/.test(String(attributes['gen_ai.operation.name']));

const INPUTS = [
  'input.value',
  'langfuse.observation.input',
  'traceloop.entity.input',
  'mlflow.spanInputs',
  'ai.prompt',
];
const OUTPUTS = [
  'output.value',
  'langfuse.observation.output',
  'traceloop.entity.output',
  'mlflow.spanOutputs',
  'ai.response.text',
];

/** Where no request to a model tells its words, runs of an agent that were given a talk of several messages. */
function agentRequestsOf(spans: readonly SentSpan[]): ModelRequest[] {
  return spans
    .filter((span) => kindOf(span) === 'step' && tellsMessages(span))
    .map((span) => ({ ...requestOf(span), beganMs: span.startMs, within: '', judged: false }))
    .filter(({ input }) => input.length > 1);
}

const tellsMessages = ({ attributes, events }: SentSpan) =>
  [{ attributes }, ...events].some((one) => 'gen_ai.input.messages' in one.attributes);

/** Where no request to a model tells its words, steps that were given some and answered: the outermost of them. */
function addSteps(draft: CallDraft, spans: readonly SentSpan[]): void {
  const steps = spans.filter((span) => kindOf(span) === 'step').map((span) => ({ span, ...exchangeOf(span) }));
  const telling = steps.filter(({ asked, answer }) => asked !== '' || answer !== '');
  const known = new Set(telling.map(({ span }) => `${span.traceId} ${span.spanId}`));
  for (const { span, asked, answer } of telling) {
    if (known.has(`${span.traceId} ${span.parentId ?? ''}`)) continue;
    if (asked !== '') draft.turns.push(said('caller', asked, span.startMs));
    if (answer !== '') draft.turns.push(said('agent', answer, span.endMs));
  }
}

function exchangeOf({ attributes, events }: SentSpan): { asked: string; answer: string } {
  const first = (names: readonly string[]) =>
    names.map((name) => attributes[name]).find((value) => value !== undefined);
  const given = [
    attributes['gen_ai.input.messages'],
    ...events.map((event) => event.attributes['gen_ai.input.messages']),
    argumentOf(first(INPUTS)),
  ];
  const answers = [
    attributes['gen_ai.output.messages'],
    ...events.map((event) => event.attributes['gen_ai.output.messages']),
    first(OUTPUTS),
  ];
  const asked = given.flatMap((value) => messagesOf(value ?? null, 'user')).findLast(({ role }) => role === 'user');
  const answer = answers
    .flatMap((value) => messagesOf(value ?? null, 'assistant'))
    .findLast(({ role }) => role === 'assistant');
  return { asked: asked?.text ?? '', answer: answer?.text ?? '' };
}

/** Decorators write what a function was given as `{args, kwargs}`: the words are its first text. */
function argumentOf(value: Json | undefined): Json {
  const given = looseJson(value);
  if (!isJsonObject(given) || !Array.isArray(given.args)) return given;
  const named = isJsonObject(given.kwargs ?? null) ? Object.values(given.kwargs as Record<string, Json>) : [];
  return [...given.args, ...named].find((entry) => typeof entry === 'string' || Array.isArray(entry)) ?? null;
}
