import { describe, expect, test } from 'vitest';
import { readCall } from '../../../../src/domain/signals/reading.ts';
import { toolNamed } from '../../../support/played.ts';
import { type Given, type Line, scripted } from '../../signals/scripted-call.ts';
import { rulesIn, used } from './found.ts';

const NODE = { id: 'n1', label: 'Parcel', kind: 'say', toolName: null, edges: [] };

/** What is found where a tool is given a code after this was said. */
const givenAfter = (said: string, code: string, given: Given = {}) =>
  rulesIn([{ a: 'Hello.' }, { c: said }, ...used('get_parcel', { parcel: code }, { state: 'on its way' })], given);

describe('a code that a tool is given is known from', () => {
  test.each([
    ['what the caller wrote', 'It is TR90417, thanks.', 'TR90417'],
    ['the caller in other capitals', 'it is tr90417', 'TR-90417'],
    ['what was spelled', 'It is T as in Tom, R, nine oh four one seven.', 'TR90417'],
    ['a double figure', 'It is T R double nine four one seven.', 'TR99417'],
    ['a slip of the recogniser in one letter', 'It is T I 90417.', 'TR90417'],
    ['a slip in two figures', 'It is T R 90 5 2 7.', 'TR90417'],
    ['a word and a figure put together', 'The coupon is summer eight, I think.', 'SUMMER8'],
    ['words joined by a line', 'I am Ada Berg and my number is 77.', 'ada_berg_77'],
    ['a longer code that holds it', 'It is XX TR90417 99.', 'TR90417'],
    ['a letter too many', 'It is T R S 90417.', 'TR90417'],
  ])('%s', (_, said, code) => {
    expect(givenAfter(said, code)).toEqual([]);
  });

  test.each([
    ['de', 'Guten Tag, meine Nummer ist T R neun null vier eins sieben, bitte schauen Sie nach.'],
    ['fr', 'Bonjour, mon numéro est T R neuf zéro quatre un sept, vous pouvez regarder ?'],
    ['es', 'Hola, mi número es T R nueve cero cuatro uno siete, ¿lo puede mirar por favor?'],
  ])('figures in words of another language (%s)', (language, said) => {
    expect(givenAfter(said, 'TR90417', { language })).toEqual([]);
  });

  const lost = 'Where is my parcel?';

  test.each([
    ['three figures are others', 'It is T R 9 5 2 2 8.', 'TR90417'],
    ['only its letters were said', 'It is something with T R.', 'TR90417'],
    ['only one of its parts was said', 'I am Ada and my number is 78.', 'ada_berg_77'],
  ])('nothing, where %s', (_, said, code) => {
    expect(givenAfter(said, code)).toEqual(['never_said']);
  });

  test.each<[string, Given]>([
    ['the prompt', { configuration: { prompt: 'For tests use parcel TR90417.' } }],
    ['a variable of the agent', { configuration: { variables: { parcel: 'TR90417' } } }],
    ['a variable of the call', { variables: { parcel: 'TR90417' } }],
    ['the id of the call', { providerCallId: 'call-TR90417' }],
    ['the caller’s number', { callerNumber: 'TR90417' }],
    [
      'the description of a tool',
      { configuration: { tools: [toolNamed('get_parcel', { description: 'Try TR90417.' })] } },
    ],
    ['the text of a step', { configuration: { nodes: [{ ...NODE, text: 'Read out TR-90417.' }] } }],
    ['elsewhere, where the agent placed the call', { direction: 'outbound' }],
  ])('%s', (_, given) => {
    expect(givenAfter(lost, 'TR90417', given)).toEqual([]);
    expect(givenAfter(lost, 'TR90417')).toEqual(['never_said']);
  });

  test('an earlier result, and no later one', () => {
    const found = used('find_parcels', { name: 'Berg' }, { parcels: ['TR90417'] });
    const get = used('get_parcel', { parcel: 'TR90417' }, { state: 'on its way' });
    expect(rulesIn([{ c: lost }, ...found, ...get])).toEqual([]);
    expect(rulesIn([{ c: lost }, ...get, ...found])).toEqual(['never_said']);
  });

  test('words before the tool, and none behind it', () => {
    const get = used('get_parcel', { parcel: 'TR90417' }, { state: 'on its way' });
    expect(rulesIn([{ c: lost }, ...get, { a: 'Is it TR90417?' }, { c: 'Yes, TR90417.' }])).toEqual(['never_said']);
  });
});

describe('what only looks like a code is not asked for its source', () => {
  test.each([
    ['a day', '2026-11-30'],
    ['a time', '2026-11-30T10:00'],
    ['a number', '4471902'],
    ['a number below nothing', '-4471902'],
    ['a time of the clock with its zone', '09-30UTC'],
    ['letters of four figures', 'A-771'],
    ['a word', 'standard'],
    ['a sentence', 'Leave it at number 12 please'],
    ['an e-mail address', 'ada77@example.com'],
    ['a short code', 'A7'],
    ['nothing', ''],
    ['signs', '---'],
    ['a token of a machine', `k${'7x'.repeat(30)}`],
  ])('%s', (_, value) => {
    expect(givenAfter('Where is my parcel?', value)).toEqual([]);
  });

  test('but a made-up code is, once for each use', () => {
    const twice = used('get_parcel', { parcel: 'TR90417', depot: 'DP55120' }, { state: 'lost' });
    expect(rulesIn([{ c: 'Where is my parcel?' }, ...twice])).toEqual(['never_said']);
  });
});

