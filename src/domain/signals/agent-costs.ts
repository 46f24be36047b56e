import { BIN_RATIO, type Bins } from '../metrics/median.ts';
import type { Outcome } from '../vocabulary.ts';
import type { AgentCosts } from './detector-input.ts';
import { limit } from './needs.ts';
import { AGENT } from './places.ts';
import type { Detection, NotComputable } from './signal.ts';

type Limits = Record<string, number>;

/** What of a call decides whether it was expensive. */
export interface CallCost {
  costUsd: number | null;
  outcome: Outcome | null;
  /** Of the last turn, where a finding about the whole call stands. */
  lastIndex: number;
}

/** Costs are kept in bins of five per cent, as figures are, and a bin counts in millionths of a dollar. */
export const MICRO_USD = 1_000_000;

/**
 * The figures of binned costs. Each is the upper end of the bin that it lies in, rounded up, so that what is said of the
 * share below it is true, and so that a few more calls leave both figures, and every verdict, as they are.
 */
export function agentCosts(bins: Bins): AgentCosts {
  const sorted = [...bins].filter(([, calls]) => calls > 0).sort(([a], [b]) => a - b);
  const calls = sorted.reduce((sum, [, count]) => sum + count, 0);
  const upTo = (share: number) => {
    let below = 0;
    for (const [bin, count] of sorted) {
      below += count;
      if (below >= calls * share) return roundUp(BIN_RATIO ** (bin + 1) / MICRO_USD);
    }
    return 0;
  };
  return { calls, medianUsd: upTo(0.5), p99Usd: upTo(0.99) };
}

/** A call that cost more than this was expensive; null where too few calls have a cost to say so of any. */
export function dearAboveUsd(costs: AgentCosts, limits: Limits): number | null {
  const { calls, medianUsd, p99Usd } = costs;
  if (calls === 0 || calls < limit(limits, 'calls')) return null;
  return Math.min(
    limit(limits, 'timesMedian') * medianUsd,
    Math.max(p99Usd, limit(limits, 'timesMedianLeast') * medianUsd),
  );
}

/** What is said of the agent's calls beside each expensive one. */
export function usualCosts({ medianUsd, p99Usd }: AgentCosts): string {
  return `Half of the agent's calls cost at most ${usd(medianUsd)}, and 99 in 100 at most ${usd(p99Usd)}.`;
}

/**
 * The rule apart from the talk, because what is usual changes with every call that comes after it.
 * @param costs null where the agent's calls are compared later, all at once; undefined where nobody will.
 */
export function costDetections(
  { costUsd, outcome, lastIndex }: CallCost,
  costs: AgentCosts | null | undefined,
  limits: Limits,
): Detection[] | NotComputable {
  if (costUsd === null) return { reason: 'The platform gives no cost for this call.' };
  if (costs === null) return [];
  const ceiling = costs === undefined ? null : dearAboveUsd(costs, limits);
  if (costs === undefined || ceiling === null) return { reason: tooFew(limits) };
  if (outcome === 'no_contact' || costUsd <= ceiling) return [];
  const detail = `The call cost ${usd(costUsd)}. ${usualCosts(costs)}`;
  return [{ turnIndex: lastIndex, quote: '', detail, place: AGENT, confidence: 0.8 }];
}

function tooFew(limits: Limits): string {
  return `Fewer than ${limit(limits, 'calls')} calls of this agent have a cost, too few to call one expensive.`;
}

/** Cents, and of what costs less than ten cents two digits. */
function usd(amount: number): string {
  const digits = amount >= 0.1 ? 2 : 1 - Math.floor(Math.log10(Math.max(amount, 1 / MICRO_USD)));
  return `${amount.toFixed(digits)} USD`;
}

function roundUp(amount: number): number {
  const step = 10 ** (Math.floor(Math.log10(amount)) - 1);
  return Number((Math.ceil(amount / step) * step).toPrecision(2));
}
