import { describe, expect, test } from 'vitest';
import type { ComparisonMetric } from '../../../src/domain/comparisons/comparison.ts';
import type { Conclusion } from '../../../src/domain/comparisons/conclusion.ts';
import type { IssueMove } from '../../../src/domain/comparisons/issue-moves.ts';
import { narrate, ruleText, type Story } from '../../../src/domain/comparisons/narrative.ts';

const share = (metric: string, label: string, over: Partial<ComparisonMetric>): ComparisonMetric => ({
  metric,
  label,
  unit: 'share',
  before: { value: 0.6, n: 100 },
  after: { value: 0.4, n: 100 },
  delta: -0.2,
  better: 'higher',
  verdict: 'changed',
  direction: 'worse',
  minimum: '5 points',
  notRead: 0,
  ...over,
});

const tell = (lead: Partial<ComparisonMetric>, within: { lower: number; upper: number }) =>
  narrate({
    fromVersion: 1,
    toVersion: 2,
    callsBefore: 100,
    callsAfter: 100,
    conclusion: 'unclear',
    metrics: [
      share('got_it_done', 'Got it done', lead),
      share('abandoned', 'Abandoned', { better: 'lower' }),
      share('tool_failure', 'Tool failure', { better: 'lower' }),
    ],
    moves: [],
    mix: { reweighted: 0.6, delta: 0, covered: 1, ...within },
    missing: { before: 0, after: 0 },
  });

const NOT_MOVED = { lower: -0.05, upper: 0.05 };
const MOVED = { lower: -0.3, upper: -0.1 };

test('what other traffic explains is called neither better nor worse; tools fail for reasons of their own', () => {
  const story = tell({}, NOT_MOVED);
  expect(story).toContain('Abandoned went from 60.0 % to 40.0 % (as what callers asked for changed).');
  expect(story).toContain('Tool failure went from 60.0 % to 40.0 % (worse).');
});

test('a change within the same intents is called what it is', () => {
  expect(tell({}, MOVED)).toContain('Abandoned went from 60.0 % to 40.0 % (worse).');
});

test('where as many got it done as before, no traffic is named as a reason', () => {
  const story = tell({ verdict: 'unclear', direction: 'none' }, NOT_MOVED);
  expect(story).toContain('Abandoned went from 60.0 % to 40.0 % (worse).');
  expect(story).not.toContain('what callers asked for');
});

const STORY: Story = {
  fromVersion: 3,
  toVersion: 4,
  callsBefore: 80,
  callsAfter: 1,
  conclusion: 'unclear',
  metrics: [
    share('got_it_done', 'Got it done', { verdict: 'unclear', direction: 'none', after: { value: null, n: 0 } }),
  ],
  moves: [],
  mix: null,
  missing: { before: 0, after: 0 },
};
const tellOf = (over: Partial<Story>) => narrate({ ...STORY, ...over }).split('\n');

describe('a story', () => {
  test('begins with the calls of both sides and how many got it done', () => {
    expect(tellOf({})).toEqual([
      'Version 4 took 1 call, version 3 80 calls. Got it done: 60.0 % of 100 before, unknown of 0 after (unclear).',
      'Taken together, this does not show a change, and does not rule one out.',
    ]);
  });

  test.each<[Conclusion, RegExp]>([
    ['improved', /better\.$/],
    ['worsened', /worse\.$/],
    ['mixed', /better and others worse\.$/],
    ['no_change', /^No measure moved/],
  ])('ends on what is concluded: %s', (conclusion, words) => {
    expect(tellOf({ conclusion }).at(-1)).toMatch(words);
  });

  test.each<[string, Story['missing'], RegExp]>([
    ['both lack', { before: 2, after: 29 }, /; version 3 needs 2 more and version 4 needs 29 more\.$/],
    ['the earlier one lacks', { before: 2, after: 0 }, /; version 3 needs 2 more\.$/],
    ['the later one lacks', { before: 0, after: 29 }, /; version 4 needs 29 more\.$/],
  ])('of too few calls says only what %s', (_, missing, words) => {
    const told = tellOf({ conclusion: 'insufficient_evidence', missing });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^Version 4 took 1 call, version 3 80 calls\. Not enough calls: a verdict takes 30 calls/);
    expect(told[0]).toMatch(words);
  });

  test('tells of measures that changed, in their unit, and of no others', () => {
    const wait = share('wait', 'Wait', { unit: 'ms', before: { value: 1240, n: 9 }, after: { value: null, n: 0 } });
    const length = share('length', 'Length', {
      unit: 'ms',
      before: { value: 61000, n: 9 },
      after: { value: 48960, n: 9 },
    });
    const still = share('still', 'Still', { verdict: 'unchanged' });
    expect(
      tellOf({
        metrics: [...STORY.metrics, wait, { ...length, direction: 'none' }, { ...length, direction: 'better' }, still],
      })[1],
    ).toBe(
      'Wait went from 1.2 s to unknown (worse). Length went from 61.0 s to 49.0 s. Length went from 61.0 s to 49.0 s (better).',
    );
  });
});

