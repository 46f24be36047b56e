import {
  amount,
  atNoon,
  clock,
  dateOf,
  type ReaderGrammar,
  type ReaderPattern,
  weekdayPatterns,
} from '../reader-grammar.ts';

const LOW =
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
    ' ',
  );
const TENS = 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ');

const BELOW_100: Record<string, number> = { un: 1, una: 1, veintiún: 21, veintiuna: 21 };
for (const [value, word] of LOW.entries()) BELOW_100[word] = value;
for (const [place, tens] of TENS.entries()) {
  const base = 30 + place * 10;
  BELOW_100[tens] = base;
  for (let unit = 1; unit < 10; unit += 1) BELOW_100[`${tens} y ${LOW[unit] ?? ''}`] = base + unit;
  BELOW_100[`${tens} y un`] = base + 1;
  BELOW_100[`${tens} y una`] = base + 1;
}

const HUNDREDS: Record<string, number> = { cien: 100, ciento: 100 };
for (const [place, word] of 'doscient trescient cuatrocient quinient seiscient setecient ochocient novecient'
  .split(' ')
  .entries())
  for (const ending of ['os', 'as']) HUNDREDS[`${word}${ending}`] = 200 + place * 100;

const MONTHS: Record<string, number> = { setiembre: 9 };
for (const [place, name] of 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'
  .split(' ')
  .entries())
  MONTHS[name] = place + 1;

const OF = 'de/del';
const CURRENCY = 'euro/euros/€/eur/pesos/peso/dólares/dólar/soles/pavos';
const CENTS = 'céntimos/céntimo/centavos/centavo';
const AT = 'a/sobre/hacia/son';

const WEEKDAYS = {
  lunes: 'monday',
  martes: 'tuesday',
  miércoles: 'wednesday',
  jueves: 'thursday',
  viernes: 'friday',
  sábado: 'saturday',
  domingo: 'sunday',
};

const DATES: ReaderPattern[] = [
  ...weekdayPatterns(WEEKDAYS, 'personas/comensales/adultos/mesas', []),
  {
    said: `[día] {day} ${OF} {month} ${OF} {year}`,
    reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year),
  },
  { said: `[día] {day} ${OF} {month}`, reads: ({ day = 0, month = 0 }) => dateOf(day, month) },
  {
    said: `primero/uno ${OF} {month} ${OF} {year}`,
    reads: ({ month = 0, year = 0 }) => dateOf(1, month, year),
  },
  { said: `primero/uno ${OF} {month}`, reads: ({ month = 0 }) => dateOf(1, month) },
  { said: '{day} / {monthnumber} / {year}', reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year) },
  { said: '{day} / {monthnumber}', reads: ({ day = 0, month = 0 }) => dateOf(day, month) },
  {
    said: `{day} ${OF} {monthnumber} ${OF} {year}`,
    reads: ({ day = 0, month = 0, year = 0 }) => dateOf(day, month, year),
  },
  { said: '[el/un/al] {number} por ciento', reads: ({ number = 0 }) => `${number} _` },
  { said: '[el] día {day}', reads: ({ day = 0 }) => `${day}th` },
];

const HOURS: ReaderPattern[] = [
  { said: `[${AT}] [las/la] {oclock} menos cuarto`, reads: ({ hour = 0 }) => clock(hour, -15) },
  { said: `[${AT}] [las/la] {oclock} menos {minute}`, reads: ({ hour = 0, minute = 0 }) => clock(hour, -minute) },
  { said: `[${AT}] [las/la] {oclock} y media`, reads: ({ hour = 0 }) => clock(hour, 30) },
  { said: `[${AT}] [las/la] {oclock} y cuarto`, reads: ({ hour = 0 }) => clock(hour, 15) },
  { said: `[${AT}] [las/la] {oclock} en punto`, reads: ({ hour = 0 }) => clock(hour, 0) },
  { said: '[un] cuarto para las/la {oclock}', reads: ({ hour = 0 }) => clock(hour, -15) },
  { said: '{minute} para las/la {oclock}', reads: ({ hour = 0, minute = 0 }) => clock(hour, -minute) },
  { said: `[${AT}] las/la {oclock} y {minute}`, reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: `[${AT}] [las/la] {hour} : {minutes} [horas/h]`, reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: `[${AT}] las/la {oclock} . {minutes}`, reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: `[${AT}] las/la {oclock} {minutes}`, reads: ({ hour = 0, minute = 0 }) => clock(hour, minute) },
  { said: `[${AT}] las {hour} horas`, reads: ({ hour = 0 }) => clock(hour, 0) },
  {
    said: `${AT} las/la {number} chicas/veces/cosas`,
    reads: ({ number = 0 }) => `${number} personas`,
  },
  { said: `${AT} las/la {oclock}`, reads: ({ hour = 0 }) => clock(hour, 0) },
];

