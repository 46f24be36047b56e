import { expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

test('a second refusal may not be talked over even once', () => {
  const talk = [
    'a: Hello, Lakeside Windows here.',
    'c: please stop calling me',
    'a: It only takes a minute, our offer ends today.',
    'c: I said stop calling me',
    'a: Would Thursday suit you?',
    'c: oh my',
  ];
  expect(turnsOf('opt_out_ignored', talk, { direction: 'outbound' })).toContain(3);
});

test('the first one may be confirmed', () => {
  const talk = [
    'a: Hello, Lakeside Windows here.',
    'c: please stop calling me',
    "a: I've taken you off the list. Goodbye.",
    'c: bye',
  ];
  expect(turnsOf('opt_out_ignored', talk, { direction: 'outbound' })).toEqual([]);
});