describe('a choice between things on file', () => {
  const FILE = {
    cards: {
      card_4417: { brand: 'mastercard', last_four: '4417' },
      card_9023: { brand: 'visa', last_four: '9023' },
    },
  };
  const paid = (
    talk: readonly Line[],
    { args = { card_id: 'card_9023' }, file = FILE }: { args?: Record<string, string>; file?: object } = {},
  ) =>
    rulesIn([
      { c: 'I want to pay for my course.' },
      ...used('get_customer', {}, file),
      ...talk,
      ...used('pay_course', args, { done: true }),
    ]);
  const yes: Line = { c: 'Yes, please.' };
  const taken: Line[] = [
    { c: 'I want to pay.' },
    ...used('get_customer', {}, FILE),
    ...used('pay_course', { card_id: 'card_9023' }, {}),
  ];

  test.each([
    ['by its brand', 'Shall I take the Visa?'],
    ['by its last figures', 'Shall I take the one ending 9023?'],
    ['by its last figures one by one', 'Shall I take the one ending in nine zero two three?'],
    ['by its last figures in pairs', 'Shall I take the one ending 90 23?'],
    ['as the usual one', 'Shall I take the usual card?'],
    ['as the one on file', 'Shall I take the card that is on file?'],
  ])('was made where it is named %s', (_, line) => {
    expect(paid([{ a: line }, yes])).toEqual([]);
  });

  test('was made where the caller names it', () => {
    expect(paid([{ a: 'Which one?' }, { c: 'The one that ends in nine oh two three.' }])).toEqual([]);
  });

  test.each([
    ['nobody names any', 'Shall I go ahead?'],
    ['another one is named', 'Shall I take the one ending in four four one seven?'],
  ])('was not made where %s', (_, line) => {
    expect(paid([{ a: line }, yes])).toEqual(['never_chosen']);
  });

  test('was not made where it is named behind the tool', () => {
    expect(rulesIn([...taken, { a: 'I took the Visa.' }])).toEqual(['never_chosen']);
  });

  test('is asked of calls that the agent placed too', () => {
    expect(rulesIn(taken, { direction: 'outbound' })).toEqual(['never_chosen']);
  });

  test('is none of a tool that only looks', () => {
    expect(
      rulesIn([
        { c: 'I want to pay.' },
        ...used('get_customer', {}, FILE),
        ...used('get_card', { card_id: 'card_9023' }, {}),
      ]),
    ).toEqual([]);
  });

  test.each([
    ['deep in the result', { customer: { wallet: { cards: FILE.cards } } }, ['never_chosen']],
    ['in a list', { customers: [FILE] }, []],
    ['beside what is no such thing', { cards: { ...FILE.cards, default: { brand: 'amex' } } }, []],
    ['as texts', { cards: { card_4417: 'mastercard', card_9023: 'visa' } }, []],
  ])('is read where things on file stand %s', (_, file, rules) => {
    expect(paid([{ a: 'Shall I go ahead?' }, yes], { file })).toEqual(rules);
  });

  test.each([
    ['The customer must provide the card to pay with.', 'The customer must provide the card to pay with.'],
    ['  - Each user has to confirm which card is used.  ', '- Each user has to confirm which card is used.'],
    ['The customer must provide the street.', null],
    ['We take every card.', null],
  ])('names the line of the prompt that asks for it: %s', (line, ordered) => {
    const [finding] = readCall(scripted(taken, { configuration: { prompt: `Be kind.\n${line}` } })).findings();
    expect(finding?.facts).toEqual({ rule: 'never_chosen', argument: 'card_id', ordered });
  });

  test('is none where only one stands on file', () => {
    const file = { cards: { card_9023: { brand: 'visa', last_four: '9023' } } };
    expect(paid([{ a: 'Shall I go ahead?' }, yes], { file })).toEqual([]);
  });

  test('is none where the argument holds something else than what callers keep on file', () => {
    expect(paid([{ a: 'Shall I go ahead?' }, yes], { args: { course_id: 'card_9023' } })).toEqual([]);
  });
});

describe('a place that a tool is given to act on', () => {
  const sent = (said: string, place: string, given: Given = {}) =>
    rulesIn([{ a: 'Hello.' }, { c: said }, ...used('book_ride', { pickup_address: place }, { ok: true })], given);

  test('is made up where nobody said most of its words', () => {
    expect(sent('a ride for two at nine please', 'Harbour Museum, north entrance')).toEqual(['place_never_said']);
  });

  test('is none where it is an e-mail address', () => {
    const lines = used('book_ride', { email_address: 'john.smith@harbour.example' }, { ok: true });
    expect(rulesIn([{ a: 'Hello.' }, { c: 'a ride please' }, ...lines])).toEqual([]);
  });

  test.each<[string, string, string, Given]>([
    ['it is written out in full', 'to oak street in denver', 'Oak Street, Denver, Colorado, United States', {}],
    ['the caller said it', 'from the harbour museum the north entrance', 'Harbour Museum, north entrance', {}],
    ['it is spelled otherwise', 'from the harber musem north entrence', 'Harbour Museum, north entrance', {}],
    ['it is short', 'a ride please', 'Museum', {}],
    [
      'the prompt knows it',
      'a ride please',
      'Harbour Museum, north entrance',
      { configuration: { prompt: 'All rides begin at Harbour Museum, north entrance.' } },
    ],
    [
      'the call was placed for it',
      'a ride please',
      'Harbour Museum, north entrance',
      { variables: { from: 'Harbour Museum, north entrance' } },
    ],
  ])('is not, where %s', (_, said, place, given) => {
    expect(sent(said, place, given)).toEqual([]);
  });
});
