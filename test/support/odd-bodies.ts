import fc from 'fast-check';
import { z } from 'zod';
import type { Loose } from './world.ts';

/** Texts that a database, a parser or a browser stumbles over. */
export const oddTexts = [
  '',
  '0',
  '-1',
  '1e3',
  'true',
  'null',
  '%',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202egnp.exe',
  'a\r\nb: c',
  "'; drop table calls; --",
  '../../etc/passwd',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '${x}',
  '%s%n',
  '__proto__',
  'a'.repeat(5000),
];

/** Bodies of the shape that a schema asks for, with odd values at their ends. Most would be taken but for those. */
export function oddBodies(body: z.ZodType): fc.Arbitrary<unknown> {
  const schema: Loose = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return valuesOf(schema, schema.$defs ?? {}, []);
}

/** `within`: the references that led here. One that leads back into itself stands for any JSON. */
function valuesOf(schema: Loose, definitions: Loose, within: readonly string[]): fc.Arbitrary<unknown> {
  const inner = (part: Loose) => valuesOf(part, definitions, within);
  if (schema.$ref) {
    const name = String(schema.$ref).split('/').at(-1) ?? '';
    return within.includes(name) ? fc.jsonValue() : valuesOf(definitions[name], definitions, [...within, name]);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(inner));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return schema.properties ? objectsOf(schema, inner) : recordsOf(schema, inner);
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: 3 });
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? 0, max: Math.max(schema.minimum ?? 0, 9) }),
        fc.constantFrom(-1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1),
      );
    case 'number':
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -1, 1e308, 0.1));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function objectsOf(schema: Loose, inner: (part: Loose) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fields = Object.entries<Loose>(schema.properties).map(([name, part]) => [name, inner(part)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [], noNullPrototype: true });
}

function recordsOf(schema: Loose, inner: (part: Loose) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const names = fc.oneof(fc.constantFrom('tool_slow', 'slowMs', 'tool_failed'), fc.constantFrom(...oddTexts));
  const named = names.filter((name) => name !== '__proto__');
  return fc.dictionary(named, inner(schema.additionalProperties ?? {}), { maxKeys: 3, noNullPrototype: true });
}

function textsOf({ format, minLength = 0 }: Loose): fc.Arbitrary<unknown> {
  const odd = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 40 }));
  if (format === 'uuid' || format === 'guid') return fc.oneof({ weight: 3, arbitrary: fc.uuid() }, odd);
  if (format === 'email') return fc.oneof({ weight: 3, arbitrary: fc.emailAddress() }, odd);
  if (format === 'uri') return fc.oneof({ weight: 3, arbitrary: fc.webUrl({ withQueryParameters: true }) }, odd);
  const plain = fc.string({ minLength: Math.max(1, minLength), maxLength: minLength + 20 });
  return fc.oneof({ weight: 2, arbitrary: plain }, odd);
}
