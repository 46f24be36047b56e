import { newcombe, wilson } from '../statistics.ts';
import type { Severity } from '../vocabulary.ts';
import type { OutcomeSums } from './facts.ts';
import { knownCalls, without } from './facts.ts';

const SEVERITY_WEIGHT: Record<Severity, number> = { critical: 1, high: 0.7, medium: 0.4, low: 0.2 };
const HARM_FLOOR: Record<Severity, number> = { critical: 1, high: 0.5, medium: 0.2, low: 0.05 };

const HALF_LIFE_DAYS = 14;
const DAY_MS = 86_400_000;
/** Stands for minus infinity: a score of nothing. */
export const NO_ORDER_KEY = -1e9;

/** The factors of the score, as the explanation shows them. Recency is added at read, against the newest call. */
export interface PriorityParts {
  severity: Severity;
  severityWeight: number;
  computableCalls: number;
  rate: number;
  rateLower: number;
  harm: number;
  harmFloor: number;
  /** Failed share of the affected calls minus that of the others, and its lower 95 % bound. */
  harmDifference: number;
  harmDifferenceLower: number;
  confidence: number;
  halfLifeDays: number;
  lastSeenAt: string | null;
}

export interface PriorityInput {
  severity: Severity;
  /** Whether it counts how many more of the affected calls end badly; else the severity alone does. */
  harms: boolean;
  affected: OutcomeSums;
  base: OutcomeSums;
  confidence: number;
  lastSeenAt: string | null;
  newestCallAt: string | null;
}

export function priorityParts(input: PriorityInput): PriorityParts {
  const { severity, affected, base } = input;
  const n = Math.max(base.calls, affected.calls);
  const others = without(base, affected);
  const apart = newcombe({ k: affected.bad, n: knownCalls(affected) }, { k: others.bad, n: knownCalls(others) });
  return {
    severity,
    severityWeight: SEVERITY_WEIGHT[severity],
    computableCalls: n,
    rate: n === 0 ? 0 : affected.calls / n,
    rateLower: wilson({ k: affected.calls, n }).lower,
    harm: input.harms ? Math.max(HARM_FLOOR[severity], apart.lower) : HARM_FLOOR[severity],
    harmFloor: HARM_FLOOR[severity],
    harmDifference: apart.difference,
    harmDifferenceLower: apart.lower,
    confidence: input.confidence,
    halfLifeDays: HALF_LIFE_DAYS,
    lastSeenAt: input.lastSeenAt,
  };
}

/**
 * What the board is sorted by: ln(score without recency) + ln 2 × (last seen in days) / 14. Time never reorders it. An
 * issue without dated calls counts as seen with the newest call, where recency is 1.
 */
export function orderKey(parts: PriorityParts, newestCallAt: string | null): number {
  const score = 100 * parts.severityWeight * parts.rateLower * parts.harm * parts.confidence;
  if (!(score > 0)) return NO_ORDER_KEY;
  const seenAt = newestCallAt === null ? null : (parts.lastSeenAt ?? newestCallAt);
  return Math.log(score) + (Math.LN2 * daysOf(seenAt)) / HALF_LIFE_DAYS;
}

/** The score of an order key on the day of the agent's newest analysed call. */
export function priorityScore(key: number, newestCallAt: Date | null): number {
  if (key <= NO_ORDER_KEY) return 0;
  const newest = newestCallAt === null ? null : newestCallAt.toISOString();
  return Math.exp(key - (Math.LN2 * daysOf(newest)) / HALF_LIFE_DAYS);
}

function daysOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time) / DAY_MS;
}
