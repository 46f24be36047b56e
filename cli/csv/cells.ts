export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A cell that can't be read, in words. */
export class Unusable extends Error {}

const CLOCK = /^(?:(\d+):)?([0-5]?\d):([0-5]?\d(?:[.,]\d+)?)$/;

/** Seconds or milliseconds as numbers; also `1:02.5` and `0:01:02`, which are seconds. */
export function timeIn(cell: string): number {
  const number = Number(cell.replace(',', '.'));
  if (Number.isFinite(number)) return number;
  const [, hours = '0', minutes, seconds] = CLOCK.exec(cell) ?? [];
  if (minutes === undefined || seconds === undefined) {
    throw new Unusable(`${JSON.stringify(cell)} is no time: give seconds, milliseconds or 1:02.5.`);
  }
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
}

const YES = new Set(['true', 'yes', '1', 'y']);
const NO = new Set(['false', 'no', '0', 'n']);

export function flagIn(cell: string): boolean {
  const word = cell.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new Unusable(`${JSON.stringify(cell)} is neither true nor false.`);
}

export function wholeNumberIn(cell: string): number {
  if (/^\d{1,9}$/.test(cell)) return Number(cell);
  throw new Unusable(`${JSON.stringify(cell)} is no whole number.`);
}

/** JSON where it is some, else the text itself. */
export function jsonIn(cell: string): Json {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
