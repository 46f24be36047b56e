import { describe, expect, test } from 'vitest';
import type { Line } from '../../signals/scripted-call.ts';
import { rulesIn, used } from './found.ts';

const prompt = "The state of a repair is 'waiting', 'running' or 'finished'.";
const REPAIR: Line[] = [
  { c: 'How is repair R-2048?' },
  ...used('get_repair', { repair_id: 'R-2048' }, { repair_id: 'R-2048', status: 'waiting', part: 'hinge' }),
];

describe('the state of a record', () => {
  const told = (line: string, before: readonly Line[] = REPAIR) =>
    rulesIn([...before, { a: line }], { configuration: { prompt } });

  test.each([
    'Your finished repair R-2048 is on the shelf.',
    'For R-2048 the status is finished.',
    'R-2048: its status here reads running.',
  ])('is told wrongly: %s', (line) => {
    expect(told(line)).toEqual(['state_differs']);
  });

  test.each([
    ['as it is', 'Your waiting repair R-2048 is on the shelf.'],
    ['as a deed', 'R-2048 was finished off by nobody yet.'],
    ['as what it is not', 'R-2048 is not a finished repair.'],
    ['as what it is not, in a short form', "R-2048 isn't a finished repair."],
    ['as what it will be', 'Once R-2048 is a finished repair we call you.'],
    ['beside the right one', 'R-2048 is a waiting repair, a finished repair costs nothing.'],
    ['of another record', 'The finished repair R-7777 is for somebody else.'],
    ['of none', 'A finished repair is kept for a week.'],
    ['in no word that names a state', 'Your broken repair R-2048 is on the shelf.'],
  ])('is in order where it is told %s', (_, line) => {
    expect(told(line)).toEqual([]);
  });

  test('may be any that a result gave it so far', () => {
    const later = used('start_repair', { repair_id: 'R-2048' }, { repair_id: 'R-2048', status: 'running' });
    expect(told('That was your waiting repair R-2048 yesterday.', [...REPAIR, ...later])).toEqual([]);
    expect(told('Your running repair R-2048 goes on.', [...REPAIR, ...later])).toEqual([]);
  });

  test('is not read from a result that failed', () => {
    const failed: Line[] = [
      { c: 'How is repair R-2048?' },
      { call: 'get_repair', args: { repair_id: 'R-2048' } },
      { result: 'get_repair', body: { repair_id: 'R-2048', status: 'waiting' }, ok: false },
    ];
    expect(told('Your finished repair R-2048 is on the shelf.', failed)).not.toContain('state_differs');
  });
});

describe('a code that is read out for a thing', () => {
  const two: Line[] = [
    { c: 'Where are my two parcels, the kettle and the blanket?' },
    ...used('get_parcel', { place: 1 }, { tracking: '40118822', holds: ['Kettle'] }),
    ...used('get_parcel', { place: 2 }, { tracking: '40119933', holds: ['Blankets'] }),
  ];
  const told = (line: string) => rulesIn([...two, { a: line }]);

  test.each([
    ['The tracking number for your kettle is 40119933.', ['wrong_record']],
    ['The tracking number for your kettle is four zero one one nine nine three three.', ['wrong_record']],
    ['The tracking number for your kettle is 40118822.', []],
    ['The tracking number for your blanket is 40119933.', []],
    ['The tracking number for your parcel is 40119933.', []],
    ['The tracking number for your kettle is 99999999.', []],
    ['The tracking number for your kettle is on its way.', []],
    ['40119933 is a number.', []],
  ])('belongs to it, or not: %s', (line, rules) => {
    expect(told(line)).toEqual(rules);
  });
});

describe('a price that goes into a sum', () => {
  const ROOMS = {
    rooms: [
      { name: 'attic', price: 61, available: false },
      { name: 'garden', price: 84, available: true },
    ],
  };
  const reckoned = (expression: string, body: object = ROOMS) =>
    rulesIn([
      { c: 'What do two nights cost?' },
      ...used('list_rooms', {}, body),
      ...used('calculate', { expression }, { result: 1 }),
    ]);

  test.each([
    ['is that of a room that is taken', '2 * 61', ['not_available']],
    ['is that of a room that is free', '2 * 84', []],
    ['is that of no room', '2 * 70', []],
    ['is none', '', []],
  ])('%s', (_, expression, rules) => {
    expect(reckoned(expression)).toEqual(rules);
  });

  test('may be that of a free room, where a taken one costs the same', () => {
    const [attic, garden] = ROOMS.rooms;
    expect(reckoned('2 * 61', { rooms: [{ ...garden, price: 61 }, attic] })).toEqual([]);
  });

  test('may come from what bears no mark', () => {
    expect(reckoned('2 * 61', { ...ROOMS, breakfast: { price: 61 } })).toEqual([]);
  });
});
