import { ENGLISH } from './en.ts';
import { compilePhrases, type PhraseMatcher } from './phrase-list.ts';

export type { PhraseHit } from './phrase-list.ts';

interface CompiledPhrases {
  caller: PhraseMatcher;
  agent: PhraseMatcher;
}

/** Compiled once a process; a language without lists is not here, and its phrase codes are not computable. */
const COMPILED = new Map<string, CompiledPhrases>(
  [ENGLISH].map((lists) => [
    lists.language,
    { caller: compilePhrases(lists.caller), agent: compilePhrases(lists.agent) },
  ]),
);

/** @returns the matchers of a language (BCP 47 primary tag), or null where there are no lists for it. */
export function phrasesOf(language: string): CompiledPhrases | null {
  return COMPILED.get(language) ?? null;
}
