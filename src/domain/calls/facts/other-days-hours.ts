import type { ActValue } from '../../acts/act.ts';
import { RANGE_WORDS } from '../../acts/lists/hours-words.ts';
import { once } from '../../once.ts';
import type { CallBase } from '../call-base.ts';
import type { LedgerFinding } from '../ledger/finding.ts';
import type { SpokenTurn } from '../spoken-turn.ts';
import { HALF_A_DAY, hoursOf, weekdayOf } from './day-values.ts';
import { type DayHours, hoursByDay, type OpeningHours } from './opening-hours.ts';

/**
 * "Sunday mornings are fine, from half past eight to half past ten", where a line of the prompt has these hours for other
 * days and others, or none, for a Sunday.
 */
export function otherDaysHours(reading: CallBase): LedgerFinding[] {
  const prompt = reading.configuration?.prompt ?? null;
  if (prompt === null) return [];
  const tables = once(() => hoursByDay(prompt, reading.language ?? 'en'));
  return reading.agent.flatMap((turn) => {
    const ranges = turn.asks ? [] : rangesOf(turn);
    const day = ranges.length === 0 ? null : dayOf(reading, turn);
    if (day === null) return [];
    const wrong = ranges.find(
      (range) =>
        !isAsked(reading, turn, range) &&
        !tables().some((table) => isOpenThen(table, day, range)) &&
        tables().some((table) => isOfAnotherDay(table, day, range)),
    );
    return wrong === undefined ? [] : [make(turn, wrong)];
  });
}

interface Range {
  from: ActValue;
  to: ActValue;
  /** Minutes on a clock of twelve hours. */
  ends: readonly [number, number];
}

/** Two times with a word of range between them: "half past eight till half past ten". */
function rangesOf(turn: SpokenTurn): Range[] {
  return turn.values.flatMap((from, at) => {
    const own = hoursOf(from);
    const [first, last] = own;
    if (first !== undefined && last !== undefined) return [{ from, to: from, ends: [first, last] as const }];
    const to = turn.values[at + 1];
    const [end, ...more] = to === undefined ? [] : hoursOf(to);
    if (to === undefined || first === undefined || end === undefined || more.length > 0) return [];
    if (!isRange(turn.turn.text.slice(from.to, to.from), to)) return [];
    return [{ from, to, ends: [first, end] as const }];
  });
}

/** The value itself may begin with the word: "bis zwölf Uhr". */
function isRange(gap: string, to: ActValue): boolean {
  const [first = ''] = `${gap.trim()} ${to.text}`.trim().toLowerCase().split(' ');
  return RANGE_WORDS.has(first) || (AND.has(first) && gap.trim().toLowerCase() === first);
}

/** "Between eight and ten". */
const AND = new Set(['and', 'und', 'y', 'et']);

/** The one weekday of the turn, or else of what was asked; a date may be a holiday. */
function dayOf(reading: CallBase, turn: SpokenTurn): number | null {
  const before = reading.spoken[turn.order - 1];
  for (const values of [turn.values, before?.role === 'caller' ? before.values : []]) {
    const days = new Set(values.filter(({ denied }) => !denied).flatMap((value) => weekdayOf(value) ?? []));
    const [day] = days;
    if (day !== undefined) return days.size === 1 ? day : null;
  }
  return null;
}

/** The caller has just said it: their wish, and no hours. */
function isAsked(reading: CallBase, turn: SpokenTurn, { ends }: Range): boolean {
  const before = reading.spoken[turn.order - 1];
  return (
    before?.role === 'caller' && rangesOf(before).some(({ ends: [from, to] }) => from === ends[0] && to === ends[1])
  );
}

/** Some line has the doors open then on that day: it is right, or a visit within the hours. */
function isOpenThen(table: OpeningHours, day: number, { ends: [from, to] }: Range): boolean {
  const hours = table.get(day);
  if (hours === undefined || hours === 'closed') return false;
  return hours.some((open, at) => at % 2 === 0 && isWithin(open, hours[at + 1] ?? open, from, to));
}

/** On a clock of twelve hours counted from the opening. */
function isWithin(open: number, close: number, from: number, to: number): boolean {
  const since = (minutes: number) => (minutes - open + HALF_A_DAY) % HALF_A_DAY;
  return since(from) < since(to) && since(to) <= (since(close) || HALF_A_DAY);
}

function isOfAnotherDay(table: OpeningHours, day: number, { ends }: Range): boolean {
  const own = table.get(day);
  if (own === undefined || holds(own, ends)) return false;
  return [...table.values()].some((hours) => holds(hours, ends));
}

function holds(hours: DayHours, [from, to]: readonly [number, number]): boolean {
  if (hours === 'closed') return false;
  return hours.some((hour, at) => at % 2 === 0 && hour === from && hours[at + 1] === to);
}

function make(turn: SpokenTurn, { from, to }: Range): LedgerFinding {
  const quote = turn.turn.text.slice(from.from, to.to);
  return {
    code: 'fact_contradicts_source',
    rule: 'hours_of_another_day',
    turn: turn.index,
    quote,
    detail: `The agent says "${quote}"; its prompt has these hours for other days, and not for this one.`,
    use: null,
    confidence: 0.8,
    facts: { rule: 'hours_of_another_day' },
  };
}
