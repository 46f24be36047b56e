import { describe, expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

const readBack = (given: string, read: string, reply = 'c: the blue one', language = 'en') =>
  turnsOf('readback_mismatch', ['a: What is your e-mail address?', `c: ${given}`, `a: ${read}`, reply], { language });

describe('an e-mail address that is read back', () => {
  test.each([
    ['a letter', 'anna at mail dot com', 'So anja@mail.com. Which clay?'],
    ['a letter more', 'anna at mail dot com', 'So annah at mail dot com. Which clay?'],
    ['the ending', 'anna@mail.com', 'So anna at mail dot org. Which clay?'],
    ['a point', 'anna dot berg at mail dot com', 'So annaberg@mail.com. Which clay?'],
    ['a line', 'anna underscore berg at mail dot com', 'So anna-berg@mail.com. Which clay?'],
    ['a letter and its capital', 'Anna at mail dot com', 'So hanna@mail.com. Which clay?'],
  ])('with %s otherwise is read back wrongly', (_, given, read) => {
    expect(readBack(given, read)).toEqual([2]);
  });

  test.each([
    ['as it was said', 'anna at mail dot com', 'So anna@mail.com. Which clay?'],
    ['in capitals', 'anna at mail dot com', 'So ANNA@MAIL.COM. Which clay?'],
    ['with its points', 'a dot berg at mail dot com', 'So a.berg@mail.com. Which clay?'],
    ['with its line', 'a hyphen berg at mail dot com', 'So a-berg@mail.com. Which clay?'],
    ['with its underscore', 'a underscore berg at mail dot co dot uk', 'So a_berg@mail.co.uk. Which clay?'],
    ['with its plus', 'a plus clay at mail dot com', 'So a+clay@mail.com. Which clay?'],
    ['spelled by the caller', 'k i m at loom dot org', 'So kim@loom.org. Which clay?'],
    ['in a question that ends on it', 'anna at mail dot com', 'Is it anna@mail.com?'],
    ['in other words', 'anna at mail dot com', 'So anna at mail. Which clay?'],
    ['as another one altogether', 'anna at mail dot com', 'Write to orders@kiln.example. Which clay?'],
    ['beside our own', 'anna at mail dot com', 'Not anja@mail.com or anka@mail.com. Which clay?'],
    ['as one of two', 'anna at mail dot com or anja at mail dot com', 'So anka@mail.com. Which clay?'],
    ['as a short one that differs as a whole', 'a at b dot de', 'So c at d dot se. Which clay?'],
  ])('%s is in order', (_, given, read) => {
    expect(readBack(given, read)).toEqual([]);
  });

  test.each([
    ['de', 'anna punkt berg at mail punkt de', 'Also anna.berg@mail.de. Welcher Ton?', []],
    ['de', 'anna punkt berg at mail punkt de', 'Also anna.bert@mail.de. Welcher Ton?', [2]],
  ])('is read in other languages (%s): "%s", "%s"', (language, given, read, turns) => {
    expect(readBack(given, read, 'c: der rote bitte', language)).toEqual(turns);
  });

  test('was misheard by the transcript, where the caller says yes to it', () => {
    expect(readBack('anna at mail dot com', 'So anja@mail.com, right?', "c: yes that's right")).toEqual([]);
    expect(readBack('anna at mail dot com', 'So anja@mail.com, right?', 'c: not quite, yes')).toEqual([2]);
  });

  test('is compared with what was said just before, and not further back', () => {
    const lines = [
      'a: Hello.',
      'c: anna at mail dot com',
      'a: And the clay?',
      'c: red',
      'a: So anja@mail.com.',
      'c: hm',
    ];
    expect(turnsOf('readback_mismatch', lines)).toEqual([]);
  });
});
