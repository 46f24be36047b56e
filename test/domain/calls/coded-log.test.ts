import { expect, test } from 'vitest';
import { decideCoded } from '../../../src/domain/calls/coded-log.ts';
import { talk } from '../acts/talk.ts';

const BEGINNING = ['a: [greet] {}', 'c: [request_date] {}', 'a: [propose_date] {time}'];

const outcome = (...lines: readonly string[]) => decideCoded(talk(...BEGINNING, ...lines))?.outcome;

test.each([
  ['a yes', ['c: [confirm_date] {}'], 'resolved'],
  ['what the agent had asked for', ['a: [ask_name] {}', 'c: [give_name] {Ada}'], 'resolved'],
  ['a deed', ['c: [give_name] {Ada}', 'a: [confirm_booking_scheduled] {time}'], 'resolved'],
  ['a no after an offer that was not to be had', ['a: [date_unavailable] {}', 'c: [reject_date] {}'], 'unresolved'],
  ['a second no', ['c: [reject_date] {}', 'a: [propose_date] {time}', 'c: [reject_date] {}'], 'unresolved'],
  ['a question after a setback', ['a: [date_unavailable] {}', 'c: [ask_other_date] {}'], 'unresolved'],
  ['an offer that nobody answers', ['c: [reject_date] {}', 'a: [propose_date] {time}'], 'abandoned'],
  ['a question that nobody answers', ['c: [give_name] {Ada}', 'a: [ask_phone] {}'], 'abandoned'],
])('a log of acts that ends on %s', (_, lines, expected) => {
  expect(outcome(...lines)).toBe(expected);
});

test.each([
  ['a talk in words', ['a: Hello.', 'c: a table please', 'a: For when?', 'c: Friday']],
  ['a log with one turn in words', [...BEGINNING, 'c: yes please']],
  ['three acts', BEGINNING],
  ['brackets that hold a sound', ['a: [music]', 'c: [noise]', 'a: [music]', 'c: [noise]']],
])('no outcome is read out of %s', (_, lines) => {
  expect(decideCoded(talk(...lines))).toBeNull();
});
