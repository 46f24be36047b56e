import { countLanguages, LANGUAGES } from '../signals/phrases/lexicon.ts';

export interface LanguageGuess {
  /** BCP 47 primary tag, or null where the words do not tell. */
  language: string | null;
  /** Words that belong to the guessed language. */
  hits: number;
}

const HITS_NEEDED = 3;
const LEAD = 1.5;

/**
 * Guesses the language from the small words among the looked-up ones (`lookUp`). A word shared by several languages
 * counts for each of them, so the winner must lead by half again; without that, or with fewer than three such words,
 * the answer is null.
 */
export function guessLanguage(bits: readonly number[]): LanguageGuess {
  if (bits.length < HITS_NEEDED) return { language: null, hits: 0 };
  const counts = LANGUAGES.map(() => 0);
  for (const one of bits) if (one !== 0) countLanguages(one, counts);
  let best = 0;
  for (let place = 1; place < counts.length; place += 1) if ((counts[place] ?? 0) > (counts[best] ?? 0)) best = place;
  let second = 0;
  for (let place = 0; place < counts.length; place += 1)
    if (place !== best) second = Math.max(second, counts[place] ?? 0);
  const most = counts[best] ?? 0;
  const sure = most >= HITS_NEEDED && most >= second * LEAD;
  return { language: sure ? (LANGUAGES[best] ?? null) : null, hits: most };
}

/** `en-US` and `EN_us` are `en`; null for null and for the tag that platforms use for "several". */
export function primaryLanguage(tag: string | null): string | null {
  if (tag === null) return null;
  const primary = tag.toLowerCase().split(/[-_]/)[0] ?? '';
  return primary === '' || primary === 'multi' || primary === 'und' || primary === 'auto' ? null : primary;
}
