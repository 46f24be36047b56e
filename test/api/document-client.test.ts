import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSignal } from '../support/analysed-calls.ts';
import { makeIssue } from '../support/issues.ts';
import { createDocumentCheck } from '../support/json-schema.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

/** What this client knows: the address of the document, and a key. Everything else it reads there. */
let world: World;
let document: Loose;
let operations: ReadOperation[];
/** Those whose address can be filled with what the lists of this world hold. */
let reachable: ReadOperation[];
let isSound: (schema: unknown, value: unknown) => string[];

interface Parameter {
  in: 'path' | 'query';
  name: string;
  schema: Loose;
}
interface ReadOperation {
  path: string;
  parameters: Parameter[];
  answer: Loose;
  isList: boolean;
}

const CALLS = 9;

beforeAll(async () => {
  world = await createWorld();
  await seedCalls(
    world,
    world.agentId,
    Array.from({ length: CALLS }, (_, at) => ({
      call: { providerCallId: `call ${at}`, startedAt: at === 0 ? null : minute(at), version: 1 + (at % 3) },
      analysis: { signals: at % 2 === 0 ? [makeSignal({ code: 'tool_failed' })] : [] },
    })),
  );
  for (let at = 0; at < 3; at += 1) await makeIssue(world, world.agentId);
  for (let at = 0; at < 4; at += 1) await world.makeAgent();

  document = (await world.get('/v1/openapi.json')).body;
  isSound = createDocumentCheck(document);
  operations = Object.entries<Loose>(document.paths).flatMap(([path, { get }]) => {
    if (!get) return [];
    const answer = get.responses['200'].content['application/json'].schema;
    const properties = answer.properties ?? {};
    const isList = ['data', 'hasMore', 'nextCursor'].every((name) => name in properties);
    return [{ path, parameters: get.parameters ?? [], answer, isList }];
  });
  const filled = await Promise.all(operations.map(async ({ path }) => (await places(path)).length > 0));
  reachable = operations.filter((_, at) => filled[at]);
});
afterAll(() => world.close());

