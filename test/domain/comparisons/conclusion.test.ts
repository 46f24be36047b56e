import { describe, expect, test } from 'vitest';
import { conclude, isTraffic, type JudgedMetric } from '../../../src/domain/comparisons/conclusion.ts';
import { type IssueSides, issueMoves } from '../../../src/domain/comparisons/issue-moves.ts';
import { COMPARISON_METRICS } from '../../../src/domain/comparisons/metrics.ts';
import type { MixReading } from '../../../src/domain/comparisons/mix.ts';
import { type MoveDirection, newcombeP, type Verdict } from '../../../src/domain/comparisons/verdict.ts';

type Moves = Record<string, [verdict: Verdict, direction: MoveDirection, p: number]>;

const judged = (moves: Moves): JudgedMetric[] =>
  COMPARISON_METRICS.map((definition) => {
    const [verdict, direction, p] = moves[definition.metric] ?? ['unchanged', 'none', 1];
    return { definition, judgement: { delta: 0, verdict, direction, interval: null, p } };
  });
const mix = (lower: number, upper: number): MixReading => ({
  reweighted: 0,
  delta: (lower + upper) / 2,
  lower,
  upper,
  covered: 1,
});

describe('one word for a whole comparison', () => {
  test.each<[rule: string, moves: Moves, word: string]>([
    ['nothing moved', {}, 'no_change'],
    ['one measure can’t be told', { friction: ['unclear', 'none', 0.3] }, 'unclear'],
    ['the lead got better', { got_it_done: ['changed', 'better', 0.001] }, 'improved'],
    ['the lead got worse', { got_it_done: ['changed', 'worse', 0.001] }, 'worsened'],
    ['another measure got better', { friction: ['changed', 'better', 0.0001] }, 'improved'],
    [
      'one got better and one worse',
      { got_it_done: ['changed', 'better', 0.001], friction: ['changed', 'worse', 0.0001] },
      'mixed',
    ],
    [
      'the lead has too few calls',
      { got_it_done: ['not_enough_calls', 'none', 1], friction: ['changed', 'worse', 0] },
      'insufficient_evidence',
    ],
    // Half of 5 % belongs to the lead: 0.024 holds for it, and for one of eight others not by far.
    ['the lead just so', { got_it_done: ['changed', 'better', 0.0249] }, 'improved'],
    ['the lead not quite', { got_it_done: ['changed', 'better', 0.0251] }, 'unclear'],
    ['one of the others as much', { friction: ['changed', 'better', 0.0249] }, 'unclear'],
    [
      'what is neither better nor worse moved',
      { handed_off: ['changed', 'none', 0], duration_ms: ['changed', 'none', 0] },
      'no_change',
    ],
    ['a measure with too few calls says nothing', { repeat_call: ['not_enough_calls', 'none', 1] }, 'no_change'],
  ])('%s', (_, moves, word) => {
    expect(conclude(judged(moves), null)).toBe(word);
  });

  test('of no measure there is no evidence', () => {
    expect(conclude([], null)).toBe('insufficient_evidence');
  });

  test.each<[rule: string, within: MixReading | null, word: string]>([
    ['within the same intents too', mix(0.01, 0.2), 'improved'],
    ['within the same intents not', mix(-0.05, 0.05), 'unclear'],
    ['within the same intents it may be nothing', mix(0, 0.1), 'unclear'],
    ['no intent in common', null, 'improved'],
  ])('a better end counts: %s', (_, within, word) => {
    expect(conclude(judged({ got_it_done: ['changed', 'better', 0.0001] }), within)).toBe(word);
  });

  test.each([
    ['got_it_done', true],
    ['unresolved', true],
    ['abandoned', true],
    ['tool_failure', false],
    ['response_latency_p50_ms', false],
  ])('callers’ intents explain %s: %s', (metric, explained) => {
    expect(isTraffic(metric, mix(-0.1, 0.1))).toBe(explained);
    expect(isTraffic(metric, mix(0.1, 0.2))).toBe(false);
  });
});

