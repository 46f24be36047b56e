import { describe, expect, test } from 'vitest';
import type { KnownIntent } from '../../../src/domain/calls/known-intent.ts';
import { requestTerms } from '../../../src/domain/calls/request-terms.ts';
import { findSubUseCases } from '../../../src/domain/calls/sub-use-cases.ts';

const BALANCE: KnownIntent = {
  kind: 'intent',
  slug: 'check_balance',
  label: 'Check balance',
  terms: { balance: 1 },
  calls: 0,
  parent: null,
};
const about = (thing: string, count: number, intent = 'check_balance') =>
  Array.from({ length: count }, () => ({
    intent,
    terms: requestTerms([`I want to check the balance of my ${thing}`]),
  }));
const found = (calls: ReturnType<typeof about>, known: readonly KnownIntent[] = [BALANCE]) => {
  const intents = [...known];
  findSubUseCases(intents, calls);
  return intents.slice(known.length).map(({ slug, label, parent }) => [slug, label, parent]);
};

describe('kinds of a request', () => {
  test('are told apart by the thing that some of its calls name, the commonest first', () => {
    expect(found([...about('savings', 6), ...about('mortgage', 8), ...about('account', 16)])).toEqual([
      ['check_balance_account', 'Check balance: account', 'check_balance'],
      ['check_balance_mortgage', 'Check balance: mortgage', 'check_balance'],
      ['check_balance_savings', 'Check balance: savings', 'check_balance'],
    ]);
  });

  test.each([
    ['on fewer than twenty calls', [...about('savings', 6), ...about('mortgage', 13)]],
    ['by a thing of most calls', about('savings', 25)],
    ['by a thing of too few calls', [...about('savings', 2), ...about('', 23)]],
    ['of calls without a matter', [...about('savings', 6, 'other'), ...about('mortgage', 16, 'other')]],
    ['of an intent that is not known', [...about('savings', 6, 'odd'), ...about('mortgage', 16, 'odd')]],
  ])('are not found %s', (_, calls) => {
    expect(found(calls).filter(([slug]) => slug?.endsWith('savings'))).toEqual([]);
  });

  test('of a tenth of the calls are', () => {
    expect(found([...about('savings', 2), ...about('', 18)]).map(([slug]) => slug)).toEqual(['check_balance_savings']);
  });

  test('are four at most', () => {
    const things = ['savings', 'mortgage', 'pension', 'loan', 'card'];
    expect(found(things.flatMap((thing) => about(thing, 5)))).toHaveLength(4);
  });

  test('are made once and only added to', () => {
    const calls = [...about('savings', 6), ...about('mortgage', 8), ...about('', 8)];
    const intents = [BALANCE];
    findSubUseCases(intents, calls);
    findSubUseCases(intents, calls);
    expect(intents.map(({ slug }) => slug)).toEqual([
      'check_balance',
      'check_balance_mortgage',
      'check_balance_savings',
    ]);
  });

  test('are not told by the words of the intent itself', () => {
    const named = { ...BALANCE, slug: 'check_savings' };
    const calls = [...about('savings', 6, 'check_savings'), ...about('', 16, 'check_savings')];
    expect(found(calls, [named])).toEqual([]);
  });
});
