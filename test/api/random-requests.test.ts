import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorEnvelope } from '../../src/contract/error.ts';
import { newId } from '../../src/ids.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { makeSignal } from '../support/analysed-calls.ts';
import { makeIssue } from '../support/issues.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let token: string;
const names: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld();
  token = await world.token();
  const [callId] = await seedCalls(world, world.agentId, [
    {
      call: { providerCallId: 'a', startedAt: minute(0) },
      analysis: { signals: [makeSignal({ code: 'tool_failed' })] },
    },
    { call: { providerCallId: 'b', startedAt: null }, analysis: {} },
  ]);
  const { id } = await makeIssue(world, world.agentId);
  Object.assign(names, {
    agentId: world.agentId,
    callId,
    issueId: id,
    importId: newId(),
    keyId: newId(),
    personId: newId(),
    secret: 'x',
  });
});
afterAll(() => world.close());

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e3',
    'true',
    'null',
    '%',
    '\u0000',
    "'; drop table calls; --",
    '../../etc/passwd',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '${x}',
    '%s%n',
    'a'.repeat(5000),
  ),
  fc.uuid(),
);
const segment = (name: string) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(names[name] ?? 'x') }, { weight: 1, arbitrary: odd });

// Events go on for as long as somebody listens.
const asked = OPERATIONS.filter((operation) => operation.scope !== 'public' && operation.path !== '/app/events');

const request = fc.constantFrom(...asked).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    path: fc.record(Object.fromEntries(operation.pathParams.map((name) => [name, segment(name)]))),
    query: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...Object.keys(operation.query), 'x'), odd), odd), {
      maxLength: 3,
    }),
    body: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('name', 'access', 'limit', 'since', 'thresholds', 'tools', 'email', 'plan', 'allowances'),
        fc.jsonValue(),
      ),
    ),
  }),
);

test('no request, however odd, is answered with anything but the contract', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, path, query, body }) => {
      const params: Record<string, unknown> = path;
      const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(String(params[name])));
      const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
      const answer = await world.ask(operation.method, `${url}${search ? `?${search}` : ''}`, {
        as: operation.surface === 'v1' ? world.readKey : token,
        ...(operation.method === 'GET' ? {} : { body }),
      });
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) expect(errorEnvelope.safeParse(answer.body).success).toBe(true);
      else if (operation.response) expect(operation.response.safeParse(answer.body).success).toBe(true);
    }),
    { numRuns: 600 },
  );
}, 60_000);

/** Lone surrogates cannot stand in an address at all. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
