import type { LifeWait } from './lifecycle.ts';

/** What an agent's open issues wait for: few words, because it crosses Temporal and is shown to operators. Times are ISO 8601. */
export interface GracePlan {
  /** When somebody must look again; null where only evidence or a person changes anything. */
  nextAt: string | null;
  /** Open issues that have a life. */
  open: number;
  /** The next ones to be resolved if nothing shows them, earliest first, at most `DUE_SHOWN`. */
  due: DueIssue[];
  /** Open issues that wait for calls on which they can be read. */
  waitForCalls: number;
  /** Open issues whose time has come, and which wait for calls of their grace period to be analysed. */
  waitForAnalysis: number;
  /** Open issues whose time has come, and which wait for an import to end. */
  waitForImport: number;
}

export interface DueIssue {
  issueId: string;
  title: string;
  at: string;
}

export const DUE_SHOWN = 10;

export interface WaitingIssue {
  issueId: string;
  title: string;
  wait: LifeWait;
}

/** @param otherDatesMs further times at which something ends, such as snoozes. */
export function planGrace(open: readonly WaitingIssue[], otherDatesMs: readonly number[]): GracePlan {
  const count = (kind: LifeWait['for']) => open.filter(({ wait }) => wait.for === kind).length;
  const due = open.flatMap(({ issueId, title, wait }) =>
    wait.for === 'time' ? [{ issueId, title, untilMs: wait.untilMs }] : [],
  );
  due.sort((a, b) => a.untilMs - b.untilMs || (a.issueId < b.issueId ? -1 : 1));
  const again = open.flatMap(({ wait }) => (wait.for === 'analysis' ? [wait.untilMs] : []));
  // Not spread into one call: ten thousand issues are more arguments than an engine promises to take.
  const dates = [...due.slice(0, 1).map(({ untilMs }) => untilMs), ...again, ...otherDatesMs].sort((a, b) => a - b);
  const [first] = dates;
  return {
    nextAt: first === undefined ? null : new Date(first).toISOString(),
    open: open.length,
    due: due
      .slice(0, DUE_SHOWN)
      .map(({ issueId, title, untilMs }) => ({ issueId, title, at: new Date(untilMs).toISOString() })),
    waitForCalls: count('calls'),
    waitForAnalysis: count('analysis'),
    waitForImport: count('import'),
  };
}
