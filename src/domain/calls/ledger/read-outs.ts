import type { SpokenTurn } from '../spoken-turn.ts';
import { cutText } from '../text.ts';
import type { ToolUse } from '../tool-uses.ts';
import { codeForm } from '../values/codes.ts';
import { parentOf } from '../values/json-values.ts';
import { readValues } from '../values/read-values.ts';
import { numberForm } from '../values/value.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';
import { cutSentences, hasShortNot, type Sentence } from './sentences.ts';

const QUOTE_AT_MOST = 240;

/** What the agent reads out of results, laid beside the results: the state of a record, the record of a value, and whether a thing can be had. */
export function misreadResults(record: CallRecord): LedgerFinding[] {
  const { tools } = record.reading;
  if (!tools.some((use) => use.resultTurn !== null && use.ok !== false)) return [];
  const states = statesOf(record);
  const names = stateNames(record, states);
  const found: LedgerFinding[] = [];
  for (const turn of record.reading.agent) {
    const named = states.some((one) => one.use.resultTurn !== null && one.use.resultTurn < turn.index);
    if (!named && !ATTRIBUTED.test(turn.turn.text)) continue;
    for (const sentence of cutSentences(turn.turn.text)) {
      const finding =
        (states.length > 0 ? wrongState(sentence, turn, states, names) : null) ?? wrongRecord(record, sentence, turn);
      if (finding !== null) {
        found.push(finding);
        break;
      }
    }
  }
  const unavailable = usesUnavailable(record);
  return unavailable === null ? found : [...found, unavailable];
}

interface State {
  /** Identifier of the record in capitals and digits. */
  id: string;
  /** What the record is called: "order" where its identifier is `order_id`. */
  noun: string;
  state: string;
  use: ToolUse;
}

/** Every state that a result gave to a record with an identifier. */
function statesOf(record: CallRecord): State[] {
  const states: State[] = [];
  for (const use of record.reading.tools) {
    if (use.resultTurn === null || use.ok === false) continue;
    const leaves = record.results(use);
    const state = leaves.find((leaf) => !leaf.path.includes('.') && /^(?:status|state)$/i.test(leaf.name));
    if (typeof state?.value !== 'string' || !/^[a-z]+$/i.test(state.value)) continue;
    const id = leaves.find(
      (leaf) =>
        !leaf.path.includes('.') &&
        typeof leaf.value === 'string' &&
        /\d/.test(leaf.value) &&
        /(?:id|number|code)$/i.test(leaf.name),
    );
    if (typeof id?.value !== 'string') continue;
    const noun = id.name.toLowerCase().split('_')[0] ?? '';
    states.push({ id: codeForm(id.value), noun, state: state.value.toLowerCase(), use });
  }
  return states;
}

