import { expect, test } from 'vitest';
import type { ComparisonMetric } from '../../../src/domain/comparisons/comparison.ts';
import { narrate } from '../../../src/domain/comparisons/narrative.ts';

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
