import { cutWords, hasDigit } from '../../calls/text.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { KnownWords } from '../known-words.ts';
import { limit, missingPhrases } from '../needs.ts';
import { STOP_WORDS } from '../phrases/words-en.ts';
import { toolPlace } from '../places.ts';
import { quoteResult, storedText } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

const QUERY = /^(?:query|q|search|search_?(?:query|term|text)|keywords?|term|item_?name|product_?name|name_?query)$/i;
const KNOWLEDGE = /knowledge|faq|docs?\b|article|retriev|policy|rag\b|web|internet|semantic/i;
const QUERY_READ = 120;
const RESULT_READ = 4000;
const SHORTEST_WORD = 3;

/** The agent searches for, or works on, something that neither the caller nor the talk has named. */
export const toolBesideRequest: Detector = {
  entry: entry({
    code: 'tool_beside_request',
    title: 'Tool used for something nobody asked for',
    klass: 'content',
    lane: 'integrations',
    severity: 'medium',
    thresholds: { queryWords: 6 },
    needs: ['words_of_the_talk', 'tool_results'],
    isNot:
      'A question to a knowledge base in other words, another form of the same word, a word out of the prompt or of an earlier answer, or what the agent had offered after its greeting.',
    check: 'Compare what the callers had asked for with what {place} was used for.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const used = reading.tools.filter((use) => use.callTurn !== null && isJsonObject(use.args));
    if (used.length === 0) return { reason: 'The record of this call holds no tool call with arguments.' };
    const talk = new Talk(reading);
    return used.flatMap((use) => {
      talk.advanceTo(use.callTurn ?? 0);
      const query = queryOf(use);
      const unsaid = query === null ? [] : talk.unsaid(phrasesOf(query, limit(thresholds, 'queryWords')));
      const item = unsaid.length > 0 ? null : talk.unaskedItem(use);
      if (unsaid.length === 0 && item === null) return [];
      return [
        {
          turnIndex: use.resultTurn ?? use.callTurn ?? 0,
          quote: use.resultTurn === null ? '' : quoteResult(use),
          detail:
            item === null
              ? `"${use.name}" was searched for "${query}", and nobody had spoken of "${unsaid[0]}".`
              : `"${use.name}" was used on "${item}", and nobody had spoken of it.`,
          place: toolPlace(use),
          confidence: 0.6,
        },
      ];
    });
  },
};

/** What had been said and answered before a turn. Asked for growing turns. */
class Talk {
  readonly #said = new KnownWords();
  readonly #known = new KnownWords();
  /** Names of things by their id, as tools have answered them. */
  readonly #names = new Map<string, string>();
  readonly #reading: CallReading;
  #spoken = 0;
  #results = 0;

  constructor(reading: CallReading) {
    this.#reading = reading;
    this.#known.add(cutWords(reading.configuration?.prompt ?? '').words);
    // A greeting lists what there is; nobody has asked for it yet.
    if (reading.spoken[0]?.role === 'agent') this.#spoken = 1;
  }

  advanceTo(turn: number): void {
    const { spoken, tools } = this.#reading;
    for (; (spoken[this.#spoken]?.index ?? turn) < turn; this.#spoken += 1) {
      const words = spoken[this.#spoken]?.words ?? [];
      this.#said.add(words);
      this.#known.add(words);
    }
    for (; (tools[this.#results]?.callTurn ?? turn) < turn; this.#results += 1) {
      const use = tools[this.#results];
      if (use?.resultTurn == null || use.resultTurn > turn) continue;
      this.#known.add(cutWords(storedText(use.body).slice(0, RESULT_READ)).words);
      collectNames(use.body, this.#names, 0);
    }
  }

  unsaid(phrases: readonly (readonly string[])[]): string[] {
    return phrases.filter((words) => !words.some((word) => this.#known.has(word))).map((words) => words.join(' '));
  }

  /** The name of a thing in the arguments of which no word had been said. */
  unaskedItem(use: ToolUse): string | null {
    if (!isJsonObject(use.args)) return null;
    for (const value of Object.values(use.args)) {
      const name = typeof value === 'string' ? this.#names.get(value) : undefined;
      const words = name === undefined ? [] : contentOf(name);
      if (name !== undefined && words.length > 0 && !words.some((word) => this.#said.has(word))) return name;
    }
    return null;
  }
}

const DEEPEST = 6;
const NAMES_AT_MOST = 200;

function collectNames(value: Json, names: Map<string, string>, depth: number): void {
  if (depth > DEEPEST || names.size >= NAMES_AT_MOST) return;
  if (Array.isArray(value)) {
    for (const one of value) collectNames(one, names, depth + 1);
  } else if (isJsonObject(value)) {
    const name = value['name'];
    for (const [key, one] of Object.entries(value)) {
      if (typeof name === 'string' && typeof one === 'string' && /(?:^|_)id$/i.test(key)) names.set(one, name);
      else collectNames(one, names, depth + 1);
    }
  }
}

function queryOf(use: ToolUse): string | null {
  if (!isJsonObject(use.args) || use.effect === 'write' || KNOWLEDGE.test(use.name)) return null;
  for (const [name, value] of Object.entries(use.args)) {
    if (typeof value === 'string' && value.length <= QUERY_READ && QUERY.test(name)) return value;
  }
  return null;
}

/**
 * What a query looks for, a row of words each ("oat milk OR honey" looks for two). A row with one word that was said is
 * no finding: the agent rightly adds what kind of thing it is.
 */
function phrasesOf(query: string, wordsAtMost: number): string[][] {
  return query
    .split(/\bor\b|\band\b|[,;|]/i)
    .map(contentOf)
    .filter((words) => words.some((word) => !hasDigit(word)) && words.length <= wordsAtMost);
}

function contentOf(phrase: string): string[] {
  return cutWords(phrase).words.filter(
    (word) => hasDigit(word) || (word.length >= SHORTEST_WORD && !STOP_WORDS.has(word)),
  );
}
