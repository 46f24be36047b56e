import { describe, expect, it } from 'vitest';
import { checkpointOf, NOT_JUDGED, nextStanding } from '../../../src/domain/comparisons/checkpoint.ts';
import type { ComparisonResult } from '../../../src/domain/comparisons/comparison.ts';
import { medianDifference } from '../../../src/domain/comparisons/median-difference.ts';
import type { ComparedCall } from '../../../src/domain/comparisons/metrics.ts';
import { sameMix } from '../../../src/domain/comparisons/mix.ts';
import { holm } from '../../../src/domain/comparisons/multiple.ts';
import { newcombeP, upperTail } from '../../../src/domain/comparisons/verdict.ts';
import { normal, seededRandom } from '../../../src/domain/random.ts';
import { newcombe } from '../../../src/domain/statistics.ts';
import type { Outcome } from '../../../src/domain/vocabulary.ts';
import { compareCalls, comparedCall } from '../../support/compare-calls.ts';

const BASE = Date.parse('2026-01-01T00:00:00Z');

function call(index: number, over: Partial<ComparedCall> = {}): ComparedCall {
  return comparedCall({
    id: `call-${String(index).padStart(6, '0')}`,
    startedAt: new Date(BASE + index * 60_000).toISOString(),
    ...over,
  });
}

/** `n` calls of which every `resolvedOf`-th part got it done, spread evenly. */
function calls(from: number, n: number, share: number, over: Partial<ComparedCall> = {}): ComparedCall[] {
  return Array.from({ length: n }, (_, index) => {
    const done = Math.floor((index + 1) * share) > Math.floor(index * share);
    return call(from + index, { outcome: done ? 'resolved' : 'unresolved', ...over });
  });
}

const compare = (before: ComparedCall[], after: ComparedCall[]) => compareCalls(before, after).result;

const metric = (result: ComparisonResult, name: string) => result.metrics.find((entry) => entry.metric === name);

