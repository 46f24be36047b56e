import { GERMAN } from './de/language.ts';
import { SPANISH } from './es/language.ts';
import { FRENCH } from './fr/language.ts';
import type { LanguageData } from './language.ts';

const BY_LANGUAGE: ReadonlyMap<string, LanguageData> = new Map(
  [GERMAN, SPANISH, FRENCH].map((data) => [data.phrases.language, data]),
);

/** @returns what is known of a language (BCP 47 primary tag), or null for English and for languages without lists. */
export function languageData(language: string): LanguageData | null {
  return BY_LANGUAGE.get(language) ?? null;
}
