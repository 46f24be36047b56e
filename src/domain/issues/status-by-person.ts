import type { IssueStatus } from '../vocabulary.ts';

/** What a person can set; the other statuses are the analysis's to set. */
export const PERSON_STATUSES = ['investigating', 'fix_deployed', 'measuring', 'resolved'] as const;
export type PersonStatus = (typeof PERSON_STATUSES)[number];

export interface StatusWish {
  status: PersonStatus;
  /** With `resolved`: it is no real problem. */
  rejected: boolean;
  /** With `fix_deployed`: the version that has the fix; the current one where it is null. */
  version: number | null;
}

export interface StandingIssue {
  status: IssueStatus;
  rejected: boolean;
  withdrawn: boolean;
  /** False for counts and for what callers did. */
  isProblem: boolean;
  fixVersion: number | null;
}

export interface StatusChange {
  status: PersonStatus;
  rejected: boolean;
  fixVersion: number | null;
  /** True when it leaves `resolved`: a new grace period begins. */
  reopens: boolean;
}

/** Who goes back to investigating from a fix withdraws it. */
function fixVersionAfter(issue: StandingIssue, wish: StatusWish, currentVersion: number): number | null {
  if (wish.status === 'fix_deployed') return wish.version ?? currentVersion;
  const isWithdrawn =
    wish.status === 'investigating' && (issue.status === 'fix_deployed' || issue.status === 'measuring');
  return isWithdrawn ? null : issue.fixVersion;
}

/** What a person's wish makes of an issue: a change, null where it is so already, or why it cannot be. */
export function changeByPerson(
  issue: StandingIssue,
  wish: StatusWish,
  currentVersion: number,
): StatusChange | null | { refused: string } {
  if (!issue.isProblem) return { refused: 'This is a count and not a finding, so it has no status to set.' };
  if (issue.withdrawn) return { refused: 'The analysis withdrew this issue: no analysed call shows it any more.' };
  const isResolved = issue.status === 'resolved';
  if (isResolved && wish.status !== 'investigating' && wish.status !== 'resolved') {
    return { refused: 'This issue is resolved: set it to investigating first, which takes it up again.' };
  }
  const fixVersion = fixVersionAfter(issue, wish, currentVersion);
  const rejected = wish.status === 'resolved' && wish.rejected;
  const same = wish.status === issue.status && rejected === issue.rejected && fixVersion === issue.fixVersion;
  return same ? null : { status: wish.status, rejected, fixVersion, reopens: isResolved && wish.status !== 'resolved' };
}
