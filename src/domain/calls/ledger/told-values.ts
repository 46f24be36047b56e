import { does } from '../../acts/act.ts';
import { holdsValue, sentencesOf, standsWith } from '../../acts/sentences.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import type { Leaf } from '../../values/json-values.ts';
import { compare } from '../../values/same-value.ts';
import { valuesOfText } from '../../values/turn-values.ts';
import { type ActValue, numberForm } from '../../values/value.ts';
import { talkWords } from '../../words/talk-words.ts';
import { AMOUNTS, SPANS, TO_COME_FIELDS, TOTALS } from '../../words/tools/names.ts';
import { termsOf } from '../facts/prompt-terms.ts';
import type { ToolUse } from '../tool-uses.ts';
import type { LedgerFinding } from './finding.ts';
import { type CallRecord, isDone } from './record.ts';

const SHARE_WORDS = talkWords('shares');
const ON_THE_WAY_WORDS = talkWords('onTheWay');

interface Source {
  use: ToolUse;
  value: ActValue;
}

/**
 * What the agent reads out of a result that came since the caller spoke, where the result holds one value of the kind, the agent
 * tells one of the kind, and they differ.
 */
export function misreadValues(record: CallRecord): LedgerFinding[] {
  const found: LedgerFinding[] = [];
  for (const turn of record.reading.agent) {
    if (turn.values.length === 0) continue;
    const uses = readOutOf(record, turn.index);
    if (uses.length === 0) continue;
    const finding = otherDay(record, turn, uses) ?? otherAmount(record, turn, uses) ?? otherSpan(record, turn, uses);
    if (finding !== null) found.push(finding);
  }
  return found;
}

const USES_READ = 6;

/** The results that came since the caller spoke; where none did, the last one, which a question may go back to. */
function readOutOf(record: CallRecord, turn: number): readonly ToolUse[] {
  const since = record.lastCallerTurn(turn);
  const uses = record.before(turn, USES_READ).filter(({ refusal }) => !refusal);
  const fresh = uses.filter(({ resultTurn }) => (resultTurn ?? -1) > since);
  const asked = record.reading.spokenAt.get(since);
  return fresh.length > 0 || asked === undefined || !isWondering(asked) ? fresh : uses.slice(0, 1);
}

function isWondering(turn: SpokenTurn): boolean {
  return turn.asks || does(turn, 'requests');
}

function otherDay(record: CallRecord, turn: SpokenTurn, uses: readonly ToolUse[]): LedgerFinding | null {
  const named = turn.values.filter((value) => value.slot === 'date' && !value.denied);
  const dated = named.filter(({ forms }) => forms.some((form) => !form.startsWith('weekday-')));
  const { startedAt } = record.reading.call;
  const today = startedAt?.slice(0, ISO_DAY) ?? '';
  const isFresh = record.fresh(turn.index).some((use) => uses.includes(use));
  // A weekday beside a date is part of it, or says on which days it goes on.
  const days = dated.length === 1 ? dated : named.length > 0 || !isFresh ? named : daysFromNow(turn, startedAt);
  const isRelative = days.some(({ forms }) => forms.length > 0 && named.length === 0);
  const sources = uses.flatMap((use) =>
    record
      .results(use)
      .filter((leaf) => typeof leaf.value === 'string' && isToCome(leaf.value, today))
      .filter((leaf) => !isRelative || TO_COME_FIELDS.test(leaf.name))
      .map((leaf): Source => ({ use, value: dayOf(String(leaf.value).slice(0, ISO_DAY)) })),
  );
  const [day, ...more] = days;
  const [source] = sources;
  if (day === undefined || more.length > 0 || source === undefined) return null;
  if (sources.some(({ value }) => compare(value, day) !== 'other')) return null;
  // What was asked for may be named beside what was found; after a write what counts is what was written.
  const isWritten = isDone(source.use) && does(turn, 'claims_done');
  if (!isWritten && (isKnown(record, turn, day) || turn.asks)) return null;
  return make(turn, day, source.use, 'day_differs', `says "${day.text}"; the result says ${source.value.text}`);
}

