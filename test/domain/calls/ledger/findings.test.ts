import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { readCall } from '../../../../src/domain/signals/reading.ts';
import { toolNamed } from '../../../support/played.ts';
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

  test('that nobody ever named is noted, and is no signal', () => {
    const lines: Line[] = [...LOOK, { a: 'Shall I cancel it?' }, { c: 'Yes.' }, ...CANCEL, { a: 'It is cancelled.' }];
    expect(rulesIn(lines)).toEqual(['amount_untold']);
    const analysis = analyseCall(scripted(lines), {});
    expect(analysis.signals.map((signal) => signal.code)).not.toContain('result_misreported');
    expect(analysis.observations.map((one) => one.rule)).toContain('result_misreported');
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

  test('is wrong where two amounts are compared the wrong way round', () => {
    expect(rulesIn([...LOOK, { a: 'It costs $130, which is less than $100.' }])).toEqual(['comparison_false']);
    expect(rulesIn([...LOOK, { a: 'It costs $130, which is more than $100.' }])).toEqual([]);
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

  const FILE = {
    payment_methods: { card_8812: { brand: 'visa', last_four: '8812' }, voucher_55: { source: 'voucher' } },
  };
  const pay = (talk: Line[]): Line[] => [
    { c: 'Please send my chair back.' },
    { call: 'get_customer', args: {} },
    { result: 'get_customer', body: FILE },
    ...talk,
    { call: 'return_goods', args: { payment_method_id: 'card_8812' } },
    { result: 'return_goods', body: { done: true } },
  ];

  test('is a choice that nobody made where several stand on file and none was named', () => {
    expect(rulesIn(pay([{ a: 'Shall I?' }, { c: 'Yes.' }]))).toEqual(['never_chosen']);
  });
  test.each([
    ['named by the agent', 'To your Visa, okay?'],
    ['the original one', 'To the original payment method, okay?'],
  ])('is a choice that was made where it is %s', (_how, line) => {
    expect(rulesIn(pay([{ a: line }, { c: 'Yes.' }]))).toEqual([]);
  });
});

describe('what was confirmed or said to be done', () => {
  const configuration = { tools: [toolNamed('update_seats'), toolNamed('update_luggage'), toolNamed('cancel_trip')] };
  const seats: Line[] = [
    { call: 'update_seats', args: { seat: '4A' } },
    { result: 'update_seats', body: { ok: true } },
  ];
  const start: Line[] = [
    { c: 'I need seat 4A and one bag more.' },
    { a: '- Change the seat to 4A\n- Add luggage: one bag\nShall I proceed?' },
  ];

  test('is missing where one part was never done', () => {
    expect(rulesIn([...start, { c: 'Yes, please.' }, ...seats, { a: 'Your seat is 4A.' }], { configuration })).toEqual([
      'part_dropped',
    ]);
  });
  test('is not missing where the caller took it back', () => {
    const lines: Line[] = [
      ...start,
      { c: 'Yes, please.' },
      ...seats,
      { a: 'Your seat is 4A.' },
      { c: 'No luggage then, leave it.' },
    ];
    expect(rulesIn(lines, { configuration })).toEqual([]);
  });
  test('is claimed without a tool where the tool of that thing never ran', () => {
    const lines: Line[] = [{ c: 'One bag more, please.' }, ...seats, { a: 'Your luggage has been added.' }];
    expect(rulesIn(lines, { configuration })).toEqual(['thing_untouched']);
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
