import { expect, test } from 'vitest';
import { weigh } from '../../src/domain/calls/weighing/weigh.ts';
import { type Example, fit } from './weighing/fit.ts';

const EXAMPLES: Example[] = Array.from({ length: 40 }, (_, at) => ({
  marks: [at % 2 === 0 ? 'thanks' : 'complains', 'both', ...(at === 0 ? ['once'] : [])],
  truth: at % 2 === 0 ? 'resolved' : 'unresolved',
}));

test('weights follow what the calls show, and a mark of a single call teaches nothing', () => {
  const weights = fit(EXAMPLES);
  const [thanked = 0, notMet = 0] = weigh(['thanks', 'both'], weights);
  expect(thanked).toBeGreaterThan(notMet);
  expect(weigh(['complains', 'both'], weights)[1]).toBeGreaterThan(0.5);
  expect(weights['once']).toBeUndefined();
});

test('the same calls give the same weights, and other endings are left aside', () => {
  const withOthers = [...EXAMPLES, { marks: ['thanks'], truth: 'transferred' }];
  expect(fit(withOthers)).toEqual(fit(EXAMPLES));
});
