import { describe, expect, test } from 'vitest';
import { marksOf, selfRepairs } from '../../../src/domain/acts/self-repair.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { wordsOf } from '../../../src/domain/values/words-of.ts';
import { scripted } from '../signals/scripted-call.ts';
import { asLine } from './talk.ts';

/** What the last turn of a talk replaces, as `slot: old -> new`. */
function repairs(language: string, ...lines: string[]): string[] {
  const { spoken } = readTurns(scripted(lines.map(asLine), { language }));
  const turn = spoken.at(-1);
  const lists = wordsOf(language.slice(0, 2));
  if (turn === undefined || lists === null) throw new Error('Nothing can be read.');
  return selfRepairs(turn, spoken.slice(0, -1).toReversed(), lists).map(
    ({ slot, old, now }) => `${slot}: ${old.text} -> ${now.text}`,
  );
}

describe('a caller who thinks again in one turn', () => {
  test.each([
    ['en-US', 'c: the ferry on Friday no wait Sunday', ['date: Friday -> Sunday']],
    ['en-US', 'c: the ferry on Friday, sorry, on Sunday', ['date: Friday -> Sunday']],
    ['en-US', 'c: a small cabin, well, medium actually', ['size: small -> medium']],
    ['en-US', 'c: for three adults, I mean four adults', ['count: three -> four']],
    [
      'en-US',
      'c: at half past six, on second thought make that half past seven',
      ['time: half past six -> half past seven'],
    ],
    ['en-US', 'c: pay in cash, no, by card', ['way_of_paying: cash -> by card']],
    ['de-DE', 'c: die Fähre am Freitag, nein Moment, am Sonntag', ['date: Freitag -> Sonntag']],
    ['de-DE', 'c: um halb sieben, ach nein, um halb acht', ['time: halb sieben -> halb acht']],
    ['de-DE', 'c: eine kleine Kabine, quatsch, eine große', ['size: kleine -> große']],
    ['fr-FR', 'c: le ferry de vendredi, euh non pardon, dimanche', ['date: vendredi -> dimanche']],
    ['fr-FR', 'c: à six heures, non attendez, à sept heures', ['time: six heures -> sept heures']],
    ['es-ES', 'c: el ferry del viernes, ay no perdón, del domingo', ['date: viernes -> domingo']],
    ['es-ES', 'c: a las seis, no espera, a las siete', ['time: seis -> siete']],
  ])('replaces the first value (%s): %s', (language, line, expected) => {
    const shortened = repairs(language, line).map((one) =>
      one
        .replace('count:people', 'count')
        .replace('count:adults', 'count')
        .replaceAll(/(?:um|à|a las|del|de) /g, ''),
    );
    expect(shortened).toEqual(expected);
  });

  test.each([
    ['en-US', 'c: Friday or Sunday'],
    ['en-US', 'c: Friday, no wait, Friday'],
    ['en-US', 'c: on Friday, actually Sunday would do too'],
    ['en-US', 'c: Friday and actually Sunday as well'],
    ['en-US', 'c: three adults, no, two children'],
    ['en-US', "c: Friday, I can't make that, hello"],
    ['en-US', 'c: a small cabin and well a large car'],
    ['en-US', 'c: it costs forty euros no wait fifty euros'],
    ['en-US', 'c: no wait'],
    ['en-US', 'c: no wait Sunday'],
    ['de-DE', 'c: Freitag oder Sonntag'],
    ['de-DE', 'c: am Freitag, eigentlich auch am Sonntag'],
    ['fr-FR', 'c: vendredi ou dimanche'],
    ['es-ES', 'c: el viernes o el domingo'],
  ])('replaces nothing (%s): %s', (language, line) => {
    expect(repairs(language, line)).toEqual([]);
  });

  test('who goes back to the first value leaves it', () => {
    expect(repairs('en-US', 'c: Friday no wait Sunday no Friday')).not.toContain('date: Friday -> Sunday');
  });
});

describe('a caller who thinks again later', () => {
  test.each([
    [
      'their own word',
      ['c: the ferry on Friday', 'a: How many people?', 'c: oh no sorry, Sunday'],
      ['date: Friday -> Sunday'],
    ],
    ["the agent's word", ['a: The ferry on Friday, then.', 'c: make that Sunday'], ['date: Friday -> Sunday']],
    [
      'a word that is said once more',
      ['c: Friday', 'a: Fine.', 'c: did I say Friday it must be Sunday'],
      ['date: Friday -> Sunday'],
    ],
    [
      'a word, instead of which another stands',
      ['c: Friday', 'a: Friday. Your name?', 'c: could we do Sunday instead'],
      ['date: Friday -> Sunday'],
    ],
  ])('replaces %s', (_, lines, expected) => {
    expect(repairs('en-US', ...lines)).toEqual(expected);
  });

  test.each([
    ['two days stand before it', ['a: Friday or Saturday?', 'c: no wait Sunday']],
    [
      'the number is said again beside a day',
      [
        'c: Wednesday',
        'a: How many nights?',
        'c: hang on my wife says three, make it three because of the fair Friday',
      ],
    ],
    ['the day is said again', ['c: Friday', 'a: How many people?', 'c: no wait Friday']],
    ['nothing of the kind was said', ['c: two adults', 'a: Fine.', 'c: no wait Sunday']],
    ['a bare number counts another thing', ['c: four adults', 'a: Which cabin?', 'c: well nine']],
    ['the first value was never said', ['c: hello', 'a: Fine.', "c: I told you Friday it's Sunday"]],
  ])('replaces nothing where %s', (_, lines) => {
    expect(repairs('en-US', ...lines)).toEqual([]);
  });
});

describe('words of repair', () => {
  const marks = (said: string) => {
    const { spoken } = readTurns(scripted([{ c: said }]));
    const lists = wordsOf('en');
    const [turn] = spoken;
    return turn === undefined || lists === null
      ? []
      : marksOf(turn, lists).map(
          ({ from, to, strong, behind }) => `${from}-${to}${strong ? '!' : ''}${behind ? '<' : ''}`,
        );
  };

  test.each([
    ['no Sunday', ['0-1']],
    ['no no Sunday', ['0-2']],
    ['no wait Sunday', ['0-2!']],
    ['no, well, Sunday', ['0-2!']],
    ['make that Sunday', ['0-2!']],
    ["I can't make that Sunday", []],
    ['Sunday', []],
    ['', []],
    ['?!', []],
  ])('"%s" holds %j', (said, expected) => {
    expect(marks(said)).toEqual(expected);
  });
});

test('a turn without end is read as soon as it is done', () => {
  expect(repairs('en-US', `c: ${'Friday no wait Sunday '.repeat(400)}`).length).toBeLessThanOrEqual(1);
});

test.each([
  ['c: 5571 oh wait that is my old one we switched. it is 0136', ['code: 5571 -> 0136']],
  ['c: two cats and four dogs from the first of may to the third well no it is three now', []],
])('what is far from the word of repair is replaced where it can be nothing else: %s', (line, expected) => {
  expect(repairs('en-US', 'a: Hello.', line)).toEqual(expected);
});

test('what is only said once more replaces nothing', () => {
  expect(repairs('en-US', 'a: Hello.', 'c: sixty yes wait make it sixty')).toEqual([]);
});
