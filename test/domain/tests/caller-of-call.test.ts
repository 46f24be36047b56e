import { describe, expect, test } from 'vitest';
import type { Turn } from '../../../src/domain/calls/call.ts';
import { readToolUses } from '../../../src/domain/calls/tool-uses.ts';
import type { Json } from '../../../src/domain/json.ts';
import { callerOfCall, linesOfCaller } from '../../../src/domain/tests/caller-of-call.ts';
import { makeAnalysis, makeCall, turn } from '../../support/analysed-calls.ts';

const linesOf = (...turns: [role: Turn['role'], text: string][]) =>
  linesOfCaller(makeCall({ providerCallId: 'a', turns: turns.map(([role, text], at) => turn(at, role, text)) }));

describe('the lines of the caller', () => {
  test.each<[rule: string, turns: [Turn['role'], string][], lines: string[]]>([
    ['none of a call on which nobody called', [['agent', 'Hello?']], []],
    ['none of no turn', [], []],
    [
      'one for each time the agent listened',
      [
        ['caller', 'Hi.'],
        ['agent', 'Yes?'],
        ['caller', 'A table.'],
      ],
      ['Hi.', 'A table.'],
    ],
    [
      'one of turns that nothing parts',
      [
        ['caller', 'Hi,'],
        ['caller', 'a table.'],
      ],
      ['Hi, a table.'],
    ],
    [
      'one where only a tool or somebody else stood between',
      [
        ['caller', 'Hi,'],
        ['tool', ''],
        ['other', 'Ring'],
        ['caller', 'a table.'],
      ],
      ['Hi, a table.'],
    ],
    [
      'one where the agent said nothing between',
      [
        ['caller', 'Hi,'],
        ['agent', ' \u200b'],
        ['caller', 'a table.'],
      ],
      ['Hi, a table.'],
    ],
    [
      'without those that have no word',
      [
        ['caller', '…'],
        ['agent', 'Yes?'],
        ['caller', 'A table.'],
      ],
      ['A table.'],
    ],
    [
      'a wordless one parts nothing',
      [
        ['caller', 'Hi,'],
        ['caller', '...'],
        ['caller', 'a table.'],
      ],
      ['Hi, a table.'],
    ],
    [
      'two where the agent answered a wordless one',
      [
        ['caller', 'Hi,'],
        ['caller', '?'],
        ['agent', 'Yes?'],
        ['caller', 'a table.'],
      ],
      ['Hi,', 'a table.'],
    ],
  ])('%s', (_, turns, lines) => {
    expect(linesOf(...turns)).toEqual(lines);
  });

  test('are cut where they are very long, also together', () => {
    const [line = ''] = linesOf(['caller', 'a'.repeat(1500)], ['caller', 'b'.repeat(1500)]);
    expect(line).toBe(`${'a'.repeat(1500)} ${'b'.repeat(499)}`);
  });
});

const uses = (...args: Json[]) =>
  readToolUses(
    {
      turns: args.map((one, at) => ({
        ...turn(at, 'agent', ''),
        toolCall: { id: `t${at}`, name: 'book_visit', args: one },
      })),
    },
    [],
  );
const caller = (lines: string[], args: Json[] = [], requests = ['A visit.']) =>
  callerOfCall(
    {
      call: makeCall({ providerCallId: 'a' }),
      analysis: makeAnalysis({ requests: requests.map((text, at) => ({ turn: at, text })) }),
      signals: [],
      configuration: null,
    },
    uses(...args),
    lines,
  );
const facts = (lines: string[], ...args: Json[]) => caller(lines, args).facts;

describe('what the caller wants', () => {
  test.each([
    ['the first request', ['A visit.', 'A taxi.'], 'A visit.'],
    ['the opening where no request was read', [], 'Hello there.'],
    ['the opening where the request has no words', ['\u200b'], 'Hello there.'],
  ])('is %s', (_, requests, goal) => {
    expect(caller(['Hello there.', 'Friday.', 'Bye.'], [], requests)).toMatchObject({
      goal,
      opening: 'Hello there.',
      script: ['Friday.', 'Bye.'],
      style: '',
    });
  });
});

describe('what the caller knows', () => {
  test.each<[rule: string, lines: string[], args: Json[], known: Record<string, string>]>([
    ['nothing of a call without values', ['Hello.'], [], {}],
    ['a name that was said', ['My name is Ada Brook.'], [], { name: 'Ada Brook' }],
    ['no name that nobody has', ["I'm sorry, I am late."], [], {}],
    [
      'no second name for one that a tool got',
      ['This is Ada Brook.'],
      [{ guest: 'Ada Brook' }],
      { guest: 'Ada Brook' },
    ],
    [
      'a value under the name that a tool gave it',
      ['It is K47B19.'],
      [{ order_code: 'K47B19' }],
      { 'order code': 'K47B19' },
    ],
    ['a code that was said in pieces', ['It is SL 9493 1897.'], [{ order: 'SL94931897' }], { order: 'SL94931897' }],
    [
      'a day as it was said, not as it was of the time',
      ['On the 3rd of May.'],
      [{ day: '2026-05-03' }],
      { day: '3rd of May' },
    ],
    ['nothing that the agent put there by itself', ['A visit.'], [{ note: 'friendly caller', room: 'blue room' }], {}],
    [
      'the same value once, under its first name',
      ['It is K47B19.'],
      [{ code: 'K47B19' }, { order: 'K47B19' }],
      { code: 'K47B19' },
    ],
    [
      'values deep in what a tool got',
      ['It is K47B19.'],
      [{ order: { lines: [{ ref: 'K47B19' }] } }],
      { ref: 'K47B19' },
    ],
    [
      'two values of one name',
      ['It is K47B19 and then K47B20.'],
      [{ code: 'K47B19' }, { code: 'K47B20' }],
      { code: 'K47B19', 'code 2': 'K47B20' },
    ],
    ['no small number that no tool got', ['For 2 people.'], [], {}],
    ['a long number by its kind', ['The number is 4711.'], [], { number: '4711' }],
  ])('%s', (_, lines, args, known) => {
    expect(facts(lines, ...args)).toEqual(known);
  });

  test.each<[Json]>([[null], ['K47B19'], [7], [[]], [{}], [{ a: null, b: true, c: 'x', d: 'y'.repeat(81) }]])(
    'nothing is named after arguments such as %j',
    (args) => {
      expect(Object.values(facts(['x y z'], args))).toEqual([]);
    },
  );

  test('is told of thirty values at most', () => {
    const codes = Array.from({ length: 40 }, (_, at) => `K47B${at + 10}`);
    expect(Object.keys(facts([codes.join(', ')], { codes }))).toHaveLength(30);
  });
});