/** "Las ocho de la tarde": the half of the day makes an hour of it. */
const WITH_HALF: ReaderPattern[] = [
  // Twelve at night is midnight, where "pm" would make noon of it.
  { said: `[${AT}] [las] doce de la noche`, reads: () => '0:00' },
  { said: `[${AT}] [las] doce y media de la noche`, reads: () => '0:30' },
  { said: `[${AT}] [las] doce y cuarto de la noche`, reads: () => '0:15' },
  { said: `[${AT}] [las] doce y {minute} de la noche`, reads: ({ minute = 0 }) => clock(0, minute) },
  // Whoever counts on from the morning comes to noon.
  { said: `[${AT}] [las] doce de la mañana`, reads: () => '12:00 pm' },
  { said: `[${AT}] [las] doce y media de la mañana`, reads: () => '12:30 pm' },
  { said: `[${AT}] [las/la] {oclock} del/de mediodía`, reads: ({ hour = 0 }) => atNoon(hour) },
  { said: `[${AT}] [las/la] {hour} pm`, reads: ({ hour = 0 }) => half(hour, 'pm') },
  { said: `[${AT}] [las/la] {hour} am`, reads: ({ hour = 0 }) => half(hour, 'am') },
  { said: `[${AT}] [las/la] {hour} p . m`, reads: ({ hour = 0 }) => half(hour, 'pm') },
  { said: `[${AT}] [las/la] {hour} a . m`, reads: ({ hour = 0 }) => half(hour, 'am') },
  { said: `[${AT}] [las/la] {oclock} de la mañana`, reads: ({ hour = 0 }) => half(hour, 'am') },
  { said: `[${AT}] [las/la] {oclock} de la tarde/noche`, reads: ({ hour = 0 }) => half(hour, 'pm') },
];

function half(hour: number, which: 'am' | 'pm'): string {
  return hour > 12 ? clock(hour, 0) : `${hour}:00 ${which}`;
}

const AMOUNTS: ReaderPattern[] = [
  { said: `{number} , {figures} ${CURRENCY}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  { said: `{number} . {figures} ${CURRENCY}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  {
    said: `{number} ${CURRENCY} [con/y] {cents} ${CENTS}`,
    reads: ({ number = 0, cents = 0 }) => amount(number, cents),
  },
  { said: `{number} ${CURRENCY} con/y {tenths}`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  { said: `{number} con {tenths} [${CURRENCY}]`, reads: ({ number = 0, cents = 0 }) => amount(number, cents) },
  { said: `{number} [de] ${CURRENCY}`, reads: ({ number = 0 }) => `${number} euros` },
  { said: `{number} ${CENTS}`, reads: ({ number = 0 }) => `${number} cents` },
];

export const GRAMMAR: ReaderGrammar = {
  below100: BELOW_100,
  hundreds: HUNDREDS,
  thousand: ['mil'],
  ordinals: {},
  stopIsOrdinal: false,
  months: MONTHS,
  one: ['un', 'una', 'uno'],
  oneBefore: ['persona', 'euro', 'noche', 'adulto', 'y', 'en', 'menos'],
  halves: {
    'de la mañana': 'am',
    'de la madrugada': 'am',
    'de la tarde': 'pm',
    'de la noche': 'pm',
    'p m': 'pm',
    'a m': 'am',
    'p . m': 'pm',
    'a . m': 'am',
    pm: 'pm',
    am: 'am',
  },
  patterns: [...DATES, ...WITH_HALF, ...HOURS, ...AMOUNTS],
  letters: Object.fromEntries(
    'a/a be/b ce/c de/d e/e efe/f ge/g hache/h i/i jota/j ka/k ele/l eme/m ene/n eñe/n o/o pe/p cu/q erre/r ese/s te/t u/u uve/v equis/x ye/y zeta/z'
      .split(' ')
      .map((pair) => pair.split('/'))
      .map(([name = '', letter = '']) => [name, letter]),
  ),
  asIn: ['de', 'como'],
  double: ['doble'],
  decimalComma: ['coma'],
};
