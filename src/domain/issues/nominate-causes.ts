import type { Place } from '../signals/signal.ts';
import type { Proportion } from '../statistics.ts';
import { benjaminiHochberg, fisherGreater, type Lift, riskRatio } from '../statistics-tables.ts';

/** Calls that reached a step, and of them those that ended badly there; with the same for each code noticed early. */
export interface StepTable {
  issueId: string;
  calls: number;
  bad: number;
  codes: readonly { code: string; calls: number; bad: number }[];
  /** What was noticed elsewhere and may lead calls to this step; left out where nothing was. */
  routes?: readonly RouteTable[];
}

/**
 * A code at a place that calls reach: of those with it, and of those that reached the place without it, how many ended
 * badly at the step. A failure that sends calls to a step can only be told so, because every call that comes there has it.
 */
export interface RouteTable {
  code: string;
  place: Place;
  with: Proportion;
  without: Proportion;
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
  /** Where the compared calls come from: calls that reached this place; null for calls that reached the step. */
  from: Place | null;
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
/** The least share of the calls that ended badly at a step that must show a code for their row to be named by it. */
const NAMED_SHARE = 0.2;

/**
 * Which codes may stand behind the calls that end badly at a step: those with which calls end there clearly more often.
 * All pairs of code and step of the agent are tested together, so that chance names at most one in twenty of them. A code
 * on too few of the calls names nothing: the row would show calls that have nothing of it. This nominates and
 * establishes nothing.
 */
export function nominate(steps: readonly StepTable[]): Nominations {
  const pairs = steps.flatMap((step) => [...atStep(step), ...onRoutes(step)]);
  const adjusted = benjaminiHochberg(pairs.map(({ p }) => p));
  const badAt = new Map(steps.map(({ issueId, bad }) => [issueId, bad]));
  const candidates = new Map<string, Candidate[]>();
  for (const [index, { issueId, ...pair }] of pairs.entries()) {
    const adjustedP = adjusted[index] ?? 1;
    const shows = pair.with.k >= Math.max(CALLS_A_SIDE, (badAt.get(issueId) ?? 0) * NAMED_SHARE);
    const nominated = shows && adjustedP <= FALSE_SHARE && pair.lift.lower >= LIFT_AT_LEAST;
    const known = candidates.get(issueId) ?? [];
    candidates.set(issueId, [...known, { ...pair, adjustedP, nominated }]);
  }
  const surest = new Map([...candidates].map(([issueId, list]) => [issueId, onceEach(list.sort(surestFirst))]));
  return { tests: pairs.length, candidates: surest };
}

type Pair = Omit<Candidate, 'adjustedP' | 'nominated'> & { issueId: string };

function atStep(step: StepTable): Pair[] {
  if (step.bad < CALLS_A_SIDE || step.calls - step.bad < CALLS_A_SIDE) return [];
  return step.codes.map(({ code, calls, bad }) => {
    const table = { with: { k: bad, n: calls }, without: { k: step.bad - bad, n: step.calls - calls } };
    return { issueId: step.issueId, code, ...table, lift: riskRatio(table), p: fisherGreater(table), from: null };
  });
}

function onRoutes({ issueId, routes = [] }: StepTable): Pair[] {
  return routes
    .filter((route) => route.with.k >= CALLS_A_SIDE && route.without.n - route.without.k >= CALLS_A_SIDE)
    .map(({ code, place, ...table }) => ({
      issueId,
      code,
      ...table,
      lift: riskRatio(table),
      p: fisherGreater(table),
      from: place,
    }));
}

/** A code that was compared in several ways stands once, in the surest. */
function onceEach(list: readonly Candidate[]): Candidate[] {
  return [...new Map(list.toReversed().map((candidate) => [candidate.code, candidate])).values()].toSorted(surestFirst);
}

function surestFirst(a: Candidate, b: Candidate): number {
  if (a.nominated !== b.nominated) return a.nominated ? -1 : 1;
  return a.p - b.p || b.lift.lower - a.lift.lower || (a.code < b.code ? -1 : 1);
}