describe('the intents of callers', () => {
  const mix = { reweighted: 0.555, delta: 0.012, lower: -0.04, upper: 0.06, covered: 1 };
  const lead = { verdict: 'changed' as const };
  const first = (over: Partial<Story>) =>
    tellOf({ metrics: [share('got_it_done', 'Got it done', lead)], mix, ...over })[0]?.split('(changed). ')[1];

  test('are told with signs, and as the reason where within them nothing is shown', () => {
    expect(first({})).toBe(
      'With the intents of version 3 it would be 55.5 %; within the same intents it moved by +1.2 points (95 % between -4.0 and +6.0): what callers asked for changed, not shown is that the agent did.',
    );
  });

  test('are no reason where something is shown within them', () => {
    expect(first({ mix: { ...mix, lower: 0.001 } })).toMatch(/and \+6\.0\)\.$/);
  });

  test.each([
    [1, false],
    [0.995, false],
    [0.994, true],
    [0.5, true],
  ])('of which %d stand on both sides say so: %s', (covered, told) => {
    expect(first({ mix: { ...mix, covered } })?.includes('of them have calls on both sides')).toBe(told);
  });
});

describe('issues that moved', () => {
  const move = (title: string, over: Partial<IssueMove> = {}): IssueMove => ({
    issueId: title,
    title,
    place: 'the prompt',
    before: { value: 0.1, n: 50 },
    after: { value: 0.02, n: 50 },
    callsBefore: 5,
    callsAfter: 1,
    delta: -0.08,
    verdict: 'changed',
    direction: 'better',
    atChangedPlace: false,
    ...over,
  });
  const told = (...moves: IssueMove[]) => tellOf({ moves })[1];

  test('are told with their place, and whether it was changed', () => {
    expect(told(move('Slow'), move('Stuck', { atChangedPlace: true }))).toBe(
      '“Slow” at the prompt went from 10.0 % to 2.0 % of calls. “Stuck” at the prompt went from 10.0 % to 2.0 % of calls, where the configuration changed.',
    );
  });

  test.each([
    [3, null],
    [4, '1 more issue moved.'],
    [5, '2 more issues moved.'],
  ])('are told up to three: of %i the rest is counted', (count, rest) => {
    const text = told(...Array.from({ length: count }, (_, at) => move(`Issue ${at}`)));
    expect(text?.match(/“/g)).toHaveLength(3);
    expect(text?.match(/\d+ more .*$/)?.[0] ?? null).toBe(rest);
  });

  test('that did not are not told', () => {
    expect(tellOf({ moves: [move('Slow', { verdict: 'unclear' })] })).toHaveLength(2);
  });
});

test('what verdicts stand on says when the next is due', () => {
  expect(ruleText(0, { before: 3, after: 4 })).toContain('The first verdict comes at 30 calls on the smaller side.');
  expect(ruleText(60, { before: 61, after: 90 })).toContain(
    'Judged when the smaller side reached 60 calls (61 before, 90 after) and not again before 120.',
  );
});
