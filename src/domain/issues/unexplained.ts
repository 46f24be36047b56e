import { READ_BY_MODEL } from '../reading/answer.ts';
import { normalised, slugOf, wordsOf } from '../signals/cause-rows/variants.ts';

/** A call that ended badly and that no listed issue explains. */
export interface UnexplainedCall {
  callId: string;
  /** What the caller wanted; null where it fits no intent. */
  intent: { slug: string; label: string } | null;
  /** The last time that the business said no, as its observation tells it; null where it never did. */
  refusal: string | null;
  /** The rule that decided how it ended, and what it says. */
  rule: { name: string; text: string } | null;
}

/** What a model says of how a call ended is about that call alone: calls share what it comes to. */
export function endingOf(
  reason: { rule: string; text: string | null } | null,
  outcome: string | null,
): UnexplainedCall['rule'] {
  if (reason === null) return null;
  const { rule, text } = reason;
  if (rule !== READ_BY_MODEL) return { name: rule, text: text ?? rule };
  const isAbandoned = outcome === 'abandoned';
  return {
    name: `${rule}/${outcome}`,
    text: isAbandoned ? 'The caller gave up with the request open.' : 'The caller did not get what they asked for.',
  };
}

/** Calls that have something in common: a count to begin looking at, and no finding. */
export interface UnexplainedRow {
  title: string;
  calls: number;
  /** What the business answered last, without numbers and names. */
  refusal: string | null;
  intentSlug: string | null;
  /** How more than half of them ended, in the words of the rule. */
  ending: string | null;
  /** Some of the calls, to listen to. */
  callIds: string[];
}

/** Fewer calls have nothing in common that could not be chance. */
const CALLS_A_ROW = 3;
const CALLS_SHOWN = 3;
const ROWS_AT_MOST = 20;

type Traits = UnexplainedCall & { said: string | null };
type Trait = (call: Traits) => string | null;

const REFUSAL: Trait = ({ said }) => said;
const INTENT: Trait = ({ intent }) => intent?.slug ?? null;
const RULE: Trait = ({ rule }) => rule?.name ?? null;

/** What calls are put together by, the most telling first; what is left falls to the next. */
const LEVELS: readonly (readonly Trait[])[] = [[REFUSAL, INTENT], [REFUSAL], [INTENT, RULE], [INTENT], [RULE]];

/**
 * Calls that ended badly without a finding, by the last refusal and by what the caller wanted. Every call is in one row at
 * most; those that share nothing with two others are left over.
 */
export function groupUnexplained(calls: readonly UnexplainedCall[]): { rows: UnexplainedRow[]; left: number } {
  let open: Traits[] = calls.map((call) => ({ ...call, said: refusalOf(call.refusal) }));
  const rows: UnexplainedRow[] = [];
  for (const level of LEVELS) {
    const groups = Map.groupBy(open, (call) => keyOf(level, call));
    groups.delete(null);
    for (const [key, same] of groups) {
      if (same.length < CALLS_A_ROW) groups.delete(key);
      else rows.push(describe(level, same));
    }
    open = open.filter((call) => !groups.has(keyOf(level, call)));
  }
  rows.sort((a, b) => b.calls - a.calls || (a.title < b.title ? -1 : 1));
  const shown = rows.slice(0, ROWS_AT_MOST);
  return { rows: shown, left: calls.length - shown.reduce((sum, row) => sum + row.calls, 0) };
}

function keyOf(level: readonly Trait[], call: Traits): string | null {
  const parts = level.map((trait) => trait(call));
  return parts.includes(null) ? null : JSON.stringify(parts);
}

/** `"find_rooms" answered no: Nothing free on 4 May` without what belongs to one call. */
function refusalOf(detail: string | null): string | null {
  if (detail === null) return null;
  const [, tool = '', words = detail] = /^"([^"]{1,200})" answered no: (.*)$/s.exec(detail) ?? [];
  return `${tool}: ${slugOf(normalised(words)) || 'no'}`;
}

function describe(level: readonly Trait[], same: readonly Traits[]): UnexplainedRow {
  const [first] = same;
  if (first === undefined) throw new Error('A group without calls.');
  const said = level.includes(REFUSAL) ? first.said : null;
  const intent = level.includes(INTENT) ? first.intent : null;
  const refusal = said === null ? null : refusalText(said);
  const ending = ofMost(same.map(({ rule }) => (rule === null ? null : firstSentence(rule.text))));
  const unlike = same.some(({ rule }) => rule !== null)
    ? ', in different ways'
    : ': nothing was noticed before the end';
  const about = intent === null ? '' : ` about “${intent.label}”`;
  const title =
    refusal === null
      ? `Calls${about} that end badly${ending === null ? unlike : `: ${ending}`}`
      : `Calls${about} after ${refusal}`;
  return {
    title,
    calls: same.length,
    refusal,
    intentSlug: intent?.slug ?? null,
    ending,
    callIds: same.slice(0, CALLS_SHOWN).map(({ callId }) => callId),
  };
}

function refusalText(said: string): string {
  const [tool = '', words = ''] = said.split(': ');
  const who = tool === '' ? 'the business' : tool;
  return words === 'no' ? `${who} said no` : `${who} said “${wordsOf(words)}”`;
}

/** What follows tells of one call. */
function firstSentence(text: string): string {
  return text.split(/(?<=[.?!])\s/)[0] ?? text;
}

/** What more than half of them are; null where no text is. */
function ofMost(texts: readonly (string | null)[]): string | null {
  const counts = Map.groupBy(texts, (text) => text);
  const [top] = [...counts].find(([, same]) => same.length > texts.length / 2) ?? [null];
  return top?.replace(/\.$/, '') ?? null;
}
