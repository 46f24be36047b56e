import { describe, expect, test } from 'vitest';
import { readCall } from '../../../src/domain/signals/reading.ts';
import type { ToolDefinition } from '../../../src/domain/versions/configuration.ts';
import { expectedOn } from '../../../src/domain/watches/expectations.ts';
import type { WatchExpectation } from '../../../src/domain/watches/watch.ts';
import { toolNamed } from '../../support/played.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const tool = (name: string, kind: ToolDefinition['kind'] = 'other') => toolNamed(name, { kind });
const node = (id: string, label: string) => ({ id, label, kind: 'say', text: null, toolName: null, edges: [] });
const configuration = {
  prompt: 'You book visits.',
  tools: [tool('find_slot'), tool('book_visit'), tool('transfer_to_desk', 'transfer')],
  nodes: [node('n1', 'Greeting'), node('n2', 'Find a slot'), node('n3', 'Closing')],
};

const on = (expectation: WatchExpectation, lines: Line[], from = 0, given: Given = {}) =>
  expectedOn(expectation, readCall(scripted(lines, { configuration, ...given })), from);

const HELLO: Line[] = [{ a: 'Hello, how can I help?' }, { c: 'I need a visit, please.' }];
const use = (name: string, args = {}, ok = true): Line[] => [
  { call: name, args },
  { result: name, body: ok ? { ok } : { error: 'timeout' }, ok },
];

describe('a tool that is expected', () => {
  const lines = [...HELLO, ...use('find_slot'), ...use('book_visit'), ...use('find_slot')];

  test.each([
    ['counts from the first turn on', 0, 2],
    ['counts at the turn itself', 2, 2],
    ['counts where it is called again behind the turn', 3, 6],
  ])('%s', (_, from, turn) => {
    expect(on({ kind: 'tool_called', tool: 'find_slot' }, lines, from)).toMatchObject({ happened: true, turn });
  });

  test('does not count where all of its calls lie before the turn', () => {
    expect(on({ kind: 'tool_called', tool: 'find_slot' }, lines, 7)).toMatchObject({ happened: false, turn: null });
  });

  test('is known by its id as by its name', () => {
    expect(on({ kind: 'tool_called', tool: 'id-of-book_visit' }, lines)).toMatchObject({
      happened: true,
      quote: 'book_visit',
    });
  });

  test('counts whether or not it worked', () => {
    const failed = [...HELLO, ...use('find_slot', {}, false)];
    expect(on({ kind: 'tool_called', tool: 'find_slot' }, failed)).toMatchObject({ happened: true });
  });

  test.each<WatchExpectation>([
    { kind: 'tool_called', tool: 'find_slot' },
    { kind: 'tool_called_with', tool: 'find_slot', args: {} },
    { kind: 'tool_called_before', tool: 'find_slot', before: 'book_visit' },
    { kind: 'asks_for', words: ['name'], before: 'book_visit' },
  ])('can’t be told of a record without any tool: $kind', (expectation) => {
    expect(on(expectation, HELLO)).toHaveProperty('gap');
  });
});

