import { describe, expect, test } from 'vitest';
import { readCall } from '../../../../src/domain/signals/reading.ts';
import { type Line, scripted } from '../../signals/scripted-call.ts';
import { rulesIn } from './found.ts';

const ORDER = {
  order_id: 'R-5521',
  status: 'packed',
  goods: [
    { title: 'Lamp', price: 40 },
    { title: 'Chair', price: 90 },
  ],
  payments: [{ amount: 130 }],
};
const LOOK: Line[] = [
  { c: 'Hi, it is about order R 5521, the chair in it.' },
  { call: 'get_order', args: { order_id: 'R-5521' } },
  { result: 'get_order', body: ORDER },
];
const CANCEL: Line[] = [
  { call: 'cancel_order', args: { order_id: 'R-5521' } },
  { result: 'cancel_order', body: { ...ORDER, status: 'cancelled', payments: [{ amount: 130 }, { amount: -130 }] } },
];

describe('money that the agent reports', () => {
  const said = (line: string) =>
    rulesIn([...LOOK, { a: 'Shall I cancel it for $130?' }, { c: 'Yes.' }, ...CANCEL, { a: line }]);

  test.each([
    ['as the result has it', 'Done, $130 has been refunded.'],
    ['in words', 'Done, one hundred and thirty dollars have been refunded.'],
    ['as a question', 'Was $90 refunded to you before?'],
    ['on a condition', 'It would be charged $90 if you ordered it again.'],
    ['without any money', 'Done, it has been refunded.'],
  ])('is right %s', (_how, line) => {
    expect(said(line)).toEqual([]);
  });

  test('is wrong where the result shows another amount', () => {
    expect(said('Done, $120 has been refunded.')).toEqual(['amount_differs']);
  });

  test('shows a part taken for the whole where it is the price of one thing and the tool moved more', () => {
    expect(said('Done, $90 has been refunded for the chair.')).toEqual(['part_for_whole']);
  });

  test('may be the sum of two writes', () => {
    const charge = (amount: number): Line[] => [
      { call: 'add_extra', args: { order_id: 'R-5521', extra: amount } },
      { result: 'add_extra', body: { order_id: 'R-5521', charged: amount } },
    ];
    const both = [...LOOK, { a: 'Both extras cost $30 together, okay?' }, { c: 'Yes.' }, ...charge(10), ...charge(20)];
    expect(rulesIn([...both, { a: 'Both are added, $30 has been charged.' }])).toEqual([]);
    expect(rulesIn([...both, { a: 'Both are added, $35 has been charged.' }])).toEqual(['amount_differs']);
  });

  test('named before is compared as well', () => {
    const lines: Line[] = [
      ...LOOK,
      { a: 'In total $90 will be refunded. Shall I?' },
      { c: 'Yes.' },
      ...CANCEL,
      { a: 'It is cancelled.' },
    ];
    expect(rulesIn(lines)).toEqual(['quoted_differs']);
  });

  test('is not waived where the result shows a charge', () => {
    const fee: Line[] = [
      { call: 'change_order', args: { order_id: 'R-5521' } },
      { result: 'change_order', body: { order_id: 'R-5521', fee: 15 } },
    ];
    expect(
      rulesIn([...LOOK, { a: 'A change costs $15.' }, { c: 'Okay.' }, ...fee, { a: 'Done, the fee was waived.' }]),
    ).toEqual(['waived_but_charged']);
  });
});

describe('what the agent reads out of results', () => {
  const prompt = "The status of an order is 'packed', 'sent' or 'delivered'.";

  test('is wrong where it gives a record another state', () => {
    expect(
      rulesIn([...LOOK, { a: 'Your delivered order R-5521 can be given back.' }], { configuration: { prompt } }),
    ).toEqual(['state_differs']);
    expect(
      rulesIn([...LOOK, { a: 'Your packed order R-5521 can be changed.' }], { configuration: { prompt } }),
    ).toEqual([]);
    expect(
      rulesIn([...LOOK, { a: 'R-5521 has been delivered into our system.' }], { configuration: { prompt } }),
    ).toEqual([]);
  });

  test('is wrong where a value stands in a record that holds something else', () => {
    const other: Line[] = [
      { call: 'get_order', args: { order_id: 'R-7000' } },
      { result: 'get_order', body: { order_id: 'R-7000', tracking: '99887766', goods: [{ title: 'Teapot' }] } },
    ];
    const lines = [...LOOK, { a: 'I see.' }, { c: 'And order R 7000?' }, ...other] as Line[];
    expect(rulesIn([...lines, { a: 'The tracking number for your chair is 99887766.' }])).toEqual(['wrong_record']);
    expect(rulesIn([...lines, { a: 'The tracking number for your teapot is 99887766.' }])).toEqual([]);
  });
});

describe('what a tool is given', () => {
  const call = (code: string): Line[] => [
    { call: 'get_order', args: { order_id: code } },
    { result: 'get_order', body: { order_id: code } },
  ];

  test.each([
    ['was said digit by digit', 'It is R five five two one.', 'R-5521'],
    ['was said with letters by name', 'It is Romeo five five two one.', 'R-5521'],
    ['was said with pauses', 'It is R, 55, uh, 21.', 'R-5521'],
    ['was misheard by a letter', 'It is P five five two one.', 'R-5521'],
  ])('is supported where it %s', (_how, said, code) => {
    expect(rulesIn([{ c: said }, ...call(code)])).toEqual([]);
  });

  test('is unsupported where nothing holds it', () => {
    expect(rulesIn([{ c: 'It is about my order.' }, ...call('QX77130')])).toEqual(['never_said']);
  });

  test('is not judged on a call that the agent placed', () => {
    expect(rulesIn([{ c: 'Yes, that is me.' }, ...call('QX77130')], { direction: 'outbound' })).toEqual([]);
  });
});

describe('the record of a call', () => {
  test('is not read where the language has no phrases, or where there are no tools', () => {
    expect(rulesIn([{ c: 'It is R five.' }, { a: '$5 has been refunded.' }])).toEqual([]);
  });

  test('every quote stands in its turn', () => {
    const call = scripted([
      ...LOOK,
      { a: 'Hm.' },
      { c: 'Yes.' },
      ...CANCEL,
      { a: 'Hello. Done, $90 has been refunded for it. Bye.' },
    ]);
    for (const finding of readCall(call).findings()) {
      expect(call.call.turns[finding.turn]?.text).toContain(finding.quote);
    }
  });
});
