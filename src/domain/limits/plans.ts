import { keysOf } from '../keys-of.ts';
import type { Plan } from '../vocabulary.ts';
import { dayInWords } from '../words.ts';

/** What a plan includes. Null: unlimited. */
export interface Allowances {
  /** A period; one for each 10 minutes started. */
  analysedCalls: number | null;
  /** In total; demo agents are not counted. */
  agents: number | null;
  /** A period. */
  copilotMessages: number | null;
  /** Simulated test calls a period. */
  testCalls: number | null;
  /** In total; stated, and enforced nowhere. */
  seats: number | null;
  /** What AI features may cost over 30 days, in USD; apart from the plan. */
  aiAllowanceUsd: number | null;
}

/** What a workspace begins with. */
export interface NewWorkspaceTerms {
  plan: Plan;
  /** USD over 30 days; null: unlimited. */
  aiAllowanceUsd: number | null;
  /** MiB of calls that it keeps at most; null: what is usual in the installation. */
  storageMib: number | null;
}

/** What an owner set in place of the plan's own numbers; what is left out is the plan's. */
export type SetAllowances = Partial<Record<keyof Allowances, number>>;

const UNLIMITED: Allowances = {
  analysedCalls: null,
  agents: null,
  copilotMessages: null,
  testCalls: null,
  seats: null,
  aiAllowanceUsd: null,
};

const INCLUDED: Record<Plan, Allowances> = {
  free_org: { ...UNLIMITED, analysedCalls: 200, agents: 1, copilotMessages: 20, testCalls: 10, seats: 2 },
  starter: { ...UNLIMITED, analysedCalls: 1500, agents: 3, copilotMessages: 100, testCalls: 50, seats: 3 },
  growth: { ...UNLIMITED, analysedCalls: 5000, agents: 10, copilotMessages: 300, testCalls: 200, seats: 10 },
  scale: { ...UNLIMITED, analysedCalls: 15_000, agents: 25, copilotMessages: 600, testCalls: 500, seats: 20 },
  enterprise: UNLIMITED,
};

/** What holds for a workspace: the plan's own, but for what its owner set. */
export function allowancesOf(plan: Plan, set: SetAllowances): Allowances {
  return { ...INCLUDED[plan], ...set };
}

/**
 * The settings after a change. Another plan brings its own numbers, so what was set on the plan before goes with it;
 * the AI allowance is apart from the plan and stays. Null takes a setting back.
 */
export function changeAllowances(
  before: { plan: Plan; set: SetAllowances },
  change: {
    plan?: Plan | undefined;
    allowances?: { [Name in keyof Allowances]?: number | null | undefined } | undefined;
  },
): { plan: Plan; set: SetAllowances } {
  const plan = change.plan ?? before.plan;
  const { aiAllowanceUsd } = before.set;
  const kept = plan === before.plan ? before.set : aiAllowanceUsd === undefined ? {} : { aiAllowanceUsd };
  const set: SetAllowances = { ...kept };
  for (const name of keysOf(UNLIMITED)) {
    const value = change.allowances?.[name];
    if (value === null) delete set[name];
    else if (value !== undefined) set[name] = value;
  }
  return { plan, set };
}

export interface Period {
  startsAt: Date;
  /** The first moment that is no longer in it. */
  endsAt: Date;
}

/**
 * The period that `now` lies in: the calendar month in UTC on Free; on a paid plan a month that begins on the day and
 * at the time at which the plan began, or at the end of a month that is too short for that day.
 */
export function periodOf(plan: Plan, planSince: Date, now: Date): Period {
  const anchor = plan === 'free_org' ? new Date(0) : planSince;
  const month = (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  // Stored times are rounded to milliseconds: a plan can begin a moment after now, and still does so in its first period.
  const at = Math.max(0, monthsAfter(anchor, month) > now ? month - 1 : month);
  return { startsAt: monthsAfter(anchor, at), endsAt: monthsAfter(anchor, at + 1) };
}

function monthsAfter(anchor: Date, months: number): Date {
  const day = anchor.getUTCDate();
  const moved = new Date(anchor);
  moved.setUTCDate(1);
  moved.setUTCMonth(anchor.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay));
  return moved;
}

/** What calls over the allowance wait for: `waits for the analysed-call allowance until 1 December: 212 calls`. */
export function allowanceWait(calls: number, until: Date): string {
  return `waits for the analysed-call allowance until ${dayInWords(until)}: ${calls} ${calls === 1 ? 'call' : 'calls'}`;
}
