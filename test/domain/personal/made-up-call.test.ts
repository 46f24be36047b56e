import { describe, expect, test } from 'vitest';
import type { Turn } from '../../../src/domain/calls/call.ts';
import type { Json } from '../../../src/domain/json.ts';
import { isCard, isIban } from '../../../src/domain/personal/checksums.ts';
import { withMadeUpPeople } from '../../../src/domain/personal/made-up-call.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { makeTest } from '../../../src/domain/tests/generate.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { makeAnalysis, makeCall, turn } from '../../support/analysed-calls.ts';

type Said = ['agent' | 'caller', string] | ['tool', string, Json, Json];

function turnsOf(said: readonly Said[]): Turn[] {
  const turns: Turn[] = [];
  for (const one of said) {
    const index = turns.length;
    if (one[0] !== 'tool') {
      turns.push(turn(index, one[0], one[1]));
      continue;
    }
    const [, name, args, body] = one;
    const id = `t${index}`;
    turns.push({ ...turn(index, 'agent', ''), toolCall: { id, name, args } });
    const toolResult = { id, name, ok: true, okSource: 'flag' as const, body, latencyMs: null };
    turns.push({ ...turn(index + 1, 'tool', ''), toolResult });
  }
  return turns;
}

function madeUp(said: readonly Said[], configuration: AgentConfiguration | null = null): Turn[] {
  const call = makeCall({ providerCallId: 'made-up-1', turns: turnsOf(said) });
  return withMadeUpPeople({ call, analysis: makeAnalysis({}), signals: [], configuration }).call.turns;
}

const texts = (turns: readonly Turn[]) => turns.map(({ text }) => text);
const one = (text: string, asked = 'How can I help?') =>
  madeUp([
    ['agent', asked],
    ['caller', text],
  ])[1]?.text ?? '';
const digitsOf = (text: string) => text.replaceAll(/\D/g, '');
const FIGURES = 'zero one two three four five six seven eight nine'.split(' ');
const figuresOf = (text: string) =>
  text
    .split(/[^a-z]+/)
    .map((word) => FIGURES.indexOf(word))
    .filter((figure) => figure >= 0)
    .join('');

const CONFIGURATION: AgentConfiguration = {
  name: 'Desk',
  language: 'en',
  prompt: 'You answer for Lakeside Clinic, 20 Harbor Street. Our number is 617-555-0199. Doctor Osei works on Fridays.',
  firstMessage: null,
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
};

describe('a whole call', () => {
  const said: Said[] = [
    ['agent', 'Lakeside Clinic, this is Ava. May I have your full name?'],
    ['caller', 'sure, ottoline grabowski'],
    ['agent', 'Could you spell the last name?'],
    ['caller', 'g r a b o w s k i'],
    ['agent', 'Thank you, Ottoline. And your date of birth?'],
    ['caller', 'march fourth nineteen eighty two'],
    ['agent', 'And a phone number?'],
    ['caller', 'six one seven, five five five, oh one double three'],
    ['agent', 'That is 617-555-0133, born 03/04/1982. And your address?'],
    ['caller', 'forty two elm tree road, apartment 3, zip oh two one three four'],
    [
      'tool',
      'register_patient',
      {
        name: 'Ottoline Grabowski',
        dob: '1982-03-04',
        phone: '+16175550133',
        address: '42 Elm Tree Rd, Apt 3',
        zip: '02134',
        email: 'o.grabowski82@mail.com',
      },
      { patient_id: 'P-88120', patient: 'Ottoline Grabowski', phone_last4: '0133' },
    ],
    [
      'agent',
      'Done, Ms. Grabowski. A mail went to o dot grabowski eighty two at mail dot com. Your number is P 8 8 1 2 0.',
    ],
    ['caller', 'Thanks, bye.'],
  ];
  const call = makeCall({ providerCallId: 'whole', turns: turnsOf(said) });
  const analysis = analyseCall({ call, configuration: null }, {});
  const made = makeTest({ call, analysis, signals: analysis.signals, configuration: null }, { kind: 'call' });
  const turns = madeUp(said);

  test('nothing of the caller stands in the test', () => {
    const written = JSON.stringify(made).toLowerCase();
    for (const own of ['ottoline', 'grabowski', 'g r a b o w', '1982', 'eighty two', '0133', 'double three', '02134'])
      expect(written).not.toContain(own);
    for (const own of ['elm', 'mail.com', 'mail dot com', '88120', '8 8 1 2', 'six one seven', 'oh two one three'])
      expect(written).not.toContain(own);
  });

  test('what the tool was asked agrees with what was said', () => {
    const args = turns[10]?.toolCall?.args as Record<string, string>;
    const [given, family] = (args.name ?? '').split(' ');
    expect(turns[1]?.text).toBe(`sure, ${given?.toLowerCase()} ${family?.toLowerCase()}`);
    expect(turns[3]?.text.replaceAll(' ', '')).toBe(family?.toLowerCase());
    expect(turns[4]?.text).toContain(`Thank you, ${given}.`);
    expect(figuresOf(turns[7]?.text ?? '')).toBe(args.phone?.slice(2));
    expect(turns[8]?.text).toContain(args.phone?.slice(2).replace(/(...)(...)(....)/, '$1-$2-$3'));
    const [year, month, day] = args.dob?.split('-') ?? [];
    expect(turns[8]?.text).toContain(`${month}/${day}/${year}`);
    expect(figuresOf(turns[9]?.text.split('zip')[1] ?? '')).toBe(args.zip);
    const body = turns[11]?.toolResult?.body as Record<string, string>;
    expect(body.phone_last4).toBe(args.phone?.slice(-4));
    expect(body.patient).toBe(args.name);
    expect(turns[12]?.text).toContain(args.email?.replace('@', ' at ').replaceAll('.', ' dot '));
    expect(turns[12]?.text).toContain([...(body.patient_id ?? '').replace('-', '')].join(' '));
  });

  test('the test is told by the call: another time it is the same', () => {
    expect(makeTest({ call, analysis, signals: analysis.signals, configuration: null }, { kind: 'call' })).toEqual(
      made,
    );
  });
});

