import { expect, test } from 'vitest';
import { PhraseAutomaton, type PhraseParts } from '../../../src/domain/words/phrase-automaton.ts';
import type { PhraseHit } from '../../../src/domain/words/phrase-shape.ts';

const word = (...words: string[]) => words.map((one) => [one]);
const maybe = (...words: string[]) => [...word(...words), []];
const gap = (words: number) => [[`~${words}`]];

function found(phrases: [list: string, parts: PhraseParts][], said: string, from = 0): PhraseHit[] {
  const hits: PhraseHit[] = [];
  new PhraseAutomaton(phrases).follow(said === '' ? [] : said.split(' '), from, hits);
  return hits;
}

const ends = (phrases: [list: string, parts: PhraseParts][], said: string, from = 0) =>
  found(phrases, said, from).map(({ list, to }) => `${list} ${to}`);

test.each<[string, PhraseParts, string, string[]]>([
  ['one word', [word('refund')], 'refund', ['asked 1']],
  ['another word', [word('refund')], 'rebate', []],
  ['no word at all', [word('refund')], '', []],
  ['a word that only begins like it', [word('refund')], 'refunds', []],
  ['words in their order', [word('send'), word('back')], 'send back now', ['asked 2']],
  ['words in another order', [word('send'), word('back')], 'back send', []],
  ['the first word alone', [word('send'), word('back')], 'send', []],
  ['one of several words', [word('send', 'bring'), word('back')], 'bring back', ['asked 2']],
  ['a row of words for one', [[['take', 'it'], ['bring']], word('back')], 'take it back', ['asked 3']],
  ['half of such a row', [[['take', 'it'], ['bring']], word('back')], 'take back', []],
  ['a small word that is there', [word('send'), maybe('it'), word('back')], 'send it back', ['asked 3']],
  ['a small word that is not', [word('send'), maybe('it'), word('back')], 'send back', ['asked 2']],
  ['a small word twice', [word('send'), maybe('it'), word('back')], 'send it it back', []],
  ['an end that may be missing', [word('send'), maybe('please')], 'send', ['asked 1']],
  ['the longest end', [word('send'), maybe('please'), maybe('now')], 'send please now', ['asked 3']],
  ['a beginning that may be missing', [maybe('please'), word('send')], 'send', ['asked 1']],
  ['only what may be missing', [word('send'), maybe('it'), word('back')], 'send it', []],
])('a phrase and %s', (_, parts, said, expected) => {
  expect(ends([['asked', parts]], said)).toEqual(expected);
});

test.each<[string, PhraseParts, string, string[]]>([
  ['no word', [word('send'), gap(2), word('back')], 'send back', ['asked 2']],
  ['as many words as it may', [word('send'), gap(2), word('back')], 'send the drill back', ['asked 4']],
  ['one word too many', [word('send'), gap(2), word('back')], 'send the old drill back', []],
  ['the word behind it too', [word('send'), gap(1), word('back')], 'send back back', ['asked 3']],
  ['nothing at the end', [word('send'), gap(3)], 'send the old drill', []],
  ['a word that may be missing', [word('send'), gap(1), maybe('it'), word('back')], 'send drill it back', ['asked 4']],
  ['words of two gaps', [word('a'), gap(1), word('b'), gap(1), word('c')], 'a x b y c', ['asked 5']],
  ['the shorter of two gaps', [word('a'), gap(1), word('b'), gap(1), word('c')], 'a x b y z c', []],
  ['itself over again', [word('a'), gap(1), word('b'), gap(1), word('c')], 'a b b c', ['asked 4']],
])('a gap passes over %s', (_, parts, said, expected) => {
  expect(ends([['asked', parts]], said)).toEqual(expected);
});

test('a gap of one phrase does not lengthen that of another before the same words', () => {
  const phrases: [string, PhraseParts][] = [
    ['far', [word('call'), gap(3), word('back')]],
    ['near', [word('call'), gap(1), word('back')]],
  ];
  expect(ends(phrases, 'call me later today back')).toEqual(['far 5']);
  expect(ends(phrases, 'call me back').toSorted()).toEqual(['far 3', 'near 3']);
});

test('each list keeps its own longest phrase', () => {
  const phrases: [string, PhraseParts][] = [
    ['no', [word('not')]],
    ['no', [word('not'), word('today')]],
    ['when', [word('not'), word('today'), word('thanks')]],
  ];
  expect(ends(phrases, 'not today thanks')).toEqual(['no 2', 'when 3']);
});

test('phrases are looked for at one place alone, and what was found before stays', () => {
  const automaton = new PhraseAutomaton([['asked', [word('back')]]]);
  const hits: PhraseHit[] = [];
  automaton.follow(['back', 'and', 'back'], 0, hits);
  automaton.follow(['back', 'and', 'back'], 1, hits);
  automaton.follow(['back', 'and', 'back'], 2, hits);
  automaton.follow(['back', 'and', 'back'], 3, hits);
  expect(hits).toEqual([
    { list: 'asked', from: 0, to: 1 },
    { list: 'asked', from: 2, to: 3 },
  ]);
});

test('what one text led to changes nothing for the next', () => {
  const phrases: [string, PhraseParts][] = [['asked', [word('call'), gap(2), maybe('right'), word('back')]]];
  const automaton = new PhraseAutomaton(phrases);
  const said = ['call back', 'call me right back', 'call x y back', 'call x y z back', 'right back', 'call'];
  const order = [...said, ...said.toReversed(), ...said];
  for (const text of order) {
    const hits: PhraseHit[] = [];
    automaton.follow(text.split(' '), 0, hits);
    expect(hits).toEqual(found(phrases, text));
  }
});

test('it finds what following each phrase by itself finds', () => {
  const letters = ['a', 'b', 'c'];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const letter = () => letters[random(letters.length)] ?? 'a';
  // A word stands behind every gap.
  const parts = (): PhraseParts => {
    const one = word(letter(), letter());
    return (
      [
        [one],
        [maybe(letter())],
        [gap(1 + random(2)), one],
        [[[letter(), letter()], []]],
        [gap(1), maybe(letter()), one],
      ][random(5)] ?? []
    );
  };
  for (let round = 0; round < 300; round += 1) {
    const phrases = Array.from({ length: 1 + random(4) }, (_, at): [string, PhraseParts] => [
      `list${at % 2}`,
      [word(letter()), ...Array.from({ length: random(4) }, parts).flat(), word(letter())],
    ]);
    const words = Array.from({ length: random(9) }, letter);
    const longest = new Map<string, number>();
    for (const [list, parts] of phrases)
      for (const end of endsOf(parts, words, 0)) longest.set(list, Math.max(longest.get(list) ?? 0, end));
    const reached = new Map(found(phrases, words.join(' ')).map(({ list, to }): [string, number] => [list, to]));
    expect({ phrases, words, ends: reached }).toEqual({ phrases, words, ends: longest });
  }
});

/** Every place at which a phrase that begins at `at` may end, tried part by part. */
function endsOf(parts: PhraseParts, words: readonly string[], at: number): number[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [at];
  return part.flatMap((row) => {
    const [first] = row;
    if (first?.startsWith('~') === true)
      return Array.from({ length: Number(first.slice(1)) + 1 }, (_, skipped) => at + skipped)
        .filter((next) => next <= words.length)
        .flatMap((next) => endsOf(rest, words, next));
    return row.every((one, place) => words[at + place] === one) ? endsOf(rest, words, at + row.length) : [];
  });
}
