import { fieldOf, type Json, type JsonObject } from '../../domain/json.ts';

/** Values of OTLP as plain JSON, alike in protobuf, once it is decoded, and in JSON. */

const DEPTH_MAX = 16;
/** A resource is written with each trace and library that has spans of it. */
const RESOURCE_LENGTH_MAX = 64 * 1024;
const TEXT_LENGTH_MAX = 1024 * 1024;

/** The first attributes that fit together. */
export function boundedResource(resource: JsonObject): JsonObject {
  let length = 0;
  const kept = Object.entries(resource).filter(([key, value]) => {
    length += key.length + JSON.stringify(value).length;
    return length <= RESOURCE_LENGTH_MAX;
  });
  return Object.fromEntries(kept);
}

export function attributesOf(value: unknown): JsonObject {
  const attributes: JsonObject = {};
  for (const entry of listOf(value)) {
    const key = textOf(fieldOf(entry, 'key'));
    if (key !== '' && key !== '__proto__') attributes[key] = valueOf(fieldOf(entry, 'value'));
  }
  return attributes;
}

/** Values that nest deeper than any library's are left out, and texts that are longer are cut. */
export function valueOf(value: unknown, depth = DEPTH_MAX): Json {
  if (depth === 0 || typeof value !== 'object' || value === null) return null;
  const own = (name: string) => (Object.hasOwn(value, name) ? fieldOf(value, name) : undefined);
  const text = own('stringValue');
  if (typeof text === 'string') return text.slice(0, TEXT_LENGTH_MAX);
  const flag = own('boolValue');
  if (typeof flag === 'boolean') return flag;
  const number = numberOf(own('intValue') ?? own('doubleValue'));
  if (number !== null) return number;
  const list = own('arrayValue');
  if (list !== undefined) return listOf(fieldOf(list, 'values')).map((entry) => valueOf(entry, depth - 1));
  const map = own('kvlistValue');
  if (map === undefined) return null;
  const entries = listOf(fieldOf(map, 'values')).map((entry): [string, Json] => [
    textOf(fieldOf(entry, 'key')),
    valueOf(fieldOf(entry, 'value'), depth - 1),
  ]);
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'));
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A number, also as text or as the long that protobuf gives for 64 bits. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' && !isLong(value)) return null;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : null;
}

const isLong = (value: unknown) => typeof value === 'object' && value !== null && 'low' in value && 'high' in value;

/** Zero is how a sender says that it does not know. */
export function millisecondsOf(nanos: unknown): number | null {
  const value = numberOf(nanos);
  return value === null || value <= 0 ? null : value / 1e6;
}

export function hexOfBytes(value: unknown, bytes: number): string | null {
  if (!(value instanceof Uint8Array) || value.length !== bytes) return null;
  return unlessZero(Buffer.from(value).toString('hex'));
}

export function hexOfText(value: unknown, bytes: number): string | null {
  if (typeof value !== 'string' || value.length !== bytes * 2 || !/^[0-9a-f]+$/i.test(value)) return null;
  return unlessZero(value.toLowerCase());
}

const unlessZero = (hex: string) => (/^0+$/.test(hex) ? null : hex);
