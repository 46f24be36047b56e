import { SMALL_WORDS } from '../signals/phrases/languages.ts';

export interface LanguageGuess {
  /** BCP 47 primary tag, or null where the words do not tell. */
  language: string | null;
  /** Words that belong to the guessed language. */
  hits: number;
}

const LANGUAGES_OF_WORD = new Map<string, string[]>();
for (const [language, words] of Object.entries(SMALL_WORDS)) {
  for (const word of words) LANGUAGES_OF_WORD.set(word, [...(LANGUAGES_OF_WORD.get(word) ?? []), language]);
}

const LOOKED_AT = 400;
const HITS_NEEDED = 3;

/**
 * Guesses the language from its small words. A word shared by several languages counts for each of them, so the winner
 * must lead by half again; without that, or with fewer than three such words, the answer is null.
 */
export function guessLanguage(words: readonly string[]): LanguageGuess {
  const counts = new Map<string, number>();
  const end = Math.min(words.length, LOOKED_AT);
  for (let at = 0; at < end; at += 1) {
    const languages = LANGUAGES_OF_WORD.get(words[at] ?? '');
    if (languages === undefined) continue;
    for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  let best: string | null = null;
  let most = 0;
  let second = 0;
  for (const [language, count] of counts) {
    if (count > most) {
      second = most;
      most = count;
      best = language;
    } else if (count > second) {
      second = count;
    }
  }
  return most >= HITS_NEEDED && most >= second * 1.5 ? { language: best, hits: most } : { language: null, hits: most };
}

/** `en-US` and `EN_us` are `en`; null for null and for the tag that platforms use for "several". */
export function primaryLanguage(tag: string | null): string | null {
  if (tag === null) return null;
  const primary = tag.toLowerCase().split(/[-_]/)[0] ?? '';
  return primary === '' || primary === 'multi' || primary === 'und' || primary === 'auto' ? null : primary;
}
