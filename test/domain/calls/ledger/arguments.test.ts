import { describe, expect, test } from 'vitest';
import { toolNamed } from '../../../support/played.ts';
import type { Given } from '../../signals/scripted-call.ts';
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
