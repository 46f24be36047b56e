import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discoverIntents, type SampleCall } from '../../../src/domain/calls/intent-discovery.ts';
import { assignIntents } from '../../../src/domain/calls/intents.ts';
import type { KnownIntent } from '../../../src/domain/calls/known-intent.ts';

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

const calls = (prefix: string, requests: readonly string[], intent: string | null = null): SampleCall[] =>
  requests.map((request, at) => ({ callId: `${prefix}${at}`, requests: [request], intent }));
const CALLS = [
  ...calls('book', BOOK),
  ...calls('cancel', CANCEL),
  ...calls('hours', HOURS),
  ...calls('odd', ['my goldfish sings']),
];
const NEW = { settled: false, seed: 1 };

/** As the record would stand after it: calls with the intents that they were given. */
function standing(found: ReturnType<typeof discoverIntents>, sample: readonly SampleCall[]): SampleCall[] {
  return sample.map((call) => ({ ...call, intent: found.byCall.get(call.callId)?.intent ?? null }));
}

const intentsOf = (list: readonly KnownIntent[]) => list.filter((one) => one.kind === 'intent');

describe('a discovery', () => {
  const found = discoverIntents([], CALLS, NEW);
  const slugs = (prefix: string, count: number) =>
    new Set(Array.from({ length: count }, (_, at) => found.byCall.get(`${prefix}${at}`)?.intent));

  test('gives calls that ask for the same one intent, and others another', () => {
    expect(slugs('book', 4).size).toBe(1);
    expect(slugs('cancel', 4).size).toBe(1);
    expect(slugs('hours', 3).size).toBe(1);
    expect(new Set([...slugs('book', 4), ...slugs('cancel', 4), ...slugs('hours', 3)]).size).toBe(3);
  });

  test('names them after what callers want done and with what', () => {
    expect([...slugs('cancel', 1)]).toEqual(['cancel_reservation']);
    expect([...slugs('book', 1)]).toEqual(['book_table']);
    expect(intentsOf(found.intents).map(({ label }) => label)).toContain('Cancel reservation');
  });

  test('leaves a request that fits nowhere as other', () => {
    expect(found.byCall.get('odd0')?.intent).toBe('other');
  });

  test('puts intents with one object under one use case', () => {
    const both = discoverIntents(
      [],
      [
        ...calls('a', BOOK),
        ...calls(
          'b',
          BOOK.map((one) => one.replace(/book(ing)?/, 'move')),
        ),
      ],
      NEW,
    );
    const useCases = new Set([...both.byCall.values()].map(({ useCase }) => useCase));
    expect(useCases).toEqual(new Set(['table']));
  });

  test('names no intent after a person', () => {
    const named = [
      'I want to see Marion about my knee',
      'Can I see Marion about a knee',
      'please let me see Marion for my knee',
    ];
    const slug = discoverIntents([], calls('n', named), NEW).byCall.get('n0')?.intent;
    expect(slug).not.toMatch(/marion/);
    expect(slug).toMatch(/knee/);
  });

  test('comes to the same for the same calls', () => {
    expect(JSON.stringify(discoverIntents([], CALLS, NEW).intents)).toBe(JSON.stringify(found.intents));
  });

  test('tells small talk and wrong numbers from requests', () => {
    const { byCall } = assignIntents(found.intents, [
      { callId: 'hello', requests: [] },
      { callId: 'wrong', requests: ['sorry I think I have the wrong number'] },
    ]);
    expect(byCall.get('hello')?.intent).toBe('no_request');
    expect(byCall.get('wrong')?.intent).toBe('wrong_number');
  });

  test('gives each request of a call its own intent; the first is what the call is about', () => {
    const { byCall } = assignIntents(found.intents, [
      { callId: 'two', requests: ['can you cancel my reservation', 'and what are the opening hours'] },
    ]);
    const hours = [...slugs('hours', 1)][0];
    expect(byCall.get('two')).toMatchObject({
      intent: 'cancel_reservation',
      requestIntents: ['cancel_reservation', hours],
    });
  });
});

