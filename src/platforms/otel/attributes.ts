import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { parseJson } from '../../domain/parse-json.ts';
import { type Span, textAttribute } from '../../domain/spans/span.ts';
import { numberOf } from '../lenient.ts';

export { looseJson } from '../loose-json.ts';

type Attributed = Pick<Span, 'attributes'>;

/** What LiveKit writes of people's words, under the name of either of its generations; null where it keeps them back. */
export function livekitText(span: Attributed, name: string): string | null {
  const value = span.attributes[`lk.pii.${name}`] ?? span.attributes[`lk.${name}`];
  return typeof value === 'string' ? value : null;
}

export function numberAttribute(span: Attributed, ...names: string[]): number | null {
  for (const name of names) {
    const value = numberOf(span.attributes[name]);
    if (value !== null) return value;
  }
  return null;
}

/** A flag, also where it came as text. */
export function flagAttribute(span: Attributed, name: string): boolean | null {
  const value = span.attributes[name];
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

/** A value that came as such, or as JSON in a text; null where it is neither. */
export function jsonAttribute(span: Attributed, ...names: string[]): Json {
  for (const name of names) {
    const value = span.attributes[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return value;
    const parsed = parseJson(value);
    if (parsed !== undefined && parsed !== null) return parsed;
  }
  return null;
}

export const objectsOf = (value: Json): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** The first of these that some span of the call has. */
export function anyText(spans: readonly Span[], ...names: string[]): string | null {
  for (const name of names) {
    for (const span of spans) {
      const found = textAttribute(span, name);
      if (found !== null) return found;
    }
  }
  return null;
}
