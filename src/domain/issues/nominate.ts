import type { Proportion } from '../statistics.ts';
import { benjaminiHochberg, fisherGreater, type Lift, riskRatio } from '../statistics-tables.ts';

/** Calls that reached a step, and of them those that ended badly there; with the same for each code noticed early. */
export interface StepTable {
  issueId: string;
  calls: number;
  bad: number;
  codes: readonly { code: string; calls: number; bad: number }[];
}

/** How much more often calls with a code end badly at a step than the other calls that reach it. */
export interface Candidate {
  code: string;
  with: Proportion;
  without: Proportion;
  lift: Lift;
  /** Fisher's exact test, one-sided. */
  p: number;
  /** The same, adjusted for all pairs of code and step that were tested. */
  adjustedP: number;
  nominated: boolean;
}

export interface Nominations {
  /** Pairs of code and step that were tested together. */
  tests: number;
  /** By issue: nominated codes first, the surest first. */
  candidates: ReadonlyMap<string, readonly Candidate[]>;
}

/** Fewer calls on a side compare nothing. */
export const CALLS_A_SIDE = 5;
const FALSE_SHARE = 0.05;
/** The least lift that is worth an issue: its interval must lie above. */
const LIFT_AT_LEAST = 1.5;

/**
 * Which codes may stand behind the calls that end badly at a step: those with which calls end there clearly more often.
 * All pairs of code and step of the agent are tested together, so that chance names at most one in twenty of them. This
 * nominates and establishes nothing.
 */
export function nominate(steps: readonly StepTable[]): Nominations {
  const pairs = steps.flatMap((step) => {
    if (step.bad < CALLS_A_SIDE || step.calls - step.bad < CALLS_A_SIDE) return [];
    return step.codes.map(({ code, calls, bad }) => {
      const table = { with: { k: bad, n: calls }, without: { k: step.bad - bad, n: step.calls - calls } };
      return { issueId: step.issueId, code, ...table, lift: riskRatio(table), p: fisherGreater(table) };
    });
  });
  const adjusted = benjaminiHochberg(pairs.map(({ p }) => p));
  const candidates = new Map<string, Candidate[]>();
  for (const [index, { issueId, ...pair }] of pairs.entries()) {
    const adjustedP = adjusted[index] ?? 1;
    const nominated = adjustedP <= FALSE_SHARE && pair.lift.lower >= LIFT_AT_LEAST;
    const known = candidates.get(issueId) ?? [];
    candidates.set(issueId, [...known, { ...pair, adjustedP, nominated }]);
  }
  for (const list of candidates.values()) list.sort(surestFirst);
  return { tests: pairs.length, candidates };
}

function surestFirst(a: Candidate, b: Candidate): number {
  if (a.nominated !== b.nominated) return a.nominated ? -1 : 1;
  return a.p - b.p || b.lift.lower - a.lift.lower || (a.code < b.code ? -1 : 1);
}
