import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../acts/talk.ts';
import { scripted } from './scripted-call.ts';

/** Codes of signals with their turns, on words alone: no times, no tools, no configuration. */
function signalsOf(lines: readonly string[]): string[] {
  return analyseCall(scripted(lines.map(asLine)), {}).signals.map(({ code, turnIndex }) => `${code} ${turnIndex}`);
}

describe('in ordinary talk without times and tools', () => {
  test.each([
    [
      'a day that was put right and stays in the closing words',
      [
        'a: When would you like to come?',
        'c: tuesday please',
        'a: Thursday at ten, then.',
        'c: no tuesday not thursday',
        'a: Thursday at ten is booked.',
      ],
      'correction_not_applied 4',
    ],
    [
      'a size that was put right and is read back as before',
      [
        'a: What can I get you?',
        'c: a large one no wait a small one',
        'a: One large coffee, then. Anything else?',
        'c: that is all',
      ],
      'correction_not_applied 2',
    ],
    [
      'a number read back in another order',
      [
        'a: Your number, please?',
        'c: 0 7 7 1 2 9 4',
        'a: Zero seven seven, one two, four nine, is that correct?',
        'c: no nine four at the end',
      ],
      'readback_mismatch 2',
    ],
    [
      'a short line four times',
      [
        'a: One blue scarf. Anything else?',
        'c: no two scarves',
        'a: One blue scarf. Anything else?',
        'c: no i want two',
        'a: One blue scarf. Anything else?',
        'c: no two',
        'a: One blue scarf. Anything else?',
      ],
      'agent_repeats_line 4',
    ],
    [
      'a person asked for twice',
      [
        'a: Hello.',
        'c: can i talk to a real person please',
        'a: Tell me your matter.',
        'c: i want to speak to somebody',
        'a: What is it about?',
      ],
      'human_request_ignored 3',
    ],
    [
      'a number asked for that was in the first sentence',
      [
        'a: Good morning.',
        'c: hi my parcel is PK 4 4 8 1 9 where is it',
        'a: May I have your tracking number?',
        'c: yes PK 4 4 8 1 9',
      ],
      'reasked_known_slot 2',
    ],
    [
      'a caller who gives up',
      ['a: Which branch?', 'c: the one in town', 'a: Which branch?', 'c: forget it'],
      'caller_left_mid_task 3',
    ],
  ])('%s is found', (_name, lines, signal) => {
    expect(signalsOf(lines)).toContain(signal);
  });

  test.each([
    [
      'a caller who changes a wish',
      [
        'a: A room for one night?',
        'c: yes one night no make it two nights',
        'a: Two nights, then. Which name?',
        'c: Perl',
      ],
    ],
    [
      'a day that is not to be had',
      [
        'a: We have Monday.',
        'c: could it be friday',
        'a: Sorry, I only have Monday, Friday is full.',
        'c: monday is fine',
      ],
    ],
    [
      'the same digits in other words',
      ['a: Your code?', 'c: oh four one one nine', 'a: Zero, four, one, one, nine?', 'c: yes'],
    ],
    [
      'a line that the caller asked to hear again',
      [
        'a: The code is B B 2 1.',
        'c: sorry can you repeat that',
        'a: The code is B B 2 1.',
        'c: once more i need a pen can you repeat',
        'a: The code is B B 2 1.',
        'c: got it thanks',
      ],
    ],
    [
      'a person who is offered at once',
      ['a: Hello.', 'c: i want to talk to a person', 'a: I am connecting you now, one moment.'],
    ],
    [
      'something told again because it was not heard',
      ['a: Sorry, the line broke up. What about tonight?', 'c: i said we will be late tonight', 'a: That is fine.'],
    ],
    [
      'a question that gets a yes',
      ['a: Hello.', 'c: are you open on sunday', 'a: Yes, from nine.', 'c: great thanks', 'a: Goodbye.'],
    ],
  ])('%s is no fault', (_name, lines) => {
    // How a call ended is another matter: these break off where the example is over.
    expect(signalsOf(lines).filter((one) => !/^(?:caller_left_mid_task|instant_hangup) /.test(one))).toEqual([]);
  });
});
