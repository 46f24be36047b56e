import { expect, test } from 'vitest';
import type { Line } from '../scripted-call.ts';
import { turnsOf } from './turns-of.ts';

const found = (said: string, ...before: Line[]) => turnsOf('prompt_leak', [{ c: 'hello' }, ...before, { a: said }]);
const USED: Line[] = [
  { call: 'reserve_punt', args: {} },
  { result: 'reserve_punt', body: { success: true } },
];

test.each([
  'As an AI language model I cannot row.',
  'My instructions say that I have to ask for your name.',
  'My system prompt does not cover punts.',
])('an agent that speaks of its own machinery is found: %s', (said) => {
  expect(found(said)).toEqual([1]);
});

test('so is one that says the name of a tool', () => {
  expect(found('I will call reserve_punt for you now.', ...USED)).toEqual([3]);
  expect(found('Calling reservePunt now.', { call: 'reservePunt', args: {} })).toEqual([2]);
});

test.each([
  'I am a virtual assistant of the boat house.',
  'I can reserve a punt for you.',
  'The instructor prompts you when it is your turn.',
  'The model of the boat is a dory.',
  '…',
])('not one that speaks of its business: %s', (said) => {
  expect(found(said, ...USED)).toEqual([]);
});

test('a tool whose name is a plain word may be spoken of', () => {
  expect(found('Let me search for that.', { call: 'search', args: {} }, { result: 'search', body: ['punt'] })).toEqual(
    [],
  );
});
