import { NUMBERED } from '../words/en/values.ts';
import { readNumber } from './numbers.ts';
import type { Token } from './tokens.ts';

const HOURS = 12;
const HALF_A_DAY = 720;
const MINUTES = new Set([10, 15, 20, 25, 30, 35, 40, 45, 50, 55]);

/**
 * "Nine thirty", "two forty-five": an hour and minutes in words, with no noun before them that is told apart by numbers.
 *
 * @returns minutes of the day, in both halves of it, or null where the number is another one.
 */
export function bareTime(tokens: readonly Token[], at: number, next: number): string[] | null {
  if (tokens[at]?.kind !== 'word') return null;
  const number = readNumber(tokens, at);
  if (number === null || number.next !== next || number.groups.length !== 2) return null;
  const [hour = 0, minute = 0] = number.groups;
  if (hour < 1 || hour > HOURS || !MINUTES.has(minute) || isNumbered(tokens[at - 1])) return null;
  const minutes = (hour % HOURS) * 60 + minute;
  return [minutes, minutes + HALF_A_DAY].map((one) => String(one).padStart(4, '0'));
}

/** "Room four fifteen", "flight two forty": what is told apart by numbers. */
function isNumbered(before: Token | undefined): boolean {
  return before?.kind === 'digits' || NUMBERED.has(before?.text ?? '');
}

const HOURS_OF_A_DAY = 24;

/** Minutes of the day, or null where no hour is meant: up to noon both halves of it may be. */
export function timesOfHour(hour: number): string[] | null {
  if (!Number.isInteger(hour) || hour < 1 || hour > HOURS_OF_A_DAY) return null;
  const hours = hour <= HOURS_OF_A_DAY / 2 ? [hour % 12, (hour % 12) + 12] : [hour % HOURS_OF_A_DAY];
  return hours.map((one) => String(one * 60).padStart(4, '0'));
}
