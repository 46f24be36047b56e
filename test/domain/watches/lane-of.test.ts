import { expect, test } from 'vitest';
import { laneOf } from '../../../src/domain/watches/lane-of.ts';
import type { WatchExpectation } from '../../../src/domain/watches/watch.ts';

test.each<[WatchExpectation, string]>([
  [{ kind: 'tool_called', tool: 'a' }, 'integrations'],
  [{ kind: 'tool_called_with', tool: 'a', args: {} }, 'integrations'],
  [{ kind: 'tool_called_before', tool: 'a', before: 'b' }, 'integrations'],
  [{ kind: 'says', text: 'hello' }, 'speaking'],
  [{ kind: 'judged', text: 'Be kind.' }, 'speaking'],
  [{ kind: 'asks_for', words: ['name'], before: null }, 'flow'],
  [{ kind: 'reaches', step: 'a' }, 'flow'],
  [{ kind: 'outcome', outcome: 'resolved' }, 'flow'],
  [{ kind: 'ends_within', seconds: 60 }, 'flow'],
])('%j belongs to %s', (expectation, lane) => {
  expect(laneOf(expectation)).toBe(lane);
});
