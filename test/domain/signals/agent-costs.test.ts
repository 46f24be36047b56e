import { describe, expect, test } from 'vitest';
import { BIN_RATIO } from '../../../src/domain/metrics/median.ts';
import { agentCosts, dearAboveUsd, usualCosts } from '../../../src/domain/signals/agent-costs.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { costGap, enoughCosts, renewCost, withGap } from '../../../src/domain/signals/renew-cost.ts';
import { scripted } from './scripted-call.ts';

const LIMITS = { timesMedian: 5, timesMedianLeast: 2, calls: 100 };
const CODE = 'cost_outlier';

/** The bins in which the database keeps costs. */
function binned(costsUsd: readonly number[]): Map<number, number> {
  const bins = new Map<number, number>();
  for (const cost of costsUsd) {
    const bin = Math.floor(Math.log(cost * 1_000_000) / Math.log(BIN_RATIO));
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  return bins;
}

const spread = (count: number, from: number, to: number) =>
  Array.from({ length: count }, (_, at) => from + ((to - from) * at) / count);

describe("what an agent's calls cost", () => {
  test('is never said to be less than it is, and at most a sixth more', () => {
    for (const scale of [0.0003, 0.01, 0.2, 7]) {
      const costs = spread(1_000, scale, scale * 6);
      const { calls, medianUsd, p99Usd } = agentCosts(binned(costs));
      expect(calls).toBe(1_000);
      for (const [said, share] of [
        [medianUsd, 0.5],
        [p99Usd, 0.99],
      ] as const) {
        const at = costs[Math.ceil(share * costs.length) - 1] ?? 0;
        expect(said).toBeGreaterThanOrEqual(at);
        expect(said).toBeLessThan(at * 1.16);
        expect(costs.filter((cost) => cost <= said).length).toBeGreaterThanOrEqual(share * costs.length);
      }
    }
  });

  test('stays the same while a few more calls of the kind come', () => {
    const costs = spread(1_000, 0.1, 0.6);
    expect(usualCosts(agentCosts(binned([...costs, 0.1, 0.3, 0.55])))).toBe(usualCosts(agentCosts(binned(costs))));
  });

  test('does not depend on the order of the bins', () => {
    const bins = [...binned(spread(300, 0.1, 3))];
    expect(agentCosts(new Map(bins.toReversed()))).toEqual(agentCosts(new Map(bins)));
  });

  test('is nothing without calls', () => {
    expect(agentCosts(new Map())).toEqual({ calls: 0, medianUsd: 0, p99Usd: 0 });
    expect(dearAboveUsd(agentCosts(new Map()), { ...LIMITS, calls: 0 })).toBeNull();
  });
});

test.each([
  ['five times the median, where the dearest are dearer still', 0.1, 2, 0.5],
  ['what 99 in 100 cost at most, where that is less', 0.1, 0.3, 0.3],
  ['twice the median, where all calls cost about the same', 0.1, 0.11, 0.2],
])('a call is dear above %s', (_rule, medianUsd, p99Usd, above) => {
  expect(dearAboveUsd({ calls: 100, medianUsd, p99Usd }, LIMITS)).toBeCloseTo(above);
  expect(dearAboveUsd({ calls: 99, medianUsd, p99Usd }, LIMITS)).toBeNull();
});

const TALK = [{ a: 'Hello.' }, { c: 'I want to book a table.' }, { a: 'Sorry, that did not work.' }, { c: 'Bye.' }];
const NO_TALK = [{ a: 'Hello.' }];
const IN_CIRCLES = ['start', 'ask', 'start', 'ask', 'start', 'ask'].map((node) => ({ a: 'Which day?', node }));

describe('a reading with costs laid beside it later', () => {
  const usual = { calls: 400, medianUsd: 0.1, p99Usd: 0.4 };

  test.each([
    ['dear', TALK, 2.5, 1],
    ['usual', TALK, 0.12, 0],
    ['free', TALK, 0, 0],
    ['of unknown cost', TALK, null, 0],
    ['dear, with nobody on it', NO_TALK, 2.5, 0],
    ['dear, and goes round in circles', [...IN_CIRCLES, { c: 'I do not know.' }], 2.5, 1],
  ])('is what it had been with the costs at once: a call that is %s', (_what, lines, costUsd, found) => {
    const input = scripted(lines, { costUsd });
    const first = analyseCall({ ...input, agentCosts: null }, {});
    const atOnce = analyseCall({ ...input, agentCosts: usual }, {});
    expect(renewCost(first, costUsd, usual, {}) ?? first).toEqual(atOnce);
    expect(atOnce.signals.filter(({ code }) => code === CODE)).toHaveLength(found);
    expect(renewCost(atOnce, costUsd, usual, {})).toBeNull();
    expect(renewCost(atOnce, costUsd, null, {}) ?? atOnce).toEqual(first);
  });

  test('shows at once what makes it dear', () => {
    const input = scripted([...IN_CIRCLES, { c: 'I do not know.' }], { costUsd: 2.5 });
    const { signals } = analyseCall({ ...input, agentCosts: usual }, {});
    expect(signals.find(({ code }) => code === CODE)?.cause?.code).toBe('goes_in_circles');
  });

  test('names the new figures once they are others', () => {
    const first = analyseCall({ ...scripted(TALK, { costUsd: 2.5 }), agentCosts: usual }, {});
    const later = renewCost(first, 2.5, { ...usual, p99Usd: 0.5 }, {});
    expect(later?.signals.find(({ code }) => code === CODE)?.detail).toBe(
      "The call cost 2.50 USD. Half of the agent's calls cost at most 0.10 USD, and 99 in 100 at most 0.50 USD.",
    );
  });

  test('says nothing of how a call ended, which it cannot have caused', () => {
    const { rootCause, outcome } = analyseCall({ ...scripted(TALK, { costUsd: 2.5 }), agentCosts: usual }, {});
    expect(outcome).not.toBe('resolved');
    expect(rootCause?.code).not.toBe(CODE);
  });
});

test('while too few calls have a cost, every call says so that has no reason of its own', () => {
  const few = { calls: 12, medianUsd: 0.1, p99Usd: 0.4 };
  const gap = costGap(few, {});
  expect(gap?.reason).toContain('Fewer than 100 calls');
  expect(withGap([], gap)).toEqual([gap]);
  const own = [{ code: CODE, reason: 'The platform gives no cost for this call.' }];
  expect(withGap(own, gap)).toEqual(own);
  expect(enoughCosts(few, {})).toBeNull();
  expect(costGap(few, { [CODE]: { calls: 10 } })).toBeNull();
  expect(enoughCosts(few, { [CODE]: { calls: 10 } })?.dearAboveUsd).toBeCloseTo(0.4);
});
