import { callRefsOf } from './call-refs.ts';
import { GroupIndex } from './group-index.ts';
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

interface Group {
  key: string;
  refs: Set<string>;
  spans: SentSpan[];
  whole: SentSpan | null;
  /** Of the whole call, else of the first span that was sorted here; what joins later does not change it. */
  beginMs: number;
}

/** What only a conversation has: a group without any of these is what surrounds one. */
const TALK =
  /^(user_turn|user_speaking|agent_turn|agent_speaking|function_tool|turn|stt|llm|tts|llm_\w+|tts_\w+|realtime_inference)$/;
const isTalk = ({ name, attributes }: SentSpan) => TALK.test(name) || 'gen_ai.operation.name' in attributes;
const LIBRARIES = /^(livekit|pipecat)/;

/**
 * Sorts spans into calls: below the span of a whole call, else by what they call their call, else by the topmost span
 * that is missing, else by their trace. What surrounds a call goes with the one that it names or that was going on.
 */
export function splitCalls(spans: readonly SentSpan[]): CallSpans[] {
  const { calls = [], around = [] } = Object.groupBy(groupsOf(spans), (group) =>
    group.whole !== null || group.spans.some(isTalk) ? 'calls' : 'around',
  );
  joinAround(around, calls);
  return named(mergeByRef(calls));
}

/** In order of their begin. */
function groupsOf(spans: readonly SentSpan[]): Group[] {
  const places = new Places(spans);
  const groups = new Map<string, Group>();
  for (const span of spans) {
    const place = places.of(span);
    const key = keyOf(span, place);
    const { whole } = place;
    const group = groups.get(key) ?? { key, refs: new Set(), spans: [], whole, beginMs: Infinity };
    groups.set(key, group);
    group.spans.push(span);
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

/** What surrounds calls goes with those that it names, else with those of its traces. */
function joinAround(around: readonly Group[], calls: readonly Group[]): void {
  const byRef = new GroupIndex<Group>();
  const byTrace = new GroupIndex<Group>();
  for (const call of calls) {
    byRef.add(call, call.refs);
    byTrace.add(call, tracesOf(call));
  }
  for (const group of around) {
    const into = byRef.nearest(group.refs, group.beginMs) ?? byTrace.nearest(tracesOf(group), group.beginMs);
    if (into) join(group, into);
  }
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
  return own[0] ?? spans.flatMap(callRefsOf)[0] ?? spans[0]?.traceId ?? 'unknown';
}