describe('numbers', () => {
  test.each([
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111111111111111',
    '5555 5555 5555 4444',
    '3782 822463 10005',
  ])('the card %s stays one, in its shape', (card) => {
    const made = /card is (.*)\.$/.exec(one(`My card is ${card}.`))?.[1] ?? '';
    expect(made).not.toBe(card);
    expect(made.replaceAll(/\d/g, '0')).toBe(card.replaceAll(/\d/g, '0'));
    expect(isCard(digitsOf(made))).toBe(true);
  });

  test('a card that is read out over several turns is one card, and so are its last digits', () => {
    const turns = madeUp([
      ['agent', 'Card number please?'],
      ['caller', 'four one one one'],
      ['agent', 'mhm'],
      ['caller', 'one one one one, one one one one'],
      ['agent', 'go on'],
      ['caller', 'one one one one'],
      ['tool', 'pay', { card: '4111111111111111', amount: 129900 }, { ok: true }],
      ['agent', 'The card ending in 1111 was charged.'],
    ]);
    const { card, amount } = (turns[6]?.toolCall?.args ?? {}) as { card: string; amount: number };
    expect(isCard(card)).toBe(true);
    expect([1, 3, 5].map((at) => figuresOf(turns[at]?.text ?? '')).join('')).toBe(card);
    expect(turns[8]?.text).toBe(`The card ending in ${card.slice(-4)} was charged.`);
    expect(amount).toBe(129_900);
  });

  test('an account number keeps its country and check digits', () => {
    const made = /IBAN (.*)\.$/.exec(one('My IBAN DE89 3704 0044 0532 0130 00.'))?.[1] ?? '';
    expect(made).toMatch(/^DE\d\d( \d{4}){4} \d\d$/);
    expect(made).not.toContain('3704');
    expect(isIban(made.replaceAll(' ', ''))).toBe(true);
  });

  test.each([
    ['Call me at (617) 555-0133.', /^Call me at \(\d{3}\) \d{3}-\d{4}\.$/],
    ['Call me at +44 20 7946 0958.', /^Call me at \+44 \d\d \d{4} \d{4}\.$/],
    ['My social is 123-45-6789.', /^My social is \d{3}-\d\d-\d{4}\.$/],
    ['The last four are 8841.', /^The last four are \d{4}\.$/],
    ['License D1234567, please.', /^License [A-Z]\d{7}, please\.$/],
    ['I live at SW1A 2AA.', /^I live at [A-Z]{2}\d[A-Z] \d[A-Z]{2}\.$/],
    ['Member K 4 7 B 1 9.', /^Member [A-Z] \d \d [A-Z] \d \d\.$/],
    ['06 12 34 56 78', /^\d\d \d\d \d\d \d\d \d\d$/],
  ])('%s', (text, shape) => {
    expect(one(text)).toMatch(shape);
    expect(one(text)).not.toBe(text);
  });

  test.each([
    'Friday at 3:30 on 2026-11-27, for 4 people, room 204, 12,500 dollars.',
    'Two rooms for three nights from 4/12/2026, once more, with the iPhone 15, flight at 10 AM.',
    'At 2 30 p.m., 49.99 or 59.99?',
  ])('what is no number of a person stays: %s', (text) => {
    expect(one(text)).toBe(text);
  });

  test('a number of the agent itself stays, also where the caller says it', () => {
    const [, caller] = madeUp(
      [
        ['agent', 'You reached 617-555-0199.'],
        ['caller', 'I am at 20 Harbor Street, is that 6175550199? Doctor Osei knows.'],
      ],
      CONFIGURATION,
    );
    expect(caller?.text).toContain('20 Harbor Street, is that 6175550199?');
  });
});

