import type { IssueStatus } from '../vocabulary.ts';

const DAY_MS = 86_400_000;

/** What was decided about an issue so far. Times are milliseconds since 1970. */
export interface IssueLife {
  status: IssueStatus;
  /** A person said that it is no real problem: it stays resolved whatever comes. */
  rejected: boolean;
  /** Confirmed, not withdrawn, and a problem: only then does time decide anything about it. */
  alive: boolean;
  confirmedMs: number | null;
  resolvedMs: number | null;
  /** When a person last took it up again; its grace period begins anew there. */
  reopenedMs: number | null;
  fixVersion: number | null;
}

/** What the record holds about its calls. Only analysed calls on which its code could be computed count. */
export interface LifeFacts {
  /** Start of the last call that shows it; null where none of them has a start. */
  lastShownMs: number | null;
  /** Start of the newest such call that lies not after now, whether it shows the issue or not. */
  latestCallMs: number | null;
  /** Start of the newest stored call that still waits for its analysis. */
  latestWaitingMs: number | null;
  /** An import that brings history has not ended. */
  importing: boolean;
  /** The agent's time ends with its newest call, as a demo's does: no date comes nearer by waiting. */
  timeStands: boolean;
  /** When the fixing version took its first call; null before that, and without a fix. */
  fixLiveFromMs: number | null;
  /** Calls that show it and started after it was resolved. */
  laterCalls: readonly LaterCall[];
}

export interface LaterCall {
  startedMs: number;
  version: number;
  /** When that version took its first call. */
  liveFromMs: number;
  /** That version took the largest share of the calls when this one started; of equal shares the newest is current. */
  wasCurrent: boolean;
}

/** What an open issue waits for before it counts as resolved. */
export type LifeWait =
  | { for: 'nothing' }
  /** The grace period, which ends then if nothing shows it. */
  | { for: 'time'; untilMs: number }
  /** Calls: none on which it could be read came since, and silence without calls proves nothing. */
  | { for: 'calls' }
  /** The analysis of calls that started within the grace period; the youngest of them leaves it then. */
  | { for: 'analysis'; untilMs: number }
  | { for: 'import' };

export type LifeStep = { to: 'resolved' } | { to: 'regressed'; call: LaterCall } | { to: null; wait: LifeWait };

/**
 * What time and evidence make of an issue: the rule of the contract, and no other. Resolved, when no call of any
 * version that started in the last `graceDays` shows it and at least one came in that time; regressed, when a call
 * that started after it was resolved shows it again on a version that had to have the fix. When a call was imported
 * never matters. Pure: the same answer for the same facts, and none once the answer was carried out.
 */
export function nextStep(issue: IssueLife, facts: LifeFacts, nowMs: number, graceDays: number): LifeStep {
  if (!issue.alive) return { to: null, wait: { for: 'nothing' } };
  if (issue.status === 'resolved') {
    const call = issue.rejected ? undefined : firstReturn(issue, facts);
    return call ? { to: 'regressed', call } : { to: null, wait: { for: 'nothing' } };
  }
  const graceMs = graceDays * DAY_MS;
  const quietSinceMs = quietSince(issue, facts);
  const { latestCallMs, latestWaitingMs } = facts;
  if (nowMs < quietSinceMs + graceMs) {
    const came = latestCallMs !== null && latestCallMs > quietSinceMs;
    return {
      to: null,
      wait: came && !facts.timeStands ? { for: 'time', untilMs: quietSinceMs + graceMs } : { for: 'calls' },
    };
  }
  if (facts.importing) return { to: null, wait: { for: 'import' } };
  const from = nowMs - graceMs;
  if (latestWaitingMs !== null && latestWaitingMs > from) {
    return { to: null, wait: { for: 'analysis', untilMs: latestWaitingMs + graceMs } };
  }
  return latestCallMs !== null && latestCallMs > from ? { to: 'resolved' } : { to: null, wait: { for: 'calls' } };
}

/** Where the grace period begins: at the last call that shows it, or where a person took it up again after that. */
export function quietSince(issue: IssueLife, facts: Pick<LifeFacts, 'lastShownMs'>): number {
  // Calls without a start can be of any age: such an issue is as old as its confirmation.
  const shownMs = facts.lastShownMs ?? issue.confirmedMs ?? 0;
  return Math.max(shownMs, issue.reopenedMs ?? 0);
}

function firstReturn(issue: IssueLife, facts: LifeFacts): LaterCall | undefined {
  const { resolvedMs } = issue;
  if (resolvedMs === null) return undefined;
  return facts.laterCalls
    .filter((call) => call.startedMs > resolvedMs && hadToHaveFix(call, issue, facts))
    .toSorted((a, b) => a.startedMs - b.startedMs || b.version - a.version)[0];
}

/** A straggler on an old version proves nothing about a fix; a rollback, which makes the old version current, does. */
function hadToHaveFix(call: LaterCall, { fixVersion }: IssueLife, { fixLiveFromMs }: LifeFacts): boolean {
  if (fixVersion === null || call.version === fixVersion || call.wasCurrent) return true;
  return fixLiveFromMs !== null && call.liveFromMs >= fixLiveFromMs;
}
