import { describe, expect, test } from 'vitest';
import type { Line } from '../../signals/scripted-call.ts';
import { rulesIn, used } from './found.ts';

const BIKE = {
  hire_id: 'H-3310',
  items: [
    { name: 'tandem', price: 55 },
    { name: 'trailer', price: 25 },
  ],
  payments: [{ amount: 80 }],
};
const LOOKED_UP: Line[] = [
  { c: 'It is about hire H 3310, the tandem and the trailer.' },
  ...used('get_hire', { hire_id: 'H-3310' }, BIKE),
  { a: 'That was $80 in total. Shall I cancel it?' },
  { c: 'Yes please.' },
];
const CANCELLED: Line[] = used(
  'cancel_hire',
  { hire_id: 'H-3310' },
  { ...BIKE, payments: [{ amount: 80 }, { amount: -80 }] },
);

/** What is found where the agent says this after the hire was cancelled and 80 dollars were given back. */
const after = (line: string) => rulesIn([...LOOKED_UP, ...CANCELLED, { a: line }]);

describe('what an agent says was given back', () => {
  test.each([
    ['the amount of the result', 'You have been refunded $80.'],
    ['the amount in words', 'Eighty dollars have been refunded.'],
    ['the amount with cents', 'We refunded $80.00 to you.'],
    ['two parts of which one is right', 'You have been refunded $80, $25 of it for the trailer.'],
    ['an amount per item', 'You were charged $25 per trailer.'],
    ['an upper limit', 'Up to $90 can be refunded by your insurance.'],
    ['what had been paid for it at first', 'The original payment was $55.'],
    ['what a rule would give', 'You would be refunded $60 a day later.'],
    ['what was left out', 'You were not charged $55 for the tandem.'],
    ['what was left out, in a short form', "You weren't charged $55 for the tandem."],
    ['what is still to come, in a short form', 'The $55 for the tandem hasn’t been refunded before.'],
    ['what nobody has to pay', "The $55 isn't charged again."],
    ['a question', 'Was $55 refunded to you last time?'],
    ['a number of things', 'Both 2 items have been processed.'],
  ])('is in order where it is %s', (_, line) => {
    expect(after(line)).toEqual([]);
  });

  test.each([
    ['another amount', 'You have been refunded $70.', 'amount_differs'],
    ['another amount in words', 'Seventy dollars have been refunded.', 'amount_differs'],
    ['off by a cent', 'You have been refunded $80.01.', 'amount_differs'],
    ['the price of one part', 'You have been refunded $55.', 'part_for_whole'],
  ])('is told wrongly where it is %s', (_, line, rule) => {
    expect(after(line)).toEqual([rule]);
  });

  test('is not judged where the result of the write speaks of no money', () => {
    const done = used('cancel_hire', { hire_id: 'H-3310' }, { hire_id: 'H-3310', status: 'cancelled' });
    expect(rulesIn([...LOOKED_UP, ...done, { a: 'You have been refunded $70.' }])).toEqual([]);
  });

  test('is not judged where the write failed', () => {
    const failed: Line[] = [
      { call: 'cancel_hire', args: { hire_id: 'H-3310' } },
      { result: 'cancel_hire', body: { error: 'database is locked', amount: 80 }, ok: false },
    ];
    const line = 'Sorry, nothing has been refunded, the $70 fee stays.';
    expect(rulesIn([...LOOKED_UP, ...failed, { a: line }])).not.toContain('amount_differs');
  });

  test('is not judged any more once the caller has spoken again', () => {
    const later: Line[] = [{ a: 'It is cancelled.' }, { c: 'And my friend?' }, { a: 'Your friend was refunded $70.' }];
    expect(rulesIn([...LOOKED_UP, ...CANCELLED, ...later])).toEqual([]);
  });

  test('may be the sum of fields of one result, however many there are', () => {
    const moved = { hire_id: 'H-3310', fee: 5, refund: 75, credit: 12 };
    const done = used('change_hire', { hire_id: 'H-3310' }, moved);
    const told = (line: string) =>
      rulesIn([{ c: 'Change hire H 3310 please.' }, ...done, { a: line }]).filter((rule) => rule === 'amount_differs');
    expect(told('In all $87 has been refunded or credited.')).toEqual([]);
    expect(told('In all $88 has been refunded or credited.')).toEqual(['amount_differs']);
  });

  test('is compared with money, not with what a result counts', () => {
    const done = used('change_hire', { hire_id: 'H-3310' }, { hire_id: 'H-3310', total_items: 3, fee_minutes: 20 });
    expect(rulesIn([{ c: 'Change hire H 3310 please.' }, ...done, { a: 'You have been charged $15.' }])).toEqual([]);
  });
});

describe('what an agent says was waived', () => {
  const changed = (fee: number, line: string) => {
    const lines: Line[] = [
      { c: 'Please move hire H 3310 to Friday.' },
      { a: 'A change costs $15, is that all right?' },
      { c: 'Yes.' },
      ...used('change_hire', { hire_id: 'H-3310' }, { hire_id: 'H-3310', fee }),
      { a: line },
    ];
    return rulesIn(lines);
  };

  test.each([
    ['the fee', 'It is moved, and the fee was waived.'],
    ['any fee at all', 'It is moved, and no additional fees were applied.'],
    ['several charges', 'All charges have been waived for you.'],
  ])('was charged after all: %s', (_, line) => {
    expect(changed(15, line)).toEqual(['waived_but_charged']);
  });

  test('was waived where the result has no charge', () => {
    expect(changed(0, 'It is moved, and the fee was waived.')).toEqual([]);
  });

  test('is no promise where it stands under a condition', () => {
    expect(changed(15, 'The fee was waived if you moved it twice.')).toEqual([]);
  });
});

describe('an amount that was named before the deed', () => {
  const deal = (offer: string, amount: number, language = 'en-US') => {
    const lines: Line[] = [
      { c: 'I would like to book the tandem for Friday, please.' },
      { a: offer },
      { c: language === 'en-US' ? 'Yes, go ahead.' : 'Ja, bitte.' },
      ...used('book_bike', { bike: 'tandem' }, { hire: 'tandem', amount }),
      { a: language === 'en-US' ? 'It is booked.' : 'Es ist gebucht.' },
    ];
    return rulesIn(lines, { language });
  };

  test.each([
    ['is the one that was taken', 'In total that is $55. Shall I?', 55, []],
    ['is another one', 'In total that is $50. Shall I?', 55, ['quoted_differs']],
    ['was never named', 'Shall I book it?', 55, []],
    ['is nothing where nothing was taken', 'Shall I book it?', 0, []],
  ])('%s', (_, offer, amount, rules) => {
    expect(deal(offer, amount)).toEqual(rules);
  });
});
