import type { SpokenTurn } from '../acts/spoken-turn.ts';
import { effectOf } from '../calls/tool-effects.ts';
import { plainWords, splitName } from '../calls/tool-words.ts';
import { cutWords } from '../text.ts';
import type { AgentConfiguration, ToolDefinition } from '../versions/configuration.ts';
import { plainLetters } from '../words/folding.ts';
import { UNDOES } from '../words/tools/names.ts';
import type { DetectorInput } from './detector-input.ts';
import { type QuotedOrder, quotedOrders } from './quoted-orders.ts';
import type { CallReading } from './reading.ts';

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

const PROMPT_READ = 60_000;

/** The agent's settings, and what its own prompt orders in quotation marks ("never say "…""). Null where there is neither. */
export function phraseRulesOf(input: DetectorInput): PhraseRules | null {
  const given = input.phraseRules ?? { required: [], forbidden: [] };
  const lasting = ordersOf(input).filter(({ condition }) => condition === null);
  const wordings = (kind: QuotedOrder['kind']) =>
    lasting.filter((one) => one.kind === kind).map(({ phrase }) => phrase);
  const required = [...given.required, ...wordings('must')];
  const forbidden = [...given.forbidden, ...wordings('never')];
  return required.length + forbidden.length === 0 ? null : { required, forbidden };
}

/** Wordings that are due at a tool, where the sentence that orders them lets one know which; others can not be judged. */
export function phrasesAtTools(input: DetectorInput): PhraseAtTool[] {
  const { configuration } = input;
  if (configuration === null) return [];
  return ordersOf(input).flatMap(({ phrase, kind, condition, before }) => {
    if (kind !== 'must' || condition === null) return [];
    const tools = toolsIn(condition, configuration.tools);
    return tools.length === 0 ? [] : [{ phrase, tools, due: before ? 'before' : 'after' } as const];
  });
}

/** Text does not change within a version, so it is read once for each captured configuration. */
const KNOWN = new WeakMap<AgentConfiguration, QuotedOrder[]>();

function ordersOf({ configuration }: DetectorInput): QuotedOrder[] {
  if (configuration === null) return [];
  const known = KNOWN.get(configuration);
  if (known !== undefined) return known;
  const orders = quotedOrders((configuration.prompt ?? '').slice(0, PROMPT_READ));
  KNOWN.set(configuration, orders);
  return orders;
}

/**
 * Tools that a sentence names, else those of whose names it holds the greatest part, where they do something: "before you
 * book a room" is `book_room`, "bei jeder Buchung" `termin_buchen`.
 */
function toolsIn(sentence: string, tools: readonly ToolDefinition[]): string[] {
  const named = tools.filter((tool) => sentence.includes(tool.name));
  if (named.length > 0) return named.map((tool) => tool.name);
  const words = new Set(cutWords(plainLetters(sentence)).words.map(stem));
  const rated = tools
    .filter((tool) => effectOf(splitName(tool.name), tool) === 'write')
    .map((tool) => ({ name: tool.name, share: shareIn(words, tool.name) }));
  const best = Math.max(0, ...rated.map(({ share }) => share));
  const meant = best === 0 ? [] : rated.filter(({ share }) => share === best).map(({ name }) => name);
  const making = meant.filter((name) => !splitName(name).some((word) => UNDOES.has(word)));
  return making.length > 0 ? making : meant;
}

/** Of the words of a tool's name in the language that it is in, how many the sentence holds. */
function shareIn(words: ReadonlySet<string>, name: string): number {
  const own = plainWords(name);
  const held = own.filter((word) => words.has(stem(word))).length;
  return own.length === 0 ? 0 : held / own.length;
}

/** "Reading" and "readings", "book" and "booking" begin alike. */
function stem(word: string): string {
  return word.slice(0, STEM);
}

const STEM = 4;

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
