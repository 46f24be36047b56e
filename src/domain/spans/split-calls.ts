import type { JsonObject } from '../json.ts';
import { callRefsOf } from './call-refs.ts';
import { GroupIndex } from './group-index.ts';
import type { LeftReason } from './left-spans.ts';
import { idOf, type Place, Places } from './places.ts';
import type { SentSpan } from './span.ts';

/** Spans of one call. */
export interface CallSpans {
  /** What the call is called by whoever sent it. */
  ref: string;
  /** In order of their begin. */
  spans: SentSpan[];
  /** The span that stands for the whole call; null while it has not come in, or where the library makes none. */
  whole: SentSpan | null;
}

/** Spans of which no call is made. */
export interface LeftSpans {
  reason: LeftReason;
  spans: SentSpan[];
}

export interface SplitSpans {
  calls: CallSpans[];
  left: LeftSpans[];
}

interface Group {
  key: string;
  refs: Set<string>;
  spans: SentSpan[];
  whole: SentSpan | null;
  /** Of the whole call, else of the first span that was sorted here; what joins later does not change it. */
  beginMs: number;
  /** Its library names calls, and these spans neither name one nor lie below a span that could. */
  isLoose: boolean;
}

/** What only a conversation has: a group without any of these is what surrounds one. */
const TALK =
  /^(user_turn|user_speaking|(realtime_)?assistant_turn|agent_turn|agent_speaking|function_tool|turn|stt|llm|tts|llm_\w+|tts_\w+|realtime_inference)$/;
const TALK_ATTRIBUTES = [
  'gen_ai.operation.name',
  'openinference.span.kind',
  'langfuse.observation.type',
  'langsmith.span.kind',
  'traceloop.span.kind',
  'mlflow.spanType',
  'llm.request.type',
  'ai.operationId',
  'gen_ai.prompt',
  'gen_ai.prompt.0.role',
  'gen_ai.prompt.0.content',
  'gen_ai.input.messages',
  'llm.input_messages.0.message.role',
  'gcp.vertex.agent.llm_request',
] as const;
const LIBRARIES = /^(livekit|pipecat)/;

/** Whether a span is of a library that makes a span of each whole call. */
export const namesCalls = ({ scope }: Pick<SentSpan, 'scope'>) => LIBRARIES.test(scope);

/** Whether a span tells of a talk, by its name or by what only such spans have. */
export const isTalk = ({ name, attributes, events }: Pick<SentSpan, 'name' | 'attributes' | 'events'>) =>
  TALK.test(name) ||
  TALK_ATTRIBUTES.some((attribute) => attribute in attributes) ||
  events.some((event) => event.name.startsWith('gen_ai.'));

/**
 * Sorts spans into calls: below the span of a whole call, else by what they call their call, else by the topmost span
 * that is missing, else by their trace. What surrounds a call goes with the one that it names or that was going on.
 */
export function splitCalls(spans: readonly SentSpan[]): SplitSpans {
  const sorted = groupsOf(spans);
  const around = sorted.filter((group) => group.whole === null && !group.spans.some(isTalk));
  const surrounds = new Set(around);
  const talks = sorted.filter((group) => !surrounds.has(group));
  const calls = mergeByRef(talks.filter(({ isLoose }) => !isLoose));
  const loose = joinLoose(
    talks.filter(({ isLoose }) => isLoose),
    calls,
  );
  calls.push(...loose.calls);
  const noTalk = joinAround(around, calls);
  return {
    calls: named(calls),
    left: [
      ...noTalk.map(({ spans: own }) => ({ reason: 'no_talk' as const, spans: own })),
      ...loose.left.map(({ spans: own }) => ({ reason: 'no_call' as const, spans: own })),
    ],
  };
}

/** In order of their begin. */
function groupsOf(spans: readonly SentSpan[]): Group[] {
  const places = new Places(spans);
  const groups = new Map<string, Group>();
  for (const span of spans) {
    const place = places.of(span);
    const key = keyOf(span, place);
    const { whole } = place;
    const group = groups.get(key) ?? {
      key,
      refs: new Set(),
      spans: [],
      whole,
      beginMs: Infinity,
      isLoose: key.startsWith('trace '),
    };
    groups.set(key, group);
    group.spans.push(span);
    group.isLoose &&= namesCalls(span);
    group.beginMs = whole?.startMs ?? Math.min(group.beginMs, span.startMs);
    for (const ref of place.refs) group.refs.add(ref);
  }
  return [...groups.values()].sort((a, b) => a.beginMs - b.beginMs);
}

function keyOf({ traceId, scope }: SentSpan, { whole, refs, missingId }: Place): string {
  if (whole) return `whole ${idOf(whole)}`;
  const [ref] = refs;
  if (ref !== undefined) return `ref ${ref}`;
  return missingId !== null && LIBRARIES.test(scope) ? `whole ${traceId} ${missingId}` : `trace ${traceId}`;
}

/** Parts of a call that lie in several traces, or outside of its span, share a name with it. */
function mergeByRef(groups: readonly Group[]): Group[] {
  const byRef = new GroupIndex<Group>();
  const merged = groups.filter(({ whole }) => whole !== null);
  for (const group of merged) byRef.add(group, group.refs);
  for (const group of groups) {
    if (group.whole !== null) continue;
    const into = byRef.nearest(group.refs, group.beginMs);
    if (into) join(group, into);
    else merged.push(group);
    byRef.add(into ?? group, group.refs);
  }
  return merged;
}

