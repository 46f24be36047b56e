import { CLOSED_WORDS, DAY_GROUPS, OPEN_WORDS, RANGE_WORDS } from '../../acts/lists/hours-words.ts';
import { lookUp } from '../../acts/lists/lexicon.ts';
import { STOP } from '../../acts/lists/word-bits.ts';
import { valuesOfText } from '../../acts/values.ts';
import { cutWords } from '../text.ts';
import { hoursOf, weekdayOf } from './day-values.ts';

/** When the doors open and close on a weekday, in minutes on a clock of twelve hours, or that they stay closed. */
export type DayHours = 'closed' | readonly number[];

/** By weekday, 0 is Sunday; days that a prompt gives twice or not at all are left out. */
export type OpeningHours = ReadonlyMap<number, DayHours>;

/**
 * The hours of the business itself, from the one line of its prompt that begins with them ("Open Monday to Friday …"); none where
 * several lines do, because then each may be of another house.
 */
export function openingHours(prompt: string, language: string): OpeningHours {
  const tables = prompt
    .slice(0, PROMPT_READ)
    .split('\n')
    .filter(isAboutHours)
    // What stands in brackets is about something else beside it.
    .map((line) => daysOf(ownSentences(line.replace(/\([^)]{0,200}\)/g, ''), language), language))
    .filter((table) => table.size > 0);
  const [table, ...more] = tables;
  return table === undefined || more.length > 0 ? NONE : table;
}

/** The first sentence, and those behind it that begin with a day or with being open or closed. */
function ownSentences(line: string, language: string): string {
  const [first = '', ...others] = line.split(/(?<=\.)\s+(?=\p{Lu})/u);
  const own = others.filter((sentence) => {
    const [word = ''] = cutWords(sentence.slice(0, LINE_BEGINS)).words;
    if (OPEN_WORDS.has(word) || CLOSED_WORDS.has(word) || DAY_GROUPS.has(word)) return true;
    const [day] = valuesOfText(sentence, language);
    return day !== undefined && day.from <= LEAD && weekdayOf(day) !== null;
  });
  return [first, ...own].join(' ');
}

/** "On Sundays only" begins with its day as well. */
const LEAD = 4;
const PROMPT_READ = 60_000;
const NONE: OpeningHours = new Map();
const SUBJECT_AT_MOST = 4;

function isAboutHours(line: string): boolean {
  const { words } = cutWords(line.slice(0, LINE_BEGINS));
  const at = words.findIndex((word) => OPEN_WORDS.has(word));
  // "The branches are open": hours of something that has a name of its own.
  return at >= 0 && at < SUBJECT_AT_MOST && lookUp(words.slice(0, at)).every((bits) => (bits & STOP) !== 0);
}

const LINE_BEGINS = 80;

/** A day or several, or a time, where it stands in the line. */
interface Item {
  from: number;
  to: number;
  days: readonly number[];
  hours: readonly number[];
}

/** Days that are named together, with the times behind them. */
interface DayGroup {
  from: number;
  to: number;
  days: number[];
  hours: number[];
}

function daysOf(line: string, language: string): OpeningHours {
  const items = itemsOf(line, language);
  const groups: DayGroup[] = [];
  for (const [at, item] of items.entries()) {
    const group = groups.at(-1);
    if (item.days.length === 0) {
      // "12 noon" is one time.
      if (group !== undefined && !isSameTime(line, items[at - 1], item)) group.hours.push(...item.hours);
      continue;
    }
    const before = items[at - 1];
    const gap = before === undefined ? '' : line.slice(before.to, item.from);
    if (group === undefined || group.hours.length > 0 || before === undefined || hasClosed(gap) || /\./.test(gap))
      groups.push({ from: item.from, to: item.to, days: [...item.days], hours: [] });
    else {
      group.days.push(...(isRange(gap) ? daysBetween(group.days.at(-1) ?? 0, item.days[0] ?? 0) : item.days));
      group.to = item.to;
    }
  }
  return table(line, groups);
}

function isSameTime(line: string, before: Item | undefined, item: Item): boolean {
  const [hour] = before?.hours ?? [];
  return before !== undefined && hour === item.hours[0] && line.slice(before.to, item.from).trim() === '';
}

function itemsOf(line: string, language: string): Item[] {
  const values = valuesOfText(line, language).flatMap((value): Item[] => {
    const day = weekdayOf(value);
    if (day !== null && isHoliday(line, value)) return [];
    const hours = day === null ? hoursOf(value) : [];
    if (day === null && hours.length === 0) return [];
    return [{ from: value.from, to: value.to, days: day === null ? [] : [day], hours }];
  });
  const { words, starts, ends } = cutWords(line);
  const named = words.flatMap((word, at): Item[] => {
    const days = DAY_GROUPS.get(word);
    return days === undefined ? [] : [{ from: starts[at] ?? 0, to: ends[at] ?? 0, days, hours: [] }];
  });
  return [...values, ...named].sort((a, b) => a.from - b.from);
}

/** "Easter Sunday" is one day of the year. */
function isHoliday(line: string, { from, to }: { from: number; to: number }): boolean {
  return (
    /\b(?:easter|good|palm|ash|black)\s+$/i.test(line.slice(0, from)) ||
    /^\s+(?:santo|saint|de (?:pascua|pâques|resurrección))/i.test(line.slice(to))
  );
}

function isRange(gap: string): boolean {
  return RANGE_WORDS.has(gap.trim().toLowerCase());
}

function daysBetween(first: number, last: number): number[] {
  const days: number[] = [];
  for (let day = (first + 1) % WEEK; day !== last && days.length < WEEK; day = (day + 1) % WEEK) days.push(day);
  return [...days, last];
}

const WEEK = 7;

function hasClosed(text: string): boolean {
  return cutWords(text).words.some((word) => CLOSED_WORDS.has(word));
}

function table(line: string, groups: readonly DayGroup[]): OpeningHours {
  const days = new Map<number, DayHours>();
  const twice = new Set<number>();
  for (const [at, group] of groups.entries()) {
    const before = line.slice(groups[at - 1]?.to ?? 0, group.from);
    const behind = line.slice(group.to, groups[at + 1]?.from ?? line.length).split(/[.;,]/)[0] ?? '';
    const isClosed = group.hours.length === 0 && (hasClosed(before) || hasClosed(behind));
    if (!isClosed && (group.hours.length === 0 || group.hours.length % BOTH_ENDS !== 0)) continue;
    for (const day of group.days) {
      if (days.has(day)) twice.add(day);
      days.set(day, isClosed ? 'closed' : group.hours);
    }
  }
  for (const day of twice) days.delete(day);
  return days;
}

const BOTH_ENDS = 2;
