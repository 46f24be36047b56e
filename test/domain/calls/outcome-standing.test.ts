import { describe, expect, test } from 'vitest';
import { givesUp, readStanding, refusedBesides } from '../../../src/domain/calls/outcome-standing.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';
import { used } from './ledger/found.ts';

const reading = (lines: readonly (string | Line)[], given: Given = {}) =>
  readTurns(
    scripted(
      lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
      given,
    ),
  );

const kind = (lines: readonly (string | Line)[], given: Given = {}) => readStanding(reading(lines, given)).kind;

const ASKED = ['a: Willow Nursery, hello.', 'c: do you have apple trees in pots'];

describe('what stands after the last words', () => {
  test.each<[string, (string | Line)[], string]>([
    ['nothing, before the agent says more than hello', [], 'nothing'],
    ['an answer', ['a: Yes, we have five kinds of them outside.'], 'told'],
    ['a question', ['a: Which kind would you like?'], 'asked'],
    ['a wait', ['a: One moment please, let me check.'], 'held'],
    ['a no', ["a: I'm afraid we can't sell those in pots."], 'refused'],
    ['a deed', ['a: I have put one aside for you.', 'c: thanks'], 'done'],
    ['a hand-over', ["a: I'll put you through to a colleague."], 'handed_over'],
    ['a call to come', ['a: Somebody will call you back tomorrow.'], 'later'],
    [
      'the answer still, after courtesy',
      ['a: Yes, we have five kinds of them outside.', 'c: thanks', 'a: Bye.'],
      'told',
    ],
    [
      'the answer still, after an offer that was declined',
      ['a: Yes, we have five kinds of them outside. Anything else?', 'c: no thanks', 'a: Bye.'],
      'told',
    ],
    [
      'the answer still, after a question that was declined',
      [
        'a: Yes, we have five kinds of them outside.',
        'c: nice',
        'a: Do you want the red ones or the green ones?',
        'c: no thanks',
      ],
      'told',
    ],
    ['the no still, after courtesy', ["a: I'm afraid we can't sell those in pots.", 'c: okay', 'a: Bye.'], 'refused'],
    [
      'an answer to what was asked after the no',
      [
        "a: I'm afraid we can't sell those in pots.",
        'c: and what do pear trees cost',
        'a: They cost forty dollars each.',
      ],
      'told',
    ],
  ])('%s', (_, lines, expected) => {
    expect(kind([...ASKED, ...lines])).toBe(expected);
  });

  test.each<[string, (string | Line)[], string]>([
    ['a tool did it', [...used('reserve_tree', {}, { id: 'T-1' }), 'a: There we are, that is one apple tree.'], 'done'],
    ['a tool only looked', [...used('get_stock', {}, { apple: 5 }), 'a: There are five of them in the yard.'], 'told'],
  ])('is a deed where %s', (_, lines, expected) => {
    expect(kind([...ASKED, ...lines])).toBe(expected);
  });

  test.each([
    [
      'de',
      ['a: Gärtnerei Weide, guten Tag.', 'c: Haben Sie Apfelbäume im Topf?', 'a: Das geht leider nicht.'],
      'refused',
    ],
    [
      'fr',
      ['a: Pépinière du Saule, bonjour.', 'c: Vous avez des pommiers en pot ?', 'a: Un instant, je vérifie.'],
      'held',
    ],
    ['es', ['a: Vivero Sauce, buenos días.', 'c: ¿Tienen manzanos en maceta?', 'a: ¿Cuántos quiere usted?'], 'asked'],
  ])('is read in other languages: (%s) %s', (language, lines, expected) => {
    expect(kind(lines, { language })).toBe(expected);
  });

  test('is nothing on a call without words', () => {
    expect(kind([])).toBe('nothing');
  });
});

describe('a no beside the matter', () => {
  test.each<[string, string[], number[]]>([
    [
      'is one to another question, once the first was answered',
      [
        'a: Yes, we have five kinds of them outside.',
        'c: and do you deliver on Sundays',
        "a: I'm afraid we can't do that.",
      ],
      [4],
    ],
    ['is none where it is the answer', ["a: I'm afraid we can't do that."], []],
    ['is none where there is no no', ['a: Yes, we have five kinds of them outside.'], []],
  ])('%s', (_, lines, turns) => {
    expect([...refusedBesides(reading([...ASKED, ...lines]))]).toEqual(turns);
  });
});

describe('a caller gives up', () => {
  const last = (lines: readonly string[]) => {
    const talk = reading([...ASKED, ...lines]);
    const turn = talk.caller.at(-1);
    return turn === undefined ? null : givesUp(talk, turn);
  };

  test.each<[string, string[], boolean]>([
    ['by words for it', ['a: Which kind?', 'c: forget it'], true],
    ['not by thanks', ['a: Yes, we have five kinds of them outside.', 'c: thanks a lot'], false],
    ['not by going on', ['a: Which kind?', 'c: a small red one'], false],
  ])('%s', (_, lines, expected) => {
    expect(last(lines)).toBe(expected);
  });
});