describe('how issues moved', () => {
  const issue = (issueId: string, before: [k: number, n: number], after: [k: number, n: number]): IssueSides => ({
    issueId,
    title: `Title of ${issueId}`,
    place: { kind: 'tool', id: 'book', label: 'Book' },
    before: { k: before[0], n: before[1] },
    after: { k: after[0], n: after[1] },
  });
  const only = (before: [number, number], after: [number, number]) =>
    issueMoves([issue('a', before, after)], () => false)[0];

  test.each<
    [rule: string, before: [number, number], after: [number, number], verdict: Verdict, direction: MoveDirection]
  >([
    ['went', [60, 200], [0, 200], 'changed', 'better'],
    ['came', [0, 200], [60, 200], 'changed', 'worse'],
    ['stayed, of very many calls', [1_000, 10_000], [1_000, 10_000], 'unchanged', 'none'],
    ['stayed, of few', [6, 60], [6, 60], 'unclear', 'none'],
    ['moved by less than two points, however surely', [1_000, 100_000], [2_500, 100_000], 'unchanged', 'none'],
    ['one call fewer than enough', [29, 29], [0, 200], 'not_enough_calls', 'none'],
    ['just enough calls', [30, 30], [0, 200], 'changed', 'better'],
    ['no call before', [0, 0], [60, 200], 'not_enough_calls', 'none'],
  ])('%s', (_, before, after, verdict, direction) => {
    expect(only(before, after)).toMatchObject({ verdict, direction });
  });

  test('a side without calls has no share, and then there is no difference', () => {
    expect(only([0, 0], [60, 200])).toMatchObject({
      before: { value: null, n: 0 },
      after: { value: 0.3, n: 200 },
      callsBefore: 0,
      callsAfter: 60,
      delta: null,
    });
  });

  test('one that neither side shows is left out', () => {
    expect(issueMoves([issue('a', [0, 200], [0, 200])], () => false)).toEqual([]);
  });

  test('what would be a change by itself is none among many that are none', () => {
    const one = issue('moved', [10, 100], [21, 100]);
    expect(newcombeP(one.after, one.before)).toBeLessThan(0.05);
    const others = Array.from({ length: 40 }, (_, at) => issue(`still-${at}`, [10, 100], [10, 100]));
    expect(issueMoves([one], () => false)[0]?.verdict).toBe('changed');
    expect(issueMoves([one, ...others], () => false).find(({ issueId }) => issueId === 'moved')?.verdict).not.toBe(
      'changed',
    );
  });

  test('what is not judged for want of calls takes nothing from the others', () => {
    const one = issue('moved', [10, 100], [21, 100]);
    const few = Array.from({ length: 40 }, (_, at) => issue(`few-${at}`, [1, 9], [1, 9]));
    expect(issueMoves([one, ...few], () => false)[0]).toMatchObject({ issueId: 'moved', verdict: 'changed' });
  });

  test('changes come first, the largest of them at the top, and equal ones by id whatever their order', () => {
    const all = [
      issue('still', [100, 200], [90, 200]),
      issue('large', [120, 200], [0, 200]),
      issue('b', [0, 200], [60, 200]),
      issue('a', [60, 200], [0, 200]),
      issue('few', [9, 9], [0, 9]),
    ];
    const order = ['large', 'a', 'b', 'few', 'still'];
    expect(issueMoves(all, () => false).map(({ issueId }) => issueId)).toEqual(order);
    expect(issueMoves(all.toReversed(), () => false).map(({ issueId }) => issueId)).toEqual(order);
  });

  test('each says whether its place was changed', () => {
    const moves = issueMoves([issue('a', [60, 200], [0, 200])], ({ kind, id }) => kind === 'tool' && id === 'book');
    expect(moves).toMatchObject([{ atChangedPlace: true, place: 'Book' }]);
  });
});
