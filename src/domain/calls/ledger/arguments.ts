import { editDistance } from '../../edit-distance.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { namesOf } from '../../json-order.ts';
import { storedText } from '../../signals/quotes.ts';
import type { ToolUse } from '../tool-uses.ts';
import { codeForm } from '../values/codes.ts';
import type { Leaf } from '../values/json-values.ts';
import { readValues } from '../values/read-values.ts';
import type { LedgerFinding } from './finding.ts';
import { MadeUpPlaces } from './made-up-places.ts';
import type { CallRecord } from './record.ts';

const CODE_AT_LEAST = 5;
/** A code that differs by so few characters from one that was said is more likely misheard than made up. */
const MISHEARD_AT_MOST = 2;

/**
 * Identifiers and places that the agent gave to a tool and that nobody said, nothing looked up and nothing configured
 * holds; and choices between several things on file that nobody made.
 */
export function unsupportedArguments(record: CallRecord): LedgerFinding[] {
  const { call } = record.reading;
  // On a call that the agent placed it knows from elsewhere whom it calls and why, so that nothing is certain.
  const knowsSources = call.direction === 'inbound';
  const sources = new Sources(record);
  const places = new MadeUpPlaces(record);
  const found: LedgerFinding[] = [];
  for (const use of record.reading.tools) {
    if (use.callTurn === null) continue;
    for (const leaf of record.args(use)) {
      if (typeof leaf.value !== 'string') continue;
      const finding =
        (knowsSources && isIdentifier(leaf.value) ? neverSaid(sources, use, leaf) : null) ??
        neverChosen(record, sources, use, leaf) ??
        (knowsSources ? places.find(use, leaf) : null);
      if (finding === null) continue;
      found.push(finding);
      break;
    }
  }
  return found;
}

