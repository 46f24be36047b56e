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
    'The running repairs are R-2048 and others.',
    'R-2048 HAS THE STATUS FINISHED',
  ])('is told wrongly: %s', (line) => {
    expect(told(line)).toEqual(['state_differs']);
  });

  test.each([
    ['as it is', 'Your waiting repair R-2048 is on the shelf.'],
    ['as a deed', 'R-2048 was finished off by nobody yet.'],
    ['as a deed that comes before its thing', 'We have been finished repair R-2048 by hand.'],
    ['as a condition', 'If R-2048 is a finished repair, you may have it.'],
    ['as a wish', 'Please wait until R-2048 is a finished repair.'],
    ['as something new', 'R-2048 is now a finished repair.'],
    ['far from the word for states', 'The status of R-2048, as far as I can tell you from here, is finished.'],
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

  test.each([
    ['has no code of its own', { status: 'waiting', part: 'hinge' }],
    ['holds its code deeper', { repair: { repair_id: 'R-2048' }, status: 'waiting' }],
    ['holds its state deeper', { repair_id: 'R-2048', part: { status: 'waiting' } }],
    ['has a code without a figure', { repair_id: 'hinge', status: 'waiting' }],
    ['tells its state in several words', { repair_id: 'R-2048', status: 'not begun' }],
    ['tells its state in figures', { repair_id: 'R-2048', status: 3 }],
    ['names it by signs of a pattern', { '(a+)+$(_id': 'R-2048', status: 'waiting' }],
  ])('is not read from a result that %s', (_, body) => {
    const lines: Line[] = [{ c: 'How is repair R-2048?' }, ...used('get_repair', { repair_id: 'R-2048' }, body)];
    expect(told('Your finished repair R-2048 is on the shelf.', lines)).not.toContain('state_differs');
  });

  test.each([
    ["The status is 'waiting' or 'finished'.", ['state_differs']],
    ['The state is “waiting” or “finished”.', ['state_differs']],
    ["Say 'finished' when you are done.", []],
    ['The status is waiting or finished.', []],
    ["The status is 'no'.", []],
  ])('is a word that results use or that the prompt names as a state: %s', (line, rules) => {
    expect(
      rulesIn([...REPAIR, { a: 'Your finished repair R-2048 is here.' }], { configuration: { prompt: line } }),
    ).toEqual(rules);
  });

  test('is read before anything is told of it only from what stood before', () => {
    const lines: Line[] = [{ a: 'Your finished repair R-2048 is here.' }, ...REPAIR, { a: 'One moment.' }];
    expect(rulesIn(lines, { configuration: { prompt } })).toEqual([]);
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
    ['The Reference for the big red kettle is 40119933.', ['wrong_record']],
    ['The code of this kettle, sir, is 40119933.', ['wrong_record']],
    ['The address of that kettles is 40119933.', ['wrong_record']],
    ['The tracking number for a kettle is 40119933.', []],
    ['The colour of your kettle is 40119933.', []],
    ['The tracking number for your kettle is 19933.', []],
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

  test.each([
    ['of another name for it', { rooms: [{ name: 'attic', rate: 61, in_stock: false }] }, ['not_available']],
    ['and another one', { rooms: [{ name: 'attic', fare: 61, is_bookable: false }] }, ['not_available']],
    ['by a word', { rooms: [{ name: 'attic', price: 61, available: 'no' }] }, []],
    ['of another matter', { rooms: [{ name: 'attic', price: 61, heated: false }] }, []],
    ['on a figure that is no price', { rooms: [{ name: 'attic', size: 61, available: false }] }, []],
    ['on a price in words', { rooms: [{ name: 'attic', price: '61', available: false }] }, []],
    ['on a price with cents', { rooms: [{ name: 'attic', price: 61.5, available: false }] }, []],
  ])('is read by a mark %s', (_, body, rules) => {
    expect(reckoned('2 * 61', body)).toEqual(rules);
  });

  test('with cents is one figure', () => {
    expect(reckoned('2 * 61.5', { rooms: [{ price: 61.5, available: false }] })).toEqual(['not_available']);
  });

  test.each(['compute_total', 'calculate_price'])('may go into any tool that reckons: %s', (tool) => {
    const lines = [
      { c: 'What is it?' },
      ...used('list_rooms', {}, ROOMS),
      ...used(tool, { expression: '2 * 61' }, { result: 1 }),
    ];
    expect(rulesIn(lines)).toEqual(['not_available']);
  });

  test.each([
    [
      'before it was looked up',
      [...used('calculate', { expression: '2 * 61' }, { result: 1 }), ...used('list_rooms', {}, ROOMS)],
    ],
    [
      'in a tool that does something else',
      [...used('list_rooms', {}, ROOMS), ...used('find_rooms', { below: '61' }, {})],
    ],
    [
      'of what a write gave',
      [...used('book_room', {}, ROOMS), ...used('calculate', { expression: '2 * 61' }, { result: 1 })],
    ],
  ])('is not asked about %s', (_, lines) => {
    expect(rulesIn([{ c: 'What is it?' }, ...lines]).filter((rule) => rule === 'not_available')).toEqual([]);
  });

  test('may come from what bears no mark', () => {
    expect(reckoned('2 * 61', { ...ROOMS, breakfast: { price: 61 } })).toEqual([]);
  });
});
