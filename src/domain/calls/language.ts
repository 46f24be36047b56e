import { countLanguages, hasWordsOfOthers, LANGUAGES, onlyLanguage } from '../words/lexicon.ts';

/** Words of a talk, counted by the languages of which they are small words. */
export class LanguageCounts {
  words = 0;
  /** By place in `LANGUAGES`; a word that several languages share counts for each of them. */
  readonly hits = LANGUAGES.map(() => 0);
  /** Words that only one language has, by its place in `LANGUAGES`. */
  readonly own = LANGUAGES.map(() => 0);

  /** @param bits words as `lookUp` gives them. */
  add(bits: readonly number[]): this {
    this.words += bits.length;
    for (const one of bits) if (one !== 0) countLanguages(one, this.hits, this.own);
    return this;
  }
}

interface LanguageGuess {
  /** BCP 47 primary tag, or null where the words do not tell. */
  language: string | null;
  /** Words that belong to the guessed language. */
  hits: number;
}

const HITS_NEEDED = 3;
const LEAD = 1.5;

/**
 * Guesses the language from the small words among the counted ones. A word shared by several languages counts for each of
 * them, so the winner must lead by half again; without that, or with fewer than three such words, the answer is null.
 */
export function guessLanguage({ hits }: LanguageCounts): LanguageGuess {
  let best = 0;
  for (let place = 1; place < hits.length; place += 1) if ((hits[place] ?? 0) > (hits[best] ?? 0)) best = place;
  let second = 0;
  for (let place = 0; place < hits.length; place += 1) if (place !== best) second = Math.max(second, hits[place] ?? 0);
  const most = hits[best] ?? 0;
  const sure = most >= HITS_NEEDED && most >= second * LEAD;
  return { language: sure ? (LANGUAGES[best] ?? null) : null, hits: most };
}

/** The language of a turn by its words, where it is another one than `language`; else null. */
export function otherLanguageOf(bits: readonly number[], language: string): string | null {
  if (!hasWordsOfOthers(bits, language, HITS_NEEDED)) return null;
  const guess = guessLanguage(new LanguageCounts().add(bits)).language;
  return guess === language ? null : guess;
}

/** Below this many tell-tale words a declared language is believed over the guess. */
const SURE_GUESS = 8;
/** Every language says its small words all the time: where so few of so many words are, the talk is in another one. */
const WORDS_TO_DOUBT = 20;
const SHARE_OF_SMALL_WORDS = 0.06;

/**
 * The language of a talk: by its words, where they are sure, or where those of the declared one are missing; else as declared;
 * null where the words are in no language that is known here.
 */
export function languageOfTalk(counts: LanguageCounts, declared: string | null): string | null {
  const guess = guessLanguage(counts);
  if (guess.language !== null && guess.hits >= SURE_GUESS) return guess.language;
  const assumed = declared ?? guess.language ?? 'en';
  if (!LANGUAGES.includes(assumed)) return assumed;
  const hits = counts.hits[LANGUAGES.indexOf(assumed)] ?? 0;
  if (guess.language !== null && guess.hits > 2 * hits) return guess.language;
  return counts.words >= WORDS_TO_DOUBT && hits < counts.words * SHARE_OF_SMALL_WORDS ? guess.language : assumed;
}

const OWN_WORDS_OF_SECOND = 5;
const SHARE_OF_SECOND = 0.2;

/** True where a second language is spoken too, by words that only it has: then each turn is read in its own. */
export function isMixed({ own }: LanguageCounts, language: string | null): boolean {
  const all = own.reduce((sum, count) => sum + count, 0);
  return own.some(
    (count, place) => LANGUAGES[place] !== language && count >= OWN_WORDS_OF_SECOND && count >= all * SHARE_OF_SECOND,
  );
}

/** The language of one turn of a mixed talk, or null where its own words do not tell. */
export function languageOfTurn(bits: readonly number[]): string | null {
  const counts = LANGUAGES.map(() => 0);
  for (const one of bits) {
    const place = onlyLanguage(one);
    if (place >= 0) counts[place] = (counts[place] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  const [first, ...more] = LANGUAGES.filter((_, place) => counts[place] === most);
  return most >= OWN_WORDS_OF_TURN && more.length === 0 ? (first ?? null) : null;
}

const OWN_WORDS_OF_TURN = 2;

/** `en-US` and `EN_us` are `en`; null for null and for the tag that platforms use for "several". */
export function primaryLanguage(tag: string | null): string | null {
  if (tag === null) return null;
  const primary = tag.toLowerCase().split(/[-_]/)[0] ?? '';
  return primary === '' || primary === 'multi' || primary === 'und' || primary === 'auto' ? null : primary;
}