describe('a comparison of two versions', () => {
  it('gives no verdict under 30 calls on a side, and says how many more it needs', () => {
    const result = compare(calls(0, 100, 0.5), calls(1000, 12, 1));
    expect(result.conclusion).toBe('insufficient_evidence');
    expect(result.conclusionLabel).toBe('Not enough calls');
    expect(metric(result, 'got_it_done')).toMatchObject({ verdict: 'not_enough_calls', direction: 'none' });
    expect(metric(result, 'got_it_done')?.delta).toBeCloseTo(0.5);
    expect(result.narrative).toContain('version 2 needs 18 more');
  });

  it('finds a clear improvement and a clear loss', () => {
    const better = compare(calls(0, 200, 0.5), calls(1000, 200, 0.8));
    expect(better.conclusion).toBe('improved');
    expect(metric(better, 'got_it_done')).toMatchObject({
      verdict: 'changed',
      direction: 'better',
      minimum: '5 points',
    });
    const worse = compare(calls(0, 200, 0.8), calls(1000, 200, 0.5));
    expect(worse.conclusion).toBe('worsened');
  });

  it('calls equal versions with many calls unchanged', () => {
    const result = compare(calls(0, 4000, 0.7), calls(10_000, 4000, 0.7));
    expect(metric(result, 'got_it_done')?.verdict).toBe('unchanged');
    expect(result.conclusion).toBe('no_change');
  });

  it('says that the traffic changed and not the agent when only the intents shifted', () => {
    const mixOf = (from: number, easy: number, hard: number) => [
      ...calls(from, easy, 0.9, { intentSlug: 'hours' }),
      ...calls(from + easy, hard, 0.3, { intentSlug: 'refund' }),
    ];
    const result = compare(mixOf(0, 300, 100), mixOf(1000, 100, 300));
    expect(metric(result, 'got_it_done')?.verdict).toBe('changed');
    expect(['worsened', 'improved', 'mixed']).not.toContain(result.conclusion);
    expect(result.narrative).toContain('what callers asked for changed');
  });

  it('stands between two checkpoints, and takes late imports of old calls into the verdict', () => {
    const before = calls(0, 500, 0.6);
    const early = calls(1000, 60, 0.9);
    const first = compareCalls(before, early);
    const unlucky = Array.from({ length: 50 }, (_, index) => call(2000 + index, { outcome: 'unresolved' }));
    const later = compareCalls(before, [...unlucky, ...early.toReversed()], first);
    expect(later.standing).toEqual(first.standing);
    expect(metric(later.result, 'got_it_done')).toMatchObject({ verdict: 'changed', direction: 'better' });
    expect(metric(later.result, 'got_it_done')?.after.n).toBe(110);
    expect(later.result.rule).toContain('not again before 120');
    const missed = Array.from({ length: 50 }, (_, index) => call(900 + index, { outcome: 'unresolved' }));
    const corrected = compareCalls(before, [...missed, ...early], first);
    expect(metric(corrected.result, 'got_it_done')?.direction).not.toBe('better');
  });

  it('leaves what could not be read out of the share and counts it', () => {
    const before = [
      ...calls(0, 40, 1, { calledAgain: false, calledAgainSettled: true }),
      ...calls(100, 5, 1, { calledAgain: false, calledAgainSettled: false }),
      ...calls(200, 7, 1),
    ];
    const result = compare(before, calls(1000, 40, 1, { calledAgain: true, calledAgainSettled: true }));
    expect(metric(result, 'repeat_call')).toMatchObject({
      before: { value: 0, n: 40 },
      after: { value: 1, n: 40 },
      notRead: 5,
      direction: 'worse',
    });
  });

  it('takes calls without contact into the share of calls without contact only', () => {
    const silent = (from: number, n: number) =>
      Array.from({ length: n }, (_, index) => call(from + index, { outcome: 'no_contact' as Outcome }));
    const result = compare([...calls(0, 50, 1), ...silent(100, 50)], [...calls(1000, 50, 1), ...silent(1100, 5)]);
    expect(metric(result, 'got_it_done')?.before).toEqual({ value: 1, n: 50 });
    expect(metric(result, 'no_contact')).toMatchObject({ before: { value: 0.5, n: 100 }, direction: 'better' });
  });

  it('compares medians of times, with the minimum as a tenth of the version before', () => {
    const random = seededRandom(7);
    const timed = (from: number, n: number, centre: number) =>
      Array.from({ length: n }, (_, index) => call(from + index, { responseP50Ms: centre + 100 * normal(random) }));
    const slower = compare(timed(0, 200, 1000), timed(1000, 200, 1300));
    expect(metric(slower, 'response_latency_p50_ms')).toMatchObject({
      verdict: 'changed',
      direction: 'worse',
      minimum: '10 %',
    });
    const alike = compare(timed(0, 800, 1000), timed(1000, 800, 1020));
    expect(metric(alike, 'response_latency_p50_ms')?.verdict).toBe('unchanged');
  });

  it('stays quiet when one version is cut in two at random', () => {
    const random = seededRandom(11);
    const outcomes: Outcome[] = Array.from({ length: 240 }, () => (random.next() < 0.65 ? 'resolved' : 'abandoned'));
    let changed = 0;
    let concluded = 0;
    const trials = 300;
    for (let trial = 0; trial < trials; trial += 1) {
      const sides: [ComparedCall[], ComparedCall[]] = [[], []];
      for (const [index, outcome] of outcomes.entries()) {
        const side = random.next() < 0.5 ? 0 : 1;
        sides[side].push(call(index + side * 1000, { outcome, intentSlug: index % 3 === 0 ? 'book' : 'cancel' }));
      }
      const result = compare(sides[0], sides[1]);
      changed += Number(metric(result, 'got_it_done')?.verdict === 'changed');
      concluded += Number(['improved', 'worsened', 'mixed'].includes(result.conclusion));
    }
    const bound = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / trials);
    expect(changed / trials).toBeLessThanOrEqual(bound);
    expect(concluded / trials).toBeLessThanOrEqual(bound);
  });
});

describe('the moves of issues', () => {
  const issues = Array.from({ length: 40 }, (_, index) => ({
    issueId: `issue-${String(index).padStart(2, '0')}`,
    title: 'Tool failed',
    place: { kind: 'tool' as const, id: `tool-${index}`, label: `tool ${index}` },
    before: { k: index === 0 ? 40 : 10, n: 200 },
    after: { k: index === 0 ? 2 : 11, n: 200 },
  }));

  it('shows the one that fell first, at the place that changed, and no other as changed', () => {
    const isChangedPlace = (place: { id: string }) => place.id === 'tool-0';
    const { issueMoves } = compareCalls(calls(0, 200, 0.5), calls(1000, 200, 0.5), { issues, isChangedPlace }).result;
    expect(issueMoves[0]).toMatchObject({
      issueId: 'issue-00',
      place: 'tool 0',
      verdict: 'changed',
      direction: 'better',
      atChangedPlace: true,
      callsBefore: 40,
      callsAfter: 2,
    });
    expect(issueMoves.filter(({ verdict }) => verdict === 'changed')).toHaveLength(1);
  });
});

