import { describe, expect, test } from 'vitest';
import { discoverIntents, type SampleCall } from '../../../src/domain/calls/intent-discovery.ts';
import { assignIntents } from '../../../src/domain/calls/intents.ts';
import type { KnownIntent } from '../../../src/domain/calls/known-intent.ts';
import { intentNamed, nameKey, namesToOffer } from '../../../src/domain/calls/named-intents.ts';

const NEW = { settled: false, seed: 1 };
const SETTLED = { settled: true, seed: 1 };

const read = (callId: string, named: string, said = 'hello there', intent: string | null = null): SampleCall => ({
  callId,
  requests: [`${named} for a caller`],
  said: [said],
  named,
  intent,
});
const intentOf = (found: ReturnType<typeof discoverIntents>, callId: string) => found.byCall.get(callId)?.intent;
const kept = (slug: string, label: string): KnownIntent => ({
  kind: 'intent',
  slug,
  label,
  terms: {},
  calls: 1,
  parent: slug,
  kept: true,
});

describe('names that say the same', () => {
  test.each([
    ['move appointment', 'Reschedule a visit'],
    ['change appointment', 'reschedule appointment'],
    ['book table', 'reserve a table'],
    ['check order status', 'Track order'],
    ['cancel reservation', 'Cancel my booking'],
    ['request refund', 'get a refund'],
  ])('%s and %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.each([
    ['book appointment', 'cancel appointment'],
    ['move appointment', 'move delivery'],
    ['ask about hours', 'ask about prices'],
  ])('but not %s and %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});

test('a name becomes a slug, a label and the thing above it', () => {
  expect(intentNamed('Reschedule  Dental Appointment!')).toEqual({
    slug: 'reschedule_dental_appointment',
    label: 'Reschedule dental appointment',
    parent: { slug: 'appointment', label: 'Appointment' },
  });
  expect(intentNamed('complain').parent).toEqual({ slug: 'complain', label: 'Complain' });
});

describe('a discovery', () => {
  test('makes one intent of names of one matter, under the commonest of them', () => {
    const found = discoverIntents(
      [],
      [
        read('a', 'move appointment'),
        read('b', 'reschedule appointment'),
        read('c', 'reschedule appointment'),
        read('d', 'move dental appointment'),
        read('e', 'cancel appointment'),
      ],
      NEW,
    );
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => intentOf(found, id))).toEqual([
      ...Array.from({ length: 4 }, () => 'reschedule_appointment'),
      'cancel_appointment',
    ]);
    expect(new Set([...found.byCall.values()].map(({ useCase }) => useCase))).toEqual(new Set(['appointment']));
  });

  test('sorts calls that nobody read beside those that a reader named, by the words of their callers', () => {
    const said = [
      'where is my parcel',
      'my parcel has not come yet',
      'where is the parcel please',
      'when does my parcel come',
    ];
    const found = discoverIntents(
      [],
      [
        ...said.map((words, at) => read(`read${at}`, 'track parcel', words)),
        ...said.map((words, at): SampleCall => ({ callId: `own${at}`, requests: [words], intent: null })),
      ],
      NEW,
    );
    for (const [, { intent }] of found.byCall) expect(intent).toBe('track_parcel');
  });

  test('names a call of a language without lists, and one whose caller said nothing with matter', () => {
    const found = discoverIntents(
      [],
      [read('a', 'renew passport', 'haluaisin uusia passin'), read('b', 'renew passport', 'hm')],
      NEW,
    );
    expect(['a', 'b'].map((id) => intentOf(found, id))).toEqual(['renew_passport', 'renew_passport']);
  });

  test('takes "none" for no name and "wrong number" for a wrong number', () => {
    const found = discoverIntents([], [read('a', 'none', 'hm'), read('b', 'Wrong number')], NEW);
    expect(['a', 'b'].map((id) => intentOf(found, id))).toEqual(['no_request', 'wrong_number']);
  });

  test('leaves a call in the intent that a person keeps, and finds it under its old name too', () => {
    const known = [kept('move_appointment', 'Dates'), kept('find_note', 'Lost notes')];
    const found = discoverIntents(
      known,
      [read('a', 'reschedule appointment'), read('b', 'move appointment', 'x', 'find_note')],
      NEW,
    );
    expect(['a', 'b'].map((id) => intentOf(found, id))).toEqual(['move_appointment', 'find_note']);
  });

  test('has the slug of an intent that went into another one stand for it', () => {
    const first = assignIntents([], [{ callId: 'a', requests: ['x'], named: 'move dental appointment' }]);
    const sample = [
      read('a', 'move dental appointment', 'x', 'move_dental_appointment'),
      read('b', 'move appointment'),
    ];
    expect(discoverIntents(first.intents, sample, NEW).dissolved).toEqual([
      { slug: 'move_dental_appointment', into: 'move_appointment' },
    ]);
    expect(discoverIntents(first.intents, sample, SETTLED).dissolved).toEqual([]);
  });

  test('leaves out names of few calls where there are many calls', () => {
    const many = Array.from({ length: 800 }, (_, at) =>
      read(`m${at}`, 'move appointment', 'please move my appointment'),
    );
    const found = discoverIntents([], [...many, read('odd', 'sell goldfish', 'my goldfish sings')], NEW);
    expect(intentOf(found, 'odd')).not.toBe('sell_goldfish');
  });
});

describe('a call that is stored', () => {
  test('gets the known intent that its name says, else a new one', () => {
    const known = [kept('move_appointment', 'Move appointment')];
    const { byCall, intents } = assignIntents(known, [
      { callId: 'a', requests: ['x'], named: 'reschedule appointment' },
      { callId: 'b', requests: ['x'], named: 'Pay invoice' },
      { callId: 'c', requests: ['x'], named: 'pay bill' },
    ]);
    expect(['a', 'b', 'c'].map((id) => byCall.get(id)?.intent)).toEqual([
      'move_appointment',
      'pay_invoice',
      'pay_invoice',
    ]);
    expect(intents.find(({ kind, slug }) => kind === 'intent' && slug === 'pay_invoice')).toMatchObject({
      label: 'Pay invoice',
      calls: 2,
    });
  });

  test('makes no intent beyond those that an agent may have', () => {
    const known = Array.from({ length: 60 }, (_, at) => kept(`book_thing${at}`, `Book thing${at}`));
    const { byCall } = assignIntents(known, [{ callId: 'a', requests: [''], named: 'sell goldfish' }]);
    expect(byCall.get('a')?.intent).toBe('no_request');
  });
});

test('a reader is offered what readers and people named, each matter once', () => {
  const standing = [
    { slug: 'move_appointment', label: 'Move appointment', kept: false },
    { slug: 'find_note', label: 'Find note', kept: false },
    { slug: 'send', label: 'Parcels abroad', kept: true },
    { slug: 'no_request', label: 'No request', kept: false },
  ];
  const named = ['reschedule appointment', 'move appointment', 'pay invoice', 'Pay the bill', 'none'];
  expect(namesToOffer(named, standing)).toEqual(['Move appointment', 'Parcels abroad', 'Pay invoice']);
});