const fill = (path: string, values: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

/** Every way to fill the parameters of a path: the ids of what the list before each of them holds. */
async function places(path: string): Promise<Record<string, string>[]> {
  let found: Record<string, string>[] = [{}];
  for (const [part, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const parent = path.slice(0, path.indexOf(`/${part}`));
    const choices = choicesOf(path, name);
    const next = await Promise.all(
      found.map(async (values) =>
        (choices ?? (await walk(fill(parent, values), 100)).map(({ id }) => id)).map((id) => ({
          ...values,
          [name]: id,
        })),
      ),
    );
    found = next.flat();
  }
  return found;
}

/** The names that a parameter of a path can have, where the document lists them. */
function choicesOf(path: string, name: string): string[] | undefined {
  const { get } = document.paths[path];
  return get?.parameters.find((one: Parameter) => one.in === 'path' && one.name === name)?.schema.enum;
}

async function walk(url: string, limit: number): Promise<Loose[]> {
  const rows: Loose[] = [];
  for (let cursor: string | null = null; ; ) {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await world.get(`${url}?limit=${limit}${next}`);
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    expect(body.hasMore).toBe(body.nextCursor !== null);
    rows.push(...body.data);
    cursor = body.nextCursor;
    if (cursor === null) return rows;
    expect(body.data).toHaveLength(limit);
  }
}

describe('a client that was written from the document alone', () => {
  test('walks every list to its end, and finds the same rows at any pace', async () => {
    const lists = operations.filter(({ isList }) => isList);
    expect(lists.length).toBeGreaterThan(5);
    const lengths: Record<string, number> = {};
    for (const { path } of lists) {
      for (const values of await places(path)) {
        const whole = await walk(fill(path, values), 100);
        for (const pace of [1, 2, 7]) {
          if (whole.length / pace > 40) continue;
          expect([path, await walk(fill(path, values), pace)]).toEqual([path, whole]);
        }
        lengths[path] = Math.max(lengths[path] ?? 0, whole.length);
      }
    }
    expect(lengths).toMatchObject({ '/v1/agents': 5, '/v1/agents/{agentId}/calls': CALLS });
    expect(Object.keys(lengths)).toHaveLength(lists.length);
  });

  test('reads every document that it can reach, and each is what the document says', async () => {
    for (const { path, answer } of operations) {
      for (const values of (await places(path)).slice(0, 5)) {
        const { status, body } = await world.get(fill(path, values));
        expect([path, status, isSound(answer, body)]).toEqual([path, 200, []]);
      }
    }
  });
});

/** Values that the document allows for a parameter, and such that it does not. */
function valuesOf({ schema }: Parameter): { right: fc.Arbitrary<string>; wrong: fc.Arbitrary<string> } {
  if (schema.type === 'array') {
    const { right, wrong } = valuesOf({ in: 'query', name: '', schema: schema.items });
    const joined = fc.array(right, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
    return { right: joined, wrong: fc.tuple(right, wrong).map(([a, b]) => `${a},${b}`) };
  }
  if (schema.type === 'boolean') {
    return { right: fc.constantFrom('true', 'false'), wrong: fc.constantFrom('1', 'yes', 'TRUE', '', ' true') };
  }
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = 2 ** 31 } = schema;
    const right = fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum })).map(String);
    const form = fc.constantFrom('1e1', '+1', '01', '1.0', ' 1', '1 ', '0x1', '', 'one', 'NaN', '١', '-0');
    const outside = fc.oneof(
      fc.integer({ min: 1, max: 2 ** 31 }).map((by) => String(minimum - by)),
      fc.integer({ min: 1, max: 2 ** 31 }).map((by) => String(maximum + by)),
      fc.constantFrom('99999999999999999999', '-9223372036854775809'),
    );
    return { right, wrong: fc.oneof(form, outside) };
  }
  if (schema.enum) {
    const values: string[] = schema.enum;
    const wrong = fc
      .oneof(
        fc.string(),
        fc.constantFrom(...values).map((text) => text.toUpperCase()),
        fc.constantFrom(...values).map((text) => `${text} `),
      )
      .filter((text) => !values.includes(text) && !text.includes(','));
    return { right: fc.constantFrom(...values), wrong };
  }
  if (schema.format === 'uuid') {
    const right = fc.tuple(fc.uuid(), fc.boolean()).map(([id, upper]) => (upper ? id.toUpperCase() : id));
    const wrong = fc.oneof(
      fc.uuid().map((id) => id.slice(1)),
      fc.uuid().map((id) => id.replaceAll('-', '')),
      fc.uuid().map((id) => `{${id}}`),
      fc.uuid().map((id) => id.replace(/.$/, 'g')),
      fc.string({ minLength: 1 }).filter((text) => !/^[0-9a-f-]{36}$/i.test(text) && !/^\.{1,2}$/.test(text)),
    );
    return { right, wrong };
  }
  if (schema.format === 'date-time') {
    const right = fc
      .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .chain((at) =>
        fc.constantFrom(
          at.toISOString(),
          at.toISOString().replace('Z', '+01:00'),
          at.toISOString().replace(/\.\d+/, ''),
        ),
      );
    const wrong = fc.constantFrom(
      '2026-03-02',
      '2026-03-02T09:15',
      '2026-02-30T00:00:00Z',
      '2026-03-02T09:15:04',
      'now',
      '1',
      '',
    );
    return { right, wrong };
  }
  const { minLength = 0, maxLength = 200 } = schema;
  const right = fc.string({ minLength: Math.max(1, minLength), maxLength }).filter((text) => text.length >= minLength);
  return { right, wrong: fc.constantFrom('', ...(schema.maxLength ? ['x'.repeat(maxLength + 1)] : [])) };
}

const isCursor = ({ name }: Parameter) => name === 'cursor';