describe('known intents', () => {
  const first = discoverIntents([], CALLS, NEW);
  const later = [
    ...standing(first, CALLS),
    ...calls('late', ['I would like to cancel a reservation', 'could I book a table']),
  ];

  test('are reused for new calls, whatever the batch', () => {
    const one = assignIntents(first.intents, later.slice(-2));
    expect(one.byCall.get('late0')?.intent).toBe('cancel_reservation');
    expect(one.byCall.get('late1')?.intent).toBe('book_table');
  });

  test('give a call the same intent in any batch and any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...CALLS], { minLength: 1 }), fc.integer({ min: 1, max: 5 }), (list, size) => {
        const together = assignIntents(first.intents, CALLS).byCall;
        for (let at = 0; at < list.length; at += size) {
          const { byCall } = assignIntents(first.intents, list.slice(at, at + size));
          for (const [id, slugs] of byCall) expect(slugs).toEqual(together.get(id));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('keep their slugs in the next discovery', () => {
    const again = discoverIntents(first.intents, later, NEW);
    expect(again.dissolved).toEqual([]);
    for (const call of later.slice(0, 11)) expect(again.byCall.get(call.callId)?.intent).toBe(call.intent);
  });

  test('are not changed in place', () => {
    const before = JSON.stringify(first.intents);
    discoverIntents(first.intents, later, NEW);
    assignIntents(first.intents, later);
    expect(JSON.stringify(first.intents)).toBe(before);
  });

  test('never lose a call to another intent once the agent has settled', () => {
    const sample = fc.array(
      fc.record({
        at: fc.nat(10_000),
        request: fc.constantFrom(...BOOK, ...CANCEL, ...HOURS),
        intent: fc.constantFrom('book_table', 'cancel_reservation'),
      }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(sample, (given) => {
        const placed = given.map(({ request, intent }, at) => ({ callId: `c${at}`, requests: [request], intent }));
        const { byCall, dissolved } = discoverIntents(first.intents, placed, { settled: true, seed: 7 });
        expect(dissolved).toEqual([]);
        for (const call of placed) expect(byCall.get(call.callId)?.intent).toBe(call.intent);
      }),
      { numRuns: 20 },
    );
  });

  test('that a person named keep their calls and their name, whatever comes', () => {
    const kept = first.intents.map((one) =>
      one.slug === 'book_table' ? { ...one, label: 'Dinner', kept: true } : one,
    );
    const many = [
      ...later,
      ...calls(
        'x',
        Array.from({ length: 30 }, (_, at) => `I want to book a table outside please ${at}`),
      ),
    ];
    const again = discoverIntents(kept, many, NEW);
    expect(again.intents.find((one) => one.kind === 'intent' && one.slug === 'book_table')?.label).toBe('Dinner');
    for (const call of many.filter(({ intent }) => intent === 'book_table')) {
      expect(again.byCall.get(call.callId)?.intent).toBe('book_table');
    }
  });

  test('stay at most sixty, however many calls there are', () => {
    const words = Array.from(
      { length: 200 },
      (_, at) => `thing${String.fromCharCode(97 + (at % 26))}${String.fromCharCode(97 + Math.floor(at / 26))}`,
    );
    const many = calls(
      'm',
      Array.from({ length: 2000 }, (_, at) => `I want to fix my ${words[at % words.length]}`),
    );
    expect(intentsOf(discoverIntents([], many, NEW).intents).length).toBeLessThanOrEqual(60);
  });
});

describe('vectors of an embedding model', () => {
  test('bring requests together that share no word', () => {
    const asked = [
      'close my account',
      'shut it down for good',
      'stop being a customer',
      'where is my parcel',
      'track the delivery',
      'has it been sent',
    ];
    const sample = Array.from({ length: 24 }, (_, at) => ({
      callId: `v${at}`,
      requests: [asked[at % 6] ?? ''],
      intent: null,
      vector: at % 6 < 3 ? [1, 0.1 * (at % 3)] : [0.1 * (at % 3), 1],
    }));
    const { byCall } = discoverIntents([], sample, NEW);
    const slugs = (from: number) =>
      new Set(
        sample.filter((_, at) => at % 6 >= from && at % 6 < from + 3).map(({ callId }) => byCall.get(callId)?.intent),
      );
    expect(slugs(0).size).toBe(1);
    expect(slugs(3).size).toBe(1);
    expect([...slugs(0)]).not.toEqual([...slugs(3)]);
  });
});
