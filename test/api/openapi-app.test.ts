import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/contract/error.ts';
import type { OpenApiDocument } from '../../src/operations/openapi-document.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { answerIn, createDocumentCheck } from '../support/json-schema.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let document: OpenApiDocument;
let token: string;
let check: (schema: unknown, value: unknown) => string[];

beforeAll(async () => {
  world = await createWorld();
  token = await world.token();
  document = (await world.get('/app/openapi.json', token)).body;
  check = createDocumentCheck(document);
});
afterAll(() => world.close());

const entries = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation: operation as Loose })),
  );

describe('the document of /app', () => {
  test('is of its own, for people, and describes exactly what lies under /app', async () => {
    expectFailure(await world.get('/app/openapi.json'), 403, 'people_only');
    expectFailure(await world.ask('GET', '/app/openapi.json'), 401, 'missing_authorization');
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0']);
    const described = entries().map(({ operation }) => operation.operationId);
    expect(described.toSorted()).toEqual(
      OPERATIONS.filter(({ surface }) => surface === 'app')
        .map(({ id }) => id)
        .toSorted(),
    );
    expect((await world.get('/v1/openapi.json')).body.paths['/app/keys']).toBeUndefined();
  });

  test('declares who may, as the runner checks it', () => {
    for (const { operation } of entries()) {
      const defined = OPERATIONS.find(({ id }) => id === operation.operationId);
      expect(operation['x-scope']).toBe(defined?.scope);
      expect(operation['x-role']).toBe(defined?.scope === 'public' ? undefined : defined?.role);
      if (defined?.scope === 'public') expect(operation.security).toEqual([]);
    }
  });

  test('leads nowhere that is not there, and names each error by a code of its status', () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    expect([...used].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
    for (const { operation } of entries()) {
      for (const [status, codes] of Object.entries<string[]>(operation['x-error-codes'])) {
        const { schema, examples } = answerIn(document, operation, status).content['application/json'];
        expect(codes.length).toBeGreaterThan(0);
        for (const code of codes) {
          expect(ERROR_CODES[code as keyof typeof ERROR_CODES]).toBe(Number(status));
          expect(check(schema, examples[code].value)).toEqual([]);
        }
      }
    }
  });

  test('has examples that validate', () => {
    for (const [name, schema] of Object.entries<Loose>(document.components.schemas)) {
      for (const example of schema.examples ?? []) {
        expect({ name, problems: check({ $ref: `#/components/schemas/${name}` }, example) }).toEqual({
          name,
          problems: [],
        });
      }
    }
  });

  test('says what every read answers, and what it refuses with', async () => {
    const names: Record<string, string> = await makeOneOfEach(world, world.agentId);
    const reads = OPERATIONS.filter(
      ({ surface, scope, method, response }) => surface === 'app' && scope === 'person' && method === 'GET' && response,
    );
    expect(reads.length).toBeGreaterThan(15);
    for (const { id, path } of reads) {
      const operation: Loose = (document.paths[path] as Loose).get;
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? `no ${name} was made`);
      const nowhere = url.replaceAll(/[0-9a-f]{8}-/g, 'ffffffff-');
      const answers = [await world.get(url, token), await world.get(`${url}?nonsense=1`, token), await world.get(url)];
      for (const answer of [...answers, await world.ask('GET', url), await world.get(nowhere, token)]) {
        const schema = answerIn(document, operation, answer.status)?.content['application/json'].schema;
        const problems = schema ? check(schema, answer.body) : ['is not in the document'];
        expect({ id, status: answer.status, problems }).toEqual({ id, status: answer.status, problems: [] });
      }
      expect([id, ...answers.map(({ status }) => status)]).toEqual([id, 200, 400, 403]);
    }
  });

  test('says how the stream of events is taken up again', () => {
    const { get } = document.paths['/app/events'] as Loose;
    expect(get.parameters).toMatchObject([{ name: 'Last-Event-ID', in: 'header', required: false }]);
    expect(Object.keys(get.responses['200'].content)).toEqual(['text/event-stream']);
  });
});

test('the reference page offers both documents, to its own origin', async () => {
  const page = await world.ask('GET', '/reference/');
  for (const [url, title] of [
    ['/reference/openapi.json', 'Earshot'],
    ['/reference/app.json', 'Earshot, for its own clients'],
  ] as const) {
    expect(page.text).toContain(url);
    const answer = await world.ask('GET', url);
    expect([answer.status, answer.body.info.title]).toEqual([200, title]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
