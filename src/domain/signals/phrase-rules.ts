import type { SpokenTurn } from '../calls/spoken-turn.ts';
import { cutWords } from '../calls/text.ts';
import { effectOf, splitName } from '../calls/tool-uses.ts';
import type { ToolDefinition } from '../versions/configuration.ts';
import type { CallReading } from './reading.ts';
import type { DetectorInput } from './signal.ts';

/** Wordings that an agent must say or must never say. */
export interface PhraseRules {
  required: string[];
  forbidden: string[];
}

/** A wording that the prompt orders at a tool: before it is called, or once it has worked. */
export interface PhraseAtTool {
  phrase: string;
  tools: readonly string[];
  due: 'before' | 'after';
}

const SAID_NEVER =
  /\b(?:never|do not|don't|must not|mustn't|avoid) (?:ever )?(?:say(?:ing)?|use|using|mention(?:ing)?)(?: the (?:words?|phrases?|sentences?))?(?: that [^"“.\n]{0,60})?:? ?["“]([^"”\n]{3,120})["”]/gi;
const SAID_ALWAYS =
  /\b(?:always|must|you have to|then) say(?: the (?:words?|phrases?|sentences?))?(?:,? ?(?:exactly|word for word|verbatim|in these words),?)?:? ?["“]([^"”\n]{6,200})["”]|\bsay (?:exactly|word for word|verbatim):? ?["“]([^"”\n]{6,200})["”]/gi;
/** "Sage nie: …", "No digas nunca: …", "Ne dis jamais : …"; marks of quotation as these languages write them. */
const SAID_NEVER_ELSEWHERE =
  /\b(?:sage?n? (?:sie )?(?:nie|niemals)|nie(?:mals)? sagen|no (?:diga|digas|decir) (?:nunca|jamás)|nunca (?:diga|digas)|(?:ne )?(?:dis|dites|dire) jamais)[^"“„«.\n]{0,40}? ?:? ?["“„«] ?([^"”“»\n]{3,120}?) ?["”“»]/gi;
/** What makes a wording due only at times. */
const CONDITION = /\b(before|when|once|after|as soon as|if|whenever)\b/i;
const PROMPT_READ = 60_000;

/** The agent's settings, and what its own prompt orders in quotation marks ("never say "…""). Null where there is neither. */
export function phraseRulesOf(input: DetectorInput): PhraseRules | null {
  const given = input.phraseRules ?? { required: [], forbidden: [] };
  const prompt = (input.configuration?.prompt ?? '').slice(0, PROMPT_READ);
  const required = [
    ...given.required,
    ...ordered(prompt).flatMap(({ phrase, condition }) => (condition === null ? [phrase] : [])),
  ];
  const forbidden = [...given.forbidden, ...quoted(prompt, SAID_NEVER), ...quoted(prompt, SAID_NEVER_ELSEWHERE)];
  return required.length + forbidden.length === 0 ? null : { required, forbidden };
}

/** Wordings that are due at a tool, where the sentence that orders them lets one know which; others can not be judged. */
export function phrasesAtTools(input: DetectorInput): PhraseAtTool[] {
  const { configuration } = input;
  if (configuration === null) return [];
  return ordered((configuration.prompt ?? '').slice(0, PROMPT_READ)).flatMap(({ phrase, condition }) => {
    if (condition === null) return [];
    const tools = toolsIn(condition, configuration.tools);
    return tools.length === 0
      ? []
      : [{ phrase, tools, due: /\bbefore\b/i.test(condition) ? 'before' : 'after' } as const];
  });
}

/** Tools that a sentence names, else the ones whose words it holds: "before you book a room" is `book_room`. */
function toolsIn(sentence: string, tools: readonly ToolDefinition[]): string[] {
  const named = tools.filter((tool) => sentence.includes(tool.name));
  const words = new Set(cutWords(sentence).words.map(stem));
  const meant = tools.filter((tool) => splitName(tool.name).every((word) => words.has(stem(word))));
  const about = tools.filter((tool) => {
    const [, ...things] = splitName(tool.name);
    return (
      effectOf(splitName(tool.name), tool) === 'write' &&
      things.length > 0 &&
      things.every((word) => words.has(stem(word)))
    );
  });
  return [named, meant, about].find((found) => found.length > 0)?.map((tool) => tool.name) ?? [];
}

/** "Reading" and "readings", "book" and "booking" begin alike. */
function stem(word: string): string {
  return word.slice(0, STEM);
}

const STEM = 4;

function ordered(prompt: string): { phrase: string; condition: string | null }[] {
  if (prompt === '') return [];
  return [...prompt.matchAll(SAID_ALWAYS)].map((match) => {
    const before = prompt.slice(Math.max(0, match.index - SENTENCE_READ), match.index + match[0].indexOf('say'));
    const sentence = before.slice(Math.max(before.lastIndexOf('\n'), before.search(LAST_STOP)) + 1);
    return { phrase: match[1] ?? match[2] ?? '', condition: CONDITION.test(sentence) ? sentence : null };
  });
}

const SENTENCE_READ = 240;
/** Where the last whole sentence before ends. */
const LAST_STOP = /[.!?](?=\s[^.!?]*$)/;

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
