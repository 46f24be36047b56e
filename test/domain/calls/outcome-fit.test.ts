import { describe, expect, test } from 'vitest';
import { findMisfit } from '../../../src/domain/calls/outcome-fit.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import type { Json } from '../../../src/domain/json.ts';
import { toolNamed } from '../../support/played.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const use = (name: string, args: Record<string, Json>, body: Json = { done: true }, ok?: boolean): Line[] => [
  { call: name, args },
  { result: name, body, ...(ok === undefined ? {} : { ok }) },
];

/** The rule by which what was done or told is not what the caller asked for; null where it is. */
function misfit(lines: readonly (string | Line)[], given: Given = {}): string | null {
  const talk = lines.map((line) => (typeof line === 'string' ? asLine(line) : line));
  return findMisfit(readTurns(scripted(talk, given)))?.rule ?? null;
}

describe('what the caller put right', () => {
  const corrected = ['c: a table for Friday please', 'a: Thursday, then.', 'c: no, Friday, not Thursday'];

  test.each<[string, Record<string, Json>, string | null]>([
    ['with the former value', { day: 'Thursday' }, 'done_otherwise'],
    ['with the right value', { day: 'Friday' }, null],
    ['with both, such as a move from one to the other', { from_day: 'Thursday', to_day: 'Friday' }, null],
    ['with neither', { table: 4 }, null],
  ])('was done %s', (_, args, rule) => {
    expect(misfit([...corrected, ...use('book_table', args), 'a: Booked.'])).toBe(rule);
  });

  test.each<[string, Record<string, Json>, string | null]>([
    ['moved to the right day', { old_day: 'Monday', new_day: 'Tuesday' }, null],
    ['left on the former day', { old_day: 'Friday', new_day: 'Monday' }, 'done_otherwise'],
  ])('was %s', (_, args, rule) => {
    const lines = ['c: move it to Tuesday please', 'a: Monday, then.', 'c: no, Tuesday, not Monday'];
    expect(misfit([...lines, ...use('move_table', args), 'a: Moved.'])).toBe(rule);
  });

  test('was done with the former value only by a write that failed', () => {
    const failed = use('book_table', { day: 'Thursday' }, { error: 'time-out' }, false);
    expect(misfit([...corrected, ...failed, 'a: That did not work.'])).toBeNull();
  });

  test('was done before it was put right', () => {
    const early = use('book_table', { day: 'Thursday' });
    expect(misfit([...corrected.slice(0, 2), ...early, 'c: no, Friday, not Thursday', 'a: Friday it is.'])).toBeNull();
  });

  test.each([
    ['with the former value', 'a: Your table on Thursday is booked.', 'done_otherwise'],
    ['with the right value', 'a: Your table on Friday is booked.', null],
    ['with the former value denied', 'a: It is Friday and not Thursday.', null],
    ['without any', 'a: Your table is booked.', null],
  ])('was gone on with in words %s', (_, line, rule) => {
    expect(misfit([...corrected, line])).toBe(rule);
  });
});

describe('how many, as the caller said all along', () => {
  const booked = (said: string, guests: Json) =>
    misfit([`c: ${said}`, 'a: One moment.', ...use('book_table', { guests }), 'a: Booked.']);

  test.each<[string, Json, string | null]>([
    ['a table for two people', 2, null],
    ['a table for two people', '2', null],
    ['a table for two people', '2 guests', null],
    ['a table for two people', 4, 'done_otherwise'],
    ['a table for two people', 12, 'done_otherwise'],
    ['a table for one person', 10, 'done_otherwise'],
    ['a table for twelve people', 12, null],
    ['a table for twelve people', 2, 'done_otherwise'],
    ['a table for two people, or is it three people', 3, null],
    ['a table please', 4, null],
  ])('"%s" is booked for %s', (said, guests, rule) => {
    expect(booked(said, guests)).toBe(rule);
  });

  test.each<[string, Json, string | null]>([
    ['a large coffee please', 'large', null],
    ['a large coffee please', 'size_large', null],
    ['a large coffee please', 'small', 'done_otherwise'],
  ])('"%s" is ordered in %s', (said, size, rule) => {
    expect(misfit([`c: ${said}`, 'a: Sure.', ...use('order_drink', { size }), 'a: Ordered.'])).toBe(rule);
  });

  test('is not judged by a tool that only goes with the matter', () => {
    const lines = ['c: a table for two people', 'a: Sure.', ...use('book_table', { guests: 2 })];
    expect(misfit([...lines, ...use('send_sms', { guests: 4 }), 'a: Booked.'])).toBeNull();
  });
});

describe('a part of what was asked', () => {
  const configuration = { tools: ['book_flight', 'add_luggage', 'get_weather'].map((name) => toolNamed(name)) };
  const talk = (answer: string, ...more: Line[]) =>
    misfit(
      ['c: a flight to Oslo with luggage please', ...use('book_flight', { to: 'Oslo' }), ...more, `a: ${answer}`],
      { configuration },
    );

  test('was never done though the agent speaks of it', () => {
    expect(talk('Your flight with luggage is booked.')).toBe('part_not_done');
  });
  test.each<[string, string, Line[]]>([
    ['its tool ran', 'Your flight with luggage is booked.', use('add_luggage', { bags: 1 })],
    ['an argument names it', 'Your flight with luggage is booked.', use('book_flight', { luggage: 1 })],
    ['the agent says no', "I can't add luggage.", []],
    ['the agent says nothing of it', 'Your flight is booked.', []],
  ])('is no misfit where %s', (_, answer, more) => {
    expect(talk(answer, ...more)).toBeNull();
  });
});

describe('one deed', () => {
  const order = (args: Record<string, Json>, code: string) => use('order_pizza', args, { order: code });

  test.each<[string, Line[], string | null]>([
    ['twice, with two records', [...order({ kind: 'A' }, 'P-101'), ...order({ kind: 'A' }, 'P-102')], 'done_twice'],
    ['twice, with one record', [...order({ kind: 'A' }, 'P-101'), ...order({ kind: 'A' }, 'P-101')], null],
    ['and another one', [...order({ kind: 'A' }, 'P-101'), ...order({ kind: 'B' }, 'P-102')], null],
    ['once', order({ kind: 'A' }, 'P-101'), null],
  ])('was done %s', (_, uses, rule) => {
    expect(misfit(['c: a pizza please', ...uses, 'a: Ordered.'])).toBe(rule);
  });
});

describe('a day that is told right after a result', () => {
  const told = (body: Json, line: string) => misfit(['c: when does it come', ...use('get_parcel', {}, body), line]);

  test.each<[string, Json, string, string | null]>([
    ['the day of the result', { due: '2026-12-04' }, 'a: It comes on December 4th.', null],
    ['another day', { due: '2026-12-04' }, 'a: It comes on December 5th.', 'told_otherwise'],
    ['the other day of the result', { sent: '2026-12-01', due: '2026-12-04' }, 'a: It comes on December 4th.', null],
    ['a question', { due: '2026-12-04' }, 'a: Did you order it on December 1st?', null],
    ['one of many days', { days: ['2026-12-01', '2026-12-02', '2026-12-03'] }, 'a: December 9th is free.', null],
    ['no day', { due: '2026-12-04' }, 'a: It comes soon.', null],
    ['a day where the result has none', { due: 'soon' }, 'a: It comes on December 5th.', null],
  ])('is %s', (_, body, line, rule) => {
    expect(told(body, line)).toBe(rule);
  });
});
