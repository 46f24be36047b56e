import { amount, clock, dateOf, type ReaderGrammar, type ReaderPattern, weekdayPatterns } from '../reader-grammar.ts';

const LOW =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix+sept dix+huit dix+neuf'
    .split(' ')
    .map((word) => word.replace('+', ' '));
const TENS: Record<string, number> = {
  vingt: 20,
  trente: 30,
  quarante: 40,
  cinquante: 50,
  soixante: 60,
  septante: 70,
  huitante: 80,
  octante: 80,
  'quatre vingt': 80,
  'quatre vingts': 80,
  nonante: 90,
};

const BELOW_100: Record<string, number> = { une: 1 };
for (const [value, word] of LOW.entries()) BELOW_100[word] = value;
for (const [tens, base] of Object.entries(TENS)) {
  BELOW_100[tens] = base;
  // "Soixante-dix-sept", "quatre-vingt-quinze": sixty and eighty count on to nineteen.
  const most = tens === 'soixante' || tens.startsWith('quatre') ? 19 : 9;
  for (let unit = 1; unit <= most; unit += 1) {
    BELOW_100[`${tens} ${LOW[unit] ?? ''}`] = base + unit;
    if (unit === 1 || unit === 11) BELOW_100[`${tens} et ${LOW[unit] ?? ''}`] = base + unit;
  }
  BELOW_100[`${tens} et une`] = base + 1;
}

const HUNDREDS: Record<string, number> = { cent: 100 };
for (let value = 2; value < 10; value += 1) {
  HUNDREDS[`${LOW[value] ?? ''} cent`] = value * 100;
  HUNDREDS[`${LOW[value] ?? ''} cents`] = value * 100;
}

const MONTHS: Record<string, number> = {};
for (const [place, name] of 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'
  .split(' ')
  .entries())
  MONTHS[name] = place + 1;

const HOUR = 'heure/heures/h';
const CURRENCY = 'euro/euros/€/eur/dollars/dollar/francs/franc/piastres';

const WEEKDAYS = {
  lundi: 'monday',
  mardi: 'tuesday',
  mercredi: 'wednesday',
  jeudi: 'thursday',
  vendredi: 'friday',
  samedi: 'saturday',
  dimanche: 'sunday',
};

const DATES: ReaderPattern[] = [
  ...weekdayPatterns(WEEKDAYS, 'personnes/couverts/adultes/tables', [`{hour} ${HOUR}`, `{hour} ${HOUR} {minute}`]),
  { said: '[le] {day} {month} {year}', reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year) },
  { said: '[le] {day} {month}', reads: ({ day = 0, month = 0 }) => dateOf(day, month) },
  { said: '[le] premier {month} {year}', reads: ({ month = 0, year = 0 }) => dateOf(1, month, year) },
  { said: '[le] premier {month}', reads: ({ month = 0 }) => dateOf(1, month) },
  { said: '[le] 1 er {month}', reads: ({ month = 0 }) => dateOf(1, month) },
  { said: '{day} / {monthnumber} / {year}', reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year) },
  { said: '{day} / {monthnumber}', reads: ({ day = 0, month = 0 }) => dateOf(day, month) },
  { said: '{day} . {monthnumber} . {year}', reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year) },
];

