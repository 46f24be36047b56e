import { describe, expect, test } from 'vitest';
import type { Turn } from '../../../src/domain/calls/call.ts';
import type { Json } from '../../../src/domain/json.ts';
import { isNationalNumber } from '../../../src/domain/personal/national-numbers.ts';
import { findOwnPattern, parseOwnPattern } from '../../../src/domain/personal/own-pattern.ts';
import { openRedactor, type RedactionRules } from '../../../src/domain/personal/redact.ts';
import { REDACTED_KINDS } from '../../../src/domain/vocabulary.ts';
import { makeCall, turn } from '../../support/analysed-calls.ts';

const ALL: RedactionRules = { kinds: [...REDACTED_KINDS], patterns: [] };

function redactorFor(rules: RedactionRules) {
  const redactor = openRedactor(rules);
  if (redactor === null) throw new Error('These rules leave out nothing.');
  return redactor;
}

const redact = (turns: Turn[], payload: Json = null, rules = ALL) =>
  redactorFor(rules).call({ call: makeCall({ providerCallId: '6175550133', turns }), payload });

const said = (text: string, rules = ALL, asked = 'How can I help?') =>
  redact([turn(0, 'agent', asked), turn(1, 'caller', text)], null, rules).call.turns[1]?.text;

describe('what is said', () => {
  test.each([
    ['My card is 4111 1111 1111 1111.', 'My card is [card].'],
    ['It is four one one one, one one one one, one one one one, one one one one.', 'It is [card].'],
    ['Write to mia@example.org or mia dot k at example dot org', 'Write to [email] or [email]'],
    ['Call (617) 555-0133 or +44 20 7946 0958.', 'Call ([phone] or [phone].'],
    ['IBAN DE89 3704 0044 0532 0130 00', 'IBAN [iban]'],
    ['My social is 123-45-6789.', 'My social is [national number].'],
    ['This is Quillan Vostrikov.', 'This is [name].'],
    [
      'Friday at 3:30 on 2026-11-27, room 204, 12,500 dollars, order 48213.',
      'Friday at 3:30 on 2026-11-27, room 204, 12,500 dollars, order 48213.',
    ],
  ])('%s', (text, wanted) => {
    expect(said(text)?.replace('([phone]', '[phone]')).toBe(wanted.replace('([phone]', '[phone]'));
  });

  test('a number that fails its check digit is no card', () => {
    expect(said('It is 4111 1111 1111 1112.')).toBe('It is 4111 1111 1111 1112.');
  });

  test('only what is asked for is left out', () => {
    const cards: RedactionRules = { kinds: ['card'], patterns: [] };
    expect(said('4111 1111 1111 1111, mia@example.org', cards)).toBe('[card], mia@example.org');
    expect(openRedactor({ kinds: [], patterns: [] })).toBeNull();
  });

  test('a number that is read out in pieces, and the answer to a question for one', () => {
    const { call } = redact([
      turn(0, 'agent', 'What is your phone number?'),
      turn(1, 'caller', 'six one seven'),
      turn(2, 'agent', 'Mhm.'),
      turn(3, 'caller', 'five five five, oh one double three'),
      turn(4, 'agent', 'And when were you here?'),
      turn(5, 'caller', 'in room 204'),
    ]);
    expect(call.turns.map(({ text }) => text)).toEqual([
      'What is your phone number?',
      '[phone]',
      'Mhm.',
      '[phone]',
      'And when were you here?',
      'in room 204',
    ]);
    expect(call.redacted).toEqual({ phone: 2 });
  });
});

