import { type FieldValue, keepFields } from '../domain/calls/call-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Finite numbers, also where they came as text. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '' || value.length > 30) return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

/** An id that can key a record: text of 1 to 255 characters, or a whole number written out. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  const id = textOf(value)?.trim() ?? '';
  return id.length > 0 && id.length <= 255 ? id : null;
}

/** A short text of the platform's, such as an end reason; longer ones are cut. */
export function shortText(value: unknown, maxLength = 200): string | null {
  const found = textOf(value)?.trim() ?? '';
  return found === '' ? null : found.slice(0, maxLength);
}

/** A map of texts; other values are written as JSON. */
export function textMap(value: JsonObject | null): Record<string, string> | null {
  if (value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, typeof entry === 'string' ? entry : JSON.stringify(entry)]),
  );
}

/** What was sent beside a call, from several places of its payload; of one name the last counts. */
export function metadataOf(...documents: readonly (Json | undefined)[]): { metadata?: Record<string, FieldValue> } {
  const metadata = keepFields(...documents);
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

/** An empty object for what is none. */
export const asObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The objects of a list; none for what is no list. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** The fields that hold something. */
export const given = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined && field[1] !== null),
  );
