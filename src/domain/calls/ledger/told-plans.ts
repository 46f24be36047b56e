import type { ActValue } from '../../acts/act.ts';
import { AT_WORDS } from '../../acts/lists/hours-words.ts';
import { EXPECTED_FIELDS, OFF_PLAN_STEMS, PLANNED_FIELDS } from '../../acts/lists/told-result-words.ts';
import { wordAt } from '../../acts/self-repair.ts';
import type { SpokenTurn } from '../spoken-turn.ts';
import type { ToolUse } from '../tool-uses.ts';
import { plainWords } from '../tool-words.ts';
import { type Leaf, parentOf } from '../values/json-values.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

/** Nobody calls a boat late that leaves a few minutes behind its time. */
const MINUTES_APART = 16;
const DAY = 1440;
const MINUTES = 60;

/**
 * "The five o'clock is running", where the result holds that time as the one that was planned and another as the one that is
 * expected: the agent has read the wrong one of the two.
 */
export function toldPlans(record: CallRecord): LedgerFinding[] {
  return record.reading.agent.flatMap((turn) => {
    if (turn.values.length === 0 || turn.asks || isOffPlan(turn)) return [];
    const uses = record.fresh(turn.index);
    for (const plan of uses.flatMap((use) => plansOf(record, use))) {
      const told = turn.values.find(
        (value) => !value.denied && !isName(turn, value) && isAt(turn, value, plan.planned),
      );
      if (told !== undefined && !turn.values.some((value) => isAt(turn, value, plan.expected)))
        return [make(turn, told, plan)];
    }
    return [];
  });
}

interface Plan {
  use: ToolUse;
  planned: Moment;
  expected: Moment;
}

/** A time of the day or a day; of a moment both. */
interface Moment {
  text: string;
  day: string | null;
  minutes: number | null;
}

/** The one planned and the one expected moment of a result, where they are in one object and apart. */
function plansOf(record: CallRecord, use: ToolUse): Plan[] {
  // What was just changed has an old and a new time, and both are told.
  if (use.effect === 'write') return [];
  const byObject = new Map<string, { planned: Moment[]; expected: Moment[] }>();
  for (const leaf of record.results(use)) {
    const moment = momentOf(leaf);
    if (moment === null) continue;
    const words = plainWords(leaf.name);
    const isPlanned = words.some((word) => PLANNED_FIELDS.has(word));
    if (isPlanned === words.some((word) => EXPECTED_FIELDS.has(word))) continue;
    // The planned and the expected one are of the same thing: `scheduled_departure` and `new_departure`.
    const thing = words.filter((word) => !PLANNED_FIELDS.has(word) && !EXPECTED_FIELDS.has(word));
    if (thing.includes('at')) continue;
    const path = [parentOf(leaf.path), ...thing].join(' ');
    const known = byObject.get(path) ?? { planned: [], expected: [] };
    byObject.set(path, known);
    known[isPlanned ? 'planned' : 'expected'].push(moment);
  }
  return [...byObject.values()].flatMap((one) => {
    const [[planned, ...plans], [expected, ...more]] = [one.planned, one.expected];
    if (planned === undefined || expected === undefined || plans.length + more.length > 0) return [];
    return areApart(planned, expected) ? [{ use, planned, expected }] : [];
  });
}

const MOMENT =
  /^(?:(\d{4}-\d{2}-\d{2})(?:[T ]|$))?(?:([01]?\d|2[0-3]):([0-5]\d)(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:?\d{2})?)?$/;

function momentOf({ value }: Leaf): Moment | null {
  const match = typeof value === 'string' && value !== '' ? MOMENT.exec(value) : null;
  if (match === null) return null;
  const [text, day = null, hour, minute] = match;
  return { text, day, minutes: hour === undefined ? null : Number(hour) * 60 + Number(minute) };
}

function areApart(a: Moment, b: Moment): boolean {
  if (a.day !== null && b.day !== null && a.day !== b.day) return true;
  return a.minutes !== null && b.minutes !== null && apart(a.minutes, b.minutes, DAY) >= MINUTES_APART;
}

/** The value is this time on either half of the day, or this day where the moment has no time. */
function isAt(turn: SpokenTurn, { kind, slot, forms, from }: ActValue, { day, minutes }: Moment): boolean {
  if (slot === 'count' && minutes !== null) {
    const before = turn.words[wordAt(turn, from) - 1] ?? '';
    return AT_WORDS.has(before) && forms.some((form) => apart(Number(form) * MINUTES, minutes, DAY / 2) < ROUNDED);
  }
  if (kind === 'time' && minutes !== null) {
    return forms.some((form) => apart(Number(form), minutes, DAY / 2) < ROUNDED);
  }
  if (kind !== 'date' || day === null || minutes !== null) return false;
  return forms.some((form) => form === day || form === day.slice(MONTH_FROM) || form === `day-${day.slice(DAY_FROM)}`);
}

const ROUNDED = 5;
const MONTH_FROM = 5;
const DAY_FROM = 8;

function apart(a: number, b: number, around: number): number {
  const between = Math.abs(a - b) % around;
  return Math.min(between, around - between);
}

/** "The five o'clock", "your 11:30": it names the thing. */
function isName(turn: SpokenTurn, { kind, from }: ActValue): boolean {
  return kind !== 'date' && NAMING.has(turn.words[wordAt(turn, from) - 1] ?? '');
}

const NAMING = new Set('the your this der die das den ihr ihre el la su le votre'.split(' '));

/** It says that it comes late, or not: then the planned time names the thing. */
function isOffPlan(turn: SpokenTurn): boolean {
  const hasWait = turn.values.some(({ slot }) => slot === 'count:minutes' || slot === 'count:hours');
  return hasWait || turn.words.some((word) => OFF_PLAN_STEMS.some((stem) => word.startsWith(stem)));
}

function make(turn: SpokenTurn, told: ActValue, { use, planned, expected }: Plan): LedgerFinding {
  return {
    code: 'result_misreported',
    rule: 'plan_told',
    turn: turn.index,
    quote: told.text,
    detail: `The agent says "${told.text}"; the result has ${planned.text} as planned and ${expected.text} as expected.`,
    use,
    confidence: 0.8,
    facts: { rule: 'plan_told' },
  };
}
