import type { IssueStatus } from '../vocabulary.ts';

/** How an issue stands on the version that is live. */
export interface LiveStanding {
  as: 'resolved' | 'fell' | 'unseen' | 'happening';
  /** Why it is too early to say that it is gone; null for all but `unseen`. */
  sentence: string | null;
}

export interface ShownIssue {
  status: IssueStatus;
  fellOnLive: boolean;
  byVersion: readonly { version: number; calls: number; total: number }[];
}

/** From what is shown of an issue: that no call of the live version shows it says little before the grace period is over. */
export function liveStanding({ status, fellOnLive: fell, byVersion }: ShownIssue, live: number): LiveStanding {
  if (status === 'resolved') return { as: 'resolved', sentence: null };
  if (fell) return { as: 'fell', sentence: null };
  const row = byVersion.find(({ version }) => version === live);
  if (row !== undefined && row.calls > 0) return { as: 'happening', sentence: null };
  const isElsewhere = byVersion.some(({ calls }) => calls > 0);
  if (!isElsewhere) return { as: 'happening', sentence: null };
  const total = row?.total ?? 0;
  const counted = total === 0 ? 'it has taken no calls' : `0 of ${total} ${total === 1 ? 'call' : 'calls'}`;
  return { as: 'unseen', sentence: `Not seen on version ${live} yet (${counted}), too early to judge.` };
}
