import { describe, expect, test } from 'vitest';
import { CallRecord } from '../../../../src/domain/calls/ledger/record.ts';
import { readTurns } from '../../../../src/domain/calls/read-turns.ts';
import { readCall } from '../../../../src/domain/signals/reading.ts';
import { type Line, scripted } from '../../signals/scripted-call.ts';
import { used } from './found.ts';

const recordOf = (lines: readonly Line[]) => new CallRecord(readTurns(scripted(lines)));

describe('a turn of the agent reports on', () => {
  const record = recordOf([
    { c: 'Move me please.' },
    ...used('get_slot', {}, { id: 'S-1' }),
    ...used('move_slot', {}, { id: 'S-1' }),
    { a: 'Moved.' },
    { c: 'And cancel the other.' },
    ...used('cancel_slot', {}, { id: 'S-2' }),
    { call: 'cancel_slot' },
    { result: 'cancel_slot', body: 'Error: request timed out' },
    { a: 'Cancelled.' },
  ]);

  test.each([
    [5, ['move_slot']],
    [11, ['cancel_slot']],
    [0, []],
  ])('the writes that succeeded since the caller spoke: turn %i', (turn, names) => {
    expect(record.writesBefore(turn).map(({ name }) => name)).toEqual(names);
  });

  test('results that were there before it, the newest first, and no failed one', () => {
    expect(record.before(11).map(({ name }) => name)).toEqual(['cancel_slot', 'move_slot', 'get_slot']);
    expect(record.before(11, 1).map(({ name }) => name)).toEqual(['cancel_slot']);
    expect(record.before(2)).toEqual([]);
  });

  test.each([
    [0, -1],
    [1, 0],
    [6, 0],
    [7, 6],
    [99, 6],
  ])('the caller spoke last before turn %i at %i', (turn, last) => {
    expect(record.lastCallerTurn(turn)).toBe(last);
  });
});

describe('what the agent reads out after a write', () => {
  const WRITE = used('book_seat', { row: 'F12' }, { code: 'QK4471', day: '2026-12-04', at: '19:30', total: 42 });
  const readOut = (line: string, write: readonly Line[] = WRITE) =>
    readCall(scripted([{ c: 'Book me a seat please.' }, ...write, { a: line }]))
      .readOut()
      .map(({ kind, verdict, backedBy }) => [kind, verdict, backedBy]);

  test.each([
    ['its code', 'Your code is QK4471.', [['code', 'backed', 2]]],
    ['its code, spelled', 'Your code is Q K four four seven one.', [['code', 'backed', 2]]],
    ['an argument', 'You sit in F12.', [['code', 'backed', 2]]],
    [
      'its day and time',
      'See you on December 4th at half past seven pm.',
      [
        ['date', 'backed', 2],
        ['time', 'backed', 2],
      ],
    ],
    ['its amount', 'That was $42.', [['money', 'backed', 2]]],
    ['something that no result holds', 'Your friend sits in G40.', []],
    ['a question', 'Is it QK4471?', []],
    ['nothing', 'All done.', []],
  ])('is tied to the result: %s', (_, line, claims) => {
    expect(readOut(line)).toEqual(claims);
  });

  test('is not tied to a look-up', () => {
    expect(readOut('Your code is QK4471.', used('get_seat', {}, { code: 'QK4471' }))).toEqual([]);
  });
});
