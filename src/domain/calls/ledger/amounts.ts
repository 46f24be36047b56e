import type { SpokenTurn } from '../spoken-turn.ts';
import { cutText } from '../text.ts';
import type { ToolUse } from '../tool-uses.ts';
import type { Leaf } from '../values/json-values.ts';
import { readValues } from '../values/read-values.ts';
import { numberForm } from '../values/value.ts';
import type { LedgerFinding } from './finding.ts';
import { type CallRecord, isDone, recordKey } from './record.ts';
import { cutSentences, hasShortNot, type Sentence } from './sentences.ts';

/** Fields in which a write says what it took or gave back. */
const SETTLED =
  /(?:^|_)(?:amount|total|charged?|collected|refund(?:ed)?|paid|payment|due|fee|credit|credited|cost)(?:_|$)/i;
/** Numbers that count things, not money. */
const COUNTED = /bag|item|passenger|quantity|count|seat|guest|person|people|night|point|minute/i;
/** Words by which an agent says that money has moved, or will now. */
const MOVED =
  /\b(?:refund(?:ed|s)?|charged|payment|paid|collected|processed|credited|reimbursed?|back (?:on|to|in|into) your (?:card|account|bank))\b/i;
/** "The £46 will be with you": the amount itself is on its way, and no thing that costs it. */
const ON_ITS_WAY =
  /(?:\b(?:the|your) (?:[$€£]\d[\d.,]*|[\w-]+(?: [\w-]+){0,3} (?:pounds?|dollars?|euros?)(?: [\w-]+)?)) (?:will be (?:back )?with you|is on its way|goes? back)\b/i;
/** Words by which it sums up. */
const SUMMED = /\b(?:total|(?:additional|extra|overall) cost|difference|comes? to)\b/i;
/** Words by which it names beforehand what will be taken or given back. */
const QUOTED =
  /\b(?:total|(?:additional|extra|overall) costs?|difference|will be (?:charged|refunded)|for the payment of|remaining)\b/i;
const WAIVED =
  /\b(?:(?:fees?|charges?|costs?|differences?) (?:was|were|has been|have been) waived|no (?:additional |extra |further )?(?:fees?|charges?|costs?) (?:was|were|(?:has|have) been|applied|added))\b/i;
const NOT_DONE =
  /\b(?:would|could|if|not|cannot|up to|at least|per|each|original(?:ly)?|previous(?:ly)?|balance of)\b/i;
const isNotDone = (text: string) => hasShortNot(text) || NOT_DONE.test(text);

/**
 * Money that the agent reports after a write, laid beside what the write's result says was taken or given back. A sum of
 * several amounts is right too. Where the result speaks of no money nothing is said.
 */
export function misreportedAmounts(record: CallRecord): LedgerFinding[] {
  const found: LedgerFinding[] = [];
  for (const turn of record.reading.agent) {
    if (!/[$€£\d]|dollar|euro|pound|waive|fee|charge/i.test(turn.turn.text)) continue;
    const writes = record.writesBefore(turn.index);
    if (writes.length === 0) continue;
    const moved = writes.flatMap((use) => newAmounts(record, use));
    if (moved.length === 0) continue;
    const finding = judge(record, turn, writes, moved);
    if (finding !== null) found.push(finding);
  }
  return found;
}

/** Money that a write moved although the agent had named another amount: neither the amounts nor a sum of them was ever said. */
export function quotedAmounts(record: CallRecord): LedgerFinding[] {
  const { reading } = record;
  const writes = reading.tools.filter(isDone);
  const moved = writes
    .map((use) => ({ use, amounts: newAmounts(record, use) }))
    .filter(({ amounts }) => amounts.length > 0);
  const [first] = moved;
  if (first === undefined) return [];
  const told = new Set<string>();
  let quote: { turn: number; sentence: Sentence; said: string } | null = null;
  for (const turn of reading.agent) {
    const amounts = readValues(turn.turn.text).filter((value) => value.kind === 'money');
    // What was understood of the turn holds those of other languages.
    for (const value of turn.values) if (value.kind === 'money') for (const form of value.forms) told.add(form);
    for (const amount of amounts) for (const form of amount.forms) told.add(form);
    if (amounts.length === 0 || turn.index > (first.use.callTurn ?? first.use.resultTurn ?? 0)) continue;
    for (const sentence of cutSentences(turn.turn.text)) {
      const said = readValues(sentence.text).find((value) => value.kind === 'money');
      if (said !== undefined && QUOTED.test(sentence.text)) {
        quote = { turn: turn.index, sentence, said: sentence.text.slice(said.from, said.to) };
      }
    }
  }
  const sums = signedSums(moved.flatMap(({ amounts }) => amounts));
  if (quote === null || [...sums].some((form) => told.has(form))) return [];
  const amounts = listed(moved.flatMap((one) => one.amounts));
  const what = `had named ${quote.said}; "${first.use.name}" took or gave back ${amounts}`;
  return [{ ...make(quote.turn, quote.sentence, first.use, 'quoted_differs', what), confidence: 0.6 }];
}

