import { describe, expect, test } from 'vitest';
import { readValues } from '../../../src/domain/values/read-values.ts';

/** The values of one kind in a text, with all that each may mean. */
const read = (kind: string, text: string) =>
  readValues(text)
    .filter((value) => value.kind === kind)
    .map(({ forms }) => forms.join('|'));

/** A time of day as the readers write it. */
const at = (hour: number, minute = 0) => String(hour * 60 + minute).padStart(4, '0');

describe('an amount of money', () => {
  test.each([
    ['$0', ['0']],
    ['$1,425.50', ['1425.5']],
    ['$12.345', ['12.35']],
    ['$1.5 million', ['1500000']],
    ['two hundred thousand dollars', ['200000']],
    ['one million two hundred thousand dollars', ['1200000']],
    ['twelve hundred dollars', ['1200']],
    ['a hundred bucks', ['100']],
    ['a hundred and one dollars and five cents', ['101.05']],
    ['ninety-nine cents', ['0.99']],
    ['fifty pence', ['0.5']],
    ['a 50-dollar voucher', ['50']],
    ['130 €', ['130']],
    ['130€ together', ['130']],
    ['ten dollars and 5 euros', ['10', '5']],
    ['10 or 20 dollars', ['20']],
    ['between $10 and $20', ['10', '20']],
    ['one point five million dollars', ['1500000']],
    ['two point two five euros', ['2.25']],
    ['nine euros fifty, please', ['9.5']],
    ['nine euros fifty% off', ['9']],
  ])('is read out of "%s"', (text, forms) => {
    expect(read('money', text)).toEqual(forms);
  });

  test.each(['', '$', '$$$', 'dollars', 'the euro', 'two p', 'five pounded', '5%', '3 $5', 'seventy'])(
    'is not all of "%s"',
    (text) => {
      expect(read('money', text)).toEqual(text === '3 $5' ? ['5'] : []);
    },
  );
});

describe('a number', () => {
  test.each([
    ['three point five', ['3.5|35']],
    ['zero point two five', ['0.25|025']],
    ['two point one million', ['2100000']],
    ['three point of order', ['3']],
    ['1.5 million', ['1500000']],
    ['double five', ['55']],
    ['triple two', ['222']],
    ['double room', []],
    ['a double two', ['22']],
    ['oh five', ['5|05']],
    ['1,425', ['1425']],
    ['1, 425', ['1', '425']],
    ['three point one four one five nine two six', ['3.14|3141592', '6']],
    ['twelve noon', []],
    ['1 point 123456789', ['1', '123456789']],
  ])('is read out of "%s"', (text, forms) => {
    expect(read('number', text)).toEqual(forms);
  });
});

describe('a time of day', () => {
  test.each([
    ['9:30', [`${at(9, 30)}|${at(21, 30)}`]],
    ['09:30', [at(9, 30)]],
    ['9.30 pm', [at(21, 30)]],
    ['9.30 a.m.', [at(9, 30)]],
    ['00:15', [at(0, 15)]],
    ['24:00', [at(0)]],
    ['twelve am', [at(0)]],
    ['twelve pm', [at(12)]],
    ['quarter past twelve am', [at(0, 15)]],
    ['a quarter to one', [`${at(0, 45)}|${at(12, 45)}`]],
    ['ten past nine pm', [at(21, 10)]],
    ['twenty minutes past six', [`${at(6, 20)}|${at(18, 20)}`]],
    ["five o'clock", [`${at(5)}|${at(17)}`]],
    ['5 p. m.', [at(17)]],
    ['midday or midnight', [at(12), at(0)]],
    ['from nine am to five pm', [at(9), at(17)]],
    ['eight in the morning', [at(8)]],
    ["two o'clock in the afternoon", [at(14)]],
    ['9:30 in the evening', [at(21, 30)]],
    ['two thirty in the afternoon', [at(14, 30)]],
    ['14:30 in the afternoon', [at(14, 30)]],
    ['nine at night', [at(21)]],
    ['two at night', [at(2)]],
    ['twelve thirty at night', [at(0, 30)]],
    ['930 am', [at(9, 30)]],
    ['twelve noon', [at(12)]],
    ['12 midnight', [at(0)]],
    ['quarter after nine', [`${at(9, 15)}|${at(21, 15)}`]],
    ['ten till five', [`${at(4, 50)}|${at(16, 50)}`]],
  ])('is read out of "%s"', (text, forms) => {
    expect(read('time', text)).toEqual(forms);
  });

  test.each([
    '25:00',
    '12:61',
    '9:3',
    '13 pm',
    'half a day',
    'a quarter',
    'nine',
    'ten to four',
    '9.30',
    '1:2:3',
    ':',
    'half after nine',
    'ten past thirteen',
    '12345 pm',
    'call 1234 in the morning',
    'twelve in all',
  ])('is none in "%s"', (text) => {
    expect(read('time', text)).toEqual([]);
  });
});

