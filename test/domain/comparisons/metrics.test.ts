import { describe, expect, test } from 'vitest';
import { factsOfCalls, SUMMARY_POINTS, startKey, summary } from '../../../src/domain/comparisons/facts.ts';
import { COMPARISON_METRICS, type ComparedCall } from '../../../src/domain/comparisons/metrics.ts';
import { valueOf } from '../../../src/domain/comparisons/verdict.ts';
import { OUTCOMES } from '../../../src/domain/vocabulary.ts';
import { comparedCall } from '../../support/compare-calls.ts';

function definition(name: string) {
  const found = COMPARISON_METRICS.find(({ metric }) => metric === name);
  if (found === undefined) throw new Error(`There is no measure ${name}.`);
  return found;
}
const read = (name: string, over: Partial<ComparedCall>) => definition(name).read(comparedCall(over));
const isNotRead = (name: string, over: Partial<ComparedCall>) =>
  definition(name).isNotRead?.(comparedCall(over)) ?? false;

describe('how a call ended', () => {
  const SHARES = {
    got_it_done: 'resolved',
    unresolved: 'unresolved',
    abandoned: 'abandoned',
    handed_off: 'transferred',
  };

  test.each(Object.entries(SHARES))('%s counts calls that ended as %s, among those with contact', (metric, outcome) => {
    for (const ended of OUTCOMES) {
      expect(read(metric, { outcome: ended })).toBe(ended === 'no_contact' ? null : Number(ended === outcome));
    }
  });

  test('calls without contact are counted among all', () => {
    for (const ended of OUTCOMES) expect(read('no_contact', { outcome: ended })).toBe(Number(ended === 'no_contact'));
  });

  test.each([...Object.keys(SHARES), 'no_contact'])(
    'one whose end nobody knows is told as not read by %s',
    (metric) => {
      expect(read(metric, { outcome: null })).toBeNull();
      expect(isNotRead(metric, { outcome: null })).toBe(true);
    },
  );

  test.each(Object.keys(SHARES))('one without contact is out of %s, and nothing that was not read', (metric) => {
    expect(isNotRead(metric, { outcome: 'no_contact' })).toBe(false);
  });

  test('the shares of every call with contact make one', () => {
    for (const outcome of OUTCOMES.filter((one) => one !== 'no_contact')) {
      expect(Object.keys(SHARES).reduce((sum, metric) => sum + (read(metric, { outcome }) ?? 0), 0)).toBe(1);
    }
  });
});

describe('what happened on a call', () => {
  test.each([
    ['no result', 0, 0, null],
    ['results that were all good', 3, 0, 0],
    ['one failure among many results', 9, 1, 1],
    ['failures only', 2, 2, 1],
  ])('tools with %s', (_, toolResults, toolFailures, value) => {
    expect(read('tool_failure', { toolResults, toolFailures })).toBe(value);
  });

  test.each([
    [0, 0],
    [1, 1],
    [7, 1],
  ])('%i frictions make it %i call with friction, however it ended', (frictions, value) => {
    expect(read('friction', { frictions })).toBe(value);
    expect(read('friction', { frictions, outcome: null })).toBe(value);
    expect(read('friction', { frictions, outcome: 'no_contact' })).toBe(value);
  });

  test.each([
    ['an unknown caller', null, true, null, false],
    ['an unknown caller within the week', null, false, null, false],
    ['a known caller within the week', false, false, null, true],
    ['a known caller who called again within the week', true, false, null, true],
    ['a known caller who did not', false, true, 0, false],
    ['a known caller who did', true, true, 1, false],
  ])('called again, %s', (_, calledAgain, calledAgainSettled, value, notRead) => {
    expect(read('repeat_call', { calledAgain, calledAgainSettled })).toBe(value);
    expect(isNotRead('repeat_call', { calledAgain, calledAgainSettled })).toBe(notRead);
  });

  test.each(['response_latency_p50_ms', 'response_latency_p90_ms'] as const)('%s is the call’s own', (metric) => {
    const times = { responseP50Ms: 800, responseP90Ms: 2_000 };
    expect(read(metric, times)).toBe(metric.includes('p50') ? 800 : 2_000);
    expect(read(metric, {})).toBeNull();
    expect(isNotRead(metric, {})).toBe(true);
    // Nobody answered nobody there: no time is missing.
    expect(isNotRead(metric, { outcome: 'no_contact' })).toBe(false);
  });

  test.each([
    ['resolved', 60_000],
    ['no_contact', null],
    [null, null],
  ] as const)('the duration of a call that ended as %s is %s', (outcome, value) => {
    expect(read('duration_ms', { outcome })).toBe(value);
  });
});

