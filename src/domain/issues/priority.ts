import { newcombe, wilson } from '../statistics.ts';
import type { Impact, Severity } from '../vocabulary.ts';
import type { OutcomeSums } from './facts.ts';
import { knownCalls, without } from './facts.ts';
import { lossOf } from './losses.ts';

/** What a call with the fault loses where its calls end no worse than others. */
const HARM_FLOOR: Record<Severity, number> = { critical: 1, high: 0.2, medium: 0.06, low: 0.02 };
/** The same of a code that is itself the bad ending: every call of it ended badly, so endings say nothing more. */
const HARM_OF_ENDING: Record<Severity, number> = { critical: 1, high: 0.7, medium: 0.3, low: 0.1 };
/** From these scores on an issue counts as of high or medium impact. */
const HIGH_IMPACT = 12;
const MEDIUM_IMPACT = 3;

const HALF_LIFE_DAYS = 14;
const DAY_MS = 86_400_000;
/** Stands for minus infinity: a score of nothing. */
export const NO_ORDER_KEY = -1e9;

/** The factors of the score, as the explanation shows them. Recency is added at read, against the newest call. */
export interface PriorityParts {
  severity: Severity;
  computableCalls: number;
  rate: number;
  rateLower: number;
  /** How many calls it affects, as it counts: the fourth root of the rate's lower bound, so that harm counts first. */
  reach: number;
  /** What one affected call loses, as the share of a lost call. */
  harm: number;
  harmFloor: number;
  /** What the harm rests on; `ending` is the severity of a code that is itself the bad ending. */
  harmBy: 'loss' | 'endings' | 'ending' | 'severity';
  /** What callers lose, in words, where that is what counts. */
  loss: string | null;
  /** Failed share of the affected calls minus that of the others, and its lower 95 % bound. */
  harmDifference: number;
  harmDifferenceLower: number;
  confidence: number;
  /** The confidence as it counts: its square root. */
  sureness: number;
  halfLifeDays: number;
  lastSeenAt: string | null;
  /** What it stands or falls by, where one call more or fewer would turn it; null where none would. */
  near: string | null;
  /** The title of what follows from it and loses callers more, by which it then ranks; null where it ranks by itself. */
  through: string | null;
  /** The issue's own figures where it ranks through another. */
  own: Pick<PriorityParts, 'computableCalls' | 'harmDifference'> | null;
}

export interface PriorityInput {
  code: string;
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
  const { lower: rateLower } = wilson({ k: affected.calls, n });
  return {
    severity,
    computableCalls: n,
    rate: n === 0 ? 0 : affected.calls / n,
    rateLower,
    reach: rateLower ** (1 / 4),
    ...harmOf(input, apart),
    confidence: input.confidence,
    sureness: Math.sqrt(input.confidence),
    halfLifeDays: HALF_LIFE_DAYS,
    lastSeenAt: input.lastSeenAt,
    near: null,
    through: null,
    own: null,
  };
}

type Harm = Pick<PriorityParts, 'harm' | 'harmFloor' | 'harmBy' | 'loss' | 'harmDifference' | 'harmDifferenceLower'>;

/** The gravest of three: what callers lose by such a fault, how many more of its calls surely end badly, its severity. */
export function harmOf(
  { code, severity, harms }: Pick<PriorityInput, 'code' | 'severity' | 'harms'>,
  apart: { difference: number; lower: number },
): Harm {
  const loss = lossOf(code);
  const harmFloor = Math.max((harms ? HARM_FLOOR : HARM_OF_ENDING)[severity], loss?.share ?? 0);
  const byEndings = harms && apart.lower > harmFloor;
  return {
    harm: byEndings ? apart.lower : harmFloor,
    harmFloor,
    harmBy: byEndings ? 'endings' : loss !== null && loss.share >= harmFloor ? 'loss' : harms ? 'severity' : 'ending',
    loss: byEndings ? null : (loss?.words ?? null),
    harmDifference: apart.difference,
    harmDifferenceLower: apart.lower,
  };
}

/**
 * What the board is sorted by: ln(score without recency) + ln 2 × (last seen in days) / 14. Time never reorders it. An
 * issue without dated calls counts as seen with the newest call, where recency is 1.
 */
export function orderKey(parts: PriorityParts, newestCallAt: string | null): number {
  const score = 100 * parts.harm * parts.reach * parts.sureness;
  if (!(score > 0)) return NO_ORDER_KEY;
  const seenAt = newestCallAt === null ? null : (parts.lastSeenAt ?? newestCallAt);
  return Math.log(score) + (Math.LN2 * daysOf(seenAt)) / HALF_LIFE_DAYS;
}

/** So little that it only parts issues of one score: rows of the same calls stand in the same order, whatever their ids. */
export function tieBreak(key: string): number {
  const digits = Number.parseInt(key.slice(-8), 16);
  return Number.isNaN(digits) ? 0 : digits / 2 ** 32 / 1e9;
}

/** The score of an order key on the day of the agent's newest analysed call. */
export function priorityScore(key: number, newestCallAt: Date | null): number {
  if (key <= NO_ORDER_KEY) return 0;
  const newest = newestCallAt === null ? null : newestCallAt.toISOString();
  return Math.exp(key - (Math.LN2 * daysOf(newest)) / HALF_LIFE_DAYS);
}

/** A word for the score on the day of the newest call: of two issues the one with the higher score never has the lower. */
export function impactOf(key: number, newestCallAt: string | null): Impact {
  const score = priorityScore(key, newestCallAt === null ? null : new Date(newestCallAt));
  if (score >= HIGH_IMPACT) return 'high';
  return score >= MEDIUM_IMPACT ? 'medium' : 'low';
}

function daysOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time) / DAY_MS;
}