describe('arguments that are expected', () => {
  const withDay = (day: unknown): WatchExpectation => ({
    kind: 'tool_called_with',
    tool: 'book_visit',
    args: { day: day as string },
  });
  const booked = (...days: string[]) => [
    ...HELLO,
    ...days.flatMap((day) => use('book_visit', { day, room: 'A', note: { of: 'desk' } })),
  ];

  test.each([
    ['the same value', '2026-05-03', ['2026-05-03'], true, 2],
    ['the same day in other words', '2026-05-03', ['May 3rd, 2026'], true, 2],
    ['another value', '2026-05-03', ['2026-05-04'], false, 2],
    ['the second of two calls', '2026-05-03', ['2026-05-04', '2026-05-03'], true, 4],
    ['neither of two calls', '2026-05-03', ['2026-05-04', '2026-05-05'], false, 2],
  ])('%s', (_, day, days, happened, turn) => {
    expect(on(withDay(day), booked(...days))).toMatchObject({ happened, turn });
  });

  test('that may mean what is wanted and may not decide nothing', () => {
    expect(on(withDay('2026-05-06'), booked('05/06/2026'))).toHaveProperty('gap');
  });

  test('a call that surely has them decides, beside one that may', () => {
    expect(on(withDay('2026-05-06'), booked('05/06/2026', '2026-05-06'))).toMatchObject({ happened: true, turn: 4 });
  });

  test('name the one that differs, however deep', () => {
    const deep: WatchExpectation = { kind: 'tool_called_with', tool: 'book_visit', args: { note: { of: 'lobby' } } };
    expect(on(deep, booked('2026-05-03'))).toMatchObject({
      happened: false,
      because: 'The agent called book_visit with another "note.of".',
    });
  });

  test('quote the arguments, cut where they are long', () => {
    const found = on({ kind: 'tool_called_with', tool: 'book_visit', args: {} }, [
      ...HELLO,
      ...use('book_visit', { note: 'x'.repeat(500) }),
    ]);
    expect('quote' in found && found.quote).toMatch(/^\{"note":"x+$/);
    expect('quote' in found && found.quote.length).toBe(240);
  });

  test('are asked of no call on which the tool was not called', () => {
    expect(on(withDay('2026-05-03'), [...HELLO, ...use('find_slot')])).toHaveProperty('beside');
    expect(on(withDay('2026-05-03'), booked('2026-05-03'), 3)).toHaveProperty('beside');
  });
});

describe('a tool before a tool', () => {
  const first: WatchExpectation = { kind: 'tool_called_before', tool: 'find_slot', before: 'book_visit' };

  test.each<[rule: string, lines: Line[], happened: boolean, turn: number]>([
    ['came before', [...HELLO, ...use('find_slot'), ...use('book_visit')], true, 2],
    ['came behind', [...HELLO, ...use('book_visit'), ...use('find_slot')], false, 2],
    [
      'came between two, and the first stood alone',
      [...HELLO, ...use('book_visit'), ...use('find_slot'), ...use('book_visit')],
      false,
      2,
    ],
    ['never came', [...HELLO, ...use('book_visit')], false, 2],
  ])('%s', (_, lines, happened, turn) => {
    expect(on(first, lines)).toMatchObject({ happened, turn });
  });

  test('is asked of no call that did not come to the later one', () => {
    expect(on(first, [...HELLO, ...use('find_slot')])).toHaveProperty('beside');
  });

  test('is kept by one that failed: the agent called it', () => {
    expect(on(first, [...HELLO, ...use('find_slot', {}, false), ...use('book_visit')])).toMatchObject({
      happened: true,
    });
  });
});

describe('words that are expected', () => {
  const lines: Line[] = [
    { a: 'Hello, this call is RECORDED.' },
    { c: 'Fine. Goodbye then!' },
    { a: 'Good. Bye!' },
    { a: 'Thank you, and good-bye.' },
  ];

  test.each<[text: string, from: number, happened: boolean, turn: number | null]>([
    ['this call is recorded', 0, true, 0],
    ['this call is recorded', 1, false, null],
    ['Goodbye', 0, false, null],
    ['good bye', 0, true, 2],
    ['good bye', 3, true, 3],
    ['call recorded', 0, false, null],
    ['his call', 0, false, null],
  ])('“%s” from turn %i on: %s', (text, from, happened, turn) => {
    expect(on({ kind: 'says', text }, lines, from)).toMatchObject({ happened, turn });
  });

  test('are quoted as they were said', () => {
    expect(on({ kind: 'says', text: 'CALL IS recorded' }, lines)).toMatchObject({ quote: 'call is RECORDED' });
  });
});

describe('a promise', () => {
  const promised = (sentence: string, about: string[] = ['refund'], given: Given = {}) =>
    on({ kind: 'says', act: 'promises', about }, [...HELLO, { a: sentence }], 0, given);

  test.each([
    'I promise you a refund.',
    "You'll get the refund tomorrow.",
    'Your refund will be there on Monday.',
    "We're going to refund it.",
    'You will have your refund tomorrow.',
    'You’ll definitely have the refund.',
    'It is done. We guarantee the refunds!',
  ])('is one: %s', (sentence) => {
    expect(promised(sentence)).toMatchObject({ happened: true, turn: 2 });
  });

  test.each([
    ['denied', 'I cannot promise a refund.'],
    ['denied', "We won't refund it."],
    ['asked', 'Will a refund help you?'],
    ['hangs on something', 'If it is late we will refund it.'],
    ['only possible', 'A refund might come, we will see.'],
    ['of something else', 'I will book the visit.'],
    ['of the past', 'The refund came last week.'],
    ['what the caller has to bring', 'You will need the receipt for a refund.'],
    ['what the caller has to do', 'You’ll have to ask for the refund at the desk.'],
    ['in another sentence', 'I will look. The refund is a form.'],
  ])('is none where it is %s: %s', (_, sentence) => {
    expect(promised(sentence)).toMatchObject({ happened: false, turn: null });
  });

  test('about anything counts whatever it is about', () => {
    expect(promised('I will book the visit.', [])).toMatchObject({ happened: true });
  });

  test('is quoted as its own sentence, not as the turn', () => {
    expect(promised('All right. We will refund it. Goodbye!')).toMatchObject({ quote: 'We will refund it.' });
  });

  test('can’t be told in a language whose words nobody listed', () => {
    const dutch: Line[] = [{ a: 'Goedemorgen, wat kan ik voor u doen?' }, { c: 'Ik wil graag mijn geld terug.' }];
    expect(on({ kind: 'says', act: 'promises', about: [] }, dutch, 0, { language: 'nl-NL' })).toHaveProperty('gap');
  });
});

describe('a question that is expected', () => {
  const asksName: WatchExpectation = { kind: 'asks_for', words: ['name'], before: null };
  const nameFirst: WatchExpectation = { kind: 'asks_for', words: ['name'], before: 'book_visit' };

  test.each<[rule: string, expectation: WatchExpectation, lines: Line[], happened: boolean, turn: number | null]>([
    ['is asked', asksName, [...HELLO, { a: 'What is your name?' }], true, 2],
    ['is asked in another form of the word', asksName, [...HELLO, { a: 'Which names shall I write down?' }], true, 2],
    ['is told by the caller unasked', asksName, [HELLO[0] as Line, { c: 'My name is Ada Brook.' }], true, 1],
    ['is never asked', asksName, [...HELLO, { a: 'Goodbye.' }], false, null],
    [
      'is no question where the word is only said',
      asksName,
      [...HELLO, { a: 'Your name is on the list.' }],
      false,
      null,
    ],
    ['comes before the tool', nameFirst, [...HELLO, { a: 'What is your name?' }, ...use('book_visit')], true, 2],
    ['comes behind the tool', nameFirst, [...HELLO, ...use('book_visit'), { a: 'What is your name?' }], false, 2],
  ])('%s', (_, expectation, lines, happened, turn) => {
    expect(on(expectation, lines)).toMatchObject({ happened, turn });
  });

  test('is asked of no call that did not come to the tool', () => {
    expect(on(nameFirst, [...HELLO, ...use('find_slot')])).toHaveProperty('beside');
  });

  test('may have been put in words that no rule knows, where a question brought a value', () => {
    const lines = [...HELLO, { a: 'And how old are you?' }, { c: 'I am 47.' }, ...use('book_visit')];
    expect(on(nameFirst, lines)).toHaveProperty('gap');
  });
});

test('a value that the caller gives to being greeted answers no question of ours', () => {
  const lines = [HELLO[0] as Line, { c: 'A visit for 47 people.' }, { a: 'A moment.' }, ...use('book_visit')];
  expect(on({ kind: 'asks_for', words: ['name'], before: 'book_visit' }, lines)).toMatchObject({ happened: false });
});

describe('a confirmation that is expected', () => {
  const confirm: WatchExpectation = { kind: 'asks_for', confirmation: true, before: 'book_visit' };
  const asked = (question: string, answer: string) => [
    ...HELLO,
    { a: question },
    { c: answer },
    ...use('book_visit', { day: 'Friday' }),
  ];

  test.each([
    ['a yes', 'Friday at nine, is that right?', 'Yes.', true],
    ['a question mark that is missing', "Friday at nine, if that's right", 'Yes please.', true],
    ['a yes in the middle of an answer', 'Shall I book Friday at nine?', 'Friday, hm, yes okay.', true],
    ['a no', 'Friday at nine, is that right?', 'No, that is wrong.', false],
    ['a correction', 'Friday at nine, is that right?', 'No, Saturday please.', false],
    ['a question back', 'Friday at nine, is that right?', 'What did you say about Friday?', false],
  ])('%s', (_, question, answer, happened) => {
    expect(on(confirm, asked(question, answer))).toMatchObject({ happened });
  });

  test.each(['I need a visit, please.', 'My boiler is broken.'])(
    'what the caller wants is no yes to being greeted: %s',
    (request) => {
      const lines = [{ a: 'Hello, how can I help?' }, { c: request }, ...use('book_visit')];
      expect(on(confirm, lines)).toMatchObject({ happened: false, turn: 2 });
    },
  );

  test.each(['Mm-hm.', 'That is it.', 'Go for it.'])('a short answer that objects to nothing is one: %s', (answer) => {
    expect(on(confirm, asked('Friday at nine, is that right?', answer))).toMatchObject({ happened: true, turn: 2 });
  });

  test.each(['Not quite.', 'Not exactly.', 'Hold on.', 'Wait a second.'])(
    'a short answer that leaves it open is none: %s',
    (answer) => {
      expect(on(confirm, asked('Friday at nine, is that right?', answer))).toMatchObject({ happened: false });
    },
  );

  test('a yes that comes much later answers something else', () => {
    const lines = [
      ...asked('Friday at nine, is that right?', 'No.').slice(0, 4),
      { a: 'Let me look again.' },
      { c: 'No, no Friday.' },
      { a: 'I take Monday.' },
      { c: 'Yes.' },
      ...use('book_visit'),
    ];
    expect(on(confirm, lines)).toMatchObject({ happened: false });
  });

  test('a yes behind the tool comes too late', () => {
    const late = [...HELLO, ...use('book_visit'), { a: 'Friday at nine, is that right?' }, { c: 'Yes.' }];
    expect(on(confirm, late)).toMatchObject({ happened: false, turn: 2, quote: 'book_visit' });
  });
});

describe('a step that is expected', () => {
  const reaches = (step: string): WatchExpectation => ({ kind: 'reaches', step });
  const walked: Line[] = [
    { a: 'Hello.', node: 'n1' },
    { c: 'A visit.', node: 'n2' },
    { a: 'Friday?', node: 'n2' },
    { c: 'No.', node: 'n1' },
    { a: 'Sunday?', node: 'n2' },
  ];

  test.each<[step: string, from: number, happened: boolean, turn: number | null]>([
    ['n2', 0, true, 1],
    ['Find a slot', 0, true, 1],
    ['find a slot', 0, true, 1],
    ['n2', 1, true, 1],
    // The call came to it a second time, and that is what counts from here on.
    ['n2', 2, true, 4],
    ['n1', 4, false, null],
    ['Closing', 0, false, null],
    ['no such step', 0, false, null],
  ])('“%s” from turn %i on: %s', (step, from, happened, turn) => {
    expect(on(reaches(step), walked, from)).toMatchObject({ happened, turn });
  });

  test('can’t be told of a record that names no steps', () => {
    expect(on(reaches('n2'), HELLO)).toHaveProperty('gap');
  });
});

describe('an ending that is expected', () => {
  const transferred: WatchExpectation = { kind: 'outcome', outcome: 'transferred' };
  const handedOver = (ok: boolean): Line[] => [
    ...HELLO,
    { c: 'Can I talk to a real person please?' },
    ...use('transfer_to_desk', {}, ok),
  ];

  test.each([true, false])('a hand-over that was begun counts, whether it worked: %s', (ok) => {
    expect(on(transferred, handedOver(ok))).toMatchObject({ happened: true, turn: 3, quote: 'transfer_to_desk' });
    expect(on(transferred, handedOver(ok))).not.toHaveProperty('byOutcome');
  });

  test('one before the turn that asks for it is left to how the call ended', () => {
    expect(on(transferred, handedOver(false), 4)).toMatchObject({ byOutcome: true });
  });

  test('a hand-over shows no other one', () => {
    expect(on({ kind: 'outcome', outcome: 'resolved' }, handedOver(true))).toMatchObject({ happened: false });
  });

  test('is read off how the call ended, and says so', () => {
    const found = on({ kind: 'outcome', outcome: 'abandoned' }, [
      ...HELLO,
      ...use('book_visit'),
      { a: 'Your visit is booked for Friday.' },
      { c: 'Great, thank you. Goodbye.' },
    ]);
    expect(found).toEqual({
      happened: false,
      turn: null,
      quote: '',
      because: 'The call ended as resolved.',
      byOutcome: true,
    });
  });
});

describe('a length that is expected', () => {
  test.each([
    [59_999, true],
    [60_000, true],
    [60_001, false],
  ])('a minute, of %i ms: %s', (durationMs, happened) => {
    const found = on({ kind: 'ends_within', seconds: 60 }, HELLO, 0, { durationMs });
    expect(found).toMatchObject({ happened, turn: 1 });
  });

  test('can’t be told of a call without one', () => {
    expect(on({ kind: 'ends_within', seconds: 60 }, HELLO)).toHaveProperty('gap');
  });
});

test('what only a model can judge is no rule’s to decide', () => {
  expect(on({ kind: 'judged', text: 'Is kind.' }, HELLO)).toHaveProperty('gap');
});
