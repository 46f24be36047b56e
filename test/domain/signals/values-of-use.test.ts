import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { usesWith } from '../../../src/domain/signals/values-of-use.ts';
import type { ActValue } from '../../../src/domain/values/value.ts';
import { type Line, scripted } from './scripted-call.ts';

/** Turns of the tool uses that hold the value of the first sentence and not that of the second. */
function turnsWith(was: string, is: string, lines: readonly Line[], between: { after?: number; before?: number } = {}) {
  const reading = readCall(scripted([{ c: was }, { c: is }, ...lines]));
  const [old, now] = reading.caller.slice(0, 2).map((turn) => turn.values[0]);
  if (old === undefined || now === undefined) throw new Error('Both sentences need a value.');
  const { after = 1, before = 99 } = between;
  return usesWith(reading, { after, before, old, now }).map(({ callTurn }) => callTurn);
}

const sent = (args: Json, tool = 'book_class', body: Json = { success: true }): Line[] => [
  { call: tool, args },
  { result: tool, body, ok: true },
];

describe('a tool that is given the old value', () => {
  test.each<[string, string, string, Json]>([
    ['a day', 'on Friday', 'on Sunday', { day: 'friday' }],
    ['a day deep in its arguments', 'on Friday', 'on Sunday', { booking: { days: ['friday'] } }],
    ['a day in a sentence', 'on Friday', 'on Sunday', { note: 'The class on Friday please' }],
    ['a time', 'at half past two', 'at four thirty', { time: '14:30' }],
    ['a code', 'K 7 3 5 8', 'K 7 3 9 8', { locker: 'K7358' }],
    ['an amount', 'forty dollars', 'fifty dollars', { note: '$40' }],
    ['a number of people', 'for four people', 'for five people', { party_size: 4 }],
    ['a number of nights', 'two nights', 'three nights', { length_of_stay: 2 }],
    ['a number of other things', 'two bags', 'three bags', { bags: 2 }],
    ['a number of one of them', 'two bags', 'three bags', { bag_count: 2 }],
  ])('holds %s', (_, was, is, args) => {
    expect(turnsWith(was, is, sent(args))).toEqual([2]);
  });

  test.each<[string, string, string, Json]>([
    ['the new value', 'on Friday', 'on Sunday', { day: 'sunday' }],
    ['both', 'on Friday', 'on Sunday', { from: 'friday', to: 'sunday' }],
    ['both in one text', 'on Friday', 'on Sunday', { note: 'not friday, sunday' }],
    ['neither', 'on Friday', 'on Sunday', { day: 'monday' }],
    ['nothing', 'on Friday', 'on Sunday', {}],
    ['a yes', 'on Friday', 'on Sunday', { friday: true }],
    ['a number of something else', 'for four people', 'for five people', { floor: 4 }],
    ['a number of other things', 'two bags', 'three bags', { boxes: 2 }],
    ['a long text', 'on Friday', 'on Sunday', { note: `friday${' and so on'.repeat(30)}` }],
  ])('does not where it holds %s', (_, was, is, args) => {
    expect(turnsWith(was, is, sent(args))).toEqual([]);
  });
});

test.each(['guests', 'people', 'persons', 'party', 'adults', 'passengers', 'covers', 'size', 'Seats'])(
  'people are counted by an argument named %s',
  (name) => {
    expect(turnsWith('for four people', 'for five people', sent({ [name]: 4 }))).toEqual([2]);
  },
);

describe('a name', () => {
  const named = (form: string): ActValue => {
    return { kind: 'spelling', slot: 'name', from: 0, to: 0, text: form, forms: [form], denied: false };
  };
  const turnsOf = (args: Json) => {
    const reading = readCall(scripted([{ c: 'it is for Haller' }, ...sent(args)]));
    return usesWith(reading, { after: 0, before: 9, old: named('haller'), now: named('halder') }).length;
  };

  test.each<[Json, number]>([
    [{ name: 'Ida Haller' }, 1],
    [{ mail: 'ida-HALLER@mail.com' }, 1],
    [{ name: 'Hallerman' }, 0],
    [{ name: 'Ida Halder' }, 0],
    [{ name: 'Ida Halder, not Haller' }, 0],
  ])('is held as a whole word: %j', (args, count) => {
    expect(turnsOf(args)).toBe(count);
  });
});

describe('a write that says what it wrote', () => {
  test.each<[string, Line[], (number | null)[]]>([
    ['the old day', sent({ class: 'GL1' }, 'book_class', { on: 'friday' }), [2]],
    ['the new day', sent({ class: 'GL1' }, 'book_class', { on: 'sunday' }), []],
    ['the old day, though it was given the new one', sent({ day: 'sunday' }, 'book_class', { on: 'friday' }), []],
    ['the old day, and only looked', sent({ class: 'GL1' }, 'find_class', { on: 'friday' }), []],
    [
      'the old day, and failed',
      [
        { call: 'book_class', args: {} },
        { result: 'book_class', body: { on: 'friday' }, ok: false },
      ],
      [],
    ],
  ])('%s', (_, lines, turns) => {
    expect(turnsWith('on Friday', 'on Sunday', lines)).toEqual(turns);
  });

  test('says nothing by other values than days and times', () => {
    expect(turnsWith('two bags', 'three bags', sent({}, 'order_clay', { bags: 2 }))).toEqual([]);
    expect(turnsWith('at half past two', 'at four thirty', sent({}, 'book_class', { at: '14:30' }))).toEqual([2]);
  });
});

describe('the stretch of the call', () => {
  const lines = [...sent({ day: 'friday' }), ...sent({ day: 'friday' }), ...sent({ day: 'friday' })];

  test.each([
    [{ after: 1 }, [2, 4, 6]],
    [{ after: 3 }, [4, 6]],
    [{ after: 4 }, [4, 6]],
    [{ before: 6 }, [2, 4]],
    [{ after: 3, before: 5 }, [4]],
    [{ after: 7 }, []],
  ])('%j holds the uses at %j', (between, turns) => {
    expect(turnsWith('on Friday', 'on Sunday', lines, between)).toEqual(turns);
  });

  test('holds no use of which only the answer was recorded', () => {
    const lines: Line[] = [{ result: 'book_class', body: { on: 'friday' }, ok: true }];
    expect(turnsWith('on Friday', 'on Sunday', lines)).toEqual([]);
  });
});
