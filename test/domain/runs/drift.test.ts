import { describe, expect, test } from 'vitest';
import { callerDrift } from '../../../src/domain/runs/drift.ts';
import type { TestSpec } from '../../../src/domain/tests/spec.ts';
import { turn } from '../../support/analysed-calls.ts';

const FACTS = {
  name: 'Ada Wren',
  'date of birth': 'March 4th, 1990',
  'order number': 'QM286',
  phone: '202 555 0142',
  budget: '$250',
};
const spec = (over: Partial<TestSpec['caller']> = {}): TestSpec => ({
  caller: {
    goal: 'Return a lamp that arrived broken',
    opening: 'My lamp arrived broken.',
    facts: FACTS,
    style: '',
    script: null,
    ...over,
  },
  fixtures: [],
  criteria: [],
  maxTurns: 10,
  tier: 'text',
});

/** Agent and caller take turns; the agent begins. */
const talk = (...texts: string[]) => texts.map((text, at) => turn(at, at % 2 === 0 ? 'agent' : 'caller', text));
const drift = (...texts: string[]) =>
  callerDrift(spec(), talk('Hello.', 'My lamp arrived broken.', ...texts), { scripted: false });

describe('a caller that keeps to its facts', () => {
  test.each([
    ['its name and its dates in another form', "I'm Ada Wren, born on the fourth of March nineteen ninety."],
    ['a code letter by letter', 'It is Q M two eight six.'],
    ['a number in pieces', 'It ends in 0142, so 202, 555 0142.'],
    ['small numbers that stand for nothing', 'There were two of them, about 3 years old.'],
    ['a sum that it knows', 'I can spend two hundred and fifty dollars.'],
  ])('says %s', (_, said) => {
    expect(drift('Tell me more.', said)).toEqual({ drifted: false, reasons: [], notes: null });
  });

  test('may take up what the agent said', () => {
    expect(drift('A new one is $310. Is RT900 yours?', 'Yes, RT900 for $310 is fine.')?.drifted).toBe(false);
  });

  test('may correct itself, which is noted', () => {
    const found = drift('The number?', 'QM268.', 'I have QM 268?', 'Sorry, no: QM286.');
    expect(found).toMatchObject({ drifted: false, reasons: [] });
    const own = drift('The number?', 'QM268. Sorry, QM286.');
    expect(own).toMatchObject({ drifted: false, notes: 'It corrected itself: "QM268".' });
  });
});

describe('a caller that leaves its facts', () => {
  test.each([
    ['another date of birth', 'I was born on May 5th, 1991.', '"May 5th, 1991", a date'],
    ['another code', 'The order is RT900.', '"RT900", a code'],
    ['another long number', 'Call me on 3125550199.', '"3125550199", a number'],
    ['another sum', 'I would pay 400 dollars.', '"400 dollars", a sum of money'],
    ['another name', 'My name is Boris Karloff.', 'the name Boris Karloff'],
    ['another name without the word', "I'm Boris Karloff, about the lamp.", 'the name Boris Karloff'],
  ])('has made up %s', (_, said, named) => {
    const found = drift('Tell me more.', said);
    expect(found?.drifted).toBe(true);
    expect(found?.reasons.join(' ')).toContain(named);
  });

  test('has not corrected a date by naming a weekday that it knows', () => {
    const withDay = spec({ facts: { 'date of birth': 'March 4th, 1990', day: 'Tuesday' } });
    const turns = talk('Hello.', 'My lamp arrived broken.', 'Born?', 'On May 5th, 1991.', 'Which day?', 'Tuesday.');
    expect(callerDrift(withDay, turns, { scripted: false })?.drifted).toBe(true);
  });

  test('is not held to kinds of which it has no fact', () => {
    const bare = spec({ facts: { name: 'Ada Wren' } });
    const turns = talk('Hello.', 'My lamp arrived broken.', 'When?', 'On May 5th, 1991, order RT900.');
    expect(callerDrift(bare, turns, { scripted: false })?.drifted).toBe(false);
  });

  test('drifts where no word of its goal was said', () => {
    const turns = talk('Hello.', 'What is the weather like?', 'Sunny.', 'Nice.');
    const found = callerDrift(spec({ opening: '' }), turns, { scripted: false });
    expect(found?.reasons).toEqual(['It never said what it wanted: Return a lamp that arrived broken']);
  });

  test("drifts where it hung up on the agent's first question", () => {
    const turns = talk('Hello.', 'My lamp arrived broken.', 'May I have the number?', 'Bye.');
    const given = { scripted: false, endedBy: 'caller' as const };
    expect(callerDrift(spec(), turns, given)?.reasons).toEqual(["It hung up on the agent's first question."]);
    expect(callerDrift(spec(), turns, { ...given, endedBy: 'agent' })?.drifted).toBe(false);
  });
});

describe('what is not compared', () => {
  test('a scripted caller says what it was given', () => {
    const turns = talk('Hello.', 'My name is Boris Karloff, order RT900.');
    expect(callerDrift(spec({ script: ['x'] }), turns, { scripted: true })).toMatchObject({
      drifted: false,
      reasons: [],
    });
  });

  test('a script said in a manner tells how much of it was said word for word', () => {
    const turns = talk('Hello.', 'Erm, my lamp, it broke.', 'And?', 'Yes.');
    const notes = callerDrift(spec({ script: ['Yes.'] }), turns, { scripted: true, worded: true })?.notes;
    expect(notes).toContain('in the manner of its persona, 1 of 2 of them word for word.');
  });

  test('a caller without facts and goal has nothing to be compared with', () => {
    expect(callerDrift(spec({ goal: ' ', facts: {} }), talk('Hello.', 'Hi.'), { scripted: false })).toBeNull();
  });
});
