import { expect, test } from 'vitest';
import {
  CLEARED_SAMPLES,
  type DrawnFrom,
  drawSamples,
  FLAGGED_SAMPLES,
} from '../../../src/domain/watches/draw-samples.ts';

const calls = Array.from(
  { length: 400 },
  (_, at): DrawnFrom => ({
    callId: `call-${String(at).padStart(3, '0')}`,
    held: at % 2 === 0,
    version: at < 390 ? 1 : 2,
    outcome: at % 4 < 2 ? 'resolved' : 'abandoned',
    outcomeConfidence: at % 8 < 4 ? 0.9 : 0.5,
  }),
);

test('the same calls give the same samples in whatever order they come', () => {
  expect(drawSamples(calls.toReversed())).toEqual(drawSamples(calls));
});

test('as many flagged and cleared calls are drawn as people are asked to look at, rare strata among them', () => {
  const drawn = drawSamples(calls);
  const byId = new Map(calls.map((call) => [call.callId, call]));
  expect(drawn.filter(({ kind }) => kind === 'flagged')).toHaveLength(FLAGGED_SAMPLES);
  expect(drawn.filter(({ kind }) => kind === 'cleared')).toHaveLength(CLEARED_SAMPLES);
  const flagged = drawn.filter(({ kind }) => kind === 'flagged').map(({ callId }) => byId.get(callId));
  expect(flagged.every((call) => call?.held === false)).toBe(true);
  expect(flagged.some((call) => call?.version === 2)).toBe(true);
  expect(new Set(flagged.map((call) => `${call?.outcome} ${call?.outcomeConfidence}`)).size).toBe(4);
});

test('fewer calls are all drawn, each once', () => {
  const drawn = drawSamples(calls.slice(0, 7));
  expect(drawn.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(new Set(drawn.map(({ callId }) => callId)).size).toBe(7);
});
