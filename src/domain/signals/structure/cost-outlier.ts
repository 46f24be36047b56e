import { costDetections } from '../agent-costs.ts';
import type { Detector } from '../catalogue-entry.ts';
import { COST_OUTLIER } from '../entries/platform.ts';

/** The call cost far more than the agent's calls do. */
export const costOutlier: Detector = {
  entry: COST_OUTLIER,
  detect(reading, input, thresholds) {
    const { costUsd } = reading.call;
    const { outcome } = reading.outcome();
    return costDetections({ costUsd, outcome, lastIndex: reading.lastIndex }, input.agentCosts, thresholds);
  },
};
