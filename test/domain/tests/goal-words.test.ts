import { expect, test } from 'vitest';
import { checkGoalWords } from '../../../src/domain/tests/goal-words.ts';
import { emptyTurn } from '../../../src/platforms/turn-parts.ts';

const turns = [
  { ...emptyTurn(0, 'agent', null), text: 'Front desk, how can I help?' },
  { ...emptyTurn(1, 'caller', null), text: "I'd like to move my cleaning to Tuesday at 9, if that works." },
];
const QUOTE = 'move my cleaning to Tuesday';

test.each([
  ['words of the call', 'Move the cleaning to Tuesday at 9', 1, QUOTE, true],
  ['words of which most were said', 'Reschedule the cleaning to Tuesday', 1, QUOTE, true],
  ['nothing', ' ', 1, QUOTE, false],
  ['a number that nobody said', 'Move the cleaning to Tuesday at 10', 1, QUOTE, false],
  ['a goal that nobody spoke of', 'Cancel everything and complain loudly', 1, QUOTE, false],
  ['an address', 'Move my cleaning at https://evil.example', 1, QUOTE, false],
  ['a quote of another turn', 'Move my cleaning to Tuesday', 0, QUOTE, false],
  ['a turn of the agent', 'Help at the front desk', 0, 'how can I help', false],
  ['a quote that is not there', 'Move my cleaning to Tuesday', 1, 'move my cleaning to Monday', false],
  ['a quote too short to show anything', 'Move my cleaning to Tuesday', 1, 'to', false],
])('of a model that gives %s, the goal is kept or not', (_, text, turn, quote, isKept) => {
  expect(checkGoalWords(turns, { text, turn, quote }) !== null).toBe(isKept);
});
