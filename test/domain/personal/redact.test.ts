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

describe('postal addresses', () => {
  test.each([
    ['I live at 742 Evergreen Terrace, Apt 4B, Springfield, IL 62704.', 'I live at [address].'],
    ['Send it to 12 Elm Street please', 'Send it to [address] please'],
    ['It is 350 5th Ave.', 'It is [address].'],
    ['my address is twelve elm street', 'my address is [address]'],
    ['221B Baker Street, London NW1 6XE', '[address]'],
    ['Ich wohne in der Lindenstraße 5a, 10115 Berlin.', 'Ich wohne in der [address].'],
    ['Kölner Str. 12, 50667 Köln', '[address]'],
    ['Der Wagen steht am Gartenweg 7.', 'Der Wagen steht am [address].'],
    ['Vivo en la Calle Mayor 5, 28013 Madrid.', 'Vivo en la [address].'],
    ['Es Avda. de América, 23', 'Es [address]'],
    ["J'habite 12 rue de la Paix, 75002 Paris.", "J'habite [address]."],
    ['3, place Victor Hugo', '[address]'],
  ])('%s', (text, wanted) => {
    expect(said(text)).toBe(wanted);
  });

  test.each([
    'It is a one way street, 5 minutes down the road.',
    'We open at 8 AM close at 5.',
    'I have 2 kids and 3 small dogs, drive slowly.',
    'Ordering 2 pizzas, offering 3 drinks.',
    'Der Parkplatz 12 ist frei, der Heimweg 20 Minuten.',
    'Vom Gartenweg 10 Minuten zu Fuß.',
    'En la Plaza Mayor, 7 personas.',
    'Flat 5 percent, unit 3 is broken.',
    'The four lane road is closed.',
    'I live on Elm Street.',
    'My email address is fine, your address is on file.',
  ])('none: %s', (text) => {
    expect(said(text)).toBe(text);
  });

  test('the answer to a question for it, what reads it back, and fields of tools', () => {
    const { call, payload } = redact(
      [
        turn(0, 'agent', 'What is your address?'),
        turn(1, 'caller', 'nine birch lane'),
        turn(2, 'agent', 'so nine birch lane then, anything else?'),
        {
          ...turn(3, 'agent', ''),
          toolCall: { id: 't', name: 'ship', args: { address: { line1: '9 Birch Ln', zip: '02139', city: 'Salem' } } },
        },
      ],
      { email_address: 'none', ip_address: '10.0.0.1', shipping_address: '9 Birch Ln' },
    );
    expect(call.turns.map(({ text }) => text)).toEqual([
      'What is your address?',
      '[address]',
      'so [address] then, anything else?',
      '',
    ]);
    expect(call.turns[3]?.toolCall?.args).toEqual({ address: { line1: '[address]', zip: '[address]', city: 'Salem' } });
    expect(payload).toEqual({ email_address: 'none', ip_address: '10.0.0.1', shipping_address: '[address]' });
  });
});

test('of a text that is too long to go through nothing is kept beyond what was gone through', () => {
  const filler = 'so it is. '.repeat(49_991);
  const long = `${filler}Card 4111 1111 1111 1111. ${'x'.repeat(5_000)} and 5555 5555 5555 4444`;
  const { call } = redact([turn(0, 'caller', long)]);
  const text = call.turns[0]?.text ?? '';
  expect(text).toMatch(/\[rest of a text too long to redact\]$/);
  expect(text).not.toContain('4444');
  expect(call.redacted).toMatchObject({ 'rest of a text too long to redact': 1 });
});

test('names of fields hold values too, and nothing lies too deep', () => {
  const deep = Array.from({ length: 70 }).reduce<Json>((inner) => [inner], 'card 4111 1111 1111 1111');
  const { payload } = redact([turn(0, 'caller', 'Hello.')], { '+16175550144': { '4111111111111111': 1 }, deep });
  expect(JSON.stringify(payload)).not.toMatch(/6175550144|4111/);
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