describe('a day', () => {
  test.each([
    ['2026-02-28', ['2026-02-28']],
    ['2028-02-29', ['2028-02-29']],
    ['the first of March', ['03-01']],
    ['March the 3rd, 2027', ['2027-03-03']],
    ['sept 4', ['09-04']],
    ['Dec. 24', ['12-24']],
    ['31 October', ['10-31']],
    ['May twenty four twenty twenty seven', ['2027-05-24']],
    ['3/4', ['03-04|04-03']],
    ['13/4', ['04-13']],
    ['3/4/27', ['2027-03-04|2027-04-03']],
    ['3/4/1999', ['1999-03-04|1999-04-03']],
    ['Friday', ['weekday-5']],
    ['on Sundays', ['weekday-0']],
    ['Monday the 2nd of June', ['weekday-1', '06-02']],
    ['05/24/49', ['2049-05-24']],
    ['05/24/50', ['1950-05-24']],
    ['June three zero', ['06-30']],
  ])('is read out of "%s"', (text, forms) => {
    expect(read('date', text)).toEqual(forms);
  });

  test.each([
    '2026-02-30',
    '2026 - 02 - 03',
    'November eight alpha two',
    '2026-13-01',
    'January 32',
    '31 April',
    '32/13',
    'open 24/7',
    'two may come',
    'May I help you',
    'they march on',
    'day',
    '',
  ])('is none in "%s"', (text) => {
    expect(read('date', text)).toEqual([]);
  });
});

describe('a code', () => {
  test.each([
    ['QM286', ['QM286']],
    ['my booking is q m two eight six thanks', ['QM286']],
    ['B-5480', ['B5480']],
    ['triple A four four', ['AAA44']],
    ['A one B two C three', ['A1B2C3']],
    ['first QM286, then QM287', ['QM286', 'QM287']],
  ])('is read out of "%s"', (text, forms) => {
    expect(read('code', text)).toEqual(forms);
  });

  test.each(['I am 45', 'a 5', 'covid', 'ABC', '12345', 'vitamin B', 'plan A', 'I have two', '#', 'QM'])(
    'is none in "%s"',
    (text) => {
      expect(read('code', text)).toEqual([]);
    },
  );
});

describe('a text of any length', () => {
  test('is read to its first six thousand characters', () => {
    expect(read('money', `$5 ${'x '.repeat(2000)} $6`)).toEqual(['5', '6']);
    expect(read('money', `$5 ${'x '.repeat(4000)} $6`)).toEqual(['5']);
  });

  test.each(['1'.repeat(400), '9,'.repeat(2000), ':'.repeat(4000), '-'.repeat(4000), 'a '.repeat(3000)])(
    'of one sign again and again is read without a fault',
    (text) => {
      for (const { from, to } of readValues(text)) expect(to).toBeGreaterThan(from);
    },
  );
});
