import type { Json } from '../domain/json.ts';

const LONGEST_ID = 255;

/** An id of a platform, or null for what cannot be one. */
export function idOf(value: Json | undefined): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_ID) return null;
  return value;
}
