import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance } from '../../../src/domain/edit-distance.ts';
import { readValues } from '../../../src/domain/values/read-values.ts';
import { sameValue } from '../../../src/domain/values/value.ts';
import { MONTHS, sayNumber, sayOrdinal, sayTime, spell } from './speak.ts';

const first = (text: string) => readValues(text)[0];
const read = (text: string) =>
  readValues(text).map(({ kind, forms, from, to }) => [kind, forms[0], text.slice(from, to)]);

/** True where the first values of both texts can mean the same. */
function same(a: string, b: string): boolean {
  const [one, other] = [first(a), first(b)];
  return one !== undefined && other !== undefined && sameValue(one, other);
}

describe('a value means the same however it is said or written', () => {
  test.each([
    ['half past nine', '9:30'],
    ['half past nine', '0930'],
    ['half past nine in the evening', '21:30'],
    ['quarter to five', '4:45 pm'],
    ['one oh five PM', '13:05'],
    ['at half nine', '9:30'],
    ['twenty to seven', '18:40'],
    ['two minutes to midnight', '23:58'],
    ['nineteen minutes to ten', '9:41'],
    ['one minute to midnight', '23:59'],
    ['quarter past noon', '12:15'],
    ['Half ten, please', '22:30'],
    ['by half one', '13:30'],
    ["nine o'clock", '09:00:00'],
    ['noon', '12:00'],
    ['fourteen twenty-five dollars', '$1,425'],
    ['fourteen twenty-five dollars', '$14.25'],
    ['four hundred and twelve dollars', '$412.00'],
    ['nine euros and fifty cents', '€9.50'],
    ['nine euros fifty', '€9.50'],
    ['forty-seven pounds twenty goes', '£47.20'],
    ['a dollar fifty', '$1.50'],
    ['a pound twenty each', '£1.20'],
    ['forty-two dollars ninety-nine', '$42.99'],
    ['USD 45', '$45'],
    ['EUR 12.50', '12.50 €'],
    ['the twenty fourth of May', '2024-05-24'],
    ['May 24th, 2024', '2024-05-24'],
    ['June three zero', '2026-06-30'],
    ['5/24/2024', 'May twenty fourth'],
    ['November 28, 2003.', '2003-11-28'],
    ['the 23rd of November 1958, I think', '1958-11-23'],
    ['K four seven B one nine', '#K47B19'],
    ['K as in Kitty four seven B one nine', 'K47B19'],
    ['Quebec Mike seven thirty', 'QM730'],
    ['Q M double one five', 'QM115'],
    ['S L 3 4 uh, 6 2', 'SL3462'],
    ['S, L, um, 42 81', 'SL4281'],
    ['L D six nought P K', 'LD60PK'],
    ['X-ray Kilo four four', 'XK44'],
    ['three o clock', '3:00'],
    ['eighty one seven I think', '817'],
  ])('%s is %s', (said, written) => {
    expect(same(said, written)).toBe(true);
  });

  test.each([
    ['half past nine', '9:15'],
    ['at half nine', '9:00'],
    ['nine euros fifty', '€59'],
    ['9 AM', '21:00'],
    ['May 24th, 2023', '2024-05-24'],
    ['$412', '$421'],
    ['412 dollars', 'QM412'],
    ['QM730', 'QM731'],
  ])('%s is not %s', (one, other) => {
    expect(same(one, other)).toBe(false);
  });
});

describe('what is said is read back', () => {
  test('any whole amount of money', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), (value) => {
        expect(first(`${sayNumber(value)} dollars`)).toMatchObject({
          kind: 'money',
          forms: expect.arrayContaining([String(value)]),
        });
        expect(first(`$${value.toLocaleString('en-US')}.50`)?.forms).toEqual([`${value}.5`]);
      }),
    );
  });

  test('any time of day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), (minutes) => {
        const written = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        expect(same(`at ${sayTime(minutes)}`, written)).toBe(true);
      }),
    );
  });

  test('any date', () => {
    const day = fc.tuple(
      fc.integer({ min: 0, max: 11 }),
      fc.integer({ min: 1, max: 28 }),
      fc.integer({ min: 2000, max: 2099 }),
    );
    fc.assert(
      fc.property(day, ([month, date, year]) => {
        const written = `${year}-${String(month + 1).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
        expect(same(`${MONTHS[month]} ${sayOrdinal(date)}`, written)).toBe(true);
        expect(same(`${MONTHS[month]} ${date}, ${year}`, written)).toBe(true);
        expect(
          same(
            `${MONTHS[month]} ${sayOrdinal(date)}`,
            `${year}-${String(month + 1).padStart(2, '0')}-${String((date % 28) + 1).padStart(2, '0')}`,
          ),
        ).toBe(false);
      }),
    );
  });

  test('any code of letters and digits', () => {
    const code = fc
      .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'), { minLength: 4, maxLength: 10 })
      .map((chars) => chars.join(''))
      // "One November" and "November nine" alone are days as well, and stay days.
      .filter((text) => /\d/.test(text) && /[A-Z]/.test(text) && !/^[AI]\d+$|\dN|^N\d\d?$/.test(text));
    fc.assert(
      fc.property(code, (text) => {
        expect(first(spell(text, true))?.forms).toEqual([text]);
        expect(first(spell(text.replaceAll('O', 'P'), false))?.forms).toEqual([text.replaceAll('O', 'P')]);
      }),
    );
  });

  test('values stand in order, each inside the text, none inside another', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        let end = 0;
        for (const value of readValues(text)) {
          expect(value.from).toBeGreaterThanOrEqual(end);
          expect(value.to).toBeLessThanOrEqual(text.length);
          expect(value.forms.length).toBeGreaterThan(0);
          end = value.to;
        }
      }),
    );
  });
});

describe('what only looks like a value', () => {
  test('an article before a number spells nothing', () => {
    expect(read('a fifty five dollar fee')).toEqual([['money', '55', 'fifty five dollar']]);
  });
  test.each([
    ['a dollar', []],
    ['a pound of apples', []],
    ['half one, half the other', [['number', '1', 'one']]],
    ['the other half nine of us took', [['number', '9', 'nine']]],
  ])('%s', (text, values) => {
    expect(read(text)).toEqual(values);
  });
  test.each([
    ['two dollars twenty people', ['2']],
    ['five dollars fifteen percent', ['5']],
  ])('no cents in %s', (text, forms) => {
    expect(first(text)?.forms).toEqual(forms);
  });
  test.each(['thirty minutes to one hour', 'from twenty to ten people', '20 to 7'])('no time in %s', (text) => {
    expect(readValues(text).map(({ kind }) => kind)).not.toContain('time');
  });
  test('a long text of numbers costs no more than its length', () => {
    const values = readValues('one '.repeat(2000));
    expect(values.length).toBeGreaterThan(0);
  });
});

test('codes that differ by a letter or two are near, others are not', () => {
  expect(editDistance('K47B19', 'M47B19', 2)).toBe(1);
  expect(editDistance('K47B19', 'K4B19', 2)).toBe(1);
  expect(editDistance('K47B19', 'ZAPF2R', 2)).toBe(3);
});
