import { ASKING, DATE_WORDS, NUMBER_WORDS, STOP_WORDS } from './en/words.ts';
import { languageData } from './language-data.ts';
import { SMALL_WORDS } from './languages.ts';
import { STOP, VALUE } from './word-bits.ts';

const FIRST_LANGUAGE = 5;

export const LANGUAGES: readonly string[] = Object.keys(SMALL_WORDS);

const LEXICON = new Map<string, number>();
for (const word of STOP_WORDS) mark(word, STOP);
for (const word of [...NUMBER_WORDS, ...DATE_WORDS]) mark(word, VALUE);
for (const [place, language] of LANGUAGES.entries()) {
  for (const word of SMALL_WORDS[language] ?? []) mark(word, 1 << (FIRST_LANGUAGE + place));
}

/** The bits of each word; 0 for words that are in no list. */
export function lookUp(words: readonly string[]): number[] {
  return words.map((word) => LEXICON.get(word) ?? 0);
}

const OTHERS = new Map<string, ReadonlyMap<string, number>>();
const ALL_LANGUAGES = ((1 << LANGUAGES.length) - 1) << FIRST_LANGUAGE;

/** The same words once more where the talk turned out to be in another language: `bits` are what English says of them. */
export function lookUpIn(language: string, words: readonly string[], bits: readonly number[]): readonly number[] {
  const lexicon = lexiconOf(language);
  if (lexicon === null) return bits;
  return words.map((word, at) => ((bits[at] ?? 0) & ALL_LANGUAGES) | (lexicon.get(word) ?? 0));
}

function lexiconOf(language: string): ReadonlyMap<string, number> | null {
  const known = OTHERS.get(language);
  if (known !== undefined) return known;
  const data = languageData(language);
  if (data === null) return null;
  const made = new Map<string, number>();
  for (const word of data.stopWords) made.set(word, STOP);
  for (const word of data.valueWords) made.set(word, (made.get(word) ?? 0) | VALUE);
  OTHERS.set(language, made);
  return made;
}

const ASKING_BY_LANGUAGE = new Map<string, ReadonlySet<string>>([['en', ASKING]]);
const NO_WORDS: ReadonlySet<string> = new Set();

/** The words with which questions of a language begin; none for a language without lists. */
export function askingWordsOf(language: string | null): ReadonlySet<string> {
  const known = ASKING_BY_LANGUAGE.get(language ?? '');
  if (known !== undefined || language === null) return known ?? NO_WORDS;
  const data = languageData(language);
  if (data === null) return NO_WORDS;
  const made = new Set(data.asking);
  ASKING_BY_LANGUAGE.set(language, made);
  return made;
}

/** Adds a word to the counts of the languages to which it belongs, and to `own` where it belongs to one alone. */
export function countLanguages(bits: number, counts: number[], own: number[]): void {
  const only = onlyLanguage(bits);
  if (only >= 0) own[only] = (own[only] ?? 0) + 1;
  let left = bits >> FIRST_LANGUAGE;
  for (let place = 0; left > 0; place += 1, left >>= 1) if ((left & 1) === 1) counts[place] = (counts[place] ?? 0) + 1;
}

/** True where at least so many of the words belong to another language, whether or not also to this one. */
export function hasWordsOfOthers(bits: readonly number[], language: string, atLeast: number): boolean {
  const place = LANGUAGES.indexOf(language);
  const others = place < 0 ? ALL_LANGUAGES : ALL_LANGUAGES & ~(1 << (FIRST_LANGUAGE + place));
  let count = 0;
  for (const one of bits) if ((one & others) !== 0) count += 1;
  return count >= atLeast;
}

/** The one language to which a word belongs, as its place in `LANGUAGES`; -1 for words of none or of several. */
export function onlyLanguage(bits: number): number {
  const left = (bits & ALL_LANGUAGES) >> FIRST_LANGUAGE;
  return left !== 0 && (left & (left - 1)) === 0 ? 31 - Math.clz32(left) : -1;
}

/** Adds a bit to a word while the module's lists are compiled. */
export function mark(word: string, bit: number): void {
  LEXICON.set(word, (LEXICON.get(word) ?? 0) | bit);
}
