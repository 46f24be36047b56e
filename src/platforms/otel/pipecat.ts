import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { type SentSpan, textAttribute } from '../../domain/spans/span.ts';
import type { CallSpans } from '../../domain/spans/split-calls.ts';
import { DIRECTIONS } from '../../domain/vocabulary.ts';
import { anyText, flagAttribute, looseJson, numberAttribute } from './attributes.ts';
import { addSeconds, answered, type CallDraft, called, emptyDraft, said, spokeAt } from './draft.ts';
import { type ModelRequest, modelRequestsOf } from './model-requests.ts';
import { type Told, talkOf } from './talk/talk.ts';
import { addTalkedTools } from './talked-tools.ts';

/** Spans of Pipecat 0.0.9x and 1.x. */
export const isPipecat = ({ spans }: CallSpans) =>
  spans.some(({ scope, attributes }) => scope.startsWith('pipecat') || 'turn.number' in attributes);

export function draftOfPipecat(call: CallSpans): CallDraft {
  const draft = emptyDraft();
  const requests = modelRequestsOf(call.spans);
  const voices = call.spans.filter(({ name }) => name === 'tts');
  const told = talkOf(
    requests,
    voices.map((voice) => textAttribute(voice, 'text') ?? ''),
  );
  const turns = call.spans.filter(({ name }) => name === 'turn');
  const lastTurn = turns.at(-1)?.spanId ?? null;
  for (const span of turns) addSeconds(draft.latency.e2eMs, numberAttribute(span, 'turn.user_bot_latency_seconds'));
  for (const span of call.spans) addFirstByte(draft, span);
  addCallers(draft, call.spans);
  addTyped(draft, told);
  addUnheard(draft, call.spans);
  const cutOff = new Set(turns.filter((turn) => wasCutOff(turn, lastTurn)).map(({ spanId }) => spanId));
  addAgents(draft, { voices, requests, told, cutOff });
  addTalkedTools(draft, told, []);
  for (const span of call.spans) addRealtimeTool(draft, span);
  draft.aloud = call.spans.some(({ name }) => name === 'stt' || name === 'tts');
  draft.callerNumber = anyText(call.spans, 'caller.number', 'caller_number', 'from_number');
  draft.direction = DIRECTIONS.find((name) => name === anyText(call.spans, 'call.direction')) ?? null;
  draft.disconnectionReason = anyText(call.spans, 'call.end_reason', 'end_reason');
  draft.language = anyText(call.spans, 'language');
  return draft;
}

/** The last turn is said to be cut off whenever the talk ends within it. */
const wasCutOff = (turn: SentSpan, lastTurn: string | null) =>
  turn.spanId !== lastTurn && flagAttribute(turn, 'turn.was_interrupted') === true;

function addFirstByte({ latency }: CallDraft, span: SentSpan): void {
  const parts = new Map([
    ['llm', latency.llmMs],
    ['tts', latency.ttsMs],
    ['stt', latency.asrMs],
  ]);
  const figures = parts.get(span.name);
  if (figures) addSeconds(figures, numberAttribute(span, 'metrics.ttfb'));
}

/** What was heard of the caller in one turn is one turn, however often the recogniser paused. */
function addCallers(draft: CallDraft, spans: readonly SentSpan[]): void {
  const heard = spans.filter((span) => span.name === 'stt' && flagAttribute(span, 'is_final') !== false);
  for (const parts of Map.groupBy(heard, ({ parentId, spanId }) => parentId ?? spanId).values()) {
    const text = parts
      .map((part) => textAttribute(part, 'transcript') ?? '')
      .join(' ')
      .trim();
    const fromMs = Math.min(...parts.map(({ startMs }) => startMs));
    const toMs = Math.max(...parts.map(({ endMs }) => endMs));
    if (text !== '') draft.turns.push(said('caller', text, fromMs, { fromMs, toMs }));
  }
}

/** What was typed, or heard by a model that hears itself, stands only among what models were given. */
function addTyped(draft: CallDraft, told: readonly Told[]): void {
  const heard = draft.turns.filter(({ role }) => role === 'caller').map(({ text }) => ` ${bareWords(text)} `);
  for (const { kind, text, atMs } of told) {
    if (kind !== 'caller') continue;
    const words = ` ${bareWords(text)} `;
    // A recogniser's pieces come as one message, and some of them in one of their own.
    if (!heard.some((known) => known.includes(words) || words.includes(known)))
      draft.turns.push(said('caller', text, atMs));
  }
}

