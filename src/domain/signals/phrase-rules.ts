import type { SpokenTurn } from '../calls/spoken-turn.ts';
import { cutWords } from '../calls/text.ts';
import type { CallReading } from './reading.ts';
import type { DetectorInput } from './signal.ts';

/** Wordings that an agent must say or must never say. */
export interface PhraseRules {
  required: string[];
  forbidden: string[];
}

const SAID_NEVER =
  /\b(?:never|do not|don't|must not|mustn't|avoid) (?:ever )?(?:say(?:ing)?|use|using|mention(?:ing)?)(?: the (?:words?|phrases?|sentences?))?:? ?["“]([^"”\n]{3,120})["”]/gi;
const SAID_ALWAYS =
  /\b(?:always|must|you have to) say(?: the (?:words?|phrases?|sentences?))?(?: exactly)?:? ?["“]([^"”\n]{6,200})["”]/gi;
const PROMPT_READ = 60_000;

/** The agent's settings, and what its own prompt orders in quotation marks ("never say "…""). Null where there is neither. */
export function phraseRulesOf(input: DetectorInput): PhraseRules | null {
  const given = input.phraseRules ?? { required: [], forbidden: [] };
  const prompt = (input.configuration?.prompt ?? '').slice(0, PROMPT_READ);
  const required = [...given.required, ...quoted(prompt, SAID_ALWAYS)];
  const forbidden = [...given.forbidden, ...quoted(prompt, SAID_NEVER)];
  return required.length + forbidden.length === 0 ? null : { required, forbidden };
}

/** The first agent turn that holds the phrase, word by word, whatever its punctuation and case. */
export function findPhrase(
  reading: CallReading,
  phrase: string,
): { turn: SpokenTurn; from: number; to: number } | null {
  const { words } = cutWords(phrase);
  if (words.length === 0) return null;
  for (const turn of reading.agent) {
    for (let from = 0; from + words.length <= turn.words.length; from += 1) {
      if (turn.words[from] === words[0] && words.every((word, at) => turn.words[from + at] === word)) {
        return { turn, from, to: from + words.length };
      }
    }
  }
  return null;
}

function quoted(prompt: string, rule: RegExp): string[] {
  if (prompt === '') return [];
  return [...prompt.matchAll(rule)].map((match) => match[1] ?? '').filter((phrase) => phrase !== '');
}
