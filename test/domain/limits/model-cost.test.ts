import { expect, test } from 'vitest';
import { costNanoUsd, mostTokens, usdOfNano, wholePrice } from '../../../src/domain/limits/model-cost.ts';

const NONE = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

test('tokens cost what their model costs a million, to the billionth of a dollar', () => {
  const price = wholePrice({ input: 0.15, output: 0.6 }, 'openai');
  expect(costNanoUsd(price, { ...NONE, inputTokens: 1000, outputTokens: 100 })).toBe(210_000);
  expect(usdOfNano(210_000)).toBe(0.00021);
  expect(costNanoUsd(price, { ...NONE, inputTokens: 1 })).toBe(150);
});

test.each([
  ['openai', 4_200 * 0.2 + 1_000 * 2 + 800 * 2 + 600 * 10],
  ['anthropic', 4_200 * 0.2 + 1_000 * 2.5 + 800 * 2 + 600 * 10],
] as const)('over %s, what a cache held costs a tenth, and what it took its own price', (protocol, millionths) => {
  const tokens = { inputTokens: 6_000, cachedInputTokens: 4_200, cacheWriteTokens: 1_000, outputTokens: 600 };
  const price = wholePrice({ input: 2, output: 10 }, protocol);
  expect(costNanoUsd(price, tokens)).toBe(millionths * 1000);
});

test('a cache that held more than was read makes no question cheaper than nothing', () => {
  const price = wholePrice({ input: 2, output: 10, cachedInput: 0 }, 'openai');
  expect(costNanoUsd(price, { ...NONE, inputTokens: 10, cachedInputTokens: 4_000 })).toBe(0);
});

test('a model without a price costs nothing', () => {
  expect(costNanoUsd(undefined, { ...NONE, inputTokens: 1e6, outputTokens: 1e6 })).toBe(0);
});

test('what is held back before a question covers its longest answer, and all of it as new to the cache', () => {
  expect(mostTokens({ instructions: 'ab', context: 'abcd', material: 'cde', maxOutputTokens: 50 })).toEqual({
    inputTokens: 5,
    cachedInputTokens: 0,
    cacheWriteTokens: 3,
    outputTokens: 50,
  });
});
