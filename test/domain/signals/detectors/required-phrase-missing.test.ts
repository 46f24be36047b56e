import { describe, expect, test } from 'vitest';
import { toolNamed } from '../../../support/played.ts';
import type { Given } from '../scripted-call.ts';
import { suspectedAt, turnsOf } from './turns-of.ts';

const CODE = 'required_phrase_missing';
const BEFORE = 'Before you book a trip always say: "The deposit is not paid back."';
const AFTER = 'After each booking say word for word: "Please bring a towel along."';
const RULE = 'a: The deposit is not paid back. Shall I?';
const TOWEL = 'a: It is done. Please bring a towel along.';

const use = (name: string, body: object = { success: true }, ok = true) => [
  { call: name, args: { day: 'friday' } },
  { result: name, body: JSON.parse(JSON.stringify(body)), ok },
];

interface Told {
  tools?: readonly string[];
  deed?: ReturnType<typeof use>;
  before?: string;
  after?: readonly string[];
}

const found = (prompt: string, told: Told = {}) =>
  suspectedAt(
    CODE,
    [
      'a: Hello.',
      'c: a trip on friday please',
      told.before ?? 'a: One moment.',
      ...(told.deed ?? use('book_trip')),
      ...(told.after ?? ['a: It is done.', 'c: thank you', 'a: Goodbye.']),
    ],
    {
      configuration: {
        prompt,
        tools: (told.tools ?? ['book_trip', 'cancel_trip', 'find_trip']).map((name) => toolNamed(name)),
      },
    },
  );

describe('a wording that is due before a tool is called', () => {
  test.each<[string, Told, number[]]>([
    ['and is not said', {}, [4]],
    ['and is said then', { before: RULE }, []],
    ['and is said only once it was done', { after: [RULE, 'c: well', 'a: Goodbye.'] }, [4]],
    ['where another tool was used', { deed: use('find_trip') }, []],
    ['where it failed', { deed: use('book_trip', { error: 'full' }, false) }, []],
    ['where the answer is not known', { deed: use('book_trip').slice(0, 1) }, []],
  ])('%s', (_, told, turns) => {
    expect(found(BEFORE, told)).toEqual(turns);
  });
});

describe('a wording that is due once a tool has worked', () => {
  test.each<[string, Told, number[]]>([
    ['and is not said', {}, [5]],
    ['and is said then', { after: [TOWEL, 'c: thank you', 'a: Goodbye.'] }, []],
    ['and is said at the end', { after: ['a: It is done.', 'c: thank you', TOWEL] }, []],
    ['and was said before', { before: TOWEL }, []],
    ['where the agent says no more', { before: 'a: One moment. It may take a while.', after: ['c: hello?'] }, []],
  ])('%s', (_, told, turns) => {
    expect(found(AFTER, told)).toEqual(turns);
  });
});

describe('the tool that a sentence means', () => {
  const order = (when: string) => `${when} always say: "The deposit is not paid back."`;

  test.each([
    ['by its name', 'Before reserve_seat', ['reserve_seat', 'book_trip'], 'reserve_seat', [4]],
    ['by its name, not by words of another', 'Before reserve_seat', ['reserve_seat', 'book_trip'], 'book_trip', []],
    ['by the words of its name', 'Before you book a trip', ['book_trip', 'book_table'], 'book_trip', [4]],
    ['not by fewer of them', 'Before you book a trip', ['book_trip', 'book_table'], 'book_table', []],
    ['by their beginnings', 'Before any booking of trips', ['book_trip'], 'book_trip', [4]],
    ['as one that does, not one that looks', 'Before you book a trip', ['find_trip', 'book_trip'], 'find_trip', []],
    ['as one that makes, not one that undoes', 'Before a trip', ['cancel_trip', 'book_trip'], 'cancel_trip', []],
    ['as one that makes', 'Before a trip', ['cancel_trip', 'book_trip'], 'book_trip', [4]],
    ['as one that undoes, where it says so', 'Before you cancel a trip', ['cancel_trip'], 'cancel_trip', [4]],
    ['by none of them', 'Before you take money', ['book_trip'], 'book_trip', []],
    ['in German', 'Bevor du einen Termin buchst, sagst du', ['termin_buchen'], 'termin_buchen', [4]],
  ])('%s: %s', (_, when, tools, called, turns) => {
    expect(found(order(when), { tools, deed: use(called) })).toEqual(turns);
  });
});

test('a wording that is banned at a tool is not missed there', () => {
  expect(found('Before you book a trip never say: "The deposit is not paid back."')).toEqual([]);
});

describe('a wording that the settings require on every call', () => {
  const phraseRules = { required: ['thank you for calling'], forbidden: [] };
  const talk = ['a: Hello.', 'c: hello', 'a: What can I do?', 'c: nothing', 'a: Goodbye.'];
  const said = (lines: readonly string[], given: Given = {}) => turnsOf(CODE, lines, { phraseRules, ...given });

  test.each([
    ['is missed at the end', talk, [4]],
    ['is said, whatever its marks', [...talk, 'a: Thank you, for calling!'], []],
    ['is said in part', [...talk, 'a: Thank you for.'], [5]],
    ['is said by the caller', [...talk, 'c: thank you for calling'], [5]],
    ['is not missed on a call of one sentence', talk.slice(0, 2), []],
    ['is not missed where nobody answered', ['a: Hello.', 'a: Hello?', 'a: Goodbye.'], []],
  ])('%s', (_, lines, turns) => {
    expect(said(lines)).toEqual(turns);
  });

  test('can not be missed in a transcript that is cut short', () => {
    expect(said(talk, { partial: true })).toEqual([]);
  });
});
