/** No phrase of `NUMBER_PHRASES` has more words. */
export const PHRASE_WORDS = 4;

export const REPEATS: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
  ['doppel', 2],
  ['doble', 2],
]);

type Speech = 'en' | 'de' | 'es' | 'fr';

const UNITS: Readonly<Record<Speech, readonly string[]>> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  ),
  de: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  ),
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve'.split(
    ' ',
  ),
  fr: [
    ...'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'.split(' '),
    'dix sept',
    'dix huit',
    'dix neuf',
  ],
};

const TENS: Readonly<Record<Speech, readonly string[]>> = {
  en: 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  de: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
  es: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' '),
  fr: ['vingt', 'trente', 'quarante', 'cinquante', 'soixante', 'soixante', 'quatre vingt', 'quatre vingt'],
};

const SPOKEN: readonly Speech[] = ['en', 'de', 'es', 'fr'];

/** A number under 100 in the words of a language; parts stand apart, as readers cut them at hyphens. */
export function sayBelow100(value: number, speech: Speech): string {
  const units = UNITS[speech];
  if (value < 20) return units[value] ?? '';
  const [ten, unit] = [Math.floor(value / 10), value % 10];
  const tens = TENS[speech][ten - 2] ?? '';
  const small = units[unit] ?? '';
  switch (speech) {
    case 'en':
      return unit === 0 ? tens : `${tens} ${small}`;
    case 'de':
      return unit === 0 ? tens : `${unit === 1 ? 'ein' : small}und${tens}`;
    case 'es':
      if (unit === 0) return tens;
      return ten === 2 ? `veinti${small}` : `${tens} y ${small}`;
    case 'fr': {
      if (ten === 7 || ten === 9) return `${tens}${ten === 7 && unit === 1 ? ' et' : ''} ${units[unit + 10] ?? ''}`;
      if (unit === 0) return ten === 8 ? `${tens}s` : tens;
      return `${tens}${unit === 1 && ten < 8 ? ' et' : ''} ${small}`;
    }
  }
}

/** The language whose words these are; English where several have them or none. */
export function speechOf(phrase: string): Speech {
  return SPOKEN.find((speech) => OF_SPEECH[speech].has(phrase)) ?? 'en';
}

/** Accents and the German sharp s are written or not, as recognisers do. */
export function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('\u2019', "'");
}

const OF_SPEECH: Readonly<Record<Speech, ReadonlySet<string>>> = {
  en: phrasesOf('en'),
  de: phrasesOf('de'),
  es: phrasesOf('es'),
  fr: phrasesOf('fr'),
};

function phrasesOf(speech: Speech): ReadonlySet<string> {
  return new Set(Array.from({ length: 100 }, (_, value) => foldWord(sayBelow100(value, speech))));
}

function makePhrases(): ReadonlyMap<string, string> {
  const phrases = new Map<string, string>();
  for (const speech of ['fr', 'es', 'de', 'en'] as const)
    for (let value = 0; value < 100; value += 1) phrases.set(foldWord(sayBelow100(value, speech)), String(value));
  for (const [phrase, digits] of [
    ['oh', '0'],
    ['o', '0'],
    ['nought', '0'],
    ['zwo', '2'],
    ['hundred', '00'],
  ] as const)
    phrases.set(phrase, digits);
  // An article far more often than a figure.
  phrases.delete('un');
  return phrases;
}

/** Figures as they are said, in English, German, Spanish and French: one word or several, to the digits that they mean. */
export const NUMBER_PHRASES: ReadonlyMap<string, string> = makePhrases();