/** What surrounds calls goes with those that it names, else with those of its traces. @returns what goes with none. */
function joinAround(around: readonly Group[], calls: readonly Group[]): Group[] {
  const byRef = new GroupIndex<Group>();
  const byTrace = new GroupIndex<Group>();
  for (const call of calls) {
    byRef.add(call, call.refs);
    byTrace.add(call, tracesOf(call));
  }
  const left: Group[] = [];
  for (const group of around) {
    const into = byRef.nearest(group.refs, group.beginMs) ?? byTrace.nearest(tracesOf(group), group.beginMs);
    if (into) join(group, into);
    else left.push(group);
  }
  return left;
}

/** Greetings and steps of flows that a library traces by themselves lie within their call, or seconds around it. */
export const AROUND_A_CALL_MS = 10_000;
/** Calls of one program that go on at the same time, and are looked at. */
const LOOKED_AT = 200;

/**
 * What a library traced by itself goes with the one call of the same program that was going on. Where it holds a talk of
 * its own and no call was going on, it is one.
 */
function joinLoose(loose: readonly Group[], calls: readonly Group[]): { calls: Group[]; left: Group[] } {
  if (loose.length === 0) return { calls: [], left: [] };
  const programOf = programs();
  const timed = calls.map((call) => ({ call, ...timesOf(call) })).sort((a, b) => a.fromMs - b.fromMs);
  const byProgram = Map.groupBy(timed, ({ call }) => programOf(call));
  const alone: Group[] = [];
  const left: Group[] = [];
  for (const group of loose) {
    const { fromMs, toMs } = timesOf(group);
    const begun = (byProgram.get(programOf(group)) ?? []).filter((call) => call.fromMs <= toMs + AROUND_A_CALL_MS);
    const around = begun.slice(-LOOKED_AT).filter((call) => call.toMs >= fromMs - AROUND_A_CALL_MS);
    // What is said in a call is no part of one that had ended by then.
    const isWithin = around.some((call) => call.fromMs <= fromMs && call.toMs >= fromMs);
    const goingOn = isWithin ? around.filter((call) => call.toMs >= fromMs) : around;
    const [one] = goingOn;
    if (one && goingOn.length === 1) join(group, one.call);
    else if (goingOn.length === 0 && holdsTalk(group)) alone.push(group);
    else left.push(group);
  }
  return { calls: alone, left };
}

/** Both sides, or turns: not a greeting alone. */
function holdsTalk({ spans }: Group): boolean {
  const names = new Set(spans.map(({ name }) => name));
  const isHeard = ['user_turn', 'user_speaking', 'stt'].some((name) => names.has(name));
  return isHeard && [...names].some((name) => /^(llm|tts|agent_turn|(realtime_)?assistant_turn)$/.test(name));
}

function timesOf({ spans, whole }: Group): { fromMs: number; toMs: number } {
  if (whole) return { fromMs: whole.startMs, toMs: whole.endMs };
  let [fromMs, toMs] = [Infinity, -Infinity];
  for (const span of spans) {
    fromMs = Math.min(fromMs, span.startMs);
    toMs = Math.max(toMs, span.endMs);
  }
  return { fromMs, toMs };
}

/** Tells programs apart by what they say of themselves, written out once each. */
function programs(): (group: Group) => string {
  const known = new Map<JsonObject | undefined, string>();
  return ({ spans, whole }) => {
    const span = whole ?? spans[0];
    const text = known.get(span?.resource) ?? JSON.stringify(span?.resource ?? {});
    known.set(span?.resource, text);
    return `${LIBRARIES.exec(span?.scope ?? '')?.[1] ?? ''} ${text}`;
  };
}

const tracesOf = ({ spans }: Group) => new Set(spans.map(({ traceId }) => traceId));

function join(group: Group, into: Group): void {
  for (const span of group.spans) into.spans.push(span);
  for (const ref of group.refs) into.refs.add(ref);
}

/** Two calls of one room or job get a number behind their name, in the order of their begin. */
function named(groups: readonly Group[]): CallSpans[] {
  const used = new Map<string, number>();
  return groups
    .toSorted((a, b) => a.beginMs - b.beginMs)
    .map(({ spans, whole }) => {
      const inOrder = spans.toSorted((a, b) => a.startMs - b.startMs);
      const ref = refOf(inOrder, whole);
      const nth = (used.get(ref) ?? 0) + 1;
      used.set(ref, nth);
      return { ref: nth === 1 ? ref : `${ref}/${nth}`, spans: inOrder, whole };
    });
}

/** What spans may call a call of this name: its own name, or that of the room of which it is a later call. */
export function roomsOf(ref: string): string[] {
  const room = /^(.+)\/\d+$/.exec(ref)?.[1];
  return room === undefined ? [ref] : [ref, room];
}

/** The best name that any of the spans has; the trace's id where none has one. */
function refOf(spans: readonly SentSpan[], whole: SentSpan | null): string {
  const own = whole ? callRefsOf(whole) : [];
  const beside = () => spans.flatMap(({ resource }) => callRefsOf({ attributes: resource }))[0];
  return own[0] ?? spans.flatMap(callRefsOf)[0] ?? beside() ?? spans[0]?.traceId ?? 'unknown';
}
