import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import type { Json } from '../../domain/json.ts';
import { type SentSpan, textAttribute } from '../../domain/spans/span.ts';
import type { CallSpans } from '../../domain/spans/split-calls.ts';
import { DIRECTIONS } from '../../domain/vocabulary.ts';
import { anyText, flagAttribute, jsonAttribute, looseJson, numberAttribute } from './attributes.ts';
import { addSeconds, answered, type CallDraft, called, emptyDraft, said } from './draft.ts';
import { type Message, messagesOf } from './messages.ts';

/** Spans of Pipecat 0.0.9x and 1.x. */
export const isPipecat = ({ spans }: CallSpans) =>
  spans.some(({ scope, attributes }) => scope.startsWith('pipecat') || 'turn.number' in attributes);

export function draftOfPipecat(call: CallSpans): CallDraft {
  const draft = emptyDraft();
  const models = call.spans.filter(({ name }) => name === 'llm').map((span) => ({ span, input: inputOf(span) }));
  const turns = call.spans.filter(({ name }) => name === 'turn');
  const lastTurn = turns.at(-1)?.spanId ?? null;
  for (const span of turns) addSeconds(draft.latency.e2eMs, numberAttribute(span, 'turn.user_bot_latency_seconds'));
  for (const span of call.spans) addFirstByte(draft, span);
  addCallers(draft, call.spans);
  addTyped(draft, models);
  const cutOff = new Set(turns.filter((turn) => wasCutOff(turn, lastTurn)).map(({ spanId }) => spanId));
  addAgents(draft, call.spans, models, cutOff);
  addTools(draft, models);
  for (const span of call.spans) addRealtimeTool(draft, span);
  draft.aloud = call.spans.some(({ name }) => name === 'stt' || name === 'tts');
  draft.callerNumber = anyText(call.spans, 'caller.number', 'caller_number', 'from_number');
  draft.direction = DIRECTIONS.find((name) => name === anyText(call.spans, 'call.direction')) ?? null;
  draft.disconnectionReason = anyText(call.spans, 'call.end_reason', 'end_reason');
  draft.language = anyText(call.spans, 'language');
  return draft;
}

interface ModelSpan {
  span: SentSpan;
  input: Message[];
}

const inputOf = (span: SentSpan) => messagesOf(jsonAttribute(span, 'input', 'gen_ai.input.messages'));

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

/** What was typed, or heard by a model that hears itself, stands only among what the model was given. */
function addTyped(draft: CallDraft, models: readonly ModelSpan[]): void {
  let known = 0;
  for (const { span, input } of models) {
    const users = input.filter(({ role, text }) => role === 'user' && text !== '');
    for (const { text } of users.slice(known)) {
      const wasHeard = draft.turns.some((turn) => turn.role === 'caller' && turn.text.includes(text));
      if (!wasHeard) draft.turns.push(said('caller', text, span.startMs));
    }
    known = Math.max(known, users.length);
  }
}

/** The words of each answer: what was spoken, where that is told, else what the model wrote. */
function addAgents(
  draft: CallDraft,
  spans: readonly SentSpan[],
  models: readonly ModelSpan[],
  cutOff: ReadonlySet<string>,
): void {
  const voices = spans.filter(({ name }) => name === 'tts');
  const spokenOf = Map.groupBy(
    voices,
    (voice) => models.findLast(({ span }) => span.startMs <= voice.startMs)?.span.spanId ?? '',
  );
  for (const [id, parts] of spokenOf) {
    if (!models.some(({ span }) => span.spanId === id)) addSpoken(draft, parts, null, null, cutOff);
  }
  for (const [at, { span }] of models.entries()) {
    const parts = spokenOf.get(span.spanId) ?? [];
    const written = textAttribute(span, 'output');
    const after = models[at + 1]?.input.findLast(({ role, text }) => role === 'assistant' && text !== '')?.text ?? null;
    if (parts.length > 0) addSpoken(draft, parts, written, after, cutOff);
    else if (written !== null && written.trim() !== '') draft.turns.push(said('agent', written.trim(), span.endMs));
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
  if (text === '') {
    draft.wordless = true;
    return;
  }
  const interrupted = parts.some(
    (part) => flagAttribute(part, 'tts.interrupted') === true || cutOff.has(part.parentId ?? ''),
  );
  // The model's own history is cut where the caller came in; what was synthesised is not.
  const heard = interrupted && after !== null && text.startsWith(after) ? after : text;
  const fromMs = first.startMs + (numberAttribute(first, 'metrics.ttfb') ?? 0) * 1000;
  const toMs = Math.max(fromMs, ...parts.map(({ endMs }) => endMs));
  draft.turns.push(said('agent', heard, fromMs, { fromMs, toMs }, interrupted));
}

const PLACEHOLDERS = new Set(['IN_PROGRESS', 'COMPLETED', 'CANCELLED']);

/** A tool stands only among what the model was given next: called at the end of one answer, answered before the other. */
function addTools(draft: CallDraft, models: readonly ModelSpan[]): void {
  const known = new Set<string>();
  const bodies = lastWords(models);
  for (const [at, { span, input }] of models.entries()) {
    for (const call of input.flatMap(({ calls }) => calls)) {
      const key = call.id ?? `${call.name} ${JSON.stringify(call.args)}`;
      if (known.has(key)) continue;
      known.add(key);
      const calledMs = models[at - 1]?.span.endMs ?? span.startMs;
      draft.turns.push(called(call, calledMs));
      const body = bodies.get(call.id === null ? `name ${call.name}` : `id ${call.id}`);
      if (body === undefined) continue;
      const { ok } = judgeToolBody(body);
      const verdict = ok === null ? ({ ok, okSource: 'unknown' } as const) : ({ ok, okSource: 'body' } as const);
      const answeredMs = Math.max(calledMs, span.startMs);
      draft.turns.push(answered({ id: call.id, name: call.name, body, latencyMs: null, ...verdict }, answeredMs));
    }
  }
}

/** The last word on each call of a tool, by its id and by its tool: earlier ones may only say that it runs. */
function lastWords(models: readonly ModelSpan[]): Map<string, Json> {
  const bodies = new Map<string, Json>();
  for (const { id, name, body } of models.flatMap(({ input }) => input).flatMap(({ results }) => results)) {
    if (typeof body === 'string' && PLACEHOLDERS.has(body)) continue;
    if (id !== null) bodies.set(`id ${id}`, body);
    if (name !== null) bodies.set(`name ${name}`, body);
  }
  return bodies;
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
