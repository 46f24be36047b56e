import { describe, expect, test } from 'vitest';
import { discoverIntents } from '../../../src/domain/calls/intent-discovery.ts';
import { asksWithMatter, hasMatter, requestTerms } from '../../../src/domain/calls/request-terms.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { scripted } from '../signals/scripted-call.ts';

const terms = (text: string) => [...requestTerms([text]).weights.keys()].filter((term) => !term.includes(' '));

/** The label of the only intent of these requests, each made by three callers. */
function labelOf(requests: readonly string[]): string {
  const sample = [0, 1, 2].flatMap((round) =>
    requests.map((request, at) => ({ callId: `c${round}-${at}`, requests: [request], intent: null })),
  );
  const { intents } = discoverIntents([], sample, { settled: false, seed: 1 });
  return intents
    .filter(({ kind }) => kind === 'intent')
    .map(({ label }) => label)
    .join(', ');
}

describe('what a request says', () => {
  test('is nothing where it only greets, in four languages', () => {
    for (const text of ['Hello, good morning!', 'Guten Tag, hallo.', '¡Buenos días!', 'Bonjour madame.'])
      expect(terms(text)).toEqual([]);
  });

  test('is the same for words that mean the same to any business', () => {
    expect(terms('I want to reschedule my visit')).toEqual(terms('can I move my appointment'));
    expect(terms('Ich möchte meinen Termin verschieben')).toEqual(['appointment', 'move']);
    expect(terms('Quiero cancelar mi cita')).toEqual(['cancel', 'appointment']);
    expect(terms('Je voudrais annuler mon rendez-vous')).toContain('cancel');
  });

  test('holds no people, numbers or days', () => {
    expect(terms('My sister wants to order two pizzas on Friday')).toEqual(['order', 'pizza']);
    expect(terms('Meine Mutter braucht am Montag zwei Rezepte')).toEqual(['prescription']);
  });
});

describe('the terms of a request', () => {
  const weights = (...requests: string[]) => Object.fromEntries(requestTerms(requests).weights);

  test('are its words at full weight, and pairs of them at half', () => {
    expect(weights('I want to order a pizza')).toEqual({ order: 1, pizza: 1, 'order pizza': 0.5 });
  });

  test('count half in later requests, and nothing behind the third', () => {
    expect(weights('I want to order a pizza', 'can you cancel my order')).toEqual({
      order: 1,
      pizza: 1,
      'order pizza': 0.5,
      cancel: 0.5,
      'cancel order': 0.25,
    });
    expect(weights('can I order a cake', 'hm', 'cancel it', 'print it')).not.toHaveProperty('print');
    expect(weights('can I order a cake', 'hm', 'cancel it')).toHaveProperty('cancel');
  });

  test('count less in sentences that do not ask', () => {
    expect(weights("J'ai perdu l'adresse.")).toEqual({ perdu: 0.4, address: 0.4, 'perdu address': 0.2 });
    expect(weights('The kiln cracked. Can you repair it?')).toMatchObject({ kiln: 0.4, repair: 1 });
  });

  test.each([
    ['how long does the repair take?', { '?long': 0.7 }],
    ['when do you open?', { '?when': 0.7 }],
    ['where is my parcel?', { '?where': 0.7 }],
    ['how much is a pizza and how many slices?', { '?much': 0.7, '?many': 0.7 }],
  ])('hold the kind of a question: %s', (text, kinds) => {
    const found = Object.entries(weights(text)).filter(([term]) => term.startsWith('?'));
    expect(Object.fromEntries(found)).toEqual(kinds);
  });

  test('hold no kind where nothing is asked so', () => {
    expect(
      Object.keys(weights('how do I order a pizza, and however long')).filter((term) => term.startsWith('?')),
    ).toEqual([]);
  });

  test.each([
    ['can you print the red poster', ['print'], ['poster']],
    ['I want to order a pizza', ['order'], ['pizza']],
    ['please cancel my order', ['cancel'], ['order']],
    ['I want my order', [], ['order']],
    ['Ich möchte den Termin verschieben', ['move'], ['appointment']],
    ['Quiero cancelar la cita', ['cancel'], ['appointment']],
    ["Je voudrais changer l'adresse", ['change'], ['address']],
  ])('are deeds or things by where they stand: %s', (text, acts, things) => {
    const { acts: found, things: held } = requestTerms([text]);
    expect([...found.keys()]).toEqual(acts);
    expect([...held]).toEqual(expect.arrayContaining(things));
    expect([...held].filter((term) => acts.includes(term))).toEqual([]);
  });

  test('leave names of people and places out', () => {
    const { names, weights: found } = requestTerms(['I want to see Anna Berg about my invoice. Anna was kind.']);
    expect([...names]).toEqual(['anna', 'berg']);
    expect(found.has('berg')).toBe(false);
    expect(requestTerms(['Can I Order A Large Pizza Now Please']).names.size).toBe(0);
    expect(requestTerms(['Ich möchte eine Lampe kaufen']).names.size).toBe(0);
    expect(requestTerms(['I want to Cancel my order']).names.size).toBe(0);
  });

  test('keep the form in which each was said first', () => {
    const { spoken } = requestTerms(['I want my parcels', 'where is my parcel']);
    expect(spoken.get('parcel')).toBe('parcels');
  });

  test('are sixty at most', () => {
    const many = Array.from(
      { length: 200 },
      (_, at) => `thing${'abcdefghijklmnopqrst'[at % 20]}${'abcdefghij'[at % 10]}${'uvwxyz'[at % 6]}`,
    );
    expect(requestTerms([`I want ${many.join(' ')}`]).weights.size).toBeLessThanOrEqual(61);
  });
});

