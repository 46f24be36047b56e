import { expect, test } from 'vitest';
import { wholePrice } from '../../../src/domain/limits/model-cost.ts';
import { estimateInWords, estimateReading, expectedOfACall } from '../../../src/domain/limits/reading-estimate.ts';

const price = wholePrice({ input: 0.1, output: 0.5 }, 'anthropic');

test('what stays the same is expected in the cache where it is long enough for one, and only there', () => {
  expect(expectedOfACall({ same: 4_200, own: 2_000, output: 600 })).toEqual({
    inputTokens: 6_200,
    cachedInputTokens: 4_200,
    outputTokens: 600,
  });
  expect(expectedOfACall({ same: 4_000, own: 2_000, output: 600 }).cachedInputTokens).toBe(0);
});

test('an estimate says tokens and money of so many calls', () => {
  const estimate = estimateReading(1_000, expectedOfACall({ same: 4_200, own: 2_000, output: 600 }), price);
  expect(estimate).toMatchObject({ inputTokens: 6_200_000, cachedInputTokens: 4_200_000, outputTokens: 600_000 });
  expect(estimate.usd).toBeCloseTo(2 * 0.1 + 4.2 * 0.01 + 0.6 * 0.5, 6);
  expect(estimateInWords(estimate)).toBe('1,000 calls of this agent: about 6.8 M tokens, 0.54 USD at your prices');
});

test('a model without a price has no money in its estimate', () => {
  const estimate = estimateReading(1, { inputTokens: 900, cachedInputTokens: 0, outputTokens: 50 }, undefined);
  expect(estimate.usd).toBeNull();
  expect(estimateInWords(estimate)).toBe('1 call of this agent: about 950 tokens, no price is set for this model');
});
