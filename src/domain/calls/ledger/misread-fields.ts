import type { ActValue } from '../../acts/act.ts';
import { wordAt } from '../../acts/self-repair.ts';
import { holdsValue, sentencesOf } from '../../acts/sentences.ts';
import type { SpokenTurn } from '../spoken-turn.ts';
import type { ToolUse } from '../tool-uses.ts';
import { plainWords } from '../tool-words.ts';
import { type Leaf, parentOf } from '../values/json-values.ts';
import { numberForm } from '../values/value.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

const NAME_AT_LEAST = 4;

/** "You are in place four", where the field `place` of the result says 14: the number beside a field's name is another one. */
export function misreadFields(record: CallRecord): LedgerFinding[] {
  return record.reading.agent.flatMap((turn) => {
    if (turn.asks || turn.values.length === 0) return [];
    const uses = record.fresh(turn.index);
    for (const use of uses) {
      const found = misread(record, turn, use) ?? misreadSibling(record, turn, use);
      if (found !== null) return [found];
    }
    return [];
  });
}

function misread(record: CallRecord, turn: SpokenTurn, use: ToolUse): LedgerFinding | null {
  const numbers = record.results(use).filter(({ value }) => typeof value === 'number');
  const held = new Set(numbers.map(({ value }) => numberForm(Number(value))));
  for (const { name, value } of numbers) {
    if (numbers.some((other) => other.name === name && other.value !== value)) continue;
    const told = turn.values.find(
      (one) => (one.kind === 'number' || one.kind === 'money') && !one.denied && standsBeside(turn, one, name),
    );
    if (
      told === undefined ||
      told.forms.some(
        (form) => held.has(form) || isRounded(Number(form), Number(value)) || isMultiple(told, form, value),
      )
    )
      continue;
    return {
      code: 'result_misreported',
      rule: 'field_differs',
      turn: turn.index,
      quote: told.text,
      detail: `The agent says "${told.text}" of ${name}; the result says ${value}.`,
      use,
      confidence: 0.8,
      facts: { rule: 'field_differs' },
    };
  }
  return null;
}

/**
 * "The day rate is thirty-nine", where the result has 26 for the day and 39 for the weekend: the one field of several that
 * the sentence names, with the amount of another.
 */
function misreadSibling(record: CallRecord, turn: SpokenTurn, use: ToolUse): LedgerFinding | null {
  const numbers = record.results(use).filter(({ name, value }) => typeof value === 'number' && isTier(name));
  for (const range of sentencesOf(turn)) {
    const words = new Set(turn.words.slice(range.from, range.to));
    const said = turn.values.filter((one) => one.kind === 'money' && !one.denied && holdsValue(turn, range, one));
    const [told, ...more] = said;
    if (told === undefined || more.length > 0) continue;
    const named = numbers.filter(({ name }) => plainWords(name).every((word) => words.has(word)));
    if (named.some(({ name }) => !isPriceOf(turn, plainWords(name).at(-1) ?? '', told))) continue;
    const [own, ...others] = named;
    if (own === undefined || others.length > 0) continue;
    const siblings = numbers.filter((one) => one !== own && parentOf(one.path) === parentOf(own.path));
    const isOf = ({ value }: Leaf) => told.forms.includes(numberForm(Number(value)));
    const taken = siblings.find(isOf);
    if (taken === undefined || isOf(own)) continue;
    return {
      code: 'result_misreported',
      rule: 'sibling_told',
      turn: turn.index,
      quote: told.text,
      detail: `The agent says "${told.text}" of ${own.name}; the result has ${own.value} for that, and this for ${taken.name}.`,
      use,
      confidence: 0.8,
      facts: { rule: 'sibling_told' },
    };
  }
  return null;
}

/** "The day rate is thirty-nine", "thirty-nine a day": little stands between, and nothing that sets them apart. */
function isPriceOf(turn: SpokenTurn, name: string, told: ActValue): boolean {
  const [first, behind] = [wordAt(turn, told.from), wordAt(turn, told.to)];
  return turn.words.some((word, at) => {
    if (word !== name) return false;
    const between = at < first ? turn.words.slice(at + 1, first) : turn.words.slice(behind, at);
    const apart = [...between, turn.words[at - 1] ?? ''].some((one) => APART.has(one));
    return between.length <= (at < first ? WORDS_TO_THE_PRICE : 2) && !apart;
  });
}

const WORDS_TO_THE_PRICE = 4;
const APART = new Set('without before from instead unless of not no up than once until'.split(' '));

/** One of several prices, such as `day` and `weekend`; sums, fees and counts stand beside each other for other reasons. */
function isTier(name: string): boolean {
  return !plainWords(name).some((word) => NO_TIERS.has(word));
}

const NO_TIERS = new Set(
  'new old current items parts labour labor shipping total sum amount price cost fee fees charge deposit refund credit balance tax vat value discount paid due number count quantity id summe betrag preis gebuhr anzahlung total importe precio cuota montant prix frais solde'.split(
    ' ',
  ),
);

/** "For two rooms that's a $100 deposit", where it is 50 a room. */
function isMultiple({ kind }: ActValue, form: string, value: Leaf['value']): boolean {
  const times = Number(form) / Number(value);
  return kind === 'money' && Number.isInteger(times) && times > 1 && times <= TIMES_AT_MOST;
}

const TIMES_AT_MOST = 12;

/** "Two hundred" for 212. */
function isRounded(told: number, right: number): boolean {
  return told % 10 === 0 && Math.abs(told - right) <= right / 10;
}

/** The word right before or right behind the number is the field's name. */
function standsBeside(turn: SpokenTurn, { from, to }: ActValue, name: string): boolean {
  const field = name.toLowerCase();
  if (field.length < NAME_AT_LEAST) return false;
  return turn.words.some((word, at) => {
    if (word !== field && word !== `${field}s`) return false;
    const [start, end] = [turn.starts[at] ?? 0, turn.ends[at] ?? 0];
    return Math.abs(from - end) <= 1 || Math.abs(start - to) <= 1;
  });
}