describe('names', () => {
  test.each([
    ['This is Quillan Vostrikov, please book me Friday.', /^This is [A-Z]\w+ [A-Z]\w+, please book me Friday\.$/],
    ['hi my name is patricia brown and i lost my card', /^hi my name is [a-z]+ [a-z]+ and i lost my card$/],
    ["I'm Quillan, calling about my bill.", /^I'm [A-Z]\w+, calling about my bill\.$/],
    ['It is under Mrs. Vostrikov.', /^It is under Mrs\. [A-Z]\w+\.$/],
    ['My daughter Emily needs a checkup.', /^My daughter [A-Z]\w+ needs a checkup\.$/],
    ['Quillan speaking.', /^[A-Z]\w+ speaking\.$/],
    ['Mein Name ist Hartmut Krawutschke, ich bin Kunde.', /^Mein Name ist [A-Z]\w+ [A-Z]\w+, ich bin Kunde\.$/],
    ['Me llamo José Ibarrola.', /^Me llamo [A-Z]\w+ [A-Z]\w+\.$/],
    ["Je m'appelle Aurélie Montferrand.", /^Je m'appelle [A-Z]\w+ [A-Z]\w+\.$/],
  ])('%s', (text, shape) => {
    const made = one(text);
    expect(made).toMatch(shape);
    for (const name of ['Quillan', 'Vostrikov', 'patricia', 'brown', 'Emily', 'Krawutschke', 'Ibarrola', 'Aurélie'])
      expect(made).not.toContain(name);
  });

  test.each([
    'This is urgent. I am calling about my order. I’m American.',
    'It’s Monday, this is important, I will call in May.',
    'Can I get a haircut? Mark it as paid.',
    'Ich bin Kunde bei Ihnen und möchte einen Termin.',
  ])('no name: %s', (text) => {
    expect(one(text)).toBe(text);
  });

  test('a name that is a word too is replaced where it stands as a name alone', () => {
    const made = texts(
      madeUp([
        ['agent', 'Who is calling?'],
        ['caller', 'This is Will Grantham.'],
        ['agent', 'Thanks, Will. Will you come in May?'],
        ['caller', 'I will.'],
      ]),
    );
    expect(made[2]).toMatch(/^Thanks, (?!Will)[A-Z]\w+\. Will you come in May\?$/);
    expect(made[3]).toBe('I will.');
  });

  test('a name that was heard wrong is no leak, and the agent keeps its own', () => {
    const made = texts(
      madeUp([
        ['agent', 'Hello, this is Ava. What is your name?'],
        ['caller', 'Vostrikov.'],
        ['agent', 'Thank you Mr Vostrikoff.'],
        ['caller', 'Thanks, Ava.'],
      ]),
    );
    expect(made.join(' ')).not.toContain('Vostriko');
    expect(made[0]).toContain('this is Ava');
  });

  test('things that have names keep them', () => {
    const body: Json = [{ name: 'Deep Clean', price: 120 }, { name: 'Window Wash' }];
    const turns = madeUp([
      ['caller', 'What do you offer?'],
      ['tool', 'list_services', { name: 'Deep Clean', service_name: 'Deep Clean' }, body],
    ]);
    expect(turns[1]?.toolCall?.args).toEqual({ name: 'Deep Clean', service_name: 'Deep Clean' });
    expect(turns[2]?.toolResult?.body).toEqual(body);
  });

  test('ids that are made of names change with them', () => {
    const turns = madeUp([
      ['caller', 'I am Mia Garcia.'],
      ['tool', 'find_user', { first_name: 'Mia' }, 'mia_garcia_4516'],
    ]);
    const [, given = '', family = ''] = /^I am (\w+) (\w+)\.$/.exec(turns[0]?.text ?? '') ?? [];
    expect(turns[2]?.toolResult?.body).toBe(`${given}_${family}_4516`.toLowerCase());
  });
});

describe('birthdays and addresses', () => {
  test.each([
    ['the 13th of August 1933', /^the \d\d(?:st|nd|rd|th) of [A-Z][a-z]+ 19\d\d$/],
    ['8/13/1933', /^\d\/\d\d\/19\d\d$/],
    ['I was born on March 4th, 82', /^I was born on [A-Z][a-z]+ \d(?:st|nd|rd|th), \d\d$/],
    ['geboren am 4. März 1961', /^geboren am \d\. \p{Lu}\p{L}+ 19\d\d$/u],
    ['nací el 4 de marzo de 1961', /^nací el \d de [a-z]+ de 19\d\d$/],
  ])('%s', (text, shape) => {
    expect(one(text)).toMatch(shape);
    expect(one(text)).not.toBe(text);
  });

  test('of a child only where it is asked for', () => {
    expect(one('June 3rd 2024', 'What is the date of birth?')).not.toContain('June 3rd');
    expect(one('June 3rd 2024', 'Which day suits you?')).toBe('June 3rd 2024');
  });

  test.each([
    ['I live at 7 Fox Hollow Court.', /^I live at \d \p{L}+ \p{L}+ Court\.$/u],
    ['It is twelve elm street.', /^It is [a-z ]+ street\.$/],
    ['Lindenstraße 47 in Bremen', /^\p{Lu}\p{Ll}+straße \d\d in Bremen$/u],
    ['12 rue Victor Hugo', /^\d\d rue \p{Lu}\p{L}+ \p{Lu}\p{L}+$/u],
  ])('%s', (text, shape) => {
    expect(one(text)).toMatch(shape);
    expect(one(text)).not.toBe(text);
  });
});