const HOURS: ReaderPattern[] = [
  {
    said: 'dans/sous/pendant/durant/depuis/encore {number} heure/heures',
    reads: ({ number = 0 }) => `${number} heures`,
  },
  { said: 'toutes les {number} heures', reads: ({ number = 0 }) => `${number} heures` },
  { said: `{hour} ${HOUR} moins le quart`, reads: ({ hour = 0 }) => clock(hour, -15) },
  { said: `{hour} ${HOUR} moins quart`, reads: ({ hour = 0 }) => clock(hour, -15) },
  { said: `{hour} ${HOUR} moins {minute}`, reads: ({ hour = 0, minute = 0 }) => clock(hour, -minute) },
  { said: `{hour} ${HOUR} et demie/demi`, reads: ({ hour = 0 }) => clock(hour, 30) },
  { said: `{hour} ${HOUR} et quart`, reads: ({ hour = 0 }) => clock(hour, 15) },
  { said: `{hour} ${HOUR} un quart`, reads: ({ hour = 0 }) => clock(hour, 15) },
  { said: `{hour} ${HOUR} {minute}`, reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: `{hour} ${HOUR} [pile/précises]`, reads: ({ hour = 0 }) => clock(hour, 0) },
  { said: '[à/vers] une heure moins le quart', reads: () => clock(1, -15) },
  { said: '[à/vers] une heure moins {minute}', reads: ({ minute = 0 }) => clock(1, -minute) },
  // Without a word before it, an hour and a half may be how long something takes.
  { said: 'à/vers une heure et demie/demi', reads: () => clock(1, 30) },
  { said: 'à/vers une heure et quart', reads: () => clock(1, 15) },
  { said: 'à/vers une heure {minute}', reads: ({ minute = 0 }) => clock(1, minute) },
  { said: 'à/vers une heure', reads: () => clock(1, 0) },
  { said: '[à/vers] une heure de l après midi', reads: () => '1:00 pm' },
  { said: '[à/vers] une heure du/le matin', reads: () => '1:00 am' },
  { said: '[à/vers] une heure et demie/demi du/le matin', reads: () => '1:30 am' },
  { said: '[à/vers] une heure et quart du/le matin', reads: () => '1:15 am' },
  { said: '{hour} : {minutes}', reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: 'midi et demi/demie', reads: () => '12:30 pm' },
  { said: 'midi et quart', reads: () => '12:15 pm' },
  { said: 'midi moins le quart', reads: () => '11:45 am' },
  { said: 'midi moins {minute}', reads: ({ minute = 0 }) => `${clock(12, -minute)} am` },
  { said: 'midi {minute}', reads: ({ minute = 0 }) => `${clock(12, minute)} pm` },
  { said: 'minuit et demi/demie', reads: () => '0:30' },
  { said: 'minuit et quart', reads: () => '0:15' },
  { said: 'minuit moins le quart', reads: () => '23:45' },
  { said: 'minuit moins {minute}', reads: ({ minute = 0 }) => clock(24, -minute) },
  { said: 'minuit {minute}', reads: ({ minute = 0 }) => clock(24, minute) },
];

const AMOUNTS: ReaderPattern[] = [
  { said: `{number} , {figures} ${CURRENCY}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  { said: `{number} . {figures} ${CURRENCY}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  {
    said: `{number} ${CURRENCY} [et] {cents} centimes/centime/cents/sous`,
    reads: ({ number = 0, cents = 0 }) => amount(number, cents),
  },
  { said: `{number} ${CURRENCY} {tenths}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  { said: `{number} [d] ${CURRENCY}`, reads: ({ number = 0 }) => `${number} euros` },
  { said: '{number} centimes/centime', reads: ({ number = 0 }) => `${number} cents` },
  { said: '{number} pour cent', reads: ({ number = 0 }) => `${number} _` },
];

export const GRAMMAR: ReaderGrammar = {
  below100: BELOW_100,
  hundreds: HUNDREDS,
  thousand: ['mille'],
  ordinals: {},
  stopIsOrdinal: false,
  months: MONTHS,
  one: ['un', 'une'],
  oneBefore: ['personne', 'euro', 'adulte', 'nuit', 'couvert'],
  halves: {
    'du matin': 'am',
    'le matin': 'am',
    'du soir': 'pm',
    'le soir': 'pm',
    "de l'après midi": 'pm',
    "l'après midi": 'pm',
  },
  patterns: [...DATES, ...HOURS, ...AMOUNTS],
  letters: {},
  asIn: ['comme', 'de'],
  double: ['double'],
  decimalComma: ['virgule'],
};
