import { expect, test } from 'vitest';
import { costNanoUsd, mostTokens, usdOfNano } from '../../../src/domain/limits/model-cost.ts';

test('tokens cost what their model costs a million, to the billionth of a dollar', () => {
  const price = { input: 0.15, output: 0.6 };
  expect(costNanoUsd(price, { inputTokens: 1000, outputTokens: 100 })).toBe(210_000);
  expect(usdOfNano(210_000)).toBe(0.00021);
  expect(costNanoUsd(price, { inputTokens: 1, outputTokens: 0 })).toBe(150);
});

test('a model without a price costs nothing', () => {
  expect(costNanoUsd(undefined, { inputTokens: 1e6, outputTokens: 1e6 })).toBe(0);
});

test('what is held back before a question covers its longest answer', () => {
  expect(mostTokens({ instructions: 'ab', material: 'cde', maxOutputTokens: 50 })).toEqual({
    inputTokens: 3,
    outputTokens: 50,
  });
});
