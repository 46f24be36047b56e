import { describe, expect, test } from 'vitest';
import { readToolUses } from '../../../src/domain/calls/tool-uses.ts';
import type { Json } from '../../../src/domain/json.ts';
import { fixturesOfCall } from '../../../src/domain/tests/fixtures-of-call.ts';
import { stableArguments } from '../../../src/domain/tests/stable-values.ts';
import { turn } from '../../support/analysed-calls.ts';

type Use = [name: string, args: Json, body?: Json];

/** The uses of a call, each answered at once; one without a body was never answered. */
const usesOf = (...uses: Use[]) =>
  readToolUses(
    {
      turns: uses.flatMap(([name, args, body], at) => [
        { ...turn(2 * at, 'agent', ''), toolCall: { id: `t${at}`, name, args } },
        ...(body === undefined
          ? []
          : [
              {
                ...turn(2 * at + 1, 'tool', ''),
                toolResult: { id: `t${at}`, name, ok: true, okSource: 'flag' as const, body, latencyMs: null },
              },
            ]),
      ]),
    },
    [],
  );
const lastStable = (lines: string[], ...uses: Use[]) => {
  const read = usesOf(...uses);
  const last = read.at(-1);
  return last === undefined ? null : stableArguments(lines, read)(last);
};

describe('arguments that come out the same when a call is played again', () => {
  test.each<[rule: string, lines: string[], uses: Use[], kept: Json]>([
    [
      'numbers and truths',
      [],
      [['book', { seats: 2, outside: false, price: 9.5 }]],
      { seats: 2, outside: false, price: 9.5 },
    ],
    ['a single word', [], [['book', { area: 'terrace', code: 'K47-B19' }]], { area: 'terrace', code: 'K47-B19' }],
    [
      'words that the caller said in a row',
      ['On the Roof-Terrace, please.'],
      [['book', { area: 'roof terrace' }]],
      { area: 'roof terrace' },
    ],
    ['no words that the caller said apart', ['A roof with a terrace.'], [['book', { area: 'roof terrace' }]], null],
    ['no part of a word that the caller said', ['The roof terraces.'], [['book', { area: 'roof terrace' }]], null],
    [
      'words that an earlier tool answered with',
      [],
      [
        ['find', {}, { host: 'Mr Silva' }],
        ['book', { host: 'Mr Silva' }],
      ],
      { host: 'Mr Silva' },
    ],
    [
      'no words that a tool only gave back',
      [],
      [
        ['find', { host: 'Mr Silva' }, { host: 'Mr Silva' }],
        ['book', { host: 'Mr Silva' }],
      ],
      null,
    ],
    [
      'a day that the caller said with its year',
      ['On May 3rd, 2026.'],
      [['book', { day: '2026-05-03' }]],
      { day: '2026-05-03' },
    ],
    ['no day without its year', ['On May 3rd.'], [['book', { day: '2026-05-03' }]], null],
    ['no other day', ['On May 4th, 2026.'], [['book', { day: '2026-05-03' }]], null],
    [
      'a day that an earlier tool answered with',
      [],
      [
        ['find', {}, { next: '2026-05-03T09:00' }],
        ['book', { at: '2026-05-03T09:00' }],
      ],
      { at: '2026-05-03T09:00' },
    ],
    [
      'nothing empty, long or inside of something else',
      [],
      [['book', { a: '', b: 'x'.repeat(61), c: { d: 1 }, e: [1], f: null }]],
      null,
    ],
    ['sixty letters at most', [], [['book', { b: 'x'.repeat(60) }]], { b: 'x'.repeat(60) }],
    [
      'five words at most',
      ['one of you and me or them'],
      [['book', { a: 'you and me or them', b: 'of you and me or them' }]],
      { a: 'you and me or them' },
    ],
    ['none of no object', [], [['book', 'terrace']], null],
    ['none where there are none', [], [['book', {}]], null],
  ])('%s', (_, lines, uses, kept) => {
    expect(lastStable(lines, ...uses)).toEqual(kept);
  });

  test('an answer that came later brings nothing', () => {
    const uses = usesOf(['book', { host: 'Mr Silva' }, { ok: true }], ['find', {}, { host: 'Mr Silva' }]);
    const [first] = uses;
    expect(first && stableArguments([], uses)(first)).toBeNull();
  });
});

describe('the answers of the tools', () => {
  const answered = (...uses: Use[]) => fixturesOfCall(usesOf(...uses), ({ args }) => args as never);

  test('hold for ever where the same question got one', () => {
    expect(answered(['find', { day: 1 }, 'free'], ['find', { day: 2 }, 'full'])).toEqual([
      { tool: 'find', match: { day: 1 }, respond: 'free', times: null },
      { tool: 'find', match: { day: 2 }, respond: 'full', times: null },
    ]);
  });

  test.each<[rule: string, bodies: Json[], told: [respond: Json, times: number | null][]]>([
    ['the same answer twice is one', ['a', 'a'], [['a', null]]],
    [
      'another answer follows the first, and stays',
      ['a', 'b'],
      [
        ['a', 1],
        ['b', null],
      ],
    ],
    [
      'one that comes back is told again',
      ['a', 'b', 'a'],
      [
        ['a', 1],
        ['b', 1],
        ['a', null],
      ],
    ],
    [
      'a list is one answer',
      [[1], [1], [2]],
      [
        [[1], 1],
        [[2], null],
      ],
    ],
    [
      'no answer is one too',
      [null, 'a'],
      [
        [null, 1],
        ['a', null],
      ],
    ],
  ])('to the same question: %s', (_, bodies, told) => {
    const fixtures = answered(...bodies.map((body): Use => ['find', { day: 1 }, body]));
    expect(fixtures.map(({ respond, times }) => [respond, times])).toEqual(told);
  });

  test('of another tool take nothing from it', () => {
    expect(answered(['find', {}, 'a'], ['look', {}, 'b']).map(({ times }) => times)).toEqual([null, null]);
  });

  test('are none where nothing was answered, and none of handing over or hanging up', () => {
    expect(answered(['find', {}], ['transfer_call', {}, { ok: true }], ['end_call', {}, { ok: true }])).toEqual([]);
  });

  test('are a hundred at most', () => {
    const many = Array.from({ length: 120 }, (_, at): Use => ['find', { at }, at]);
    expect(answered(...many)).toHaveLength(100);
  });

  test('that are too large are left out, and smaller ones behind them are not', () => {
    const fixtures = answered(['find', { at: 1 }, 'x'.repeat(100_001)], ['find', { at: 2 }, 'small']);
    expect(fixtures.map(({ respond }) => respond)).toEqual(['small']);
  });

  test('nest at most twenty deep', () => {
    const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(answered(['find', { at: 1 }, nested(20)], ['find', { at: 2 }, nested(21)])).toHaveLength(1);
  });
});
