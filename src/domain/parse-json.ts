import type { Json } from './json.ts';
import { nestsBeyond } from './json-shape.ts';

const MAX_DEPTH = 64;

/** @returns undefined for what is no JSON, and for nesting so deep that later code, which recurses, could not carry it. */
export function parseJson(text: string): Json | undefined {
  if (nestsBeyond(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tool arguments and results come as JSON in a string, most of the time. */
export function embeddedJson(value: Json | undefined): Json {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  return parseJson(value) ?? value;
}
