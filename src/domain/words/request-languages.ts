import { DE } from './de/requests.ts';
import { EN } from './en/requests.ts';
import { ES } from './es/requests.ts';
import { FR } from './fr/requests.ts';
import type { RequestWords } from './request-words.ts';

export type RequestLanguage = 'en' | 'de' | 'es' | 'fr';

export const REQUEST_WORDS: Record<RequestLanguage, RequestWords> = { en: EN, de: DE, es: ES, fr: FR };

const LANGUAGES: readonly RequestLanguage[] = ['en', 'de', 'es', 'fr'];

/** The language whose words of grammar and of asking a request is full of; of two that are equal the first, English in front. */
export function requestLanguage(words: readonly string[]): RequestLanguage {
  let best: RequestLanguage = 'en';
  let most = 0;
  for (const language of LANGUAGES) {
    const { empty, verbs, things } = REQUEST_WORDS[language];
    let hits = 0;
    for (const word of words) if (empty.has(word) || verbs.has(word) || things.has(word)) hits += 1;
    if (hits > most) {
      best = language;
      most = hits;
    }
  }
  return best;
}
