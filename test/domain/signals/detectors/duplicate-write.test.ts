import { expect, test } from 'vitest';
import type { Json } from '../../../../src/domain/json.ts';
import type { Line } from '../scripted-call.ts';
import { turnsOf } from './turns-of.ts';

const used = (name: string, args: Json, body: Json = { success: true }, ok?: boolean): Line[] => [
  { call: name, args },
  ok === undefined ? { result: name, body } : { result: name, body, ok },
];
const found = (...uses: Line[][]) => turnsOf('duplicate_write', [{ c: 'a hall for our choir please' }, ...uses.flat()]);

test('the same thing written twice is found at the second result', () => {
  expect(found(used('book_hall', { day: 4 }), used('book_hall', { day: 4 }))).toEqual([4]);
});

test('the order of arguments makes no difference', () => {
  expect(found(used('book_hall', { day: 4, at: '9:00' }), used('book_hall', { at: '9:00', day: 4 }))).toEqual([4]);
});

test('a third time is found too', () => {
  const once = used('book_hall', { day: 4 });
  expect(found(once, once, once)).toEqual([4, 6]);
});

test.each<[string, Line[][]]>([
  ['other arguments', [used('book_hall', { day: 4 }), used('book_hall', { day: 5 })]],
  ['another tool', [used('book_hall', { day: 4 }), used('reserve_piano', { day: 4 })]],
  ['a look-up', [used('find_hall', { day: 4 }), used('find_hall', { day: 4 })]],
  [
    'a retry after a failure',
    [used('book_hall', { day: 4 }, { status: 503, message: 'down' }), used('book_hall', { day: 4 })],
  ],
  [
    'a second try after the business said no',
    [
      used('book_hall', { day: 4 }, { success: false, reason: 'no_availability', message: 'No halls available' }),
      used('book_hall', { day: 4 }),
    ],
  ],
  [
    'a thing that was undone between',
    [used('book_hall', { day: 4 }), used('cancel_hall', { day: 4 }), used('book_hall', { day: 4 })],
  ],
  ['an answer that says neither', [used('book_hall', { day: 4 }, ''), used('book_hall', { day: 4 }, '')]],
  ['an answer that never came', [used('book_hall', { day: 4 }), [{ call: 'book_hall', args: { day: 4 } }]]],
])('%s is no second deed', (_, uses) => {
  expect(found(...uses)).toEqual([]);
});

test('an undo that failed undid nothing, and one that is done twice is found itself', () => {
  const booked = used('book_hall', { day: 4 });
  expect(found(booked, used('cancel_hall', { day: 4 }, { status: 500, message: 'down' }), booked)).toEqual([6]);
  expect(found(booked, used('cancel_hall', { id: 1 }), used('cancel_hall', { id: 1 }))).toEqual([6]);
});