test.each([
  ['hello', false, false],
  ['', false, false],
  ['on Friday at two', false, false],
  ['pizza', true, false],
  ['cold pizza again', true, false],
  ['a pizza?', true, true],
  ['I want a pizza', true, true],
  ['hello?', false, false],
  ['Ich möchte einen Termin', true, true],
  ['der Termin war gut', true, false],
])('"%s" has matter: %s, and asks with it: %s', (text, matter, asks) => {
  expect(hasMatter(text)).toBe(matter);
  expect(asksWithMatter(text)).toBe(asks);
});

describe('the name of an intent', () => {
  test('is a verb and a thing in the callers’ words', () => {
    expect(
      labelOf(['I want to order a pizza', 'can I order a pizza for tonight', 'please let me order a large pizza']),
    ).toBe('Order pizza');
    expect(
      labelOf(['can you vaccinate my puppy', 'I need to vaccinate our puppy', 'I want to vaccinate a puppy please']),
    ).toBe('Vaccinate puppy');
  });

  test('follows the order of German, Spanish and French', () => {
    expect(
      labelOf([
        'Ich möchte meinen Termin absagen',
        'Ich muss den Termin am Dienstag absagen',
        'Guten Tag, ich würde gern einen Termin absagen',
      ]),
    ).toBe('Termin absagen');
    expect(
      labelOf(['Quiero cancelar mi cita', 'Necesito cancelar una cita', 'Buenos días, quisiera cancelar la cita']),
    ).toBe('Cancelar cita');
    expect(
      labelOf([
        'Je voudrais annuler ma commande',
        'Je veux annuler une commande',
        'Bonjour, il faut annuler la commande',
      ]),
    ).toBe('Annuler commande');
  });

  test('says that callers ask about a thing where they want nothing done with it', () => {
    expect(labelOf(['what are your opening hours', 'when are your opening hours', 'the opening hours please'])).toBe(
      'Ask about opening hours',
    );
  });

  test('is general where neither a verb nor a thing stands out', () => {
    expect(labelOf(['it is so loud', 'so loud again', 'very loud here'])).toBe('General request');
  });

  test('holds no name that a recogniser wrote without a capital', () => {
    const label = labelOf([
      'cancel my booking for aarav ifoyyz',
      'please cancel the booking for aarav ifoyyz',
      'I want to cancel a booking for aarav',
    ]);
    expect(label).toBe('Cancel booking');
  });
});

describe('matters of a business', () => {
  const pizza = [
    ['I want to order a pizza', 'can I order two pizzas', 'I would like to order a large pizza'],
    ['my pizza is cold and I want a refund', 'I want my money back, a refund for the pizza', 'please refund my pizza'],
    ['where is the driver', 'when will the driver be here', 'can you check where the driver is'],
  ];
  const sample = pizza.flatMap((matter, kind) =>
    [0, 1, 2, 3].flatMap((round) =>
      matter.map((text, at) => ({ callId: `p${kind}-${round}-${at}`, requests: [text], intent: null })),
    ),
  );
  const discover = (list: typeof sample) => discoverIntents([], list, { settled: false, seed: 1 });

  test('are its intents', () => {
    const { byCall } = discover(sample);
    for (const kind of [0, 1, 2]) {
      const own = sample
        .filter(({ callId }) => callId.startsWith(`p${kind}`))
        .map(({ callId }) => byCall.get(callId)?.intent);
      expect(new Set(own).size).toBe(1);
    }
    expect(new Set([...byCall.values()].map(({ intent }) => intent)).size).toBe(3);
  });

  test('have no sub use case where none tells their calls apart', () => {
    expect(new Set([...discover(sample).byCall.values()].map(({ subUseCase }) => subUseCase))).toEqual(new Set([null]));
  });

  test('are found again whatever was found before', () => {
    const early = discover(sample.filter((_, at) => at % 5 === 0));
    const standing = sample.map((call) => ({ ...call, intent: early.byCall.get(call.callId)?.intent ?? null }));
    const late = discoverIntents(early.intents, standing, { settled: false, seed: 1 });
    const once = discover(sample);
    for (const { callId } of sample) expect(late.byCall.get(callId)?.intent).toBe(once.byCall.get(callId)?.intent);
  });
});

describe('the request of a call', () => {
  test('is what asks, and not the greeting before it, in German, Spanish and French', () => {
    for (const [greeting, request] of [
      ['Guten Tag, hier ist Frau Albers.', 'Ich möchte meinen Termin bei der Ärztin verschieben.'],
      ['Buenos días, soy Lucía.', 'Quiero cambiar la cita de mi perro.'],
      ['Bonjour, madame Perrin.', 'Je voudrais commander deux pizzas.'],
    ] as const) {
      const { requests } = analyseCall(scripted([{ c: greeting }, { a: 'Hm?' }, { c: request }]), {});
      expect(requests.map(({ text }) => text)).toEqual([request]);
    }
  });
});
