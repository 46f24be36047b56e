import { InvalidArgumentError } from 'commander';
import type { ModelShare } from '../src/domain/vocabulary.ts';
import { isZone } from '../src/platforms/formats/zone.ts';

/** What an option or argument may hold, read; a wrong value is said with the option's name by commander. */

export function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

export function amount(text: string): number {
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError('It must be an amount such as 25 or 12.50.');
  return Number(text);
}

/** An IANA time zone. */
export function timeZone(text: string): string {
  if (!isZone(text)) throw new InvalidArgumentError('It must be a time zone, such as Europe/Berlin.');
  return text;
}

/** A version of an agent; 0 is possible. */
export function version(text: string): number {
  if (!/^(0|[1-9][0-9]{0,8})$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function repeats(text: string): number {
  if (text !== '3') throw new InvalidArgumentError('It must be 3: each cell is played three times and reports k of 3.');
  return 3;
}

export function idempotencyKey(text: string): string {
  if (!/^[\x21-\x7e]{1,240}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 240 visible characters, without spaces.');
  }
  return text;
}

/** What stands for what the plan includes. Commander makes an empty text of null, so it stays a word until it is sent. */
export type Allowance = number | 'default';

export function allowance(text: string): Allowance {
  if (text === 'default') return text;
  if (!/^(0|[1-9][0-9]{0,8})$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number, or "default" for what the plan includes.');
  }
  return Number(text);
}

/** An amount in USD, or `default`. */
export function allowedUsd(text: string): Allowance {
  return text === 'default' ? text : amount(text);
}

export function hourOfDay(text: string): number {
  if (!/^([0-9]|1[0-9]|2[0-3])$/.test(text)) throw new InvalidArgumentError('It must be an hour from 0 to 23.');
  return Number(text);
}

export function quietHours(text: string): { from: string; to: string } {
  const [, from, to] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new InvalidArgumentError('They must be such as 22:00-07:00.');
  return { from, to };
}

export function usdOrUnlimited(text: string): number | 'unlimited' {
  return text === 'unlimited' ? text : amount(text);
}

/** Which calls a model reads, as the settings of an agent have it. */
export function modelShare(text: string): { modelShare: ModelShare; modelSharePercent?: number } {
  if (text === 'all') return { modelShare: 'all' };
  const percent = text === 'suspected' ? 0 : Number(/^(\d{1,3})%?$/.exec(text)?.[1] ?? Number.NaN);
  if (!(percent <= 100)) throw new InvalidArgumentError('It must be all, suspected, or a percentage such as 20.');
  return { modelShare: 'suspected', modelSharePercent: percent };
}

export function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('It must be yes or no.');
  return text === 'yes';
}

/** For options that may be given again for more. */
export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];
