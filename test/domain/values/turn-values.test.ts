import { expect, test } from 'vitest';
import { talk } from '../acts/talk.ts';

/** The values of one turn as `slot form,form`. */
function valuesOf(text: string): string[] {
  return (talk(`c: ${text}`).spoken[0]?.values ?? []).map(
    ({ slot, forms, denied }) => `${denied ? 'not ' : ''}${slot} ${forms.join(',')}`,
  );
}

test.each([
  ['two nights for three guests', ['count:nights 2', 'count:people 3']],
  ['there are four of us', ['count:people 4']],
  ['a small one and not the extra large', ['size small', 'not size extra large']],
  ['friday the twentieth of november', ['date weekday-5,11-20']],
  ['on the twenty-sixth please', ['date day-26']],
  ['the 8th', ['date day-08']],
  ['for the fourth time now', []],
  ['half past nine tomorrow morning', ['time 0570,1290', 'day_from_now tomorrow', 'part_of_day morning']],
  ['zero seven seven zero zero, nine zero one, nine seven seven', ['code 07700901977']],
  ['oh six one four two', ['code 6142,06142']],
  ['C H five oh nine eight', ['code CH5098']],
  ['S T U double B S', ['spelling STUBBS']],
  ['anna dot berg at mail dot com', ['email anna.berg@mail.com']],
  ['anna at constructor dot com', ['email anna@constructor.com']],
  ['accounts@west-side.co.uk.', ['email accounts@west-side.co.uk']],
  ['cash, delivered tonight', ['way_of_paying cash', 'way_of_getting delivery', 'day_from_now today']],
  ['oh the red one', ['colour red']],
  ['that is $12.50', ['money 12.5']],
  ['see you at the shop at noon', ['time 0720']],
  ['let us do nine thirty', ['time 0570,1290']],
  ['the two forty-five, please', ['time 0165,0885']],
  ['I am in room four fifteen', ['count 415']],
  ['nine thirty, a basic check', ['time 0570,1290']],
  ['thirty, a basic check', ['count 30']],
])('"%s" carries its values', (text, values) => {
  expect(valuesOf(text)).toEqual(values);
});

test('every value is an exact part of the turn', () => {
  const text = 'It is the 26th, 3 p.m., for two guests at 40 euros, code QX-88 2.';
  for (const value of talk(`c: ${text}`).spoken[0]?.values ?? [])
    expect(text.slice(value.from, value.to)).toBe(value.text);
});

test('in a language without words of values no turn carries any', () => {
  const call = talk(
    'c: ik wil graag een tafel voor vier personen om half acht, en het is voor morgen, dat is niet te laat',
  );
  expect(call.language).toBe('nl');
  expect(call.spoken[0]?.values).toEqual([]);
});
