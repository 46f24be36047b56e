import type { Schemas } from '../../client/api.ts';

export type Retention = Schemas['Retention'];
export type RetentionName = keyof Retention;
export const RETENTION_NAMES = ['payloadDays', 'transcriptDays', 'callDays'] as const satisfies RetentionName[];

/** How long something is kept, as a person chooses it; the days stay while another choice is looked at. */
export interface Kept {
  for: 'workspace' | 'days' | 'ever';
  days: string;
}

const USUAL_DAYS = '365';

export function keptOf(days: number | null, isWorkspaces = false): Kept {
  const shown = days === null ? USUAL_DAYS : String(days);
  if (isWorkspaces) return { for: 'workspace', days: shown };
  return { for: days === null ? 'ever' : 'days', days: shown };
}

/** As the API takes it. */
export function sentOf(kept: Kept): number | null | 'workspace' {
  if (kept.for === 'days') return Number(kept.days);
  return kept.for === 'ever' ? null : 'workspace';
}

/** Whether what is in force now keeps something for longer than what would be. */
export function removesMore(now: Retention, then: Retention): boolean {
  return RETENTION_NAMES.some((name) => daysOf(then[name]) < daysOf(now[name]));
}

const daysOf = (days: number | null) => days ?? Number.POSITIVE_INFINITY;

/** Something for each of the three. */
export function ofEach<T>(make: (name: RetentionName) => T): Record<RetentionName, T> {
  return { payloadDays: make('payloadDays'), transcriptDays: make('transcriptDays'), callDays: make('callDays') };
}
