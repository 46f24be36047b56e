import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPhrase } from '../../../src/domain/tests/find-phrase.ts';

test.each([
  ['We open at 9:30 in the morning.', 'open at half past nine', 'open at 9:30 in the morning'],
  ['We open at nine thirty AM.', 'at 9:30', 'at nine thirty AM'],
  ['See you at nine.', 'at 9:00', 'at nine'],
  ['That is forty-two dollars.', '$42', 'forty-two dollars'],
  ['On May the twenty-fourth, then.', 'on May 24', 'On May the twenty-fourth'],
  ['Your code is K four seven B one nine.', 'K47B19', 'K four seven B one nine'],
  ['Não há problema, até já!', 'nao ha problema', 'Não há problema'],
  ['I’m sorry — I can’t do that.', "im sorry i can't", 'I’m sorry — I can’t'],
  ['予約を確認しました。', '確認', '確認'],
  ['Your code is U X 8 X. I see one flight.', 'code is u x 8 x', 'code is U X 8 X'],
  ['Your seat is fourteen C. One bag is included.', 'One bag is included', 'One bag is included'],
  ['Press one, please.', 'press 1', 'Press one'],
])('in “%s” somebody says “%s”', (text, phrase, quote) => {
  expect(findPhrase(text, phrase)).toBe(quote);
});

test.each([
  ['It was cancelled.', 'cancel'],
  ['We open at nine thirty.', 'open at nine'],
  ['That is $14.25.', '$14'],
  ['It weighs 1.5 kilos.', '15 kilos'],
  ['Your number is 930.', '9:30'],
  ['Not today.', 'today not'],
  ['', 'hello'],
  ['Hello.', '...'],
])('in “%s” nobody says “%s”', (text, phrase) => {
  expect(findPhrase(text, phrase)).toBeNull();
});

test('what is found is an exact part of the text, and each run of its words is found', () => {
  const words = fc.array(fc.constantFrom('please', 'hold', 'Café', 'don’t', 'book', 'it', 'now', 'und', 'é'), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(), (list, from, length) => {
      const at = from % list.length;
      const phrase = list.slice(at, at + 1 + (length % list.length)).join(' ');
      const text = `${list.join(', ')}!`;
      const quote = findPhrase(text, phrase.toUpperCase());
      expect(quote).not.toBeNull();
      expect(text).toContain(quote);
    }),
  );
});
