import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, type Line, scripted } from './scripted-call.ts';

type Talk = readonly (string | Line)[];

/** Calls of a boat hire: codes of signals with their turns. */
function codesOf(lines: Talk, given: Given = {}): string[] {
  const call = scripted(
    lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
    given,
  );
  return analyseCall(call, {}).signals.map(({ code, turnIndex }) => `${code} ${turnIndex}`);
}

const trip = (body: Record<string, string | number>, told: string): Talk => [
  'a: Hartley Boat Hire, hello.',
  'c: when does the next ferry to the island go',
  { call: 'find_trip', args: { boat: 'island ferry' } },
  { result: 'find_trip', body, ok: true },
  told,
  'c: thank you',
];

describe('what a result says is told wrongly', () => {
  test.each([
    ['another time than the only one', { leaves: '16:45' }, 'a: It goes at quarter past five.'],
    ['an amount with two figures in the wrong order', { fare: 183 }, 'a: It is 138 pounds.'],
  ])('with %s', (_, body, told) => {
    expect(codesOf(trip(body, told))).toContain('result_misreported 4');
  });

  test.each([
    ['the same time on the other clock', { leaves: '16:45' }, 'a: It goes at quarter to five.'],
    ['a time rounded', { leaves: '16:46' }, 'a: It goes at quarter to five.'],
    ['one of two times', { out: '16:45', back: '18:00' }, 'a: It goes at quarter past five.'],
    ['another amount altogether', { fare: 183 }, 'a: It is 120 pounds.'],
  ])('but not with %s', (_, body, told) => {
    expect(codesOf(trip(body, told))).not.toContain('result_misreported 4');
  });
});

describe('a deed that did not come off', () => {
  const booking = (ok: boolean, body: Record<string, string>, told: string): Talk => [
    'a: Hartley Boat Hire, hello.',
    'c: book the Kestrel for saturday please',
    { call: 'book_boat', args: { boat: 'Kestrel', day: 'saturday' } },
    { result: 'book_boat', body, ok },
    told,
    'c: okay',
  ];

  test('is claimed where the write failed and the agent speaks as if it had not', () => {
    const failed = { error: 'timeout' };
    expect(codesOf(booking(false, failed, 'a: Lovely, the Kestrel will be waiting for you at the pier.'))).toContain(
      'claimed_after_failure 4',
    );
    expect(codesOf(booking(false, failed, "a: I'm sorry, I couldn't book the Kestrel."))).not.toContain(
      'claimed_after_failure 4',
    );
  });

  test('is a failed tool where only the agent says so; a success with a refused extra is none', () => {
    const told = "a: I'm sorry, I couldn't get the Kestrel booked for you.";
    expect(codesOf(booking(true, { boat: 'Kestrel' }, told))).toContain('tool_failed 4');
    expect(codesOf(booking(true, { status: 'booked' }, told))).not.toContain('tool_failed 4');
    expect(codesOf(booking(true, { boat: 'Kestrel' }, "a: I can't take dogs on the Kestrel."))).not.toContain(
      'tool_failed 4',
    );
  });
});

describe('what the caller had said', () => {
  const named = (first: string, question: string, answer: string): Talk => [
    'a: Hartley Boat Hire, hello.',
    first,
    'a: Thank you. The weather is fine on the lake today.',
    'c: good',
    question,
    answer,
  ];

  test('is asked again where the answer is nothing but the name or the number told before', () => {
    const boat = named(
      'c: i want to hire the boat Kestrel again',
      'a: Which boat is it for?',
      'c: Kestrel like i said',
    );
    expect(codesOf(boat)).toContain('reasked_known_slot 4');
    const guests = named('c: a boat for twenty six of us please', 'a: How many seats do you need?', 'c: twenty six');
    expect(codesOf(guests)).toContain('reasked_known_slot 4');
  });

  test('is rightly asked where several had been named, or the answer is new', () => {
    const several = named('c: what about the Kestrel and the Heron', 'a: Which boat is it for?', 'c: the Kestrel');
    expect(codesOf(several)).not.toContain('reasked_known_slot 4');
    const fresh = named('c: i want to hire the boat Kestrel again', 'a: Which day is it for?', 'c: monday');
    expect(codesOf(fresh)).not.toContain('reasked_known_slot 4');
  });

  test.each([
    ['en', 'a: Your meter says 4150, right?', 'c: no 4510', 'a: 4150 it is, thank you.'],
    [
      'de',
      'a: Sechshundertzwölf Liter, richtig?',
      'c: nein sechshunderteinundzwanzig',
      'a: Gut, sechshundertzwölf Liter.',
    ],
    ['fr', 'a: Deux places, donc.', 'c: mettez-en six pas deux', 'a: Je note deux places.'],
  ])('and put right stays wrong in the next words (%s)', (language, heard, denied, kept) => {
    const before = language === 'fr' ? 'c: bonjour je voudrais des places' : 'c: hallo';
    expect(codesOf([before, heard, denied, kept], { language })).toContain('correction_not_applied 3');
  });
});

describe('a caller who is not taken up', () => {
  test('refuses calls twice, and both times the agent goes on', () => {
    const lines = [
      'a: Hello, Hartley Boat Hire here about your next trip.',
      'c: please stop ringing me',
      'a: It only takes a minute, the lake is lovely.',
      'c: i said stop phoning me',
      'a: The Kestrel is free on Saturday. Shall I book it?',
      'c: no',
      'a: Sunday is free too. Shall I book that?',
    ];
    expect(codesOf(lines, { direction: 'outbound' })).toEqual(
      expect.arrayContaining(['opt_out_ignored 1', 'opt_out_ignored 3']),
    );
  });

  test('leaves with a bare goodbye after a wish for a person; a goodbye after an answer is none', () => {
    const leaves = (second: string) => ['a: Hartley Boat Hire, hello.', second, 'a: Which boat is it about?', 'c: bye'];
    expect(codesOf(leaves('c: put me through to the desk please'))).toContain('caller_left_mid_task 3');
  });
});

test.each([
  ['de', 'Sage nie: "Das ist garantiert."', 'a: Ja, das ist garantiert.'],
  ['es', 'No digas nunca: "Está garantizado."', 'a: Sí, está garantizado.'],
  ['fr', "Ne dis jamais : « C'est garanti. »", "a: Oui, c'est garanti."],
])('a wording that a prompt in another language bans is found (%s)', (language, prompt, said) => {
  const lines = ['a: Hartley.', 'c: ok', said];
  expect(codesOf(lines, { language, configuration: { prompt } })).toContain('forbidden_phrase_said 2');
});
