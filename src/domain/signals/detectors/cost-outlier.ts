import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit } from '../needs.ts';
import { AGENT } from '../places.ts';

/** The call cost far more than the agent's calls do. */
export const costOutlier: Detector = {
  entry: entry({
    code: 'cost_outlier',
    title: 'Call far dearer than usual',
    klass: 'technical',
    lane: 'integrations',
    severity: 'low',
    thresholds: { timesMedian: 5, calls: 100 },
    needs: ['cost'],
    isNot: 'A long call of an agent whose calls are long, or a dear call among too few to compare it with.',
    section: 'improve',
    metric: 'duration_ms',
    check: 'See what the call spent its time and its model calls on.',
  }),
  detect(reading, input, thresholds) {
    const { costUsd } = reading.call;
    if (costUsd === null) return { reason: 'The platform gives no cost for this call.' };
    const usual = input.agentCosts ?? null;
    if (usual === null || usual.calls < limit(thresholds, 'calls')) {
      return {
        reason: `Fewer than ${limit(thresholds, 'calls')} calls of this agent have a cost, too few to call one dear.`,
      };
    }
    const ceiling = limit(thresholds, 'timesMedian') * usual.medianUsd;
    if (costUsd <= Math.min(ceiling, usual.p99Usd)) return [];
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The call cost ${costUsd.toFixed(2)} USD; half of the agent's ${usual.calls} calls cost at most ${usual.medianUsd.toFixed(2)} USD, and 99 in 100 at most ${usual.p99Usd.toFixed(2)} USD.`,
        place: AGENT,
        confidence: 0.8,
      },
    ];
  },
};
