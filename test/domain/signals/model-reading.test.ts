import { describe, expect, test } from 'vitest';
import {
  additionsOf,
  checkAnswer,
  questionsOf,
  type ReadingAnswer,
} from '../../../src/domain/signals/model-reading.ts';
import type { Observation } from '../../../src/domain/signals/signal.ts';
import { makeAnalysis, makeCall, makeSignal, turn } from '../../support/analysed-calls.ts';

const call = makeCall({
  providerCallId: 'a',
  turns: [
    turn(0, 'agent', 'Hello, how can I help?'),
    turn(1, 'caller', 'I need to move my appointment.'),
    {
      ...turn(2, 'tool', ''),
      toolResult: { id: null, name: 'find', ok: false, okSource: 'flag', body: { error: 'no route' }, latencyMs: null },
    },
    turn(3, 'agent', 'It is moved.'),
  ],
});
const candidate: Observation = {
  rule: 'answer_off_topic',
  kind: 'candidate',
  label: 'The answer may be off topic',
  turnIndex: 3,
  detail: 'It shares no word with the question.',
  basis: 'phrases',
};
const unexplained = makeSignal({ code: 'tool_failed', turnIndex: 2, cause: null });
const analysis = makeAnalysis({ observations: [candidate], signals: [unexplained] });
const questions = questionsOf(analysis);

const asked = { number: 1, holds: true, turn: 3, quote: 'It is moved', because: 'Nothing was moved.' };
const answer: ReadingAnswer = {
  objective: { sentence: 'Move an appointment', turn: 1, quote: 'move my appointment' },
  candidates: [asked],
  causes: [{ number: 1, turn: 2, quote: 'no route', hypothesis: 'The service has no such address.' }],
};
const check = (over: Partial<ReadingAnswer>) => checkAnswer(call, questions, { ...answer, ...over });

describe('what a model says of a call', () => {
  test('is kept where its quotes stand in the turns that it cites, spoken or returned by a tool', () => {
    const reading = check({});
    expect(reading).toMatchObject({ objective: 'Move an appointment', dropped: 0 });
    expect(reading.confirmed).toHaveLength(1);
    expect(reading.hypotheses).toHaveLength(1);
  });

  test.each([
    ['words that nobody said', { quote: 'cancel everything' }],
    ['words of another turn', { turn: 0 }],
    ['a turn that is not there', { turn: 99 }],
    ['no words at all', { quote: ' ' }],
    ['other capitals', { quote: 'it is moved' }],
  ])('is dropped when it quotes %s', (_, wrong) => {
    const reading = check({ candidates: [{ ...asked, ...wrong }] });
    expect(reading).toMatchObject({ confirmed: [], dropped: 1 });
  });

  test('answers a question once, and no question that was not asked', () => {
    const reading = check({ candidates: [asked, asked, { ...asked, number: 2 }] });
    expect(reading.confirmed).toHaveLength(1);
    expect(reading.dropped).toBe(2);
  });

  test('a candidate that does not hold adds nothing', () => {
    expect(check({ candidates: [{ ...asked, holds: false }] })).toMatchObject({ confirmed: [], dropped: 0 });
  });

  test('an objective stands on words of the caller', () => {
    expect(check({ objective: { sentence: 'Greet', turn: 0, quote: 'Hello' } })).toMatchObject({
      objective: null,
      dropped: 1,
    });
  });

  test('becomes one line of plain text', () => {
    const reading = check({ objective: { ...answer.objective, sentence: 'Move\n\u202eit\u0007 now ' } });
    expect(reading.objective).toBe('Move it now');
  });
});

describe('what a reading adds', () => {
  test('is observations of a model, which name a hypothesis as one', () => {
    const { objective, observations } = additionsOf(check({}), analysis);
    expect(objective).toBe('Move an appointment');
    expect(observations).toEqual([
      expect.objectContaining({ rule: 'answer_off_topic', kind: 'candidate', turnIndex: 3, basis: 'model' }),
      expect.objectContaining({ rule: 'tool_failed', kind: 'hypothesis', turnIndex: 2, basis: 'model' }),
    ]);
    expect(observations[1]?.detail).toContain('not an established cause');
  });

  test('is nothing about what the rules no longer suspect, or have explained since', () => {
    const cause = { code: 'timeout', label: 'Timed out', detail: null, category: 'tool', party: 'tool_owner' } as const;
    const later = makeAnalysis({ signals: [{ ...unexplained, cause }] });
    expect(additionsOf(check({}), later).observations).toEqual([]);
  });

  test('is asked about no behaviour of the caller, and about no observation of a model', () => {
    const questionsThen = questionsOf(
      makeAnalysis({
        observations: [{ ...candidate, basis: 'model' }],
        signals: [makeSignal({ code: 'instant_hangup', klass: 'behaviour', cause: null })],
      }),
    );
    expect(questionsThen).toEqual({ candidates: [], unexplained: [] });
  });
});
