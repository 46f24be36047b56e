import { describe, expect, test } from 'vitest';
import { decideCoded } from '../../../src/domain/calls/coded-log.ts';
import { talk } from '../acts/talk.ts';

const BEGINNING = ['a: [greet] {}', 'c: [request_date] {}', 'a: [propose_date] {time}'];

const decide = (...lines: readonly string[]) => decideCoded(talk(...BEGINNING, ...lines));
const outcome = (...lines: readonly string[]) => decide(...lines)?.outcome;
const rule = (...lines: readonly string[]) => decide(...lines)?.rule;

test.each([
  ['a yes', ['c: [confirm_date] {}'], 'resolved'],
  ['what the agent had asked for', ['a: [ask_name] {}', 'c: [give_name] {Ada}'], 'resolved'],
  ['a deed', ['c: [give_name] {Ada}', 'a: [confirm_booking_scheduled] {time}'], 'resolved'],
  ['a no after an offer that was not to be had', ['a: [date_unavailable] {}', 'c: [reject_date] {}'], 'unresolved'],
  ['a second no', ['c: [reject_date] {}', 'a: [propose_date] {time}', 'c: [reject_date] {}'], 'unresolved'],
  ['a question after a setback', ['a: [date_unavailable] {}', 'c: [ask_other_date] {}'], 'unresolved'],
  ['an act that carries nothing, after a setback', ['a: [date_unavailable] {}', 'c: [give_date] {}'], 'unresolved'],
  ['a time, after a setback', ['a: [date_unavailable] {}', 'c: [give_date] {friday}'], 'resolved'],
  ['a first no', ['c: [reject_date] {}'], 'resolved'],
  ['an offer that nobody answers', ['c: [reject_date] {}', 'a: [propose_date] {time}'], 'abandoned'],
  ['an offer of what the caller had named', ['c: [suggest_date] {friday}', 'a: [offer_date] {friday}'], 'resolved'],
  ['a question that nobody answers', ['c: [give_name] {Ada}', 'a: [ask_phone] {}'], 'abandoned'],
])('a log of acts that ends on %s', (_, lines, expected) => {
  expect(outcome(...lines)).toBe(expected);
});

describe('names of acts', () => {
  test.each(['confirm', 'yes', 'user_affirm', 'accept_offer', 'date_agree', 'CONFIRM_DATE'])(
    '%s is a yes of the caller',
    (act) => {
      expect(rule(`c: [${act}] {}`)).toBe('log_ends_on_yes');
    },
  );

  test.each(['reconfirmation', 'disagree', 'yesterday', 'acceptance'])('%s is none', (act) => {
    expect(rule(`c: [${act}] {x}`)).not.toBe('log_ends_on_yes');
  });

  test.each(['negate', 'deny', 'reject_date', 'user_decline', 'disagree', 'no'])('%s is a no of the caller', (act) => {
    expect(rule('a: [date_unavailable] {}', `c: [${act}] {x}`)).toBe('log_ends_on_no');
  });

  test.each(['notes', 'denying', 'rejection'])('%s is none', (act) => {
    expect(rule('a: [date_unavailable] {}', `c: [${act}] {x}`)).toBe('log_ends_on_answer');
  });

  test.each(['ask', 'q_price', 'question_price', 'request_info'])('%s is a question of the caller', (act) => {
    expect(rule('a: [date_unavailable] {}', `c: [${act}] {x}`)).toBe('log_ends_on_no');
  });

  test.each(['quote', 'questioned', 'tell_ask'])('%s is none', (act) => {
    expect(rule('a: [date_unavailable] {}', `c: [${act}] {x}`)).toBe('log_ends_on_answer');
  });

  test.each([
    'date_unavailable',
    'no_date',
    'no_dates',
    'no_slots',
    'no_more_offers',
    'booking_failed',
    'place_too_far',
    'no_longer_open',
    'not_understand',
    'not_available',
  ])('%s sets the caller back', (act) => {
    expect(rule(`a: [${act}] {}`, 'c: [reject_date] {}')).toBe('log_ends_on_no');
    expect(decide('c: [give_name] {Ada}', `a: [${act}] {}`)).toMatchObject({
      rule: 'log_ends_unanswered',
      confidence: 0.8,
    });
  });

  test.each([
    'confirm_schedule',
    'confirmed_the_booking',
    'confirm_cancellation',
    'confirm_changes',
    'confirmation_order',
    'scheduled_confirm',
    'booking_confirmed',
    'cancel_confirm',
    'change_confirmed',
    'order_confirmation',
    'inform',
    'inform_next_steps',
    'agent_inform',
  ])('%s tells of a deed', (act) => {
    expect(rule('c: [give_name] {Ada}', `a: [${act}] {}`)).toBe('log_ends_on_result');
  });

  test.each(['information_request', 'confirm_name', 'misinform'])('%s tells of none', (act) => {
    expect(rule('c: [give_name] {Ada}', `a: [${act}] {}`)).toBe('log_ends_unanswered');
  });

  test.each(['propose', 'proposed_date', 'offer_date', 'suggest'])('%s offers', (act) => {
    expect(rule('c: [propose_date] {friday}', `a: [${act}] {friday}`)).toBe('log_ends_on_offer');
    expect(rule('c: [give_name] {Ada}', `a: [${act}] {friday}`)).toBe('log_ends_unanswered');
  });

  test('an offer that is not to be had is none', () => {
    expect(rule('c: [propose_date] {friday}', 'a: [propose_unavailable] {friday}')).toBe('log_ends_unanswered');
  });
});

describe('how sure a log is', () => {
  test.each([
    ['of an answer', ['c: [give_name] {Ada}'], 0.4],
    ['of an answer after a setback', ['a: [date_unavailable] {}', 'c: [give_date] {friday}'], 0.2],
    ['of a silence after a question', ['c: [give_name] {Ada}', 'a: [ask_phone] {}'], 0.6],
    ['of a silence after a no', ['c: [reject_date] {}', 'a: [ask_phone] {}'], 0.8],
  ])('%s', (_, lines, confidence) => {
    expect(decide(...lines)?.confidence).toBe(confidence);
  });

  test('only the last answer of the caller counts for a silence', () => {
    const lines = ['c: [reject_date] {}', 'a: [ask_name] {}', 'c: [give_name] {Ada}', 'a: [ask_phone] {}'];
    expect(decide(...lines)).toMatchObject({ confidence: 0.6, turns: [5, 6] });
  });

  test('an agent that speaks alone is answered by nobody', () => {
    expect(decideCoded(talk('a: [greet] {}', 'a: [ask] {}', 'a: [ask] {}', 'a: [propose] {x}'))).toMatchObject({
      outcome: 'abandoned',
      confidence: 0.6,
      turns: [null, 3],
    });
  });

  test('offers that were accepted are no refusals', () => {
    const lines = ['c: [confirm_date] {}', 'a: [propose_time] {nine}', 'c: [reject_time] {}'];
    expect(rule(...lines)).toBe('log_ends_on_answer');
  });
});

test.each([
  ['a talk in words', ['a: Hello.', 'c: a table please', 'a: For when?', 'c: Friday']],
  ['a log whose first turn is in words', ['a: Hello.', ...BEGINNING, 'c: [confirm_date] {}']],
  ['a log with one turn in words', [...BEGINNING, 'c: yes please']],
  ['three acts', BEGINNING],
  ['nothing', []],
  ['brackets that hold a sound', ['a: [music]', 'c: [noise]', 'a: [music]', 'c: [noise]']],
])('no outcome is read out of %s', (_, lines) => {
  expect(decideCoded(talk(...lines))).toBeNull();
});