describe('the measures', () => {
  test('lead with what callers got done', () => {
    expect(COMPARISON_METRICS[0]?.metric).toBe('got_it_done');
    expect(new Set(COMPARISON_METRICS.map(({ metric }) => metric)).size).toBe(COMPARISON_METRICS.length);
  });

  test('are neither better nor worse where more can mean either', () => {
    const neutral = COMPARISON_METRICS.filter(({ better }) => better === 'neither').map(({ metric }) => metric);
    expect(neutral).toEqual(['handed_off', 'duration_ms']);
    expect(COMPARISON_METRICS.filter(({ better }) => better === 'higher').map(({ metric }) => metric)).toEqual([
      'got_it_done',
    ]);
  });
});

describe('the sums of a version', () => {
  const facts = factsOfCalls([
    comparedCall({ outcome: 'resolved', intentSlug: 'book' }),
    comparedCall({ outcome: 'abandoned', intentSlug: 'book', startedAt: '2026-03-09T09:00:00+01:00' }),
    comparedCall({ outcome: 'no_contact', intentSlug: 'book', startedAt: null }),
    comparedCall({ outcome: null, intentSlug: 'cancel' }),
    comparedCall({ outcome: 'transferred', intentSlug: 'cancel' }),
  ]);

  test('hold calls with contact by intent', () => {
    expect([...facts.intents]).toEqual([
      ['book', { k: 1, n: 2 }],
      ['cancel', { k: 0, n: 1 }],
    ]);
  });

  test('hold each measure with what could not be read', () => {
    expect(facts.sides.get('got_it_done')).toEqual({ n: 3, notRead: 1, k: 1, sorted: [] });
    expect(facts.sides.get('no_contact')).toEqual({ n: 4, notRead: 1, k: 1, sorted: [] });
    expect(facts.sides.get('duration_ms')).toEqual({ n: 3, notRead: 0, k: 0, sorted: [60_000, 60_000, 60_000] });
    expect([...facts.sides.keys()]).toEqual(COMPARISON_METRICS.map(({ metric }) => metric));
  });

  test('hold the last start, whatever zone it was written in', () => {
    expect(facts).toMatchObject({ calls: 5, lastStart: '2026-03-09T08:00:00.000Z' });
  });

  test('of no call are nothing', () => {
    const none = factsOfCalls([]);
    expect(none).toMatchObject({ calls: 0, lastStart: '' });
    for (const side of none.sides.values()) expect(side).toEqual({ n: 0, notRead: 0, k: 0, sorted: [] });
  });

  test('calls without a start come before all others', () => {
    expect(startKey(null) < startKey('1970-01-01T00:00:00Z')).toBe(true);
  });

  test('values are sorted as numbers', () => {
    const side = factsOfCalls([900, 1_000, 80].map((durationMs) => comparedCall({ durationMs }))).sides.get(
      'duration_ms',
    );
    expect(side?.sorted).toEqual([80, 900, 1_000]);
    expect(side && valueOf(definition('duration_ms'), side)).toBe(900);
  });
});

describe('a long list of values', () => {
  const upTo = (length: number) => Array.from({ length }, (_, at) => at);

  test.each([0, 1, 2, SUMMARY_POINTS])('of %i is kept whole', (length) => {
    expect(summary(upTo(length))).toEqual(upTo(length));
  });

  test.each([SUMMARY_POINTS + 1, 5_000, 100_001])('of %i is told by values in order, the ends among them', (length) => {
    const told = summary(upTo(length));
    expect(told).toHaveLength(SUMMARY_POINTS);
    expect([told[0], told.at(-1)]).toEqual([0, length - 1]);
    expect(told.every((value, at) => at === 0 || value > (told[at - 1] ?? 0))).toBe(true);
    // The middle of the list stays its middle, within one step.
    expect(Math.abs((told[(SUMMARY_POINTS - 1) / 2] ?? 0) - (length - 1) / 2)).toBeLessThanOrEqual(1);
  });
});
