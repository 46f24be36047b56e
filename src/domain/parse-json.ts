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
