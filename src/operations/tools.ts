import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import type { Query } from './admission.ts';
import { Failure } from './failure.ts';
import type { RawBody } from './json-body.ts';
import type { Operation } from './operation.ts';
import type { Param } from './params.ts';
import { pathSchema } from './path-schema.ts';

type Schema = { [key: string]: Json };

/** An operation as a model sees it: a name, words to choose by, and one flat object of arguments. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, Schema>; required: string[]; [key: string]: Json };
  operation: Operation;
}

/** Arguments of a tool, sorted into the parts of the request that they stand for. */
export interface ToolInput {
  path: Record<string, string>;
  /** @throws Failure naming the argument whose type is not the one of the schema. */
  query(): Query;
  body: RawBody;
}

/**
 * A tool for each operation of `/v1` that a key may use. Arguments are checked by the runner, by the same rules as a
 * request's; the schema says them to the model.
 * @throws Error when two arguments of an operation would share a name.
 */
export function makeTools(operations: readonly Operation[]): Tool[] {
  return operations
    .filter(({ surface, scope }) => surface === 'v1' && (scope === 'read' || scope === 'write'))
    .map(makeTool);
}

/** @throws Error when two of its arguments would share a name. */
export const makeTool = (operation: Operation): Tool => ({
  name: operation.id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  title: operation.summary,
  description: describe(operation),
  inputSchema: argumentsOf(operation),
  operation,
});

function describe({ summary, whenToUse, description, query }: Operation): string {
  const isPaged = Object.values(query).some((param) => param.isCursor);
  return [
    `${summary}.`,
    whenToUse,
    description,
    isPaged
      ? 'Answers one page: data, hasMore and nextCursor. For the next page call again with the same arguments and cursor set to nextCursor; stop when hasMore is false.'
      : null,
  ]
    .filter((part) => part !== null)
    .join(' ');
}

function argumentsOf(operation: Operation): Tool['inputSchema'] {
  const { $defs, properties, required } = bodyFields(operation);
  const fields: [string, Schema][] = [
    ...operation.pathParams.map((name): [string, Schema] => [
      name,
      { ...toSchema(pathSchema(operation, name)), description: idHint(name) },
    ]),
    ...Object.entries(operation.query).map(([name, param]): [string, Schema] => [
      name,
      { ...toSchema(param.schema), description: param.description },
    ]),
    ...Object.entries(properties),
  ];
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) throw new Error(`Two arguments of ${operation.id} have one name.`);
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: [...operation.pathParams, ...required],
    additionalProperties: false,
    ...($defs ? { $defs } : {}),
  };
}

const idHint = (name: string) =>
  `Id of the ${name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`;

function bodyFields(operation: Operation): { properties: Record<string, Schema>; required: string[]; $defs?: Json } {
  if (!operation.body) return { properties: {}, required: [] };
  const { type, properties, required, $defs } = toSchema(operation.body);
  if (type !== 'object') throw new Error(`The body of ${operation.id} is no object, so it has no arguments.`);
  return {
    // As JSON Schema has them of an object.
    properties: (properties ?? {}) as Record<string, Schema>,
    required: (required ?? []) as string[],
    ...($defs ? { $defs } : {}),
  };
}

function toSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, id: _id, ...own } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  // A JSON Schema is JSON, which the library's own type does not say.
  return own as Schema;
}

/** Sorts arguments into path, query and body. What has no place goes where it will be refused by its name. */
export function readArguments(operation: Operation, given: Record<string, unknown>): ToolInput {
  const path: Record<string, string> = {};
  const query: [string, unknown][] = [];
  const body: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (operation.pathParams.includes(name)) path[name] = typeof value === 'string' ? value : JSON.stringify(value);
    else if (Object.hasOwn(operation.query, name) || !operation.changes) query.push([name, value]);
    else body.push([name, value]);
  }
  const hasBody = operation.body !== null || body.length > 0;
  return {
    path,
    query: () => Object.fromEntries(query.map(([name, value]) => [name, textsOf(name, operation.query[name], value)])),
    body: hasBody ? { kind: 'parsed', value: Object.fromEntries(body) } : { kind: 'none' },
  };
}

const NOUNS: Record<string, string> = {
  array: 'an array with at least one of its values',
  integer: 'an integer',
  boolean: 'true or false',
};

/** A query parameter reads text, so the type is checked before it is lost. */
function textsOf(name: string, param: Param<unknown> | undefined, value: unknown): string[] {
  if (!param) return [];
  const { type } = toSchema(param.schema);
  const fits =
    type === 'array'
      ? Array.isArray(value) &&
        value.length > 0 &&
        value.every((item) => typeof item === 'string' && !item.includes(','))
      : type === (typeof value === 'number' ? 'integer' : typeof value);
  if (!fits) {
    throw new Failure(
      'invalid_parameter',
      `${name} must be ${NOUNS[String(type)] ?? 'text'}. Leave it out where it does not matter.`,
      {
        param: name,
      },
    );
  }
  return (Array.isArray(value) ? value : [value]).map(String);
}
