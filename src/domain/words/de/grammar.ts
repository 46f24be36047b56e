import { amount, atNoon, clock, dateOf, type ReaderGrammar, type ReaderPattern } from '../reader-grammar.ts';

const DIGITS = 'null ein zwei drei vier fünf sechs sieben acht neun'.split(' ');
const TEENS = 'zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(' ');
const TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ');

const BELOW_100: Record<string, number> = { eins: 1, eine: 1, einen: 1, einem: 1, einer: 1, zwo: 2, fünfe: 5, drei: 3 };
for (const [value, word] of DIGITS.entries()) BELOW_100[word] = value;
for (const [place, word] of TEENS.entries()) BELOW_100[word] = 10 + place;
for (const [place, tens] of TENS.entries()) {
  BELOW_100[tens] = 20 + place * 10;
  for (const [value, digit] of DIGITS.entries()) {
    if (value === 0) continue;
    BELOW_100[`${digit}und${tens}`] = 20 + place * 10 + value;
    BELOW_100[`${digit} und ${tens}`] = 20 + place * 10 + value;
    if (value === 2) BELOW_100[`zwound${tens}`] = 20 + place * 10 + value;
  }
}

const HUNDREDS: Record<string, number> = { hundert: 100, 'ein hundert': 100, 'zwo hundert': 200 };
for (const [value, word] of [...DIGITS, ...TEENS].entries()) if (value > 0) HUNDREDS[`${word} hundert`] = value * 100;

/** "Dritter", "dritten", "dritte", "drittes". */
const ORDINALS: Record<string, number> = {};
const IRREGULAR: Record<number, string> = { 1: 'erst', 3: 'dritt', 7: 'siebt', 8: 'acht' };
for (const [word, value] of Object.entries(BELOW_100)) {
  if (value < 1 || value > 31 || word.includes(' ') || /^(?:eins|eine.?)$/.test(word)) continue;
  const stem = value < 20 ? (IRREGULAR[value] ?? `${word}t`) : `${word}st`;
  for (const ending of ['e', 'en', 'er', 'es', 'em']) ORDINALS[`${stem}${ending}`] = value;
}

const MONTHS: Record<string, number> = {};
for (const [place, names] of [
  'januar/jänner/jan',
  'februar/feber/feb',
  'märz',
  'april/apr',
  'mai',
  'juni/juno',
  'juli/julei',
  'august/aug',
  'september/sept',
  'oktober/okt',
  'november/nov',
  'dezember/dez',
].entries())
  for (const name of names.split('/')) MONTHS[name] = place + 1;

const ON = 'am/den/dem/zum/vom/der/ab/bis/auf';
const CURRENCY = 'euro/euros/€/eur/franken/fränkli/chf';

const DATES: ReaderPattern[] = [
  { said: `[${ON}] {ordinal} {month} {year}`, reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year) },
  { said: `[${ON}] {ordinal} {month}`, reads: ({ day = 0, month = 0 }) => dateOf(day, month) },
  { said: `[${ON}] {ordinal} {monthth} {year}`, reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year) },
  { said: `[${ON}] {ordinal} {monthth}`, reads: ({ day = 0, month = 0 }) => dateOf(day, month) },
  { said: `${ON} {ordinal}`, reads: ({ day = 0 }) => `${day}th` },
];

