/** The rule by which repeat callers are counted, in plain form: the measure, and the oracle, of what the database does in bulk. */

export interface CallOfCaller {
  id: string;
  /** Keyed hash of the number; null where it is not known. */
  callerKey: string | null;
  startedAt: string | null;
  providerCallId: string;
}

export interface CallerCount {
  kind: 'new' | 'repeat' | 'unknown';
  nth: number;
  of: number;
}

/** `nth` of `of` for each call, by start and then platform call id; a call without a start comes last. Unknown callers are 1 of 1. */
export function countCallers(calls: readonly CallOfCaller[]): Map<string, CallerCount> {
  const byCaller = new Map<string, CallOfCaller[]>();
  const counts = new Map<string, CallerCount>();
  for (const call of calls) {
    if (call.callerKey === null) {
      counts.set(call.id, { kind: 'unknown', nth: 1, of: 1 });
      continue;
    }
    const list = byCaller.get(call.callerKey);
    if (list === undefined) byCaller.set(call.callerKey, [call]);
    else list.push(call);
  }
  for (const list of byCaller.values()) {
    list.sort(inOrder);
    for (const [at, call] of list.entries()) {
      counts.set(call.id, { kind: at === 0 ? 'new' : 'repeat', nth: at + 1, of: list.length });
    }
  }
  return counts;
}

function inOrder(a: CallOfCaller, b: CallOfCaller): number {
  if (a.startedAt !== b.startedAt) {
    if (a.startedAt === null) return 1;
    if (b.startedAt === null) return -1;
    return a.startedAt < b.startedAt ? -1 : 1;
  }
  return a.providerCallId < b.providerCallId ? -1 : 1;
}
