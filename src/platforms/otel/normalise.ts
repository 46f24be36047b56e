import type { NormalisedCall, Turn } from '../../domain/calls/call.ts';
import { dialectOf } from '../../domain/spans/dialects.ts';
import type { SentSpan } from '../../domain/spans/span.ts';
import type { CallSpans } from '../../domain/spans/split-calls.ts';
import { SIDES, type Side, type Timing } from '../../domain/vocabulary.ts';
import { UnreadableCall } from '../port.ts';
import { judgeTiming } from '../spoken-times.ts';
import { clockTime } from '../start-time.ts';
import { emptyTurn } from '../turn-parts.ts';
import { anyText } from './attributes.ts';
import type { CallDraft, DraftTurn } from './draft.ts';
import { draftOfGenAi } from './genai.ts';
import { draftOfLivekit, isLivekit } from './livekit.ts';
import { draftOfPipecat, isPipecat } from './pipecat.ts';

const VERSIONS = ['agent.version', 'gen_ai.agent.version', 'lk.deployment_id'] as const;
const LONGEST_VERSION = 200;

/** Makes a call of its spans. @throws UnreadableCall where they hold nothing that was said or done. */
export function normaliseSpans(call: CallSpans, nowMs: number): NormalisedCall {
  const draft = isLivekit(call) ? draftOfLivekit(call) : isPipecat(call) ? draftOfPipecat(call) : draftOfGenAi(call);
  if (draft.turns.length === 0 && call.whole === null) {
    throw new UnreadableCall(`The spans of ${call.ref} hold nothing that was said or done. ${contentsOf(call.spans)}`);
  }
  const warnings = [...draft.warnings];
  if (call.whole === null && call.ref === call.spans[0]?.traceId) {
    warnings.push(
      'No span names its conversation, so each trace is a call: set `gen_ai.conversation.id` or `session.id` on the spans.',
    );
  }
  const { startMs, endMs } = boundsOf(call, draft, warnings);
  const drafted = inOrder(draft.turns);
  const turns = drafted.map((turn, index) => layFrom(startMs, turn, index));
  const timing = timingOf(draft, turns);
  const isCut = draft.tellsEnd && call.whole === null;
  if (isCut) {
    warnings.push(
      'The span of the whole call never came in: the call was closed after a silence, and may be incomplete.',
    );
  }
  const wordless = wordlessSides(draft);
  for (const side of wordless) warnings.push(missingWords(side, wordless, call));
  const version = versionOf(call.spans);
  return {
    providerCallId: call.ref,
    version: 1,
    ...(version === null ? {} : { versionBy: { ref: version } }),
    startedAt: clockTime(startMs, { what: 'start', nowMs, warnings }),
    endedAt: clockTime(endMs, { what: 'end', nowMs, warnings }),
    durationMs: Math.max(0, Math.round(endMs - startMs)),
    direction: draft.direction ?? 'inbound',
    channel: draft.aloud ? 'voice' : 'text',
    language: draft.language,
    disconnectionReason: draft.disconnectionReason ?? 'unknown',
    ending: draft.ending,
    callerNumber: draft.callerNumber,
    turns,
    transitions: draft.transitions.map(({ atMs, ...move }) => ({
      ...move,
      atTurn: drafted.filter((turn) => turn.atMs < atMs).length,
      atMs: Math.max(0, Math.round(atMs - startMs)),
      toLabel: null,
    })),
    timing,
    latency: Object.values(draft.latency).some((figures) => figures.length > 0) ? draft.latency : null,
    costUsd: null,
    variables: null,
    platformAnalysis: null,
    partial: isCut || wordless.length > 0,
    ...(draft.notRecorded.length > 0 ? { notRecorded: draft.notRecorded } : {}),
    warnings,
    traceIds: [...new Set(call.spans.map(({ traceId }) => traceId))].slice(0, TRACES_NAMED),
  };
}

/** A call in more is one whose sender opens a trace a turn: the first ones lead to the others. */
const TRACES_NAMED = 20;

/** Sides that spoke without words, or of which nothing is known. */
const wordlessSides = ({ turns, notRecorded }: CallDraft): Side[] =>
  SIDES.filter((side) => notRecorded.includes(side) || turns.some(({ role, wordless }) => role === side && wordless));