const HOURS: ReaderPattern[] = [
  { said: '{minute} vor halb {hour}', reads: ({ hour = 0, minute = 0 }) => clock(hour, -30 - minute) },
  { said: '{minute} nach halb {hour}', reads: ({ hour = 0, minute = 0 }) => clock(hour, -30 + minute) },
  { said: 'halb/halber {hour}', reads: ({ hour = 0 }) => clock(hour, -30) },
  { said: 'viertel nach {hour}', reads: ({ hour = 0 }) => clock(hour, 15) },
  { said: 'viertel ab {hour}', reads: ({ hour = 0 }) => clock(hour, 15) },
  { said: 'viertel vor/über {hour}', reads: ({ hour = 0 }) => clock(hour, -15) },
  { said: 'dreiviertel {hour}', reads: ({ hour = 0 }) => clock(hour, -15) },
  { said: 'drei viertel {hour}', reads: ({ hour = 0 }) => clock(hour, -15) },
  { said: 'viertel {hour}', reads: ({ hour = 0 }) => clock(hour, -45) },
  { said: '{minute} [minuten] nach {hour} [uhr]', reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: '{minute} [minuten] vor {hour} [uhr]', reads: ({ hour = 0, minute = 0 }) => clock(hour, -minute) },
  { said: '[um/gegen/ab/bis] {hour} uhr [und] {minute}', reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: '[um/gegen/ab/bis] {hour} . {minutes} uhr', reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: '[um/gegen/ab/bis] {hour} : {minutes} [uhr]', reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: '[um/gegen/ab/bis] {hour} uhr mittags', reads: ({ hour = 0 }) => atNoon(hour) },
  { said: '[um/gegen/ab/bis] {hour} uhr nachts', reads: ({ hour = 0 }) => atNight(hour) },
  { said: 'um/gegen/ab/bis {hour} mittags', reads: ({ hour = 0 }) => atNoon(hour) },
  { said: 'um/gegen/ab/bis {hour} nachts', reads: ({ hour = 0 }) => atNight(hour) },
  { said: '[um/gegen/ab/bis] {hour} uhr', reads: ({ hour = 0 }) => clock(hour, 0) },
  { said: 'um/gegen {hour} . {minutes}', reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: `um/gegen {number} ${CURRENCY}`, reads: ({ number = 0 }) => `${number} euros` },
  { said: 'um/gegen {number} prozent/grad', reads: ({ number = 0 }) => `${number} _` },
  { said: 'um/gegen {hour} {minutes}', reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: 'um/gegen {hour}', reads: ({ hour = 0 }) => clock(hour, 0) },
];

/** Twelve at night is midnight, where "pm" would make noon of it. */
function atNight(hour: number): string | null {
  if (hour === 12) return '0:00';
  if (hour < 1 || hour > 12) return null;
  return hour < 7 ? `${hour}:00 am` : `${hour}:00 pm`;
}

const AMOUNTS: ReaderPattern[] = [
  { said: `{number} , {figures} ${CURRENCY}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  { said: `{number} . {figures} ${CURRENCY}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  {
    said: `{number} ${CURRENCY} [und] {cents} cent/rappen/cents`,
    reads: ({ number = 0, cents = 0 }) => amount(number, cents),
  },
  { said: `{number} ${CURRENCY} {tenths}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  { said: `{number} ${CURRENCY}`, reads: ({ number = 0 }) => `${number} euros` },
  { said: '{number} cent/rappen/cents', reads: ({ number = 0 }) => `${number} cents` },
  { said: '€ {number} , {figures}', reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
];

const SPELLING_TABLE =
  'anton berta cäsar dora emil friedrich gustav heinrich ida julius kaufmann konrad ludwig martha nordpol otto paula quelle richard samuel siegfried theodor ulrich viktor wilhelm xanthippe ypsilon zacharias zeppelin';

export const GRAMMAR: ReaderGrammar = {
  below100: BELOW_100,
  hundreds: HUNDREDS,
  thousand: ['tausend'],
  ordinals: ORDINALS,
  stopIsOrdinal: true,
  months: MONTHS,
  one: ['ein', 'eine', 'einen', 'einem', 'einer'],
  oneBefore: ['uhr', 'euro', 'person', 'personen', 'erwachsener', 'erwachsenen', 'kind', 'nacht'],
  halves: {
    morgens: 'am',
    früh: 'am',
    vormittags: 'am',
    'am morgen': 'am',
    'am vormittag': 'am',
    'in der früh': 'am',
    abends: 'pm',
    nachmittags: 'pm',
    'am abend': 'pm',
    'am nachmittag': 'pm',
  },
  patterns: [...DATES, ...HOURS, ...AMOUNTS],
  letters: Object.fromEntries(SPELLING_TABLE.split(' ').map((name) => [name, name.charAt(0)])),
  asIn: ['wie'],
  double: ['doppel', 'doppelt', 'zweimal'],
  decimalComma: ['komma', 'comma'],
};
