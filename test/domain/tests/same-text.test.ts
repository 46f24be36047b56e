import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameText } from '../../../src/domain/tests/same-text.ts';

/** Whichever of the two is wanted. */
const bothWays = (a: string, b: string) => [sameText(a, b), sameText(b, a)];

describe('the same value in another spelling', () => {
  test.each([
    ['a number', '1000', '1,000'],
    ['a number with a fraction', '2.5', '2.500'],
    ['no more than nothing', '0', '-0'],
    ['a number in words', 'twenty one', '21'],
    ['an amount', '€5.00', '5 euros'],
    ['an amount that one side does not name', '5 dollars', '5'],
    ['a moment of another zone', '2026-05-03T10:00:00+0200', '2026-05-03T08:00:00Z'],
    ['a moment on the wall', '2026-05-03 10:00', '2026-05-03T10:00:00.000'],
    ['noon', 'noon', '12:00'],
    ['midnight', 'midnight', '12 am'],
    ['a time with its half of the day', '21:30', '9:30 pm'],
    ['a time to the second', '10:00', '10:00:00'],
    ['a telephone number', '5551234567', '(555) 123-4567'],
    ['a telephone number with points', '555-123-4567', '555.123.4567'],
    ['a telephone number with its country and points', '+15551234567', '+1 555.123.4567'],
    ['a short telephone number', '555 1234', '5551234'],
    ['a code that is spelled out', 'sl94', 'S L 9 4'],
    ['a share', '5%', '5 %'],
    ['a time in words of its half of the day', '3pm', '15:00'],
    ['a moment with a part of a second', '2026-05-03T10:00:00.5Z', '2026-05-03T10:00:00.500Z'],
    ['a day in words', '3 May 2026', '2026-05-03'],
    ['an amount of thousands', '$1,200.50', '1200.5 dollars'],
    ['an amount in words of the street', '20 bucks', '$20'],
    ['an amount of pounds', '£5', '5 quid'],
    ['an amount of yen', '¥100', '100 yen'],
    ['an amount of francs', 'CHF 20', '20 francs'],
    ['a title without its point', 'Mr. Smith', 'Mr Smith'],
    ['a name with a line', 'Anna-Maria', 'Anna Maria'],
    ['a name with an accent', 'José', 'JOSE'],
    ['a name with an apostrophe', 'O’Brien', "O'Brien"],
    ['a sentence with a number', 'six guests', '6 guests.'],
    ['words in signs that have no case', '日本', '日本'],
    ['nothing', '', '  '],
  ])('%s: %s is %s', (_, a, b) => {
    expect(bothWays(a, b)).toEqual(['same', 'same']);
  });
});

describe('another value', () => {
  test.each([
    ['a sign', '5', '-5'],
    ['a bound', '5', '<5'],
    ['about', '5', '~5'],
    ['another share', '5%', '6 %'],
    ['a share of a sign', '5 %', '-5 %'],
    ['a unit', '5', '5 kg'],
    ['an hour that no day has', '25:00', '1:00'],
    ['another currency by its sign', '€5', '£5'],
    ['digits that a space sets apart', '1 000', '1000'],
    ['a share', '5', '5%'],
    ['a point that is none of thousands', '5,000', '5.000'],
    ['a comma of thousands in another place', '1,00', '100'],
    ['a number that is a name', '007', '7'],
    ['a number that is rounded', '1e3', '1000'],
    ['another currency', '5 dollars', '5 euros'],
    ['another moment', '2026-05-03T10:00:30', '2026-05-03T10:00'],
    ['the wall of no zone', '2026-05-03T10:00', '2026-05-03T10:00Z'],
    ['a day and its first moment', '2026-05-03', '2026-05-03T00:00'],
    ['another digit of a telephone number', '555.123.4567', '555.123.4568'],
    ['an address of a network', '192.168.1.10', '192.16.81.10'],
    ['a version', '1.20.30.40', '12.0.30.40'],
    ['a day with points', '03.05.2026', '3052026'],
    ['a decimal and its digits', '1234567.5', '12345675'],
    ['a denial', 'I am here', 'I am not here'],
    ['a range', '6-7 guests', '67 guests'],
    ['an address of mail', 'a@b.com', 'a b.com'],
    ['words in another order', '日本', '本日'],
    ['a word more', 'smoking', 'no smoking'],
  ])('%s: %s is not %s', (_, a, b) => {
    expect(bothWays(a, b)).toEqual(['different', 'different']);
  });
});

describe('what is given may mean more than what is wanted', () => {
  test.each([
    ['2026-05-06', '05/06/2026'],
    ['2026-05-03', 'May 3'],
    ['9:30', 'half past nine'],
  ])('so that wanting %s nobody can tell of %s, but the other way round it holds', (exact, open) => {
    expect(sameText(exact, open)).toBe('unclear');
    expect(sameText(open, exact)).toBe('same');
  });

  test('a telephone number without its plus may be of another country, whichever is wanted', () => {
    expect(bothWays('+15551234567', '15551234567')).toEqual(['unclear', 'unclear']);
  });
});

describe('of any two texts', () => {
  const piece = fc.constantFrom('five', '5', '-5', '5.0', 'K47', '€5', '9:30', 'May 3', 'not', 'a', 'é', '…', '.', ' ');
  const text = fc.oneof(
    fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(' ')),
    fc.string({ maxLength: 20 }),
  );

  test('each is the same as itself, also in other case and with more space', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(sameText(one, one)).toBe('same');
        expect(sameText(one, `  ${one.replaceAll(' ', '  ')} `)).toBe('same');
      }),
    );
  });

  test('what is the same one way is never different the other', () => {
    fc.assert(fc.property(text, text, (a, b) => sameText(a, b) !== 'same' || sameText(b, a) !== 'different'));
  });

  test('a North American number is the same however its groups are set apart', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[2-9]\\d{${length - 1}}$`));
    const mark = fc.constantFrom('-', '.', ' ');
    fc.assert(
      fc.property(digits(3), digits(3), digits(4), mark, mark, (area, office, line, one, other) => {
        const written = [`${area}${one}${office}${one}${line}`, `${area}${other}${office}${other}${line}`] as const;
        expect(sameText(...written)).toBe('same');
        expect(sameText(`${area}${office}${line}`, written[0])).toBe('same');
      }),
    );
  });
});
