import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { NormalisedCall } from './call.ts';

export type FieldValue = string | number | boolean;
export type FieldKind = 'text' | 'number' | 'boolean' | 'time';

/** What a platform or a person sent beside a call, such as a campaign or a customer's tier. */
export interface CallField {
  /** As filters write it: lower case, without spaces. */
  name: string;
  kind: FieldKind;
  value: FieldValue;
}

export const FIELDS_AT_MOST = 50;
export const FIELD_NAME_AT_MOST = 80;
export const FIELD_TEXT_AT_MOST = 500;
/** Names and values together. */
const CHARACTERS_AT_MOST = 8_000;
const DEPTH_AT_MOST = 3;

/**
 * Values of documents that came beside a call, bounded, nested ones under names with dots. Where several have a name the
 * last one counts. Lists, and texts that are no value of a field, are left out.
 */
export function keepFields(...documents: readonly (Json | undefined)[]): Record<string, FieldValue> {
  const kept = new Map<string, FieldValue>();
  const add = (document: JsonObject, before: string, depth: number): void => {
    for (const [key, value] of Object.entries(document)) {
      const name = before + fieldName(key);
      if (isJsonObject(value)) {
        if (depth < DEPTH_AT_MOST) add(value, `${name}.`, depth + 1);
      } else if (isFieldValue(value) && name.length <= FIELD_NAME_AT_MOST && name !== before) {
        kept.delete(name);
        kept.set(name, value);
      }
    }
  };
  for (const document of documents) if (isJsonObject(document)) add(document, '', 1);
  let left = CHARACTERS_AT_MOST;
  const bounded = [...kept].slice(0, FIELDS_AT_MOST).filter(([name, value]) => {
    left -= name.length + String(value).length;
    return left >= 0;
  });
  return Object.fromEntries(bounded);
}

const isFieldValue = (value: Json | undefined): value is FieldValue =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= FIELD_TEXT_AT_MOST && /^\s*[^\s{[]/.test(value));

/** A name as filters write it. */
export const fieldName = (name: string) =>
  name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, '_')
    .replace(/^[-.]+/, '');

/** The fields of a call: the variables that it began with, and what was sent beside it. */
export function fieldsOf(call: Pick<NormalisedCall, 'variables' | 'metadata'>): CallField[] {
  const kept = keepFields(call.variables ?? undefined, call.metadata);
  return Object.entries(kept).map(([name, value]) => typed(name, value));
}

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

function typed(name: string, value: FieldValue): CallField {
  if (typeof value !== 'string') return { name, kind: typeof value === 'number' ? 'number' : 'boolean', value };
  const text = value.trim();
  if (PLAIN_NUMBER.test(text)) return { name, kind: 'number', value: Number(text) };
  if (text === 'true' || text === 'false') return { name, kind: 'boolean', value: text === 'true' };
  return { name, kind: timeOf(text) === null ? 'text' : 'time', value: text };
}

/** Milliseconds since 1970 of a date or a time, UTC where it has no zone; null for what is neither. */
export function timeOf(text: string): number | null {
  if (!TIME.test(text)) return null;
  const hasZone = text.length <= 10 || /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  const ms = Date.parse(hasZone ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** A value in the form in which filters compare it: without regard to case. */
export const foldValue = (value: FieldValue) => String(value).normalize('NFKC').trim().toLowerCase();