describe('requests made from the document by chance', () => {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());

  /** One request: an operation, a true place, and a choice of its parameters. */
  function requests(choose: (parameter: Parameter) => fc.Arbitrary<string | null>) {
    return fc.constantFrom(...reachable).chain((operation) => {
      const queried = operation.parameters.filter((one) => one.in === 'query' && !isCursor(one));
      return fc.record({
        operation: fc.constant(operation),
        place: fc.nat(),
        query: fc.record(Object.fromEntries(queried.map((one) => [one.name, choose(one)]))),
      });
    });
  }

  async function ask(path: string, place: number, query: Record<string, unknown>) {
    const all = await placesOf(path);
    const search = Object.entries(query).flatMap(([name, value]) =>
      value === null ? [] : [`${name}=${encode(String(value))}`],
    );
    return world.get(`${fill(path, all[place % all.length] ?? {})}${search.length > 0 ? `?${search.join('&')}` : ''}`);
  }
  const known = new Map<string, Promise<Record<string, string>[]>>();
  const placesOf = (path: string) => {
    const found = known.get(path) ?? places(path);
    known.set(path, found);
    return found;
  };
  const maybe = (values: fc.Arbitrary<string>) => fc.option(values, { freq: 3 });

  test('are answered as it says when they keep to it', async () => {
    await fc.assert(
      fc.asyncProperty(
        requests((one) => maybe(valuesOf(one).right)),
        async ({ operation, place, query }) => {
          const { status, body } = await ask(operation.path, place, query);
          const { startedFrom, startedBefore } = query as Record<string, string | null>;
          if (startedFrom && startedBefore && Date.parse(startedFrom) > Date.parse(startedBefore)) {
            expect([status, body.error.param]).toEqual([400, 'startedFrom']);
            return;
          }
          // Parameters that belong together, and the words of a filter, are drawn apart here; their own tests say more.
          const apart = operation.path.endsWith('/calls') ? ['filter', 'nextStep', 'signal'] : [];
          if (/[/-]metrics/.test(operation.path)) apart.push('range', 'from', 'to', 'group', 'part');
          if (apart.length > 0 && status === 400) {
            expect(apart).toContain(body.error.param);
            return;
          }
          expect([status, isSound(operation.answer, body)]).toEqual([200, []]);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('are refused, with the name of the parameter, when one of them does not', async () => {
    const broken = () =>
      fc
        .constantFrom(
          ...reachable.flatMap((operation) =>
            operation.parameters.filter((one) => one.in === 'query').map((one) => ({ operation, one })),
          ),
        )
        .chain(({ operation, one }) =>
          fc.record({
            operation: fc.constant(operation),
            name: fc.constant(one.name),
            value: valuesOf(one).wrong,
            place: fc.nat(),
          }),
        );
    await fc.assert(
      fc.asyncProperty(broken(), async ({ operation, name, value, place }) => {
        const { status, body } = await ask(operation.path, place, { [name]: value });
        expect([status, body.error?.param]).toEqual([400, name]);
        expect(isSound({ $ref: '#/components/schemas/Error' }, body)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test('are refused when an id in the address is none', async () => {
    const withPath = reachable.flatMap((operation) =>
      operation.parameters.filter((one) => one.in === 'path').map((one) => ({ operation, one })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...withPath).chain(({ operation, one }) =>
          fc.record({
            operation: fc.constant(operation),
            name: fc.constant(one.name),
            // Nothing, and dots, make another path.
            value: valuesOf(one).wrong.filter((text) => !/^\.{0,2}$/.test(text)),
          }),
        ),
        async ({ operation, name, value }) => {
          const [first = {}] = await placesOf(operation.path);
          const { status, body } = await world.get(fill(operation.path, { ...first, [name]: value.toWellFormed() }));
          expect([status, body.error?.param]).toEqual([400, name]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('are refused with a cursor that was altered, or that belongs to another list, place or filter', async () => {
    const lists = operations.filter(({ isList }) => isList);
    const cursors: { path: string; url: string; cursor: string }[] = [];
    for (const { path } of lists) {
      for (const values of await placesOf(path)) {
        const url = fill(path, values);
        const { body } = await world.get(`${url}?limit=1`);
        if (body.nextCursor) cursors.push({ path, url, cursor: body.nextCursor });
      }
    }
    expect(new Set(cursors.map(({ path }) => path)).size).toBeGreaterThan(3);
    const refused = async (url: string) => {
      const { status, body } = await world.get(url);
      expect([url, status, body.error?.code, body.error?.param]).toEqual([url, 400, 'invalid_cursor', 'cursor']);
    };
    for (const { url } of cursors) {
      for (const other of cursors) if (other.url !== url) await refused(`${url}?cursor=${encode(other.cursor)}`);
    }
    const calls = cursors.find(({ path }) => path.endsWith('/calls') && !path.includes('issues'));
    await refused(`${calls?.url}?outcome=resolved&cursor=${encode(calls?.cursor ?? '')}`);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cursors), fc.nat(), fc.integer({ min: 1, max: 255 }), async (one, at, by) => {
        const bytes = Buffer.from(one.cursor);
        const index = at % bytes.length;
        bytes[index] = ((bytes[index] ?? 0) + by) & 127;
        const altered = bytes.toString('latin1');
        if (altered === one.cursor) return;
        await refused(`${one.url}?cursor=${encode(altered)}`);
        await refused(`${one.url}?cursor=${encode(one.cursor.slice(0, index) || 'x')}`);
      }),
      { numRuns: 200 },
    );
  });

  test('are let in by the bearer header in any case of its scheme, and by nothing else', async () => {
    const key = world.readKey;
    const ask = async (authorization: string | undefined, headers: Record<string, string> = {}) =>
      world.ask('GET', '/v1/me', {
        headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
      });
    for (const form of [
      `Bearer ${key}`,
      `bearer ${key}`,
      `BEARER ${key}`,
      `Bearer   ${key}`,
      `Bearer\t${key}`,
      ` Bearer ${key} `,
    ]) {
      expect([form, (await ask(form)).status]).toEqual([form, 200]);
    }
    const code = async (authorization: string | undefined, headers?: Record<string, string>) => {
      const { status, body } = await ask(authorization, headers);
      return [status, body.error?.code];
    };
    for (const form of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      key,
      `Basic ${key}`,
      `Token ${key}`,
      `Bearer,${key}`,
      `Bearer:${key}`,
    ]) {
      expect([form, await code(form)]).toEqual([form, [401, 'missing_authorization']]);
    }
    const mangled = fc.oneof(
      fc.nat({ max: 31 }).map((at) => `${key.slice(0, 4 + at)}${key[4 + at] === 'A' ? 'B' : 'A'}${key.slice(5 + at)}`),
      fc.constantFrom(`${key}x`, key.slice(0, -1), `${key}, ${key}`, `${key} ${key}`, `"${key}"`.slice(1), 'svc_'),
    );
    await fc.assert(
      fc.asyncProperty(mangled, async (form) => {
        expect([form, await code(`Bearer ${form}`)]).toEqual([form, [401, 'invalid_api_key']]);
      }),
      { numRuns: 60 },
    );
    for (const form of [key.toUpperCase(), key.slice(4), `"${key}"`, 'null', 'eyJhbGciOiJub25lIn0.e30.', `x${key}`]) {
      expect([form, await code(`Bearer ${form}`)]).toEqual([form, [401, 'invalid_token']]);
    }
    const elsewhere: Record<string, string>[] = [
      { cookie: `authorization=Bearer ${key}` },
      { 'x-api-key': key },
      { cookie: `token=${key}` },
    ];
    for (const headers of elsewhere) {
      expect(await code(undefined, headers)).toEqual([401, 'missing_authorization']);
    }
    expect((await world.ask('GET', `/v1/me?api_key=${key}&access_token=${key}`)).body.error.code).toBe(
      'missing_authorization',
    );
  });
});