/** The states that occur in results, and those that the prompt puts in quotation marks where it speaks of states. */
function stateNames(record: CallRecord, states: readonly State[]): Set<string> {
  const names = new Set(states.map((one) => one.state));
  const prompt = record.reading.configuration?.prompt ?? '';
  for (const line of prompt.slice(0, 60_000).split('\n')) {
    if (!/\b(?:status|state)\b/i.test(line)) continue;
    for (const [, quoted] of line.matchAll(/['"\u2018\u201c]([a-z]{3,20})['"\u2019\u201d]/g))
      if (quoted !== undefined) names.add(quoted);
  }
  return names;
}

/** "Your delivered order W-1" where every result so far says of W-1 that it is processed. */
function wrongState(
  sentence: Sentence,
  turn: SpokenTurn,
  states: readonly State[],
  names: ReadonlySet<string>,
): LedgerFinding | null {
  if (hasShortNot(sentence.text) || /\b(?:not|once|when|until|after|if|only|whether|now)\b/i.test(sentence.text))
    return null;
  const words = new Set(sentence.text.toLowerCase().match(/[a-z]+/g));
  const named = [...names].filter((state) => words.has(state));
  const [said] = named;
  if (said === undefined || named.length > 1) return null;
  const codes = new Set(readValues(sentence.text).flatMap((value) => (value.kind === 'code' ? value.forms : [])));
  for (const id of new Set(states.map((one) => one.id))) {
    if (!codes.has(id)) continue;
    const known = states.filter((one) => one.id === id && (one.use.resultTurn ?? 0) < turn.index);
    const last = known.at(-1);
    if (last === undefined || known.some((one) => one.state === said)) continue;
    if (!tellsState(sentence.text, said, last.noun)) continue;
    return make(
      turn,
      sentence,
      last.use,
      'state_differs',
      `calls ${id} "${said}"; the result says "${last.state}"`,
      0.8,
    );
  }
  return null;
}

const TELLS_DEED = new Set(['been', 'be', 'successfully', 'being']);
/** In characters: what may stand between "status" and the state. */
const STATUS_NEAR = 30;

/** "Has been processed" tells of a deed; a state stands before its thing, or beside the word itself. */
function tellsState(text: string, state: string, noun: string): boolean {
  const words = [...text.toLowerCase().matchAll(/\w+/g)].map((match) => ({ word: match[0], from: match.index }));
  return words.some(({ word, from }, at) => {
    if (word !== state) return false;
    const next = words[at + 1];
    const isOfThing = next?.from === from + word.length + 1 && [noun, `${noun}s`].includes(next.word);
    if (isOfThing && !TELLS_DEED.has(words[at - 1]?.word ?? '')) return true;
    return words.slice(0, at).some((one) => {
      const gap = from - one.from - one.word.length;
      return one.word === 'status' && gap <= STATUS_NEAR;
    });
  });
}

const ATTRIBUTED = /\b(?:number|code|reference|date|price|address|status|cost) (?:for|of) (?:your|the|this|that) /i;

/** A code read out for a thing that its record doesn't hold, while another record of the call does hold the thing. */
function wrongRecord(record: CallRecord, sentence: Sentence, turn: SpokenTurn): LedgerFinding | null {
  const tie = ATTRIBUTED.exec(sentence.text);
  if (tie === null) return null;
  const thing = /^(?:\w+ ){0,2}?(\w{4,})/.exec(sentence.text.slice(tie.index + tie[0].length))?.[1]?.toLowerCase();
  if (thing === undefined) return null;
  const code = readValues(sentence.text).find(
    (value) => (value.kind === 'number' && (value.forms.at(-1) ?? '').length >= 6) || value.kind === 'code',
  );
  if (code === undefined) return null;
  const holds = (use: ToolUse, word: string) =>
    record.results(use).some((leaf) => String(leaf.value).toLowerCase().includes(word));
  const says = (use: ToolUse) => record.results(use).some((leaf) => code.forms.includes(codeForm(String(leaf.value))));
  const sources = record.before(turn.index).filter(says);
  const [source] = sources;
  if (source === undefined || sources.some((use) => holds(use, stem(thing)))) return null;
  const others = record.reading.tools.filter((use) => use.name === source.name && use !== source && use.ok !== false);
  if (!others.some((use) => holds(use, stem(thing)) && !says(use))) return null;
  const what = `reads a value of a record that holds no "${thing}"; another record of this call does`;
  return make(turn, sentence, source, 'wrong_record', what, 0.8);
}

function stem(word: string): string {
  return word.endsWith('s') && word.length > 4 ? word.slice(0, -1) : word;
}

const OFFERED = /^(?:is_?)?(?:available|in_?stock|bookable|active|open|selectable)$/i;

/** A price that is only that of an entry marked as not to be had goes into a sum or an offer. */
function usesUnavailable(record: CallRecord): LedgerFinding | null {
  if (!record.reading.tools.some(isReckoning)) return null;
  const priced = new Map<string, { free: boolean; use: ToolUse; path: string }>();
  for (const use of record.reading.tools) {
    if (use.resultTurn === null || use.ok === false || use.effect === 'write') continue;
    const leaves = record.results(use);
    const marks = new Map(
      leaves.flatMap((leaf) =>
        typeof leaf.value === 'boolean' && OFFERED.test(leaf.name) ? [[parentOf(leaf.path), leaf.value]] : [],
      ),
    );
    if (marks.size === 0) continue;
    for (const leaf of leaves) {
      if (typeof leaf.value !== 'number' || !/price|cost|fare|rate/i.test(leaf.name)) continue;
      const free = marks.get(parentOf(leaf.path));
      if (free === undefined) continue;
      const form = numberForm(leaf.value);
      const known = priced.get(form);
      priced.set(form, { free: free || known?.free === true, use: known?.use ?? use, path: leaf.path });
    }
  }
  if (priced.size === 0) return null;
  const elsewhere = otherPrices(record);
  for (const use of record.reading.tools) {
    if (use.callTurn === null || !isReckoning(use)) continue;
    for (const leaf of record.args(use)) {
      for (const value of String(leaf.value).match(/\d+(?:\.\d+)?/g) ?? []) {
        const entry = priced.get(numberForm(Number(value)));
        if (
          entry === undefined ||
          entry.free ||
          elsewhere.has(numberForm(Number(value))) ||
          (entry.use.resultTurn ?? 0) > use.callTurn
        )
          continue;
        return {
          code: 'result_misreported',
          rule: 'not_available',
          turn: use.callTurn,
          quote: '',
          detail: `The agent reckons with ${value}, the price of an entry that "${entry.use.name}" marks as not available.`,
          use: entry.use,
          confidence: 0.8,
          facts: { rule: 'not_available' },
        };
      }
    }
  }
  return null;
}

function isReckoning(use: ToolUse): boolean {
  return use.effect === 'read' && use.nameWords.some((word) => word === 'calculate' || word === 'compute');
}

/** Prices that stand in results without such a mark, so that they may come from there. */
function otherPrices(record: CallRecord): Set<string> {
  const prices = new Set<string>();
  for (const use of record.reading.tools) {
    const leaves = record.results(use);
    const marked = new Set(
      leaves.flatMap((leaf) =>
        typeof leaf.value === 'boolean' && OFFERED.test(leaf.name) ? [parentOf(leaf.path)] : [],
      ),
    );
    for (const leaf of leaves) {
      if (typeof leaf.value === 'number' && !marked.has(parentOf(leaf.path))) prices.add(numberForm(leaf.value));
    }
  }
  return prices;
}

function make(
  turn: SpokenTurn,
  sentence: Sentence,
  use: ToolUse,
  rule: string,
  what: string,
  confidence: number,
): LedgerFinding {
  return {
    code: 'result_misreported',
    rule,
    turn: turn.index,
    quote: cutText(sentence.text, QUOTE_AT_MOST),
    detail: `The agent ${what}.`,
    use,
    confidence,
    facts: { rule },
  };
}