test('what was said is left out of tools, variables and the payload too; ids and times stay', () => {
  const toolCall = { id: 'tc_1', name: 'find', args: { phone: 6175550144, note: 'for Quillan', at: 1795773600 } };
  const turns = [
    turn(0, 'caller', 'I am Quillan Vostrikov, 617-555-0144, card 4111 1111 1111 1111.'),
    { ...turn(1, 'agent', ''), toolCall },
  ];
  const payload = {
    call_id: '6175550133',
    from_number: '+16175550144',
    start_timestamp: 1_795_773_600_123,
    transcript_object: [
      { role: 'user', content: 'I am Quillan Vostrikov, card 4111 1111 1111 1111.', words: [{ word: '4111' }] },
    ],
    summary: 'Vostrikov paid with 4111111111111111.',
  };
  const read = redact(turns, payload);
  expect(read.call.turns[1]?.toolCall?.args).toEqual({ phone: '[phone]', note: 'for [name]', at: 1795773600 });
  expect(read.payload).toEqual({
    call_id: '6175550133',
    from_number: '[phone]',
    start_timestamp: 1_795_773_600_123,
    transcript_object: [{ role: 'user', content: 'I am [name], card [card].', words: [] }],
    summary: '[name] paid with [card].',
  });
  expect(read.call.redacted).toEqual({ name: 2, phone: 2, card: 1 });
  expect(read.call.providerCallId).toBe('6175550133');
});

describe('national numbers', () => {
  test.each([
    ['12345678Z', [8, 1]],
    ['52998224725', [11]],
    ['86095742719', [11]],
    ['44051401359', [11]],
    ['AB123456C', [2, 6, 1]],
    ['123456789', [3, 2, 4]],
    ['255081416802538', [15]],
  ])('%s', (chars, groups) => {
    expect(isNationalNumber(chars, groups)).toBe(true);
  });
  test.each([
    ['12345678A', [8, 1]],
    ['52998224726', [11]],
    ['123456789', [9]],
  ])('not %s', (chars, groups) => {
    expect(isNationalNumber(chars, groups)).toBe(false);
  });
});

describe('own patterns', () => {
  const find = (pattern: string, text: string) => {
    const parsed = parseOwnPattern(pattern);
    if (typeof parsed === 'string') throw new Error(parsed);
    return findOwnPattern(parsed, text, { left: 1_000_000 }).map(({ from, to }) => text.slice(from, to));
  };

  test.each([
    ['MRN-\\d{6}', 'MRN-123456, mrn-654321, MRN-12', ['MRN-123456', 'mrn-654321']],
    ['[A-Z]{2}\\d{4,8}', 'AB1234567890 and x12', ['AB12345678']],
    ['cust_\\w+|\\d{3}\\.\\d', 'cust_9a8 and 123.4', ['cust_9a8', '123.4']],
    ['P-?\\d{5}', 'P12345 P-12345', ['P12345', 'P-12345']],
    ['[^\\d\\s]+x', 'ABCx 12x', ['ABCx']],
  ])('%s', (pattern, text, wanted) => {
    expect(find(pattern, text)).toEqual(wanted);
  });

  test.each([
    '(a+)+$',
    'a(?=b)',
    '^a',
    'a$',
    '\\1',
    '[a',
    'a{2',
    '*',
    'a?',
    '',
    'a'.repeat(201),
    'a{65}',
    '\\d+\\d+\\d+\\d+\\d+',
  ])('refused with a reason: %s', (pattern) => {
    expect(parseOwnPattern(pattern)).toMatch(/^[^\n]+/);
  });

  test('it is named in the place of what it fits', () => {
    const rules: RedactionRules = { kinds: [], patterns: [{ name: 'patient number', pattern: 'MRN-\\d{6}' }] };
    expect(said('I am MRN-123456.', rules)).toBe('I am [patient number].');
  });
});

describe('texts that a sender chose to be slow', () => {
  const patterns = (pattern: string) => openRedactor({ kinds: ['email'], patterns: [{ name: 'own', pattern }] });

  test('a text of nothing but finds takes no longer than one of few', () => {
    const text = 'a@b.co '.repeat(20_000);
    expect(patterns('zz')?.text(text)).toBe('[email] '.repeat(20_000));
  });

  test('where a pattern can be searched no further, the whole text is left out', () => {
    const slow = Array.from({ length: 8 }, () => '.*.*.{63}ü').join('|');
    expect(patterns(slow)?.text('ab '.repeat(2_000))).toBe('[own]');
    expect(patterns('ab\\d')?.text('ab1 '.repeat(2_000))).toBe('[own] '.repeat(2_000));
  });
});
