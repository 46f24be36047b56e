import { describe, expect, test } from 'vitest';
import { toolNamed } from '../../../support/played.ts';
import type { Line } from '../../signals/scripted-call.ts';
import { rulesIn, used } from './found.ts';

const LOOK: Line[] = [{ c: 'Is it in my budget?' }, ...used('get_price', { what: 'stove' }, { price: 130 })];

describe('two amounts that the agent compares', () => {
  const told = (line: string) => rulesIn([...LOOK, { a: line }]).filter((rule) => rule === 'comparison_false');

  test.each([
    'It costs $130, which is more than $100.',
    'It costs $130, which is not less than $100.',
    'It costs $130, which is above your limit of $100.',
    'It costs $100, which is within your limit of $100.',
    'It costs $90, which is within your budget of $100.',
    'It costs one hundred and thirty dollars, which is more than a hundred dollars.',
    'You pay $130 instead of $100.',
    'It costs $130, which isn’t less than $100.',
    "It costs $130, which isn't below your limit of $100.",
    'It costs $100, which is not more than $100.',
    'It costs $130. Less than $100 is not possible.',
    'It costs $130 and the other one was bought, which is less than $100 off.',
    'It costs 130, which is less than 100.',
    'more than $100',
    '$',
  ])('the right way round, or not at all: %s', (line) => {
    expect(told(line)).toEqual([]);
  });

  test.each([
    'It costs $130, which is less than $100.',
    'It costs $130, which is not more than $100.',
    'It costs $130, which is below your limit of $100.',
    'It costs $130, which is within your budget of $100.',
    'It costs $90, which is over your limit of $100.',
    'It costs one hundred and thirty dollars, which is still less than one hundred dollars.',
    'It costs €130, that was fewer than €100.',
    'It costs 130 pounds, that would be under the threshold of 100 pounds.',
    'It costs 130 euros which will be well below a maximum of 100 euros',
    'THE STOVE COSTS 130 EUROS WHICH IS LESS THAN 100 EUROS',
    "It costs $130, which isn't more than $100.",
    'It costs $130, which isn’t above your balance of $100.',
    'It costs $130, which isn’t still greater than $100.',
    'It costs $90, which is also higher than $100.',
    'It costs $90, which is not lower than $100.',
    'One is $50, another $130, which is less than $100.',
  ])('the wrong way round: %s', (line) => {
    expect(told(line)).toEqual(['comparison_false']);
  });
});

describe('a field of the record whose values the prompt names', () => {
  const prompt =
    'A basic member swims once a week. A silver member swims twice. A gold member comes whenever they like. ' +
    'An active member may rest for a month. A personal member brings guests. Tell this to each member and to another member.';
  const told = (line: string, membership = 'basic') =>
    rulesIn([{ c: 'What may I do?' }, ...used('get_member', {}, { membership }), { a: line }], {
      configuration: { prompt },
    });

  test.each([
    ['As a gold member you come whenever you like.', 'basic'],
    ['Since you are a silver member, that is twice a week.', 'gold'],
    ['Your gold membership runs on, you are a gold member.', 'silver'],
    ["You're a silver member.", 'Basic'],
    ['You’re a silver member.', 'gold'],
    ['As an active member you come whenever you like.', 'basic'],
    ['Your personal member card is ready.', 'gold'],
  ])('is told otherwise: %s', (line, membership) => {
    expect(told(line, membership)).toEqual(['attribute_differs']);
  });

  test.each([
    ['as it is', 'As a basic member you swim once a week.'],
    ['as a condition', 'If you were a gold member, you come whenever you like.'],
    ['as what it is not', 'Your pass is not a gold member pass.'],
    ['as one of several', 'As a silver or gold member you swim more.'],
    ['as a choice', 'You are either a gold member soon, or you wait.'],
    ['as one of many', 'You are like each member, and like another member.'],
    ['as what it is not, in a short form', "Your pass isn't a gold member pass."],
    ['as what it may become', 'You can upgrade your pass and become a gold member.'],
    ['as an offer', 'You could become a gold member on your next visit.'],
    ['as a value that the prompt does not name', 'As a happy member you know that.'],
    ['of others', 'Gold members come whenever they like.'],
  ])('is in order where it is told %s', (_, line) => {
    expect(told(line)).toEqual([]);
  });

  test.each([
    ['of which the prompt names no other value', 'A basic member swims once a week.'],
    ['whose own value the prompt does not name', 'A silver member swims twice. A gold member swims.'],
  ])('is not read %s', (_, only) => {
    const lines: Line[] = [
      { c: 'What may I do?' },
      ...used('get_member', {}, { membership: 'basic' }),
      { a: 'As a gold member you come whenever you like.' },
    ];
    expect(rulesIn(lines, { configuration: { prompt: only } })).toEqual([]);
  });

  test('may be any that a result gave it', () => {
    const lines: Line[] = [
      { c: 'What may I do?' },
      ...used('get_member', {}, { membership: 'basic' }),
      ...used('upgrade_member', {}, { membership: 'gold' }),
      { a: 'As a gold member you come whenever you like.' },
    ];
    expect(rulesIn(lines, { configuration: { prompt } })).not.toContain('attribute_differs');
  });

  test('is not read from a result that failed', () => {
    const lines: Line[] = [
      { c: 'What may I do?' },
      { call: 'get_member', args: {} },
      { result: 'get_member', body: { membership: 'basic' }, ok: false },
      { a: 'As a gold member you come whenever you like.' },
    ];
    expect(rulesIn(lines, { configuration: { prompt } })).not.toContain('attribute_differs');
  });

  test('is not read before the record was', () => {
    const lines: Line[] = [
      { a: 'As a gold member you pay less.' },
      { c: 'Am I?' },
      ...used('get_member', {}, { membership: 'basic' }),
    ];
    expect(rulesIn(lines, { configuration: { prompt } })).toEqual([]);
  });
});

describe('an agent that says it can not look something up', () => {
  const configuration = { tools: [toolNamed('get_court_bookings'), toolNamed('cancel_court_booking')] };
  const told = (line: string, before: readonly Line[] = used('get_member', {}, { name: 'Ito' })) =>
    rulesIn([{ c: 'Which courts do I have?' }, ...before, { a: line }], { configuration });

  test.each([
    "I can't see your court bookings.",
    'I am unable to look up court bookings.',
    'I do not have access to view your court booking.',
    "I don't have the ability to check court bookings.",
    "I don't have access to find your court booking.",
    'I cannot pull up your court bookings.',
    'I can not retrieve your court bookings.',
    "I'm not able to get your court bookings.",
    'SORRY, I CANNOT ACCESS YOUR COURT BOOKINGS.',
    'I can’t see your court bookings.',
  ])('has a tool for it that it never used: %s', (line) => {
    expect(told(line)).toEqual(['look_up_unused']);
  });

  test.each([
    ['is about something else', "I can't see your racket."],
    ['only names a part of what the tool is for', "I can't see your bookings."],
    ['is about changing it', "I can't move your court bookings."],
    ['looks elsewhere first', "I can't, before the manager comes back from lunch, look up court bookings."],
  ])('has no tool for it where the sentence %s', (_, line) => {
    expect(told(line)).toEqual([]);
  });

  test('has used it', () => {
    expect(told("I can't see your court bookings.", used('get_court_bookings', {}, { bookings: [] }))).toEqual([]);
  });
});
