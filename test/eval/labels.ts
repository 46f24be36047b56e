import { isJsonObject, type Json, type JsonObject } from '../../src/domain/json.ts';

/** Labels are read leniently: what is missing makes a row "not scored", never guessed. */
export function numbersOf(value: Json | undefined): Set<number> {
  return new Set(Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []);
}

export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function rowsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
