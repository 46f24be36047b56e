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