/** The amounts that a write added to its record; without an earlier reading of the record all that it shows. */
function newAmounts(record: CallRecord, use: ToolUse): number[] {
  const leaves = record.results(use);
  const key = recordKey(record, use);
  const earlier =
    key === null
      ? undefined
      : record
          .before(use.resultTurn ?? 0)
          .find((one) => record.results(one).some((leaf) => leaf.path === key.path && leaf.value === key.value));
  const known = new Set(
    earlier === undefined ? [] : record.results(earlier).map((leaf) => `${leaf.path}\n${leaf.value}`),
  );
  return leaves
    .filter((leaf) => isAmount(leaf) && !known.has(`${leaf.path}\n${leaf.value}`))
    .map((leaf) => Number(leaf.value));
}

function isAmount(leaf: Leaf): boolean {
  return typeof leaf.value === 'number' && leaf.value !== 0 && SETTLED.test(leaf.name) && !COUNTED.test(leaf.name);
}

/** What can be had by adding up the record's own prices, or its own payments and refunds. */
function totalsOf(leaves: readonly Leaf[]): Set<string> {
  const prices = leaves.filter(
    (leaf) => typeof leaf.value === 'number' && /^(?:unit_?)?(?:price|fare|cost)$/i.test(leaf.name),
  );
  const forms = signedSums(leaves.filter(isAmount).map((leaf) => Number(leaf.value)));
  forms.add(numberForm(prices.reduce((sum, leaf) => sum + Number(leaf.value), 0)));
  return forms;
}

function signedSums(amounts: readonly number[]): Set<string> {
  let sums = [0];
  for (const amount of amounts.slice(0, SUMMED_AT_MOST)) {
    sums = sums.flatMap((sum) => [sum, sum + amount, sum - amount]);
  }
  const forms = new Set(sums.map((sum) => numberForm(Math.abs(sum))));
  forms.delete('0');
  return forms;
}

function judge(
  record: CallRecord,
  turn: SpokenTurn,
  writes: readonly ToolUse[],
  moved: readonly number[],
): LedgerFinding | null {
  const all = writesUpTo(record, turn.index).flatMap((use) => newAmounts(record, use));
  const right = sumsOf(all);
  const totals = new Set(writes.flatMap((use) => [...totalsOf(record.results(use))]));
  const shown = new Set(
    writes
      .flatMap((use) => [...record.results(use), ...record.args(use)])
      .flatMap((leaf) => (typeof leaf.value === 'number' ? [numberForm(Math.abs(leaf.value))] : [])),
  );
  const last = writes.at(-1) ?? null;
  for (const sentence of cutSentences(turn.turn.text)) {
    if (WAIVED.test(sentence.text) && moved.some((amount) => amount > 0) && !isNotDone(sentence.text)) {
      return make(
        turn.index,
        sentence,
        last,
        'waived_but_charged',
        `says that nothing was charged; the result shows ${listed(moved)}`,
      );
    }
    const strict = MOVED.test(sentence.text) || ON_ITS_WAY.test(sentence.text);
    if ((!strict && !SUMMED.test(sentence.text)) || isNotDone(sentence.text) || sentence.text.endsWith('?')) continue;
    const end = sentence.from + sentence.text.length;
    const amounts = turn.values.filter(({ kind, from, to }) => kind === 'money' && from >= sentence.from && to <= end);
    if (amounts.length === 0) continue;
    const fits = amounts.some((amount) =>
      amount.forms.some((form) => right.has(form) || (!strict && (shown.has(form) || totals.has(form)))),
    );
    // A split payment may be told part by part, so that one right amount clears the sentence.
    if (fits) continue;
    const said = amounts[0]?.text ?? '';
    // The price of one part, where the write took or gave back more: the agent had a part in mind, its tool the whole.
    const isPart = amounts.some((amount) =>
      amount.forms.some((form) => shown.has(form) && all.some((one) => Math.abs(one) > Number(form))),
    );
    return make(
      turn.index,
      sentence,
      last,
      isPart ? 'part_for_whole' : 'amount_differs',
      `says ${said}; the result shows ${listed(moved)}`,
    );
  }
  return null;
}

function writesUpTo(record: CallRecord, turn: number): ToolUse[] {
  return record.before(turn).filter(isDone);
}

const SUMMED_AT_MOST = 6;

/** All sums that some of the amounts make, signs left aside. */
function sumsOf(amounts: readonly number[]): Set<string> {
  let sums = [0];
  for (const amount of amounts.slice(0, SUMMED_AT_MOST)) sums = sums.flatMap((sum) => [sum, sum + amount]);
  const forms = new Set(sums.map((sum) => numberForm(Math.abs(sum))));
  for (const amount of amounts) forms.add(numberForm(Math.abs(amount)));
  forms.delete('0');
  return forms;
}

function listed(amounts: readonly number[]): string {
  return [...new Set(amounts)].slice(0, 4).map(numberForm).join(', ');
}

const QUOTE_AT_MOST = 240;

function make(turn: number, sentence: Sentence, use: ToolUse | null, rule: string, what: string): LedgerFinding {
  return {
    code: 'result_misreported',
    rule,
    turn,
    quote: cutText(sentence.text, QUOTE_AT_MOST),
    detail: `The agent ${what}.`,
    use,
    confidence: 0.8,
    facts: { rule },
  };
}
