import { isJsonObject } from '../../../src/domain/json.ts';
import { mean, share } from '../figures.ts';
import { numberOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

const FLOORS = {
  response_latency_mean: 0.006,
  response_rate: 0.021,
  yield_latency_mean: 0.045,
  yield_rate: 0,
  agent_interruption_rate: 0.154,
} as const;

/** M14: absolute error to the published figures, pooled over the calls of the set. */
export const timingLines: Metric = (set, calls) => {
  const timings = calls.flatMap((call) => (call.analysis.timing === null ? [] : [call.analysis.timing]));
  const published = calls.map((call) => call.labels['published']).find(isJsonObject);
  const latencies = timings.flatMap((timing) => timing.responseLatenciesS);
  const yields = timings.flatMap((timing) => timing.yieldLatenciesS);
  const sum = (pick: (timing: (typeof timings)[number]) => number) =>
    timings.reduce((all, timing) => all + pick(timing), 0);
  const responses = latencies.length + sum((timing) => timing.noResponse);
  const ours = {
    response_latency_mean: mean(latencies),
    response_rate: share(latencies.length, responses),
    yield_latency_mean: mean(yields),
    yield_rate: share(yields.length, yields.length + sum((timing) => timing.noYield)),
    agent_interruption_rate: share(
      sum((timing) => timing.agentInterruptions),
      responses,
    ),
  };
  const { plain } = linesOf('M14 timing', set);
  return Object.entries(FLOORS).map(([name, floor]) => {
    const truth = numberOf(published?.[name]);
    const value = ours[name as keyof typeof FLOORS];
    const error = truth === null ? Number.NaN : Math.abs(value - truth);
    // The floors are given to three decimals.
    return plain(`error of ${name}`, Math.round(error * 1000) / 1000, {
      floor,
      better: 'lower',
      published: truth?.toFixed(3) ?? null,
    });
  });
};
