import { costDetections } from '../agent-costs.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';

/** The call cost far more than the agent's calls do. */
export const costOutlier: Detector = {
  entry: entry({
    code: 'cost_outlier',
    title: 'Call far dearer than usual',
    klass: 'technical',
    lane: 'integrations',
    severity: 'low',
    thresholds: { timesMedian: 5, timesMedianLeast: 2, calls: 100 },
    needs: ['cost'],
    // What a call cost is known when it is over: it causes nothing on it.
    ending: true,
    isNot:
      'A long call of an agent whose calls are long, the dearest of calls that all cost about the same, or a dear call among too few to compare it with.',
    section: 'improve',
    metric: 'duration_ms',
    check: 'See what the call spent its time and its model calls on.',
  }),
  detect(reading, input, thresholds) {
    const { costUsd } = reading.call;
    const { outcome } = reading.outcome();
    return costDetections({ costUsd, outcome, lastIndex: reading.lastIndex }, input.agentCosts, thresholds);
  },
};
