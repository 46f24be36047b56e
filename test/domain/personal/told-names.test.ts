import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { openNameRedactor, openRedactor } from '../../../src/domain/personal/redact.ts';
import { marksOf, namesByMarks, readToldNames } from '../../../src/domain/personal/told-names.ts';
import { readingWithoutNames } from '../../../src/domain/reading/reading-without-names.ts';
import { makeCall, turn } from '../../support/analysed-calls.ts';
import { NAMED_CALLS, namedAnswer, namedCall } from '../../support/named-calls.ts';

/** As import leaves it. */
function imported(call: ReturnType<typeof namedCall>) {
  const payload: Json = { all: call.turns.map(({ role, text }) => `${role}: ${text}`).join('\n') };
  const redactor = openRedactor({ kinds: ['name'], patterns: [] });
  return redactor === null ? { call, payload } : redactor.call({ call, payload });
}

const hash = (form: string) => Buffer.from(form).toString('hex');

describe('names that a reader tells', () => {
  test.each(NAMED_CALLS.map((named) => [named.customer, named] as const))('%s', (_, named) => {
    const read = imported(namedCall(named, 'call-1'));
    const answer = namedAnswer(named, read.call);
    const told = readToldNames(read.call, answer.people ?? []);
    const redactor = openNameRedactor(told);
    const after = redactor.call(read);
    const reading = readingWithoutNames(
      { questionDigest: '', answers: { windows: [answer] }, checked: null },
      read.call,
      redactor,
    );
    const kept = JSON.stringify([after, reading]);
    expect(named.gone.filter((word) => kept.includes(word))).toEqual([]);
    expect(named.stay.filter((word) => !kept.includes(word))).toEqual([]);
    const [finding] = reading.answers.windows[0]?.findings ?? [];
    expect(after.call.turns[4]?.text).toContain(finding?.quote);
    // Names are known again on the same record, and none else.
    const record = [read.call, read.payload] as unknown as Json;
    const again = namesByMarks(record, marksOf(told, hash), hash);
    expect([...again.words.keys()].filter((word) => !told.words.has(word))).toEqual([]);
    expect(new Set(again.unspaced)).toEqual(new Set(told.unspaced));
    expect(marksOf(again, hash).filter((mark) => !marksOf(told, hash).includes(mark))).toEqual([]);
    const written = JSON.stringify(openNameRedactor(again).call(read));
    expect(written).toBe(JSON.stringify(after));
  });

  test('that are words in lower case are known again where the record grew, and the words stay', () => {
    const said = ['thank you hope', 'yes, this is hope calling, i hope you can help'];
    const read = makeCall({ providerCallId: 'c', turns: said.map((text, at) => turn(at, 'caller', text)) });
    const people = [0, 1].map((at) => ({ turn: at, quote: 'hope' }));
    const told = readToldNames(read, people);
    const grown = { ...read, turns: [...read.turns, turn(2, 'caller', 'i hope so, there is hope')] };
    const payload: Json = { all: [...said, 'well i hope to see you'].join('\n') };
    const again = namesByMarks([grown, payload] as unknown as Json, marksOf(told, hash), hash);
    const after = openNameRedactor(again).call({ call: grown, payload });
    expect(after.call.turns.map(({ text }) => text)).toEqual([
      'thank you [name]',
      'yes, this is [name] calling, i [name] you can help',
      'i hope so, there is hope',
    ]);
    expect(after.payload).toEqual({
      all: 'thank you [name]\nyes, this is [name] calling, i [name] you can help\nwell i hope to see you',
    });
  });

  test.each<[string, string]>([
    ['what stands nowhere', 'Zelda'],
    ['what is left out already', '[name]'],
    ['a sentence', 'I would like to move the visit of my son'],
    ['nothing', '  '],
  ])('%s is no name', (_, quote) => {
    const call = makeCall({
      providerCallId: 'c',
      turns: [turn(0, 'caller', 'I would like to move the visit of my son, [name].')],
    });
    expect(readToldNames(call, [{ turn: 0, quote }])).toEqual({ words: new Map(), unspaced: [], exact: new Map() });
  });

  test('two names, of which one is read out, stand in one sentence', () => {
    const [first] = imported(
      makeCall({
        providerCallId: 'c',
        turns: [turn(0, 'caller', 'For Jean-Baptiste, L E F E V R E. My name is Jean Lefevre.')],
      }),
    ).call.turns;
    expect(first?.text).toBe('For [name]-[name], [name]. My name is [name].');
  });
});