const ISO_DAY = 10;
/** "Tomorrow" as a day; none where a message is to come then, or something is to be done on the way to the day of the result. */
function daysFromNow(turn: SpokenTurn, startedAt: string | null): ActValue[] {
  if (startedAt === null || does(turn, 'cannot')) return [];
  const hour = Number(startedAt.slice(ISO_DAY + 1, ISO_DAY + 3));
  return turn.values.flatMap((value) => {
    const ahead = value.denied ? undefined : DAYS_AHEAD.get(value.forms[0] ?? '');
    if (value.slot !== 'day_from_now' || ahead === undefined || standsWith(turn, value, ON_THE_WAY_WORDS)) return [];
    const start = Date.parse(`${startedAt.slice(0, ISO_DAY)}T00:00:00Z`);
    const days = [...(hour < WEST_UNTIL ? [ahead - 1] : []), ahead, ...(hour >= EAST_FROM ? [ahead + 1] : [])];
    const forms = days.map((day) => new Date(start + day * MS_OF_A_DAY).toISOString().slice(0, ISO_DAY));
    return [{ ...value, kind: 'date' as const, slot: 'date', forms }];
  });
}

const DAYS_AHEAD = new Map([
  ['tomorrow', 1],
  ['day after tomorrow', 2],
]);
/** Records are in UTC: before this hour it may be the day before in America, and from this hour on the next one in Asia. */
const WEST_UNTIL = 10;
const EAST_FROM = 13;
const MS_OF_A_DAY = 86_400_000;

/** Of a day that has passed nobody is told when to come. */
function isToCome(value: string, today: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(value) && value.slice(0, ISO_DAY) >= today;
}

function dayOf(form: string): ActValue {
  return { kind: 'date', slot: 'date', from: 0, to: 0, text: form, forms: [form], denied: false };
}

/** The caller, an earlier turn or another result had the day: then the agent speaks of that. */
function isKnown(record: CallRecord, turn: SpokenTurn, day: ActValue): boolean {
  const { spoken, language } = record.reading;
  const said = spoken.some(
    (one) => one.index < turn.index && one.values.some((value) => compare(value, day) === 'same'),
  );
  const holds = (leaf: Leaf) =>
    typeof leaf.value === 'string' &&
    leaf.value.length <= LEAF_AT_MOST &&
    valuesOfText(leaf.value, language ?? 'en').some((value) => compare(value, day) === 'same');
  return (
    said || record.before(turn.index).some((use) => record.results(use).some(holds) || record.args(use).some(holds))
  );
}

const LEAF_AT_MOST = 60;

/** Told as the sum of it all, and another amount than the one that the result calls so. */
function otherAmount(record: CallRecord, turn: SpokenTurn, uses: readonly ToolUse[]): LedgerFinding | null {
  const totals = uses.flatMap((use) => amountsOf(record, use, TOTALS).map((amount) => ({ use, amount })));
  const forms = new Set(totals.map(({ amount }) => numberForm(amount)));
  const [total] = totals;
  if (total === undefined || forms.size > 1) return null;
  const told = turn.values.filter((value) => isAmount(turn, value));
  const [amount, ...more] = told;
  if (amount === undefined || more.length > 0 || !isSum(turn, amount) || standsWith(turn, amount, SHARE_WORDS))
    // "You get half of it back."
    return null;
  const said = amountForms(amount);
  if (said.some((form) => forms.has(form)) || (isOfPrompt(record, amount) && !saysAll(turn, amount))) return null;
  // Another amount of the same result is another thing, unless the sentence says that it is all of it.
  const others = new Set(uses.flatMap((use) => amountsOf(record, use, AMOUNTS)).map(numberForm));
  if (said.some((form) => others.has(form)) && !saysAll(turn, amount)) return null;
  if (
    record.reading.spoken.some(
      (one) =>
        one.index < turn.index && one.values.some((value) => amountForms(value).some((form) => said.includes(form))),
    )
  )
    return null;
  const right = numberForm(total.amount);
  return make(turn, amount, total.use, 'total_differs', `says "${amount.text}"; the result says ${right}`);
}

