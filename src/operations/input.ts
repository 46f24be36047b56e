import type { z } from 'zod';
import type { CursorScope, Cursors } from './cursors.ts';
import { Failure } from './failure.ts';
import { type RawBody, readJsonBody } from './json-body.ts';
import type { Input, Operation } from './operation.ts';
import { type Param, ParamProblem, type Params, readNamed } from './params.ts';
import { unstorableAt } from './unstorable.ts';

/** Checks the query, then the body. @throws Failure naming the parameter or field at fault, unknown ones first. */
export async function readInput(
  operation: Operation,
  cursorScope: CursorScope,
  cursors: Cursors,
  query: Record<string, string[]>,
  raw: RawBody,
): Promise<Input<Params, unknown>> {
  const values = readQuery(operation, cursorScope, cursors, query);
  if (operation.takesLines && raw.kind === 'bytes' && isLines(raw.contentType)) {
    if (raw.contentEncoding && raw.contentEncoding.toLowerCase() !== 'identity') {
      throw new Failure('invalid_body', 'The body must not be compressed.');
    }
    return { query: values, body: undefined, lines: raw.chunks };
  }
  return { query: values, body: await readBody(operation, raw), lines: null };
}

function isLines(contentType: string | null): boolean {
  const type = (contentType ?? '').toLowerCase().split(';')[0]?.trim();
  return type === 'application/x-ndjson' || type === 'application/jsonl';
}

function readQuery(
  operation: Operation,
  cursorScope: CursorScope,
  cursors: Cursors,
  query: Record<string, string[]>,
): Record<string, unknown> {
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(operation.query, name)) {
      throw new Failure('invalid_parameter', `There is no query parameter ${JSON.stringify(name)} here.`, {
        param: name,
      });
    }
  }
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(operation.query)) {
    if (!param.isCursor) values[name] = readParam(name, param, query[name]);
  }
  const { limit: _limit, ...filters } = values;
  // The context seals its next cursors under the same filters.
  cursorScope.filters = filters;
  for (const [name, param] of Object.entries(operation.query)) {
    if (param.isCursor) values[name] = readCursor(name, param, query[name], cursorScope, cursors);
  }
  return values;
}

// Control characters, halves of surrogate pairs: nothing that a filter could match.
const UNPRINTABLE = /[\u0000-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function readParam(name: string, param: Param<unknown>, texts: string[] | undefined): unknown {
  if (texts === undefined) return param.absent;
  return readNamed(name, () => {
    if (texts.length > 1 && !param.many) throw new ParamProblem('may be given once');
    if (texts.some((text) => UNPRINTABLE.test(text))) throw new ParamProblem('must not hold control characters');
    return param.read(texts);
  });
}

function readCursor(
  name: string,
  param: Param<unknown>,
  texts: string[] | undefined,
  scope: CursorScope,
  cursors: Cursors,
): unknown {
  if (texts === undefined) return param.absent;
  if (texts.length > 1) throw new Failure('invalid_parameter', `${name} may be given once.`, { param: name });
  const position = cursors.open(scope, texts[0] ?? '');
  if (position !== null) {
    try {
      return param.read([position]);
    } catch (error) {
      // A cursor of ours from a version with another shape: as foreign as an altered one.
      if (!(error instanceof ParamProblem)) throw error;
    }
  }
  throw new Failure(
    'invalid_cursor',
    'This cursor does not belong to this list with these filters. Start again without one.',
    { param: name },
  );
}

async function readBody(operation: Operation, raw: RawBody): Promise<unknown> {
  if (!operation.body) {
    const value = operation.changes ? await readJsonBody(raw) : undefined;
    if (value === undefined) return undefined;
    const [name] = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : ['body'];
    if (name === undefined) return undefined;
    throw new Failure('invalid_body', 'This operation takes no body.', name === 'body' ? {} : { param: name });
  }
  const value = await readJsonBody(raw);
  const parsed = operation.body.safeParse(value);
  if (parsed.success) return refuseUnstorable(parsed.data);
  if (value === undefined) throw new Failure('invalid_body', 'This operation needs a JSON body.');
  throw bodyFailure(parsed.error);
}

function refuseUnstorable(body: unknown): unknown {
  const at = unstorableAt(body);
  if (at === null) return body;
  const param = toPath(at);
  const what = 'must not hold U+0000 or half of a surrogate pair';
  if (param === '') throw new Failure('invalid_body', `The body ${what}.`);
  throw new Failure('invalid_parameter', `${param}: ${what}.`, { param });
}

function bodyFailure(error: z.ZodError): Failure {
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown?.code === 'unrecognized_keys') {
    const param = toPath([...unknown.path, unknown.keys[0] ?? '']);
    return new Failure('invalid_parameter', `There is no field ${JSON.stringify(param)} here.`, { param });
  }
  const first = error.issues[0];
  const param = toPath(first?.path ?? []);
  if (param === '') return new Failure('invalid_body', `The body: ${first?.message ?? 'is not usable'}.`);
  return new Failure('invalid_parameter', `${param}: ${first?.message ?? 'is not usable'}.`, { param });
}

/** Every field at fault of a value that stands under `param`, each once, unknown fields first. */
export function problemsOfShape(error: z.ZodError, param: string): { param: string; message: string }[] {
  return error.issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ isUnknown: true, path: [...issue.path, key], message: 'There is no such field.' }))
        : [{ isUnknown: false, path: issue.path, message: issue.message }],
    )
    .toSorted((a, b) => Number(b.isUnknown) - Number(a.isUnknown))
    .map(({ path, message }) => ({ param: toPath([param, ...path]), message }))
    .filter((problem, at, all) => all.findIndex((other) => other.param === problem.param) === at);
}

/** `spec.criteria[0].text` */
function toPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
