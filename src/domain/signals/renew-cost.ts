import { costDetections, dearAboveUsd } from './agent-costs.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE, thresholdsOf } from './catalogue.ts';
import type { AgentCosts, Thresholds } from './detector-input.ts';
import { COST_OUTLIER } from './entries/platform.ts';
import { type RenewedParts, renewCode } from './renew-code.ts';

const entry = CATALOGUE.get(COST_OUTLIER.code) ?? COST_OUTLIER;

/** A reading as it is with what the agent's calls cost now; null where nothing changes. */
export function renewCost<Reading extends RenewedParts>(
  reading: Reading,
  costUsd: number | null,
  costs: AgentCosts | null,
  thresholds: Thresholds,
): Reading | null {
  const { outcome, counts } = reading;
  const call = { costUsd, outcome, lastIndex: Math.max(0, counts.turns - 1) };
  const found = costDetections(call, costs, thresholdsOf(entry, thresholds));
  const codes = reading.signals.map(({ code }) => code);
  const withCodes = Array.isArray(found) ? found.map((detection) => ({ ...detection, facts: { codes } })) : found;
  return renewCode(reading, entry, withCodes);
}

/** The costs where they are enough to call a call expensive, and from where on; else nothing is said of any call. */
export function enoughCosts(
  costs: AgentCosts,
  thresholds: Thresholds,
): { costs: AgentCosts; dearAboveUsd: number } | null {
  const ceiling = dearAboveUsd(costs, thresholdsOf(entry, thresholds));
  return ceiling === null ? null : { costs, dearAboveUsd: ceiling };
}

/** What is to be said of every call while too few have a cost: no reading says it, since the next call may change it. Null once there are enough. */
export function costGap(costs: AgentCosts, thresholds: Thresholds): { code: string; reason: string } | null {
  const nobody = { costUsd: 0, outcome: 'resolved', lastIndex: 0 } as const;
  const found = costDetections(nobody, costs, thresholdsOf(entry, thresholds));
  return Array.isArray(found) ? null : { code: entry.code, reason: found.reason };
}

/** What could not be computed on a call, and why; a reading's own reason comes before what is said of every call. */
export function withGap(notComputable: NotComputables, gap: NotComputables[number] | null): NotComputables {
  return gap === null || notComputable.some(({ code }) => code === gap.code) ? notComputable : [...notComputable, gap];
}

type NotComputables = CallAnalysis['notComputable'];
