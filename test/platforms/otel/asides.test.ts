import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { callOf, makeSpan } from '../../support/spans.ts';

type Said = [role: 'user' | 'assistant' | 'system', text: string];
interface Asked {
  at: number;
  given: Said[];
  answer: string;
  name?: string;
  agent?: string;
}

const message = ([role, text]: Said): JsonObject => ({ role, content: text });

const turnsOf = (asked: readonly Asked[]) =>
  callOf(
    asked.map(({ at, given, answer, name = 'chat', agent }, nth) =>
      makeSpan({
        id: `r${nth}`,
        name,
        scope: 'any',
        from: at,
        to: at + 0.5,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.conversation.id': 'one',
          ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
          'gen_ai.input.messages': given.map(message),
          'gen_ai.output.messages': [{ role: 'assistant', content: answer }],
        },
      }),
    ),
  ).turns.map(({ role, text }) => `${role}: ${text}`);

const DESK: Said = ['system', 'You are the desk of a garage. Be brief.'];
const FIRST: Said = ['user', 'My car makes a noise when I brake.'];
const SECOND: Said = ['user', 'Tomorrow at nine is fine.'];
const ANSWER: Said = ['assistant', 'That can be looked at tomorrow at nine.'];
const TALK = [
  'caller: My car makes a noise when I brake.',
  'agent: That can be looked at tomorrow at nine.',
  'caller: Tomorrow at nine is fine.',
  'agent: It is booked. Goodbye.',
];

const MAIN: Asked[] = [
  { at: 2, given: [DESK, FIRST], answer: ANSWER[1] },
  { at: 12, given: [DESK, FIRST, ANSWER, SECOND], answer: 'It is booked. Goodbye.' },
];
const sorted = (...more: Asked[]) => turnsOf([...MAIN, ...more].sort((a, b) => a.at - b.at));

describe('answers that nobody heard are no speech', () => {
  test('the talk alone', () => expect(sorted()).toEqual(TALK));

  test('of a router, before each answer', () => {
    const router: Said = ['system', 'You decide where a request goes.'];
    expect(
      sorted(
        { at: 1, given: [router, FIRST], answer: 'repairs' },
        { at: 11, given: [router, FIRST, ANSWER, SECOND], answer: 'bookings' },
      ),
    ).toEqual(TALK);
  });

  test('of a router that is given the words within others', () => {
    expect(
      sorted(
        { at: 1, given: [['user', `Classify what the caller wants: "${FIRST[1]}"`]], answer: '{"intent":"repair"}' },
        { at: 11, given: [['user', `Classify what the caller wants: "${SECOND[1]}"`]], answer: '{"intent":"booking"}' },
      ),
    ).toEqual(TALK);
  });

  test('of a guard, after each answer', () => {
    const guard: Said = ['system', 'Say whether the answer is safe, with only yes or no.'];
    expect(
      sorted(
        { at: 3, given: [guard, FIRST, ANSWER], answer: 'yes' },
        { at: 13, given: [guard, SECOND], answer: 'yes' },
      ),
    ).toEqual(TALK);
  });

  test('of who sums up, whatever place the summary has afterwards', () => {
    const summary = 'They hear a noise when braking and were offered tomorrow at nine.';
    const given = `Sum this up:\nuser: ${FIRST[1]}\nassistant: ${ANSWER[1]}`;
    for (const role of ['system', 'user', 'assistant'] as const) {
      expect(
        turnsOf([
          { at: 2, given: [DESK, FIRST], answer: ANSWER[1] },
          { at: 5, given: [['user', given]], answer: summary },
          {
            at: 12,
            given: [DESK, [role, `Conversation summary: ${summary}`], SECOND],
            answer: 'It is booked. Goodbye.',
          },
        ]),
      ).toEqual(TALK);
    }
  });

  test('of a judge, when the call is over', () => {
    const written = MAIN.map(({ given, answer }) => `Caller: ${given.at(-1)?.[1]}\nAgent: ${answer}`).join('\n');
    expect(
      sorted({ at: 20, given: [['user', `Rate this call.\n${written}`]], answer: 'Score: 4. The agent was brief.' }),
    ).toEqual(TALK);
    expect(
      sorted({
        at: 20,
        given: [
          DESK,
          FIRST,
          ANSWER,
          SECOND,
          ['assistant', 'It is booked. Goodbye.'],
          ['user', 'Evaluate the call above.'],
        ],
        answer: '{"score":4}',
        name: 'evaluate_call',
      }),
    ).toEqual(TALK);
  });

  test('of an answer that was begun too soon, for half of what the caller said', () => {
    expect(sorted({ at: 1, given: [DESK, ['user', 'My car makes']], answer: 'What does it make?' })).toEqual(TALK);
  });

  test('but words that only a router was given are the caller’s', () => {
    const router: Said = ['system', 'You decide where a request goes.'];
    expect(
      sorted(
        { at: 1, given: [router, FIRST], answer: 'repairs' },
        { at: 11, given: [router, SECOND], answer: 'bookings' },
        { at: 18, given: [router, ['user', 'Thanks, bye.']], answer: 'hang_up' },
      ),
    ).toEqual([...TALK, 'caller: Thanks, bye.']);
  });

  test('and an agent that takes over is heard', () => {
    const other: Said = ['system', 'You are the cashier.'];
    expect(
      sorted({ at: 22, given: [other, ['user', 'What does it cost?']], answer: 'Ninety euros.', agent: 'cashier' }),
    ).toEqual([...TALK, 'caller: What does it cost?', 'agent: Ninety euros.']);
  });
});
