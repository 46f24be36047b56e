import { expect, test } from 'vitest';
import { doubtfulValues } from '../../../src/domain/signals/doubtful-values.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { scripted } from './scripted-call.ts';

const quotesIn = (...said: string[]) =>
  doubtfulValues(readCall(scripted(said.map((c) => ({ c })))).caller).map(
    ({ turn, quote }) => `${turn.index} ${quote}`,
  );

test.each([
  ['a day that no month has', 'we arrive on March 60th', 'March 60th'],
  ['a day that was cut', 'from December 2-6 please', 'December 2-6'],
  ['a number cut by a question mark', 'the bus 4? 472 at noon', '4? 472'],
  ['a number cut by a stop', 'my number is 555. 0407', '555. 0407'],
  ['a spelling with a gap', 'it is N-K--Z', 'N-K--Z'],
  ['a name and another spelling', 'Marten. Spelled M-A-R-T-I-N', 'Marten. Spelled M-A-R-T-I-N'],
])('%s can not be right', (_, said, quote) => {
  expect(quotesIn(said)).toEqual([`0 ${quote}`]);
});

test.each([
  ['nothing', ''],
  ['only signs', '?! - -- …'],
  ['the last day of a month', 'we arrive on March 31st'],
  ['a day before its month', 'on the 4th of March 60 people come'],
  ['a decimal', 'it weighs 4.472 kilos'],
  ['a time', 'at 4.30, bus 472'],
  ['a price', 'it was 555.04 euros'],
  ['a spelled name', 'M-A-R-T-E-N'],
  ['a name and its spelling', 'Marten. Spelled M-A-R-T-E-N'],
  ['a sentence that ends in a number', 'We are 4. 30 others come later.'],
])('%s is left alone: "%s"', (_, said) => {
  expect(quotesIn(said)).toEqual([]);
});

test.each([
  ['times that sound alike', ['the 4:13 ferry', 'yes the 4:30 ferry'], ['0 4:13', '1 4:30']],
  ['times without a sign', ['the ferry at 413', 'the 430 pm ferry'], ['0 413', '1 430']],
  ['one of which is written with one', ['by the 413 ferry', 'yes the 4:30 ferry'], ['0 413', '1 4:30']],
  ['codes that differ in a sign', ['ticket QX7F2', 'I said QX7S2'], ['0 QX7F2', '1 QX7S2']],
  ['names that differ in a letter', ['my last name is Harten', 'last name Marten'], []],
  [
    'names that begin alike',
    ['my last name is Marten', 'last name Martin'],
    ['0 last name is Marten', '1 last name Martin'],
  ],
])('of two %s one is wrong', (_, said, expected) => {
  expect(quotesIn(...said)).toEqual(expected);
});

test.each([
  ['the same time twice', ['the 4:13 ferry', 'yes the 4:13 ferry']],
  ['times of two hours', ['the 4:13 ferry', 'or the 5:30 ferry']],
  ['times that sound different', ['the 4:15 ferry', 'or the 4:30 ferry']],
  ['shares', ['4.13 % or', '4.30 %']],
  ['codes that share little', ['ticket QX7F2', 'ticket AB9K1']],
  ['short codes', ['gate B1', 'gate B2']],
  ['names far apart', ['my last name is Marten', 'last name Molloy']],
  ['years that sound alike', ['built in 1915', 'and again in 1950']],
  ['a room and a price that sound alike', ['I had room 315', 'and paid 350 euros']],
  ['counts that sound alike', ['we ordered 115 chairs', 'and after that 150 tables']],
])('two %s are both right', (_, said) => {
  expect(quotesIn(...said)).toEqual([]);
});