/** Where no word of the caller is on any span, those that were recognised still tell when they spoke. */
function addUnheard(draft: CallDraft, spans: readonly SentSpan[]): void {
  if (draft.turns.some(({ role }) => role === 'caller')) return;
  for (const { name, startMs, endMs, attributes } of spans) {
    if (name === 'stt' && attributes['stt.incomplete'] !== true) {
      draft.turns.push(spokeAt('caller', { fromMs: startMs, toMs: endMs }));
    }
  }
}

const bareWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

interface Answers {
  voices: readonly SentSpan[];
  requests: readonly ModelRequest[];
  told: readonly Told[];
  cutOff: ReadonlySet<string>;
}

/** The words of each answer: what was spoken, where that is told, else what the model wrote. */
function addAgents(draft: CallDraft, { voices, requests, told, cutOff }: Answers): void {
  const spokenOf = Map.groupBy(
    voices,
    (voice) => requests.findLast(({ span }) => span.startMs <= voice.startMs) ?? null,
  );
  const heard = bareWords(voices.map((voice) => textAttribute(voice, 'text') ?? '').join(' '));
  const writtenOf = Map.groupBy(
    told.filter(({ kind }) => kind === 'agent'),
    ({ by }) => by,
  );
  addSpoken(draft, spokenOf.get(null) ?? [], null, null, cutOff);
  for (const [at, request] of requests.entries()) {
    const parts = spokenOf.get(request) ?? [];
    const written = writtenOf.get(request) ?? [];
    const after =
      requests[at + 1]?.input.findLast(({ role, text }) => role === 'assistant' && text !== '')?.text ?? null;
    if (parts.length > 0) addSpoken(draft, parts, written.map(({ text }) => text).join(' '), after, cutOff);
    else for (const { text, atMs } of written) draft.turns.push(said('agent', text, atMs));
  }
  // What was said without a model stands only among what the next one was given, where it was not synthesised either.
  for (const { text, atMs } of writtenOf.get(null) ?? []) {
    if (!heard.includes(bareWords(text))) draft.turns.push(said('agent', text, atMs));
  }
}

function addSpoken(
  draft: CallDraft,
  parts: readonly SentSpan[],
  written: string | null,
  after: string | null,
  cutOff: ReadonlySet<string>,
): void {
  const [first] = parts;
  if (!first) return;
  const told = parts
    .map((part) => textAttribute(part, 'text') ?? '')
    .join(' ')
    .trim();
  const text = told === '' ? (written ?? '').trim() : told;
  const interrupted = parts.some(
    (part) => flagAttribute(part, 'tts.interrupted') === true || cutOff.has(part.parentId ?? ''),
  );
  // The model's own history is cut where the caller came in; what was synthesised is not.
  const heard = interrupted && after !== null && text.startsWith(after) ? after : text;
  const fromMs = first.startMs + (numberAttribute(first, 'metrics.ttfb') ?? 0) * 1000;
  const toMs = Math.max(fromMs, ...parts.map(({ endMs }) => endMs));
  draft.turns.push(said('agent', heard, fromMs, { fromMs, toMs }, interrupted));
}

/** Models that hear and speak themselves have spans of their own for tools. */
function addRealtimeTool(draft: CallDraft, span: SentSpan): void {
  const name = textAttribute(span, 'tool.function_name');
  if (name === null) return;
  const id = textAttribute(span, 'tool.call_id');
  if (span.name === 'llm_tool_call') {
    draft.turns.push(called({ id, name, args: looseJson(span.attributes['tool.arguments']) }, span.startMs));
  } else if (span.name === 'llm_tool_result') {
    const body = looseJson(span.attributes['tool.result']);
    const failed = textAttribute(span, 'tool.result_status') === 'error';
    const ok = failed ? false : judgeToolBody(body).ok;
    const okSource = failed ? 'flag' : ok === null ? 'unknown' : 'body';
    draft.turns.push(answered({ id, name, body, latencyMs: null, ok, okSource }, span.startMs));
  }
}
