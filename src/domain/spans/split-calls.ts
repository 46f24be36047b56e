import { callRefsOf, isWholeCall } from './call-refs.ts';
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
  const byId = new Map(spans.map((span) => [idOf(span), span]));
  const groups = new Map<string, Group>();
  for (const span of spans) {
    const { key, whole, refs } = placeOf(span, byId);
    const group = groups.get(key) ?? { key, refs: new Set(), spans: [], whole };
    groups.set(key, group);
    group.spans.push(span);
    for (const ref of refs) group.refs.add(ref);
  }
  const { calls = [], around = [] } = Object.groupBy(groups.values(), (group) =>
    group.whole !== null || group.spans.some(isTalk) ? 'calls' : 'around',
  );
  joinAround(around, calls);
  return named(mergeByRef(calls));
}

const idOf = ({ traceId, spanId }: SentSpan) => `${traceId} ${spanId}`;

/** The group of a span, and what it and those above it call their call. */
function placeOf(span: SentSpan, byId: ReadonlyMap<string, SentSpan>) {
  const refs = new Set<string>();
  const passed = new Set<string>();
  let whole: SentSpan | null = null;
  let top = span;
  for (let at: SentSpan | undefined = span; at !== undefined && !passed.has(idOf(at)); at = parentOf(at, byId)) {
    passed.add(idOf(at));
    for (const ref of callRefsOf(at)) refs.add(ref);
    if (whole === null && isWholeCall(at)) whole = at;
    top = at;
  }
  const [ref] = refs;
  const isMissing = top.parentId !== null && !byId.has(`${top.traceId} ${top.parentId}`);
  const missing = isMissing && LIBRARIES.test(span.scope) ? top.parentId : null;
  const key = whole
    ? `whole ${idOf(whole)}`
    : ref !== undefined
      ? `ref ${ref}`
      : missing !== null
        ? `whole ${span.traceId} ${missing}`
        : `trace ${span.traceId}`;
  return { key, whole, refs };
}

const parentOf = ({ traceId, parentId }: SentSpan, byId: ReadonlyMap<string, SentSpan>) =>
  parentId === null ? undefined : byId.get(`${traceId} ${parentId}`);

/** Groups by something that they share, so that many groups cost no more than their number. */
class GroupIndex {
  readonly #groups = new Map<string, Set<Group>>();

  add(group: Group, keys: Iterable<string>): void {
    for (const key of keys) {
      const known = this.#groups.get(key);
      if (known) known.add(group);
      else this.#groups.set(key, new Set([group]));
    }
  }

  find(keys: Iterable<string>): Group[] {
    const found = new Set<Group>();
    for (const key of keys) for (const group of this.#groups.get(key) ?? []) found.add(group);
    return [...found];
  }
}

/** Parts of a call that lie in several traces, or outside of its span, share a name with it. */
function mergeByRef(groups: readonly Group[]): Group[] {
  const byRef = new GroupIndex();
  const merged = groups.filter(({ whole }) => whole !== null);
  for (const group of merged) byRef.add(group, group.refs);
  for (const group of groups) {
    if (group.whole !== null) continue;
    const into = nearest(group, byRef.find(group.refs));
    if (into) join(group, into);
    else merged.push(group);
    byRef.add(into ?? group, group.refs);
  }
  return merged;
}

/** What surrounds calls goes with those that it names, else with those of its traces. */
function joinAround(around: readonly Group[], calls: readonly Group[]): void {
  const byRef = new GroupIndex();
  const byTrace = new GroupIndex();
  for (const call of calls) {
    byRef.add(call, call.refs);
    byTrace.add(call, tracesOf(call));
  }
  for (const group of around) {
    const named = byRef.find(group.refs);
    const into = nearest(group, named.length > 0 ? named : byTrace.find(tracesOf(group)));
    if (into) join(group, into);
  }
}

const tracesOf = ({ spans }: Group) => new Set(spans.map(({ traceId }) => traceId));

function join(group: Group, into: Group): void {
  into.spans.push(...group.spans);
  for (const ref of group.refs) into.refs.add(ref);
}

/** The one that was going on when the group began, else the one that began last before it, else the first. */
function nearest(group: Group, calls: readonly Group[]): Group | undefined {
  if (calls.length < 2) return calls[0];
  const beginMs = beginOf(group);
  const inOrder = calls.toSorted((a, b) => beginOf(a) - beginOf(b));
  return inOrder.findLast((call) => beginOf(call) <= beginMs) ?? inOrder[0];
}

const beginOf = ({ whole, spans }: Group) => whole?.startMs ?? spans.reduce((m, s) => Math.min(m, s.startMs), Infinity);

/** Two calls of one room or job get a number behind their name, in the order of their begin. */
function named(groups: readonly Group[]): CallSpans[] {
  const used = new Map<string, number>();
  return groups
    .toSorted((a, b) => beginOf(a) - beginOf(b))
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