/** The prompt has the amount, as a price of its own: "then five dollars a day". */
function isOfPrompt({ reading }: CallRecord, amount: ActValue): boolean {
  const prices = termsOf(reading)?.amounts;
  return amount.forms.some((form) => prices?.has(Number(form)) === true);
}

function amountsOf(record: CallRecord, use: ToolUse, name: RegExp): number[] {
  return record
    .results(use)
    .flatMap((leaf) => (typeof leaf.value === 'number' && leaf.value > 0 && name.test(leaf.name) ? [leaf.value] : []));
}

/** Money by its sign or word; "eighteen fifty" is money where the sentence sums up, and "from four" is none. */
function isAmount(turn: SpokenTurn, value: ActValue): boolean {
  if (value.kind === 'money') return true;
  if (value.kind !== 'number' || (value.slot !== 'code' && value.slot !== 'count')) return false;
  return (value.forms.at(-1) ?? '').length > 1 && isSum(turn, value);
}

function amountForms(value: ActValue): string[] {
  if (value.kind === 'money') return [...value.forms];
  if (value.kind !== 'number') return [];
  return value.forms.flatMap((form) => [form, numberForm(Number(form) / CENTS)]);
}

const CENTS = 100;

function isSum(turn: SpokenTurn, value: ActValue): boolean {
  return hitBeside(turn, value, 'sums_up') || saysAll(turn, value);
}

function saysAll(turn: SpokenTurn, value: ActValue): boolean {
  return hitBeside(turn, value, 'in_all');
}

/** A phrase of the list stands in the sentence of the value. */
function hitBeside(turn: SpokenTurn, value: ActValue, list: string): boolean {
  return sentencesOf(turn).some(
    (range) =>
      holdsValue(turn, range, value) &&
      turn.hits.some((hit) => hit.list === list && hit.from >= range.from && hit.to <= range.to),
  );
}

/** A span of time, where the result has one of the same unit and the agent tells another. */
function otherSpan(record: CallRecord, turn: SpokenTurn, uses: readonly ToolUse[]): LedgerFinding | null {
  if (turn.asks) return null;
  for (const [slot, name] of Object.entries(SPANS)) {
    const [span, ...more] = turn.values.filter((value) => value.slot === slot && !value.denied);
    const known = uses.flatMap((use) => amountsOf(record, use, name).map((length) => ({ use, length })));
    const [source] = known;
    if (span === undefined || more.length > 0 || source === undefined || isWished(record, turn, span)) continue;
    const said = Number(span.forms[0]);
    // "About half an hour" for 27 minutes is an honest way to say it.
    const about = slot === 'count:minutes' ? LITTLE : 0;
    if (known.some(({ length }) => Math.abs(length - said) <= Math.max(about, length / 4))) continue;
    const unit = slot.slice('count:'.length);
    return make(
      turn,
      span,
      source.use,
      'wait_differs',
      `says "${span.text}" ${unit}; the result says ${source.length}`,
    );
  }
  return null;
}

const LITTLE = 5;

/** The caller has just said it, behind the result: what they want is taken up, and nothing told. */
function isWished(record: CallRecord, turn: SpokenTurn, span: ActValue): boolean {
  const since = record.lastCallerTurn(turn.index);
  const isFresh = record.fresh(turn.index).length > 0;
  const wish = record.reading.spokenAt.get(since)?.values ?? [];
  return !isFresh && wish.some((value) => compare(value, span) === 'same');
}

function make(turn: SpokenTurn, value: ActValue, use: ToolUse, rule: string, what: string): LedgerFinding {
  return {
    code: 'result_misreported',
    rule,
    turn: turn.index,
    quote: value.text,
    detail: `The agent ${what}.`,
    use,
    confidence: 0.8,
    facts: { rule },
  };
}
