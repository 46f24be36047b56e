import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import { parseJson } from '../domain/parse-json.ts';
import { ModelError, type Usage } from './port.ts';

/** Bounds that some endpoints refuse in a schema; they are checked here all the same. */
const NOT_SENT = new Set([
  '$schema',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'format',
]);

/** Made once a schema: making one takes longer than sending it. */
const sent = new WeakMap<z.ZodType, Json>();

/** The schema as endpoints take it: JSON Schema without the bounds that not all of them know. */
export function sentSchema(schema: z.ZodType): Json {
  // A JSON Schema is JSON, which the library's own type does not say.
  const made = sent.get(schema) ?? withoutBounds(z.toJSONSchema(schema, { io: 'output' }) as Json);
  sent.set(schema, made);
  return made;
}

function withoutBounds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (NOT_SENT.has(key) ? [] : [[key, withoutBounds(inner)]])),
  );
}

/** A document in a fence of its own is the document; prose around it is no answer. */
const FENCED = /^```(?:json)?\n([\s\S]*)\n```$/;

/** @throws ModelError of kind `unusable`, which carries what the answer cost. */
export function boundAnswer<T>(answer: string | Json, schema: z.ZodType<T>, from: { host: string; usage: Usage }): T {
  const value = typeof answer === 'string' ? parseJson(bare(answer)) : answer;
  const { usage } = from;
  if (value === undefined) {
    throw new ModelError('unusable', `The model at ${from.host} did not answer with JSON.`, { usage });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'the document'))];
  const named = fields.slice(0, 3).join(', ').slice(0, 120);
  throw new ModelError('unusable', `The answer of the model at ${from.host} does not fit its schema (${named}).`, {
    usage,
  });
}

function bare(text: string): string {
  const trimmed = text.trim();
  return FENCED.exec(trimmed)?.[1] ?? trimmed;
}
