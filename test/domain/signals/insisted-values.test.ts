import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../acts/talk.ts';
import { scripted } from './scripted-call.ts';

/** Signals of a talk of a kennel, on words alone. */
function signalsOf(lines: readonly string[], language = 'en'): string[] {
  const talk = ['a: Kennel Brook, hello.', ...lines].map(asLine);
  return analyseCall(scripted(talk, { language }), {}).signals.map(({ code, turnIndex }) => `${code} ${turnIndex}`);
}

describe('a value that the caller has to say again', () => {
  test.each([
    [
      'en',
      [
        'c: we would bring him on friday, actually hang on the train gets in late so let us say saturday',
        'a: And his name?',
        'c: Biscuit',
        'a: Biscuit is booked in for Friday.',
        'c: saturday',
        'a: Lovely, goodbye then.',
      ],
    ],
    [
      'de',
      [
        'c: wir bringen ihn am freitag, obwohl, samstag wäre gescheiter',
        'a: Und wie heißt er?',
        'c: Keks',
        'a: Keks ist für Freitag eingetragen.',
        'c: samstag hatte ich gesagt',
        'a: Wir freuen uns, auf Wiederhören.',
      ],
    ],
  ])('was not taken over, in %s', (language, lines) => {
    expect(signalsOf(lines, language)).toContain('correction_not_applied 4');
  });

  test.each([
    [
      'is asked about beside another one',
      ['c: what is it for friday or saturday', 'a: Friday is forty pounds.', 'c: and saturday', 'a: Fifty.'],
    ],
    [
      'is put right at once',
      ['c: for saturday please', 'a: So that is Friday.', 'c: saturday', 'a: Saturday, sorry.', 'c: yes'],
    ],
    [
      'is only one of two that are offered',
      ['c: is saturday free', "a: I'm afraid not, I could do Friday.", 'c: saturday would be so much better'],
    ],
  ])('is nothing where it %s', (_, lines) => {
    expect(signalsOf(lines).filter((one) => one.startsWith('correction_not_applied'))).toEqual([]);
  });
});

describe('a question that is put off', () => {
  test('is unanswered where the caller has to insist', () => {
    const lines = [
      'c: are you allowed to leave a toy with him',
      'a: Our runs are heated and cleaned every day.',
      'c: right but the toys',
      'a: Shall I book a run for you?',
      'c: no',
    ];
    expect(signalsOf(lines)).toEqual(expect.arrayContaining(['question_unanswered 2', 'question_unanswered 4']));
  });

  test.each([
    [
      'a no',
      ['c: are toys allowed', 'a: No, we keep them out.', 'c: but he sleeps with it', 'a: Then one, that is fine.'],
    ],
    ['what is not possible', ['c: are toys allowed', 'a: Unfortunately not.', 'c: but he sleeps with it', 'a: I see.']],
  ])('is answered by %s', (_, lines) => {
    expect(signalsOf(lines)).not.toContain('question_unanswered 2');
  });
});

describe('what was given is asked for again', () => {
  test.each([
    ['in one word', ['c: a run for my spaniel please', 'a: What breed is it?', 'c: a spaniel', 'a: Thank you.']],
    [
      'with the words that it was said',
      ['c: two dogs from monday please', 'a: How many dogs?', 'c: two like I said a minute ago', 'a: Thank you.'],
    ],
  ])('%s', (_, lines) => {
    expect(signalsOf(lines)).toContain('reasked_known_slot 2');
  });

  test('but not where several stood beside each other', () => {
    const lines = ['c: I have a spaniel and a poodle', 'a: Which one is it for?', 'c: spaniel', 'a: Thank you.'];
    expect(signalsOf(lines)).not.toContain('reasked_known_slot 2');
  });
});

test('what can be had at most was not heard wrongly', () => {
  const lines = [
    'c: it is a sofa of three parts does it count as three',
    'a: It does. You can put out up to five things.',
  ];
  expect(signalsOf([...lines, 'c: ok so three plus a table', 'a: Fine.'])).not.toContain('correction_not_applied 2');
});