/** One word of letters and digits: a booking code, an order number, an account. Dates, times and amounts are something else. */
function isIdentifier(value: string): boolean {
  if (value.length > 40 || !/^[#A-Za-z0-9_-]+$/.test(value) || !/\d/.test(value)) return false;
  if (/^\d{4}-\d{2}-\d{2}|^\d{1,2}-\d{1,2}|^-?\d+$/.test(value)) return false;
  return codeForm(value).length >= CODE_AT_LEAST && /[A-Za-z]/.test(value);
}

function neverSaid(sources: Sources, use: ToolUse, leaf: Leaf): LedgerFinding | null {
  const value = String(leaf.value);
  const form = codeForm(value);
  const turn = use.callTurn ?? 0;
  if (sources.holds(form, turn) || sources.holdsParts(value, turn)) return null;
  const said = sources.spokenCodes(turn);
  if (isPutTogether(sources, form, said, turn)) return null;
  if (said.some((code) => code.includes(form) || editDistance(code, form, MISHEARD_AT_MOST) <= MISHEARD_AT_MOST))
    return null;
  return {
    code: 'tool_args_unsupported',
    rule: 'never_said',
    turn,
    quote: '',
    detail: `"${use.name}" was given ${leaf.name} "${value}", which nobody said and no result holds.`,
    use,
    confidence: 0.8,
    facts: { rule: 'never_said', argument: leaf.name },
  };
}

/** "Summer eight" is SUMMER8, and "the same, ending one five" the end of a code that was said before. */
function isPutTogether(sources: Sources, form: string, said: readonly string[], turn: number): boolean {
  const isSaid = (part: string) =>
    said.some((code) => code.includes(part)) || (part.length > 2 && sources.holds(part, turn));
  const parts = form.match(/[A-Z]+|\d+/g) ?? [];
  if (parts.length > 1 && parts.every(isSaid)) return true;
  for (let at = PART_AT_LEAST; at <= form.length - 2; at += 1)
    if (isSaid(form.slice(0, at)) && said.some((code) => code.includes(form.slice(at)))) return true;
  return false;
}

const PART_AT_LEAST = 3;

/** One of several things on file was taken, and neither side had named it. */
function neverChosen(record: CallRecord, sources: Sources, use: ToolUse, leaf: Leaf): LedgerFinding | null {
  if (use.effect !== 'write' || typeof leaf.value !== 'string' || !ON_FILE.test(leaf.name)) return null;
  const turn = use.callTurn ?? 0;
  const options = optionsWith(record, turn, leaf.value);
  if (options === null || options.rest.length === 0) return null;
  const since = record.reading.spoken.filter((one) => one.index < turn);
  const talk = since.map((one) => ` ${one.words.join(' ')} `).join(' ');
  if (options.words.some((word) => talk.includes(` ${word} `) || talk.includes(` ${word}s `)) || ORIGINAL.test(talk))
    return null;
  // "The one ending nine oh two three."
  const figures = options.words.filter((word) => /^\d+$/.test(word));
  if (sources.spokenCodes(turn).some((code) => figures.some((one) => code.includes(one)))) return null;
  return {
    code: 'tool_args_unsupported',
    rule: 'never_chosen',
    turn,
    quote: '',
    detail: `"${use.name}" was given ${leaf.name} "${leaf.value}"; there were ${options.rest.length + 1} to choose from, and nobody had named it.`,
    use,
    confidence: 0.8,
    facts: { rule: 'never_chosen', argument: leaf.name, ordered: orderToAsk(record, leaf.name) },
  };
}

/** What callers keep on file and choose from; which of the goods is meant is seldom said by its number. */
const ON_FILE = /payment|refund|card|account|address|phone|email|contact/i;
const ORIGINAL =
  / (?:original|same|existing|usual|current|default) (?:payment|form|method|card|one|account|address)| (?:payment|method|card|account|address)(?: (?:that's|that is|is|i have))? on file/;

/** The line of the prompt that makes the caller choose, or null. */
function orderToAsk(record: CallRecord, argument: string): string | null {
  const noun = ON_FILE.exec(argument)?.[0].toLowerCase() ?? '';
  const lines = (record.reading.configuration?.prompt ?? '').slice(0, 60_000).split('\n');
  const order = lines.find(
    (line) =>
      line.toLowerCase().includes(noun) &&
      /\b(?:user|caller|customer)\b.{0,160}\b(?:must|needs? to|has to)\b.{0,160}\b(?:provide|confirm|choose|name|say)/i.test(
        line,
      ),
  );
  return order === undefined ? null : order.trim().slice(0, 160);
}

/** The things on file among which a value stands, with the words by which one would name it. */
function optionsWith(record: CallRecord, turn: number, value: string): { words: string[]; rest: string[] } | null {
  for (const use of record.before(turn, 12)) {
    const container = findContainer(use.body, value, 0);
    if (container === null) continue;
    const own = wordsOf(container[value] ?? null, value);
    const rest = Object.keys(container).filter((key) => key !== value);
    return { words: own, rest };
  }
  return null;
}

/** An object whose keys are identifiers of alternatives, the value among them. */
function findContainer(body: Json, value: string, depth: number): Record<string, Json> | null {
  if (depth > 6 || body === null || typeof body !== 'object') return null;
  if (Array.isArray(body)) return null;
  if (isJsonObject(body[value])) {
    const keys = Object.keys(body);
    return keys.every((key) => /\d/.test(key) && isJsonObject(body[key])) ? body : null;
  }
  for (const key of namesOf(body)) {
    const found = findContainer(body[key] ?? null, value, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function wordsOf(entry: Json, key: string): string[] {
  const texts = [key, ...(isJsonObject(entry) ? Object.values(entry).map(String) : [])];
  return [...new Set(texts.flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/)))].filter(
    (word) => word.length >= 3,
  );
}

/** Everything that may have given the agent a value, squeezed to letters and digits and searched newest first. */
class Sources {
  readonly #record: CallRecord;
  readonly #squeezed = new Map<object, string>();
  readonly #codes = new Map<number, readonly string[]>();
  #configured: string | null = null;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  holds(form: string, before: number): boolean {
    const { reading } = this.#record;
    const { tools, call } = reading;
    for (let at = tools.length - 1; at >= 0; at -= 1) {
      const use = tools[at];
      if (use?.resultTurn == null || use.resultTurn >= before) continue;
      if (this.#squeeze(use, () => storedText(use.body)).includes(form)) return true;
    }
    for (const turn of call.turns) {
      if (turn.index >= before) break;
      if (turn.text !== '' && this.#squeeze(turn, () => turn.text).includes(form)) return true;
    }
    return this.#configuration().includes(form);
  }

  /** "user_42_main": an identifier made of words and numbers may be put together from what was said. */
  holdsParts(value: string, before: number): boolean {
    const parts = value.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
    return parts.length > 1 && parts.every((part) => this.holds(codeForm(part), before));
  }

  spokenCodes(before: number): string[] {
    const codes: string[] = [];
    for (const turn of this.#record.reading.spoken) {
      if (turn.index >= before) break;
      let known = this.#codes.get(turn.index);
      if (known === undefined) {
        const values = readValues(turn.turn.text).filter((one) => one.kind === 'code' || one.kind === 'number');
        // People pause and think aloud inside a code, so that all of a turn's pieces in a row are one reading more.
        // Values of English are in the text's own; those of another language are in what was understood of the turn.
        const isEnglish = this.#record.reading.language === 'en';
        const read = (isEnglish ? [] : turn.values).filter((one) => ['code', 'number', 'spelling'].includes(one.kind));
        known = [values, read].flatMap((list) => [
          ...list.flatMap((one) => one.forms),
          list.map((one) => one.forms.at(-1) ?? '').join(''),
        ]);
        this.#codes.set(turn.index, known);
      }
      codes.push(...known);
    }
    return codes;
  }

  #configuration(): string {
    const { configuration, call } = this.#record.reading;
    this.#configured ??= codeForm(
      [
        configuration?.prompt ?? '',
        JSON.stringify(configuration?.tools ?? []),
        JSON.stringify(configuration?.variables ?? {}),
        JSON.stringify(call.variables ?? {}),
        (configuration?.nodes ?? []).map((node) => node.text ?? '').join(' '),
        call.callerNumber ?? '',
        call.providerCallId,
        call.startedAt ?? '',
      ].join(' '),
    );
    return this.#configured;
  }

  #squeeze(key: object, text: () => string): string {
    const known = this.#squeezed.get(key);
    if (known !== undefined) return known;
    const squeezed = codeForm(text());
    this.#squeezed.set(key, squeezed);
    return squeezed;
  }
}