function missingWords(side: Side, wordless: readonly Side[], { spans }: CallSpans): string {
  const hearsItself = spans.some(({ name }) => name.startsWith('realtime_'));
  // Models that hear and speak themselves tell the agent's words and not the caller's, whatever is set.
  const help =
    side === 'caller' && wordless.length === 1 && hearsItself
      ? 'A model that hears the caller itself puts no transcript on the spans: send the session report of each call too, which has it.'
      : contentsOf(spans);
  return `Words of the ${side} are missing: the spans do not hold them. ${help}`;
}

/** What sends the words, by the library that made the spans. */
function contentsOf(spans: readonly SentSpan[]): string {
  const dialect = spans.map(dialectOf).find((found) => found !== null);
  return dialect?.contents ?? '';
}

/** From the span of the whole call, widened where spans of another clock lie outside of it. */
function boundsOf(call: CallSpans, draft: CallDraft, warnings: string[]): { startMs: number; endMs: number } {
  const times = draft.turns.flatMap(({ atMs, spoken }) => (spoken ? [atMs, spoken.fromMs, spoken.toMs] : [atMs]));
  const spans = call.whole ? [call.whole] : call.spans;
  const startMs = spans.reduce((least, span) => Math.min(least, span.startMs), Number.POSITIVE_INFINITY);
  const endMs = spans.reduce((most, span) => Math.max(most, span.endMs), Number.NEGATIVE_INFINITY);
  const firstMs = times.reduce((least, time) => Math.min(least, time), startMs);
  const lastMs = times.reduce((most, time) => Math.max(most, time), endMs);
  if (startMs - firstMs > CLOCKS_DISAGREE_MS && !beganApart(call)) {
    warnings.push(`Spans begin ${seconds(startMs - firstMs)} before their call does: the senders' clocks disagree.`);
  }
  if (call.whole !== null && lastMs - endMs > CLOCKS_DISAGREE_MS) {
    warnings.push(`Spans end ${seconds(lastMs - endMs)} after their call does: the senders' clocks disagree.`);
  }
  return { startMs: firstMs, endMs: lastMs };
}

/** Some libraries trace a greeting by itself, before the span of the whole call begins. */
const beganApart = ({ spans, whole }: CallSpans) =>
  whole !== null && spans.some(({ traceId, startMs }) => traceId !== whole.traceId && startMs < whole.startMs);

const CLOCKS_DISAGREE_MS = 1_000;
const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** At the same moment a tool is called before it answers, and answers before the agent speaks of it. */
function inOrder(turns: readonly DraftTurn[]): DraftTurn[] {
  const rank = ({ role, toolCall }: DraftTurn) => (role === 'caller' ? 0 : toolCall ? 1 : role === 'tool' ? 2 : 3);
  return turns.toSorted((a, b) => a.atMs - b.atMs || rank(a) - rank(b));
}

function layFrom(startMs: number, draft: DraftTurn, index: number): Turn {
  const { role, text, wordless, spoken, interrupted, toolCall, toolResult } = draft;
  const missing = wordless ? { wordsMissing: true as const } : {};
  const turn = { ...emptyTurn(index, role, null), text, ...missing, interrupted, toolCall, toolResult };
  if (spoken === null) return turn;
  const fromMs = Math.max(0, Math.round(spoken.fromMs - startMs));
  return { ...turn, startMs: fromMs, endMs: Math.max(fromMs, Math.round(spoken.toMs - startMs)) };
}

function timingOf({ exact }: CallDraft, turns: readonly Turn[]): Timing {
  const judged = judgeTiming(turns);
  return judged === 'exact' && !exact ? 'approx' : judged;
}

/** What whoever runs the agent calls its version: on a span, or beside all of them. */
function versionOf(spans: readonly SentSpan[]): string | null {
  const resources = spans.map((span) => ({ ...span, attributes: span.resource }));
  const stated = anyText(spans, ...VERSIONS) ?? anyText(resources, 'service.version', ...VERSIONS);
  return stated === null ? null : stated.slice(0, LONGEST_VERSION);
}
