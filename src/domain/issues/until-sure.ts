import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import { wilson } from '../statistics.ts';
import { CAUSE_CALLS, ESTABLISHED_SHARE } from './cause.ts';
import { CONFIRM_CALLS } from './confirm.ts';
import { percent, calls as say } from './sentences.ts';

/** How far something is from settled, in calls; null where more calls of the same kind would never settle it. */
export interface UntilSure {
  settled: boolean;
  moreCalls: number | null;
  sentence: string;
}

/** Past this the answer is "never" for everybody who could wait for it. */
const FAR = 10_000_000;

/** How many more calls that show it confirm a pattern, were they to come at the present rate. */
export function untilConfirmed(
  issue: { confirmed: boolean; shown: number; computable: number },
  entry: Pick<CatalogueEntry, 'fact' | 'noiseFloor'>,
): UntilSure {
  if (issue.confirmed) return { settled: true, moreCalls: 0, sentence: 'The pattern is confirmed.' };
  const missing = Math.max(0, CONFIRM_CALLS - issue.shown);
  if (entry.fact) {
    return { settled: false, moreCalls: missing, sentence: `${say(missing)} more that show it would confirm it.` };
  }
  const rate = issue.computable === 0 ? 0 : issue.shown / issue.computable;
  const needed = rate > entry.noiseFloor ? callsAbove(rate, entry.noiseFloor) : null;
  if (needed === null) {
    const floor = percent(entry.noiseFloor);
    const sentence = `At its present rate of ${percent(rate)} more calls would not confirm it: this signal is noise up to ${floor}.`;
    return { settled: false, moreCalls: null, sentence };
  }
  const more = Math.max(missing, needed - issue.shown);
  return {
    settled: false,
    moreCalls: more,
    sentence: `At its present rate of ${percent(rate)}, ${say(more)} more that show it would confirm it.`,
  };
}

/** The fewest calls that show it at which a rate lies surely above a floor. */
function callsAbove(rate: number, floor: number): number | null {
  const isAbove = (k: number) => wilson({ k, n: k / rate }).lower > floor;
  let high = 1;
  while (!isAbove(high)) {
    high *= 2;
    if (high > FAR) return null;
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isAbove(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** How many more calls in a row with the evidence of one cause establish it. */
export function untilCauseEstablished(
  issue: { established: boolean; shown: number },
  top: { label: string; calls: number } | null,
): UntilSure {
  if (issue.established) return { settled: true, moreCalls: 0, sentence: 'The cause is established.' };
  const calls = top?.calls ?? 0;
  // (calls + more) is at least the share of (shown + more).
  const more = Math.ceil((ESTABLISHED_SHARE * issue.shown - calls) / (1 - ESTABLISHED_SHARE) - 1e-9);
  const moreCalls = Math.max(CAUSE_CALLS - calls, more, 0);
  if (top === null) {
    const sentence = 'No call shows the evidence of any known cause, so more calls of the same kind settle nothing.';
    return { settled: false, moreCalls: null, sentence };
  }
  return {
    settled: false,
    moreCalls,
    sentence: `${say(moreCalls)} more in a row with the evidence of "${top.label}" would establish it; without it, never.`,
  };
}
