import { expect, test } from 'vitest';
import {
  addMetricBins,
  addSums,
  figureOf,
  METRIC_SUMS,
  METRICS,
  type MetricSums,
  measureOf,
  NO_BINS,
  partsOf,
} from '../../../src/domain/metrics/figures.ts';

const sumsOf = (given: Partial<MetricSums>): MetricSums => ({ ...addSums([]), ...given });

/** Ten calls: one without contact, one whose end nobody can know, eight that say how they ended. */
const TEN = sumsOf({
  calls: 10,
  resolved: 4,
  unresolved: 2,
  abandoned: 1,
  transferred: 1,
  noContact: 1,
  unknown: 1,
  withTool: 5,
  toolFailed: 2,
  friction: 3,
  settledCallers: 4,
  calledAgain: 1,
  openCallers: 2,
  responseUnread: 6,
});

test.each([
  ['got_it_done', 4, 8, 1],
  ['unresolved', 2, 8, 1],
  ['abandoned', 1, 8, 1],
  ['handed_off', 1, 8, 1],
  ['no_contact', 1, 9, 1],
  ['tool_failure', 2, 5, 0],
  ['friction', 3, 10, 0],
  ['repeat_call', 1, 4, 2],
])('%s is a share of the calls on which it can be seen', (metric, k, n, notRead) => {
  const { interval, ...figure } = figureOf(metric, TEN, NO_BINS);
  expect(figure).toEqual({ value: k / n, n, notRead });
  expect(interval?.lower).toBeLessThan(k / n);
  expect(interval?.upper).toBeGreaterThan(k / n);
  expect(partsOf(metric, TEN)).toEqual({ yes: k, no: n - k, notRead });
});

test('every metric of the board is a share or a median, and says nothing of no calls', () => {
  for (const { metric } of METRICS) {
    const { value, n, interval } = figureOf(metric, addSums([]), NO_BINS);
    expect({ metric, value, n, interval }).toEqual({ metric, value: null, n: 0, interval: null });
    if (measureOf(metric) === null) expect({ metric, ...partsOf(metric, TEN) }).not.toMatchObject({ yes: 0 });
  }
});

test('response times say on how many calls they could not be read, durations are on all', () => {
  const bins = { ...NO_BINS, p50: new Map([[10, 3]]), duration: new Map([[10, 3]]) };
  expect(figureOf('response_latency_p50_ms', TEN, bins)).toMatchObject({ n: 3, notRead: 6 });
  expect(figureOf('duration_ms', TEN, bins)).toMatchObject({ n: 3, notRead: 0 });
});

test('sums and bins of several ranges are those of all their calls', () => {
  const twice = addSums([TEN, TEN]);
  for (const name of METRIC_SUMS) expect(twice[name]).toBe(2 * TEN[name]);
  const one = { ...NO_BINS, p90: new Map([[7, 2]]) };
  const other = {
    ...NO_BINS,
    p90: new Map([
      [7, 1],
      [9, 4],
    ]),
  };
  expect(addMetricBins([one, other]).p90).toEqual(
    new Map([
      [7, 3],
      [9, 4],
    ]),
  );
});
