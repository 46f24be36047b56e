import { isJsonObject, type Json } from '../../domain/json.ts';

/** What a field must hold. */
export interface Check {
  /** In words, such as "a list". */
  what: string;
  holds(value: Json): boolean;
}

/** Checks by path, such as `data.transcript`; an empty one is the value itself, `[]` the first object of a list, and `a|b` holds where one of them does. */
export type Marks = Readonly<Record<string, Check>>;

export const text: Check = { what: 'text', holds: (value) => typeof value === 'string' };
export const list: Check = { what: 'a list', holds: Array.isArray };
export const object: Check = { what: 'an object', holds: isJsonObject };
export const number: Check = {
  what: 'a number',
  holds: (value) => typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)),
};
/** Any value at all. */
export const named: Check = { what: 'there', holds: () => true };
/** Any value but null. */
export const present: Check = { what: 'there', holds: (value) => value !== null };
export const oneOf = (...values: string[]): Check => ({
  what: values.map((value) => JSON.stringify(value)).join(' or '),
  holds: (value) => typeof value === 'string' && values.includes(value),
});
export const like = (what: string, pattern: RegExp): Check => ({
  what,
  holds: (value) => typeof value === 'string' && pattern.test(value),
});

export const fits = (value: Json, marks: Marks): boolean =>
  Object.entries(marks).every(([path, check]) => holdsAt(value, path, check));

/** How many of the marks hold, and what the first of the others finds. */
export function compare(value: Json, marks: Marks): { held: number; of: number; differs: string | null } {
  const entries = Object.entries(marks);
  const missed = entries.filter(([path, check]) => !holdsAt(value, path, check));
  const [first] = missed;
  return {
    held: entries.length - missed.length,
    of: entries.length,
    differs: first === undefined ? null : difference(value, ...first),
  };
}

const holdsAt = (value: Json, path: string, check: Check) =>
  path.split('|').some((one) => {
    const found = at(value, one);
    return found !== undefined && check.holds(found);
  });

function difference(value: Json, path: string, check: Check): string {
  const paths = path.split('|');
  const shown = paths.map((one) => `\`${one}\``).join(' or ');
  const found = paths.map((one) => at(value, one)).find((one) => one !== undefined);
  if (found === undefined) return `${shown} is missing`;
  return `${shown} is ${kindOf(found)}, not ${check.what}`;
}

/** The value at a path, or undefined. */
export function at(value: Json, path: string): Json | undefined {
  if (path === '') return value;
  let here: Json | undefined = value;
  for (const part of path.split('.')) {
    if (part === '[]') here = Array.isArray(here) ? here.find(isJsonObject) : undefined;
    else if (isJsonObject(here) && Object.hasOwn(here, part)) here = here[part];
    else return undefined;
  }
  return here;
}

const SHOWN_AT_MOST = 40;

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value.length > SHOWN_AT_MOST ? 'text' : JSON.stringify(value);
  return String(value);
}
