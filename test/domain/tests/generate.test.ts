import { describe, expect, test } from 'vitest';
import { checkOfRule, makeTest, testOfIssue, testOfRule } from '../../../src/domain/tests/generate.ts';
import { type Candidate, representativeOf } from '../../../src/domain/tests/representative.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { makeAnalysis, makeCall, makeSignal } from '../../support/analysed-calls.ts';

const names = ['find_patient', 'book_visit', 'cancel_visit'];
const configuration: AgentConfiguration = {
  name: 'Front desk',
  language: null,
  prompt: null,
  firstMessage: null,
  model: null,
  voice: null,
  tools: names.map((name) => ({
    id: name,
    name,
    kind: 'other',
    description: '',
    parameters: null,
    timeoutMs: null,
    speaksDuring: null,
  })),
  nodes: [],
  startNodeId: null,
  variables: {},
};
const call = {
  call: makeCall({ providerCallId: 'a' }),
  analysis: makeAnalysis({ outcome: 'unresolved' }),
  signals: [
    makeSignal({ code: 'tool_failed', severity: 'critical' }),
    makeSignal({ code: 'flow_loop', severity: 'low', lane: 'flow' }),
  ],
  configuration,
};

describe('a line of the brief is decided by code', () => {
  test.each([
    ['Always call find_patient before book_visit.', 'must', { kind: 'order', steps: ['find_patient', 'book_visit'] }],
    ['Call book_visit only after find_patient.', 'must', { kind: 'order', steps: ['find_patient', 'book_visit'] }],
    ['Never use cancel_visit.', 'must_not', { kind: 'tool_not_called', tool: 'cancel_visit' }],
    ['Always use find_patient.', 'must', { kind: 'tool_called', tool: 'find_patient' }],
    ['Always say “this call is recorded”.', 'must', { kind: 'said', text: 'this call is recorded', by: 'agent' }],
    ['Never say "no problem" to callers.', 'must_not', { kind: 'not_said', text: 'no problem', by: 'agent' }],
  ] as const)('%s', (text, polarity, check) => {
    expect(checkOfRule({ text, polarity }, configuration)).toEqual(check);
  });

  test.each([
    ['Always stay friendly.', 'must'],
    ['Never use cancel_visit without asking.', 'must_not'],
    ['Use book_visit only if the caller agrees.', 'must'],
    ['Never call find_patient before book_visit.', 'must_not'],
    ['Use find_patient, book_visit or cancel_visit.', 'must'],
    ['Always use an unknown_tool.', 'must'],
  ] as const)('and left to the judge where a check would say something else: %s', (text, polarity) => {
    expect(checkOfRule({ text, polarity }, configuration)).toBeNull();
  });

  test('and the line alone decides about its test', () => {
    const made = testOfRule(call, { line: 3, text: 'Always use find_patient.', polarity: 'must' });
    expect(made?.title).toBe('Line 3: Always use find_patient.');
    expect(made?.spec.criteria.filter(({ required }) => required).map(({ id }) => id)).toEqual(['rule_line_3']);
  });
});

describe('a test of an issue', () => {
  test('asks for that issue first, however grave the others of the call are', () => {
    const made = testOfIssue(call, { code: 'flow_loop', title: 'Flow goes round in circles' });
    expect(made).toMatchObject({ lane: 'flow', title: expect.stringMatching(/^Flow goes round in circles: /) });
    expect(made?.spec.criteria.map(({ id }) => id)).toEqual(['not_flow_loop', 'not_tool_failed', 'as_wanted']);
    expect(made?.spec.criteria[0]?.required).toBe(true);
  });

  test('is not made of what a call played as text can not show', () => {
    expect(testOfIssue(call, { code: 'dead_air', title: 'Dead air' })).toBeNull();
    expect(testOfIssue(call, { code: 'wrong_number', title: 'Wrong number' })).toBeNull();
  });
});

describe('the usual call', () => {
  const candidate = (id: string, callerTurns: number, outcome: Candidate['outcome'] = 'resolved') => ({
    id,
    callerTurns,
    outcome,
  });

  test('is of middle length among those that ended as preferred', () => {
    const all = [candidate('a', 9), candidate('b', 2), candidate('c', 4), candidate('d', 3, 'unresolved')];
    expect(representativeOf(all, 'well')?.id).toBe('c');
    expect(representativeOf(all, 'badly')?.id).toBe('d');
  });

  test('is any where none ended so, and none where nobody spoke', () => {
    expect(representativeOf([candidate('a', 3)], 'badly')?.id).toBe('a');
    expect(representativeOf([candidate('a', 0)], 'well')).toBeNull();
    expect(representativeOf([], 'well')).toBeNull();
  });
});

describe('a test is made for what it is asked for', () => {
  const rule = { line: 3, text: 'Always use find_patient.', polarity: 'must' } as const;

  test.each([
    ['a call', { kind: 'call' }, ['not_tool_failed', 'not_flow_loop', 'as_wanted']],
    [
      'an issue',
      { kind: 'issue', code: 'flow_loop', title: 'Loop' },
      ['not_flow_loop', 'not_tool_failed', 'as_wanted'],
    ],
    ['an intent', { kind: 'intent', label: 'Booking' }, ['not_tool_failed', 'not_flow_loop', 'as_wanted']],
    ['a rule', { kind: 'rule', rule }, ['rule_line_3', 'as_wanted']],
  ] as const)('%s', (_, origin, ids) => {
    expect(makeTest(call, origin)?.spec.criteria.map(({ id }) => id)).toEqual(ids);
  });

  test('and one of an intent is named after it', () => {
    expect(makeTest(call, { kind: 'intent', label: 'Booking' })?.title).toMatch(/^Booking: ./);
  });

  test.each([
    { kind: 'call' },
    { kind: 'issue', code: 'flow_loop', title: 'Loop' },
    { kind: 'intent', label: 'Booking' },
    { kind: 'rule', rule },
  ] as const)('but none of a call on which the caller said nothing: $kind', (origin) => {
    const silent = { ...call, call: { ...call.call, turns: call.call.turns.filter(({ role }) => role !== 'caller') } };
    expect(makeTest(silent, origin)).toBeNull();
  });

  test('a line that names two tools and no order is left to the judge', () => {
    expect(checkOfRule({ text: 'Use find_patient and book_visit.', polarity: 'must' }, configuration)).toBeNull();
  });
});
