import { describe, expect, test } from 'vitest';
import { assignIntents, type IntentCall } from '../../../src/domain/calls/intents.ts';

const BOOK = [
  'I want to book a table for tonight',
  'Can I book a table please',
  'I would like to book a table for four',
  'booking a table on Friday',
];
const CANCEL = [
  'I need to cancel my reservation',
  'please cancel the reservation',
  'cancel my reservation for Monday',
  'can you cancel a reservation',
];
const HOURS = ['what are your opening hours', 'opening hours on Sunday please', 'I want to know the opening hours'];

const calls = (prefix: string, requests: readonly string[]): IntentCall[] =>
  requests.map((request, at) => ({ callId: `${prefix}${at}`, requests: [request], objective: request }));
const BATCH = [
  ...calls('book', BOOK),
  ...calls('cancel', CANCEL),
  ...calls('hours', HOURS),
  ...calls('odd', ['my goldfish sings']),
];

describe('intents of a batch', () => {
  test('calls that ask for the same share an intent, and others do not', () => {
    const { byCall } = assignIntents([], BATCH);
    const slugs = (prefix: string, count: number) =>
      new Set(Array.from({ length: count }, (_, at) => byCall.get(`${prefix}${at}`)?.intent));
    expect(slugs('book', 4).size).toBe(1);
    expect(slugs('cancel', 4).size).toBe(1);
    expect(slugs('hours', 3).size).toBe(1);
    expect(new Set([...slugs('book', 4), ...slugs('cancel', 4), ...slugs('hours', 3)]).size).toBe(3);
  });

  test('they are named from their commonest words', () => {
    const { byCall, intents } = assignIntents([], BATCH);
    const slug = byCall.get('cancel0')?.intent ?? '';
    expect(slug).toMatch(/cancel/);
    expect(slug).toMatch(/reservation/);
    expect(intents.find((one) => one.kind === 'intent' && one.slug === slug)?.label).toMatch(/^[A-Z]/);
  });

  test('what fits nowhere is noise', () => {
    expect(assignIntents([], BATCH).byCall.get('odd0')?.intent).toBe('other');
  });

  test('every call gets all three levels', () => {
    for (const one of assignIntents([], BATCH).byCall.values()) {
      expect(one.intent).not.toBe('');
      expect(one.useCase).not.toBe('');
      expect(one.subUseCase).not.toBe('');
    }
  });
});

describe('known intents', () => {
  test('are reused before new ones are made, and keep their slugs', () => {
    const first = assignIntents([], BATCH);
    const again = assignIntents(first.intents, [
      ...calls('late', ['I would like to cancel a reservation']),
      ...calls('x', ['could I book a table']),
    ]);
    expect(again.byCall.get('late0')?.intent).toBe(first.byCall.get('cancel0')?.intent);
    expect(again.byCall.get('x0')?.intent).toBe(first.byCall.get('book0')?.intent);
    const slugs = (list: typeof first.intents) => list.map((one) => `${one.kind}:${one.slug}`);
    expect(slugs(again.intents)).toEqual(expect.arrayContaining(slugs(first.intents)));
  });

  test('are not changed in place, and count the calls that they took', () => {
    const first = assignIntents([], BATCH);
    const before = JSON.stringify(first.intents);
    const again = assignIntents(first.intents, calls('late', ['cancel my reservation please']));
    expect(JSON.stringify(first.intents)).toBe(before);
    const count = (list: typeof first.intents) =>
      list.filter((one) => one.kind === 'intent').reduce((sum, one) => sum + one.calls, 0);
    expect(count(again.intents)).toBe(count(first.intents) + 1);
  });

  test('the same batch gives the same intents', () => {
    expect(JSON.stringify(assignIntents([], BATCH).intents)).toBe(JSON.stringify(assignIntents([], BATCH).intents));
  });
});