describe('the statistics under it', () => {
  it('takes checkpoints at 30 and its doublings', () => {
    expect([0, 29, 30, 59, 60, 119, 120, 1000].map(checkpointOf)).toEqual([0, 0, 30, 30, 60, 60, 120, 960]);
  });

  it('moves a verdict on only when the smaller side reaches its next checkpoint', () => {
    const side = (calls: number, lastStart: string) => ({ calls, lastStart });
    expect(nextStanding(side(29, 'a'), side(100, 'b'), NOT_JUDGED)).toEqual(NOT_JUDGED);
    const first = nextStanding(side(500, 'a'), side(45, 'b'), NOT_JUDGED);
    expect(first).toEqual({ checkpoint: 30, moment: 'b' });
    expect(nextStanding(side(500, 'a'), side(59, 'c'), first)).toBe(first);
    expect(nextStanding(side(500, 'a'), side(60, 'd'), first)).toEqual({ checkpoint: 60, moment: 'd' });
  });

  it('gives the p value at which the interval touches 0', () => {
    const a = { k: 40, n: 100 };
    const b = { k: 25, n: 100 };
    const p = newcombeP(a, b);
    expect(p).toBeLessThan(0.05);
    expect(newcombe(a, b).lower).toBeGreaterThan(0);
    expect(newcombeP(a, a)).toBeGreaterThan(0.9);
    expect(upperTail(1.959963984540054)).toBeCloseTo(0.025, 6);
  });

  it('holds Holm’s level', () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([true, false, false]);
    expect(holm([0.01, 0.02, 0.03])).toEqual([true, true, true]);
    expect(holm([])).toEqual([]);
  });

  it('gives the leading measure half of the level, and hands it on once that has held', () => {
    const weights = [3, 1, 1, 1];
    expect(holm([0.024, 0.5, 0.5, 0.5], weights)).toEqual([true, false, false, false]);
    expect(holm([0.026, 0.5, 0.5, 0.5], weights)).toEqual([false, false, false, false]);
    expect(holm([0.5, 0.009, 0.5, 0.5], weights)).toEqual([false, false, false, false]);
    expect(holm([0.5, 0.008, 0.5, 0.5], weights)).toEqual([false, true, false, false]);
    expect(holm([0.024, 0.016, 0.5, 0.5], weights)).toEqual([true, true, false, false]);
  });

  it('is rarely wrong about any of many measures when nothing changed', () => {
    const random = seededRandom(23);
    const weights = [6, 1, 1, 1, 1, 1, 1];
    let wrong = 0;
    for (let trial = 0; trial < 20_000; trial += 1) {
      if (
        holm(
          weights.map(() => random.next()),
          weights,
        ).includes(true)
      )
        wrong += 1;
    }
    expect(wrong / 20_000).toBeLessThan(0.055);
    expect(wrong / 20_000).toBeGreaterThan(0.04);
  });

  it('covers 0 in about 95 of 100 comparisons of medians from one distribution', () => {
    const random = seededRandom(3);
    let covered = 0;
    for (let trial = 0; trial < 200; trial += 1) {
      const draw = () => ({
        n: 60,
        sorted: Array.from({ length: 60 }, () => Math.exp(normal(random))).sort((x, y) => x - y),
      });
      const { lower, upper } = medianDifference(draw(), draw());
      covered += Number(lower <= 0 && upper >= 0);
    }
    expect(covered / 200).toBeGreaterThan(0.9);
  });

  it('reads the same difference within intents whichever side is called first', () => {
    const strata = [
      { intentSlug: 'a', before: { k: 30, n: 50 }, after: { k: 12, n: 40 } },
      { intentSlug: 'b', before: { k: 5, n: 20 }, after: { k: 60, n: 80 } },
    ];
    const forth = sameMix(strata);
    const back = sameMix(strata.map(({ intentSlug, before, after }) => ({ intentSlug, before: after, after: before })));
    expect(forth?.delta).toBeCloseTo(-(back?.delta ?? 0), 12);
    expect(forth?.upper).toBeCloseTo(-(back?.lower ?? 0), 12);
  });
});
