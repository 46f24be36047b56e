import { MACHINES as ENGLISH_MACHINES } from './en/machine.ts';
import { ENGLISH } from './en/phrases.ts';
import { compileFolded } from './folded-phrases.ts';
import { languageData } from './language-data.ts';
import { compilePhrases, type PhraseMatcher } from './phrase-list.ts';

export type { PhraseMatcher } from './phrase-list.ts';
export type { PhraseHit } from './phrase-shape.ts';

interface CompiledPhrases {
  caller: PhraseMatcher;
  agent: PhraseMatcher;
}

/** English is marked at once; the other languages are compiled at the first call in them. */
const COMPILED = new Map<string, CompiledPhrases>([
  [ENGLISH.language, { caller: compilePhrases(ENGLISH.caller), agent: compilePhrases(ENGLISH.agent) }],
]);

/** @returns the matchers of a language (BCP 47 primary tag), or null where there are no lists for it. */
export function phrasesOf(language: string): CompiledPhrases | null {
  const known = COMPILED.get(language);
  if (known !== undefined) return known;
  const data = languageData(language);
  if (data === null) return null;
  const writing = { fold: data.fold, barriers: data.phrases.barriers ?? [] };
  const made = {
    caller: compileFolded(data.phrases.caller, writing),
    agent: compileFolded(data.phrases.agent, writing),
  };
  COMPILED.set(language, made);
  return made;
}

/** @returns the matcher of words by which a business says no, or null where there are none for the language. */
export function refusalsOf(language: string): PhraseMatcher | null {
  const data = languageData(language);
  if (data === null) return null;
  return compileFolded({ refusal: data.refusals }, { fold: data.fold, barriers: [] });
}

const MACHINE_MATCHERS = new Map<string, PhraseMatcher>([['en', compilePhrases({ ...ENGLISH_MACHINES })]]);

/** @returns the matcher of what machines say, or null where there are no lists for the language. */
export function machinesOf(language: string): PhraseMatcher | null {
  const known = MACHINE_MATCHERS.get(language);
  if (known !== undefined) return known;
  const data = languageData(language);
  if (data === null) return null;
  const made = compileFolded({ ...data.machines }, { fold: data.fold, barriers: [] });
  MACHINE_MATCHERS.set(language, made);
  return made;
}
