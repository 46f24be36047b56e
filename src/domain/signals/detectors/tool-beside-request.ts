import { STOP_WORDS } from '../../acts/lists/en/words.ts';
import { cutWords, hasDigit } from '../../calls/text.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { namesOf } from '../../json-order.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_BESIDE_REQUEST } from '../entries/tools.ts';
import { KnownWords } from '../known-words.ts';
import { limit, missingPhrases } from '../needs.ts';
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
  entry: TOOL_BESIDE_REQUEST,
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

/** What had been said and answered before a turn; asked for growing turns, and read only where a call of a tool asks for it. */
class Talk {
  readonly #said = new KnownWords();
  readonly #answered = new KnownWords();
  /** Names of things by their id, as searches have found them. */
  readonly #names = new Map<string, string>();
  readonly #reading: CallReading;
  #spoken = 0;
  #named = 0;
  #read = 0;
  #turn = 0;
  #passed = 0;

  constructor(reading: CallReading) {
    this.#reading = reading;
    // A greeting lists what there is; nobody has asked for it yet.
    if (reading.spoken[0]?.role === 'agent') this.#spoken = 1;
  }

  advanceTo(turn: number): void {
    this.#turn = turn;
  }

  unsaid(phrases: readonly (readonly string[])[]): string[] {
    const left = phrases.filter((words) => !words.some((word) => this.#wasSaid(word)));
    if (left.length === 0) return [];
    this.#readAnswers();
    return left.filter((words) => !words.some((word) => this.#answered.has(word))).map((words) => words.join(' '));
  }

  /** The name of a thing in the arguments of which no word had been said. */
  unaskedItem(use: ToolUse): string | null {
    if (!isJsonObject(use.args)) return null;
    this.#readNames();
    if (this.#names.size === 0) return null;
    for (const argument of namesOf(use.args)) {
      const value = use.args[argument];
      const name = typeof value === 'string' ? this.#names.get(value) : undefined;
      const words = name === undefined ? [] : contentOf(name);
      if (name !== undefined && words.length > 0 && !words.some((word) => this.#wasSaid(word))) return name;
    }
    return null;
  }

  #wasSaid(word: string): boolean {
    const { spoken } = this.#reading;
    for (; (spoken[this.#spoken]?.index ?? this.#turn) < this.#turn; this.#spoken += 1) {
      this.#said.add(spoken[this.#spoken]?.words ?? []);
    }
    return this.#said.has(word);
  }

  #readAnswers(): void {
    if (this.#read === 0) this.#answered.add(cutWords(this.#reading.configuration?.prompt ?? '').words);
    for (const use of this.#answersFrom(this.#read)) {
      this.#answered.add(cutWords(storedText(use.body).slice(0, RESULT_READ)).words);
    }
    this.#read = this.#end();
  }

  #readNames(): void {
    for (const use of this.#answersFrom(this.#named)) {
      // What lies in a caller's own records belongs to the request; of what a search found, somebody must have meant one.
      if (queryOf(use) !== null) collectNames(use.body, this.#names, 0);
    }
    this.#named = this.#end();
  }

  #answersFrom(start: number): ToolUse[] {
    return this.#reading.tools.slice(start, this.#end()).filter((use) => use.resultTurn !== null);
  }

  /** Uses stand in the order of their calls, and turns only grow, so each is passed once. */
  #end(): number {
    const { tools } = this.#reading;
    for (let use = tools[this.#passed]; use !== undefined; use = tools[this.#passed]) {
      if ((use.callTurn ?? use.resultTurn ?? 0) >= this.#turn) break;
      this.#passed += 1;
    }
    return this.#passed;
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
    for (const key of namesOf(value)) {
      const one = value[key] ?? null;
      if (typeof name === 'string' && typeof one === 'string' && /(?:^|_)id$/i.test(key)) names.set(one, name);
      else collectNames(one, names, depth + 1);
    }
  }
}

function queryOf(use: ToolUse): string | null {
  if (!isJsonObject(use.args) || use.effect === 'write' || KNOWLEDGE.test(use.name)) return null;
  for (const name of namesOf(use.args)) {
    const value = use.args[name];
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
