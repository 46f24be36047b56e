import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { scripted } from '../scripted-call.ts';
import { turnsOf } from './turns-of.ts';

const CODE = 'entity_mistranscribed';
const POSTCODE = 'What is your postcode?';

interface Heard {
  text: string;
  alternatives?: string[];
  /** Turns of talk before it is asked for again. */
  later?: number;
}

/** Answers to the same question: what is a signal, what a suspicion, by their turns. */
function found(question: string, ...answers: (string | Heard)[]) {
  const heard = answers.map((one) => (typeof one === 'string' ? { text: one } : one));
  const lines = heard.flatMap(({ text, later = 0 }) => [
    ...Array.from({ length: later }, (_, at) => (at % 2 === 0 ? { a: 'And the day?' } : { c: 'on friday' })),
    { a: question },
    { c: text },
  ]);
  const input = scripted(lines);
  const turns = input.call.turns.map((turn) => ({
    ...turn,
    alternatives: heard.find(({ text }) => turn.role === 'caller' && text === turn.text)?.alternatives ?? null,
  }));
  const { signals, observations } = analyseCall({ ...input, call: { ...input.call, turns } }, {});
  return {
    sure: signals.filter(({ code }) => code === CODE).map(({ turnIndex }) => turnIndex),
    maybe: observations.filter(({ rule }) => rule === CODE).map(({ turnIndex }) => turnIndex),
    why: [...signals.filter(({ code }) => code === CODE), ...observations.filter(({ rule }) => rule === CODE)].map(
      ({ detail }) => detail,
    ),
  };
}

describe('an answer that has not the shape of what was asked for', () => {
  test.each([
    ['once, which may be an answer to something else', ['well it is a long story'], { sure: [], maybe: [1] }],
    ['twice in a row', ['knew bread', 'new bred'], { sure: [], maybe: [1, 3] }],
    ['and then one that has', ['knew bread', '10115'], { sure: [], maybe: [1] }],
    ['a question in return', ['do you mean mine?'], { sure: [], maybe: [] }],
    ['a noise', ['[music] yes'], { sure: [], maybe: [] }],
    ['a long answer', [`well ${'you know '.repeat(20)}`], { sure: [], maybe: [] }],
    ['the shape itself', ['10115'], { sure: [], maybe: [] }],
    ['the shape in words', ['one zero one one five'], { sure: [], maybe: [] }],
  ])('%s', (_, answers, expected) => {
    expect(found(POSTCODE, ...answers)).toMatchObject(expected);
  });

  test('holds where nothing was written down', () => {
    expect(found(POSTCODE, ' ', '10115').why).toEqual([
      'Asked for a postcode, the caller spoke and nothing was written down.',
    ]);
  });

  test('fits where the same was heard twice, as a name that is one word', () => {
    const question = 'Can I have your full name?';
    expect(found(question, 'madonnalouise', 'madonnalouise')).toMatchObject({ sure: [], maybe: [] });
    expect(found(question, 'cher', 'cher').maybe).toEqual([1, 3]);
  });
});

describe('another value for the same question', () => {
  test.each<[string, (string | Heard)[], object]>([
    ['twice the same', ['10115', '10115'], { sure: [], maybe: [] }],
    ['two values, either of them', ['10115', '10150'], { sure: [], maybe: [1, 3] }],
    ['one against two', ['10115', '10150', '10115'], { sure: [3], maybe: [] }],
    ['three values', ['10115', '10150', '10160'], { sure: [1, 3, 5], maybe: [] }],
    [
      'the recogniser had thought of the other here',
      [{ text: '10115', alternatives: ['10150'] }, '10150'],
      { sure: [1], maybe: [3] },
    ],
    [
      'the recogniser had thought of this one there',
      [
        { text: '10115', alternatives: ['10777'] },
        { text: '10150', alternatives: ['10115'] },
      ],
      { sure: [3], maybe: [1] },
    ],
    [
      'the recogniser had wavered here, and never there',
      [{ text: '10115', alternatives: ['10777'] }, '10150'],
      { sure: [1], maybe: [3] },
    ],
  ])('%s', (_, answers, expected) => {
    expect(found(POSTCODE, ...answers)).toMatchObject(expected);
  });
});

describe('a name that was denied and spelled', () => {
  const found = (...lines: string[]) => turnsOf('entity_mistranscribed', ['a: Hello, your name?', ...lines]);

  test('was written down wrongly where the agent has it from there', () => {
    expect(found('c: missouri', 'a: Thank you, Mr. Missouri.', 'c: no not missouri. mazurek. M A Z U R E K')).toEqual([
      1,
    ]);
  });

  test.each([
    ['the agent misread it', 'c: mazurek', 'a: Thank you, Mr. Missouri.', 'c: no mazurek. M A Z U R E K'],
    ['it is only spelled', 'c: mazurek', 'a: Thank you, Mr. Mazurek.', 'c: M A Z U R E K with a Z'],
    ['another thing is denied', 'c: missouri', 'a: Missouri, on foot?', 'c: no by car. B M W'],
  ])('was not where %s', (_, ...lines) => {
    expect(found(...lines)).toEqual([]);
  });
});
