import { InvalidArgumentError } from 'commander';

/** What an option or argument may hold, read; a wrong value is said with the option's name by commander. */

export function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

export function amount(text: string): number {
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError('It must be an amount such as 25 or 12.50.');
  return Number(text);
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
