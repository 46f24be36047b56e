import type { ActValue } from '../../acts/act.ts';
import {
  BUSINESS_WORDS,
  CLOSED_WORDS,
  CLOSING_WORDS,
  FROM_WORDS,
  HERE_WORDS,
  HOURS_FILLERS,
  OPEN_WORDS,
  UNTIL_WORDS,
} from '../../acts/lists/hours-words.ts';
import { STOP, VALUE } from '../../acts/lists/word-bits.ts';
import { holdsValue } from '../../acts/sentences.ts';
import type { CallBase } from '../call-base.ts';
import type { LedgerFinding } from '../ledger/finding.ts';
import type { SpokenTurn } from '../spoken-turn.ts';
import { hoursOf, weekdayOf } from './day-values.ts';
import { type DayHours, type OpeningHours, openingHours } from './opening-hours.ts';

/** Where the agent tells other opening hours than its prompt has for that weekday. */
export function toldHours(reading: CallBase): LedgerFinding[] {
  const prompt = reading.configuration?.prompt ?? null;
  if (prompt === null) return [];
  let hours: OpeningHours | null = null;
  return reading.agent.flatMap((turn) => {
    const asked = lastCaller(reading, turn);
    if (!isAboutHours(turn) && (asked === null || !isAboutHours(asked))) return [];
    hours ??= openingHours(prompt, reading.language ?? 'en');
    const told = partsOf(turn).find((part) => isWrong(turn, part, asked, hours ?? new Map()));
    return told === undefined ? [] : [make(turn, told)];
  });
}

function lastCaller(reading: CallBase, turn: SpokenTurn): SpokenTurn | null {
  const before = reading.spoken[turn.order - 1];
  return before?.role === 'caller' ? before : null;
}

function isAboutHours(turn: SpokenTurn): boolean {
  if (turn.words.some((word) => HERE_WORDS.has(word)) && turn.words.some((word) => UNTIL_WORDS.has(word))) return true;
  return turn.words.some((word) => OPEN_WORDS.has(word) || CLOSING_WORDS.has(word) || CLOSED_WORDS.has(word));
}

/** The words of a turn between two signs, questions left out. */
interface Part {
  from: number;
  to: number;
}

function partsOf(turn: SpokenTurn): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 1; at <= turn.words.length; at += 1) {
    const gap = turn.turn.text.slice(turn.ends[at - 1] ?? 0, turn.starts[at] ?? turn.turn.text.length);
    if (at < turn.words.length && !/[.?!;,]/.test(gap)) continue;
    if (!gap.includes('?')) parts.push({ from, to: at });
    from = at;
  }
  return parts;
}

function isWrong(turn: SpokenTurn, part: Part, asked: SpokenTurn | null, hours: OpeningHours): boolean {
  const values = turn.values.filter((value) => holdsValue(turn, part, value));
  const day = dayOf([values, turn.values, asked?.values ?? []]);
  const known = day === null ? undefined : hours.get(day);
  // A date is one day, which may be a holiday; what names another thing has hours of its own.
  if (known === undefined || values.some(isDate) || hasOtherMatter(turn, part)) return false;
  const isClosed = hasWord(turn, part, CLOSED_WORDS) && !hasWord(turn, part, UNTIL_WORDS);
  const times = values.filter((value) => !value.denied && hoursOf(value).length > 0);
  if (times.length === 0) return known !== 'closed' && isClosed && onlyDay(values) !== null && !isClosing(turn, part);
  return isClosed && !isClosing(turn, part) ? false : times.some((value) => differs(turn, value, times.length, known));
}

function isDate(value: ActValue): boolean {
  return value.kind === 'date' && weekdayOf(value) === null;
}

/** The day of the first of these that name any: where several are named, none is the one. */
function dayOf(said: readonly (readonly ActValue[])[]): number | null {
  const first = said.find((values) => values.some((value) => weekdayOf(value) !== null));
  return first === undefined ? null : onlyDay(first);
}

function onlyDay(values: readonly ActValue[]): number | null {
  const [day, ...more] = new Set(
    values
      .filter((value) => !value.denied)
      .map(weekdayOf)
      .filter((one) => one !== null),
  );
  return day === undefined || more.length > 0 ? null : day;
}

function hasWord(turn: SpokenTurn, part: Part, words: ReadonlySet<string>): boolean {
  return turn.words.slice(part.from, part.to).some((word) => words.has(word));
}

function isClosing(turn: SpokenTurn, part: Part): boolean {
  return (
    hasWord(turn, part, CLOSING_WORDS) &&
    turn.values.some((value) => holdsValue(turn, part, value) && hoursOf(value).length > 0)
  );
}

/** "The pool opens at ten": of something else than the business itself. */
function hasOtherMatter(turn: SpokenTurn, part: Part): boolean {
  if (!hasWord(turn, part, BUSINESS_WORDS)) return true;
  for (let at = part.from; at < part.to; at += 1) {
    const word = turn.words[at] ?? '';
    if (((turn.bits[at] ?? 0) & (STOP | VALUE)) !== 0 || word.length <= SHORT || isOfHours(word)) continue;
    if (turn.values.some((value) => value.from <= (turn.starts[at] ?? 0) && value.to >= (turn.ends[at] ?? 0))) continue;
    return true;
  }
  return false;
}

const SHORT = 2;

function isOfHours(word: string): boolean {
  return [OPEN_WORDS, CLOSING_WORDS, CLOSED_WORDS, UNTIL_WORDS, FROM_WORDS, HOURS_FILLERS].some((list) =>
    list.has(word),
  );
}

/** Told as the end, as the beginning, or as either; several times have to be the two ends. */
function differs(turn: SpokenTurn, value: ActValue, times: number, known: DayHours): boolean {
  const at = turn.starts.findIndex((start) => start >= value.from);
  const lead = [turn.words[at - 1] ?? '', turn.words[at - 2] ?? ''];
  const isEnd = lead.some((word) => UNTIL_WORDS.has(word) || CLOSING_WORDS.has(word)) || endsWithUntil(value);
  const isBeginning = lead.some((word) => FROM_WORDS.has(word) || OPEN_WORDS.has(word));
  const isBareHour = value.slot === 'count';
  if (!isEnd && !isBeginning && (isBareHour || times < 2)) return false;
  if (known === 'closed') return true;
  const told = hoursOf(value);
  if (told.length > 1) return told.some((hour) => !known.includes(hour));
  // With a break at noon there are two ends.
  const right =
    known.length > 2 ? known : isEnd ? known.slice(-1) : times === 1 && isBeginning ? known.slice(0, 1) : known;
  return !right.some((hour) => told.includes(hour));
}

function endsWithUntil(value: ActValue): boolean {
  return UNTIL_WORDS.has(value.text.toLowerCase().split(/[\s]+/)[0] ?? '');
}

function make(turn: SpokenTurn, part: Part): LedgerFinding {
  const quote = turn.turn.text.slice(turn.starts[part.from] ?? 0, turn.ends[part.to - 1] ?? 0);
  return {
    code: 'fact_contradicts_source',
    rule: 'hours_differ',
    turn: turn.index,
    quote,
    detail: `The agent says "${quote}"; its prompt has other opening hours for that day.`,
    use: null,
    confidence: 0.8,
    facts: { rule: 'hours_differ' },
  };
}
