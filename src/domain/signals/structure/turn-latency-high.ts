import { quoteTurn } from '../../calls/quotes.ts';
import { percentile } from '../../calls/timing.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TURN_LATENCY_HIGH } from '../entries/timing.ts';
import { limit, missingTimes } from '../needs.ts';
import { TURN_TAKING } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The agent takes too long to answer. */
export const turnLatencyHigh: Detector = {
  entry: TURN_LATENCY_HIGH,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const answers = (reading.timing?.answers ?? []).filter((one) => one.gapMs >= 0);
    if (answers.length === 0 || !reading.callerSpoke)
      return { reason: 'The agent answered no turn of the caller on this call.' };
    const p90 =
      percentile(
        answers.map((one) => one.gapMs),
        0.9,
      ) ?? 0;
    const worst = answers.reduce((a, b) => (b.gapMs > a.gapMs ? b : a));
    const p90Ms = limit(thresholds, 'p90Ms');
    // On a short call the slowest tenth is one answer: slow answers are two of them, or one that is very slow.
    const isOften = p90 > p90Ms && answers.filter(({ gapMs }) => gapMs > p90Ms).length > 1;
    if (!isOften && worst.gapMs <= limit(thresholds, 'anyMs')) return [];
    const spoken = reading.spokenAt.get(worst.agent.index);
    return [
      {
        turnIndex: worst.agent.index,
        quote: spoken === undefined ? '' : quoteTurn(spoken),
        detail: `The caller waited ${(worst.gapMs / 1000).toFixed(1)} s here; in the slowest tenth of the answers ${(p90 / 1000).toFixed(1)} s.`,
        place: TURN_TAKING,
        confidence: 0.8,
        facts: {
          gapMs: worst.gapMs,
          toolMs: toolMsBetween(reading, worst.caller.index, worst.agent.index),
          llmP90Ms: percentile(reading.call.latency?.llmMs ?? [], 0.9),
        },
      },
    ];
  },
};

/** Time that tools took between two turns; null where their times are not known. */
export function toolMsBetween(reading: CallReading, from: number, to: number): number | null {
  const uses = reading.tools.filter(
    (use) => use.resultTurn !== null && use.resultTurn > from && use.resultTurn < to && use.latencyMs !== null,
  );
  return uses.length === 0 ? null : uses.reduce((sum, use) => sum + (use.latencyMs ?? 0), 0);
}
