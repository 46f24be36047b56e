import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/contract/error.ts';
import type { OpenApiDocument } from '../../src/operations/openapi-document.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { answerIn, createDocumentCheck } from '../support/json-schema.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import { makeSpec } from '../support/specs.ts';
import { type Answered, createWorld, type Loose, type World } from '../support/world.ts';

let world: World;
let document: OpenApiDocument;
let check: (schema: unknown, value: unknown) => string[];
const names: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld();
  document = (await world.get('/v1/openapi.json')).body;
  check = createDocumentCheck(document);
  Object.assign(names, await makeOneOfEach(world, world.agentId));
});
afterAll(() => world.close());

const entries = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Loose })),
  );

const reads = () => entries().filter(({ method }) => method === 'get');

describe('the OpenAPI document', () => {
  test('is version 3.1 and describes exactly the operations of /v1', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0']);
    expect(
      entries()
        .map(({ operation }) => operation.operationId)
        .toSorted(),
    ).toEqual(
      OPERATIONS.filter((operation) => operation.surface === 'v1')
        .map((operation) => operation.id)
        .toSorted(),
    );
    expect(Object.keys(document.paths).every((path) => path.startsWith('/v1/'))).toBe(true);
  });

  test('declares the scope of each operation as the runner checks it', () => {
    for (const { operation } of entries()) {
      expect(operation['x-scope']).toBe(OPERATIONS.find((each) => each.id === operation.operationId)?.scope);
    }
  });

  test('has no reference that leads nowhere and no component that nobody uses', () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]));
    expect([...used].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
    expect(text).not.toContain('#/$defs/');
  });

  test('names every path parameter and every error with a code of the closed list', () => {
    for (const { path, operation } of entries()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(operation.parameters.filter((p: Loose) => p.in === 'path').map((p: Loose) => p.name)).toEqual(inPath);
      const refusals = Object.keys(operation.responses).filter((status) => !status.startsWith('2'));
      expect(Object.keys(operation['x-error-codes'])).toEqual(refusals);
      for (const status of refusals) {
        const { schema, examples } = answerIn(document, operation, status).content['application/json'];
        const codes: string[] = operation['x-error-codes'][status];
        expect(codes.length).toBeGreaterThan(0);
        expect(Object.keys(examples)).toEqual(expect.arrayContaining(codes));
        for (const code of codes) {
          expect(ERROR_CODES[code as keyof typeof ERROR_CODES]).toBe(Number(status));
          expect(check(schema, examples[code].value)).toEqual([]);
        }
      }
    }
  });

  test('names the codes that an operation refuses with, and no others', () => {
    const codes = (path: string, method: string, status: number) =>
      (document.paths[path] as Loose)[method]['x-error-codes'][status];
    const labels = '/v1/agents/{agentId}/watches/{watchId}/labels';
    expect(codes(labels, 'post', 400)).toEqual(['invalid_parameter', 'invalid_body', 'sample_not_flagged']);
    for (const { path, method } of entries()) {
      expect(codes(path, method, 401)).toEqual(['missing_authorization', 'invalid_api_key', 'invalid_token']);
    }
  });

  test('has examples that validate', () => {
    let examples = 0;
    for (const [name, schema] of Object.entries<Loose>(document.components.schemas)) {
      for (const example of schema.examples ?? []) {
        examples += 1;
        expect({ name, problems: check({ $ref: `#/components/schemas/${name}` }, example) }).toEqual({
          name,
          problems: [],
        });
      }
    }
    expect(examples).toBeGreaterThan(8);
  });

  test('documents every query parameter with its bounds', () => {
    const limit = (document.paths['/v1/agents/{agentId}/issues'] as Loose).get.parameters.find(
      (p: Loose) => p.name === 'limit',
    );
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 25 });
  });
});

describe('every answer validates against the document', () => {
  const answerOf = (operation: Loose, answer: Answered) =>
    answerIn(document, operation, answer.status)?.content['application/json'].schema;

  test('of a seeded database, with every read of the document', async () => {
    for (const { path, operation } of reads()) {
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'missing');
      const answer = await world.get(url);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect({ path, problems: check(answerOf(operation, answer), answer.body) }).toEqual({ path, problems: [] });
    }
  });

  test('of the writes of tests, and what they take', async () => {
    const url = `/v1/agents/${names.agentId}/tests`;
    const title = 'Books a visit';
    const spec = makeSpec();
    const asked: [string, 'POST' | 'PUT', string, object][] = [
      ['createTest', 'POST', url, { title, spec }],
      ['createTest', 'POST', url, { callId: names.callId }],
      ['validateTestSpec', 'POST', `${url}/validate`, { spec }],
      ['replaceTestSpec', 'PUT', `${url}/${names.testId}/spec`, { revision: 1, spec }],
    ];
    for (const [id, method, address, body] of asked) {
      const operation = entries().find((each) => each.operation.operationId === id)?.operation;
      const answer = await world.ask(method, address, { as: world.writeKey, body });
      expect([id, answer.status]).toEqual([id, id === 'createTest' ? 201 : 200]);
      expect(check(answerOf(operation, answer), answer.body)).toEqual([]);
      expect(check(operation.requestBody.content['application/json'].schema, body)).toEqual([]);
    }
  });

  test('also of refusals, of every status that the document names', async () => {
    for (const { path, operation } of reads()) {
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'missing');
      const answers = [
        await world.ask('GET', url),
        await world.get(`${url}?nonsense=1`),
        await world.get(url.replaceAll(/[0-9a-f]{8}-/g, 'ffffffff-')),
      ];
      for (const answer of answers) {
        if (answer.status === 200) continue;
        expect(check(answerOf(operation, answer), answer.body)).toEqual([]);
      }
    }
  });

  test('a call that waits, and signals that are null', async () => {
    const answer = await world.get(`/v1/agents/${names.agentId}/calls/${names.waitingId}/signals`);
    const { operation } = entries().find((each) => each.operation.operationId === 'getCallSignals') as Loose;
    expect(check(answerOf(operation, answer), answer.body)).toEqual([]);
  });
});

test('the reference page brings its own script and reaches no other host', async () => {
  const page = await world.ask('GET', '/reference/');
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
  const sources = [...page.text.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
  expect(sources.filter((source) => /^(https?:)?\/\//.test(source))).toEqual([]);
  const script = await world.ask('GET', '/reference/js/scalar.js');
  expect([script.status, script.text.length > 100_000]).toEqual([200, true]);
});
