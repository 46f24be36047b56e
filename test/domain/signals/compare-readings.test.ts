import { expect, test } from 'vitest';
import { compareReadings } from '../../../src/domain/signals/compare-readings.ts';
import { makeSignal } from '../../support/analysed-calls.ts';

const at = (turnIndex: number, code = 'tool_failed', detail = 'It failed.') => makeSignal({ code, turnIndex, detail });
const named = (before: readonly number[], after: readonly number[]) => {
  const { added, withdrawn, kept } = compareReadings(
    before.map((turn) => at(turn)),
    after.map((turn) => at(turn)),
  );
  return [added, withdrawn, kept].map((signals) => signals.map(({ turnIndex }) => turnIndex));
};

test.each([
  ['nothing before', [], [3], [[3], [], []]],
  ['nothing after', [3], [], [[], [3], []]],
  ['the same', [3, 5], [3, 5], [[], [], [3, 5]]],
  ['another turn', [3, 5], [5, 7], [[7], [3], [5]]],
  ['two of one turn', [3, 3], [3], [[], [], [3]]],
])('two readings of a call, %s', (_, before, after, expected) => {
  expect(named(before, after)).toEqual(expected);
});

test('another code at the same turn is another signal', () => {
  const { added, withdrawn } = compareReadings([at(3)], [at(3, 'tool_slow')]);
  expect([added[0]?.code, withdrawn[0]?.code]).toEqual(['tool_slow', 'tool_failed']);
});

test('one that stays is told as it is told now', () => {
  const { kept } = compareReadings([at(3, 'tool_failed', 'As before.')], [at(3, 'tool_failed', 'As now.')]);
  expect(kept.map(({ detail }) => detail)).toEqual(['As now.']);
});
