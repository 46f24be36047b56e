import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { errorEnvelope } from '../../src/contract/error.ts';
import { defineOperation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { makeTools } from '../../src/operations/tools.ts';
import { makeSpec } from '../support/specs.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

/** Stands for the writes under `/v1`: a body of its own beside the agent of the path. */
const writeNote = defineOperation({
  id: 'writeNote',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/notes',
  scope: 'write',
  tag: 'Tests',
  summary: 'Write a note',
  description: 'Answers with what was written.',
  body: z.strictObject({ text: z.string().min(1).max(20), stars: z.int().min(0).max(5).optional() }),
  response: z.strictObject({ object: z.literal('note'), text: z.string(), stars: z.int().nullable() }),
  status: 201,
  async run(_context, { body }) {
    return { object: 'note' as const, text: body.text, stars: body.stars ?? null };
  },
});
const operations = [...OPERATIONS, writeNote];

let world: World;
let address: string;
const clients: Client[] = [];

beforeAll(async () => {
  world = await createWorld({ operations });
  address = await world.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await world.close();
});

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'a client of the tests', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }));
  clients.push(client);
  return client;
}
const call = async (client: Client, name: string, given: Record<string, unknown>): Promise<Loose> =>
  client.callTool({ name, arguments: given });

test('a read key is not offered the tools that write, and is refused by them', async () => {
  const client = await connect(world.readKey);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('write_note');
  const { tools } = await (await connect(world.writeKey)).listTools();
  const tool = tools.find(({ name }) => name === 'write_note');
  expect(tool?.annotations?.readOnlyHint).toBe(false);
  expect(tool?.inputSchema).toMatchObject({
    properties: { agentId: { type: 'string' }, text: { type: 'string', maxLength: 20 }, stars: { type: 'integer' } },
    required: ['agentId', 'text'],
  });
  const answer = await call(client, 'write_note', { agentId: world.agentId, text: 'x' });
  expect([answer.isError, answer.structuredContent.status, answer.structuredContent.error.code]).toEqual([
    true,
    403,
    'key_read_only',
  ]);
});

test('a write key writes by a tool, and the audit log names the tool', async () => {
  const client = await connect(world.writeKey);
  const answer = await call(client, 'write_note', { agentId: world.agentId, text: 'a note', stars: 2 });
  expect(answer.structuredContent).toEqual({ object: 'note', text: 'a note', stars: 2 });
  const wrong = await call(client, 'write_note', { agentId: world.agentId, text: 'a note', stars: 9 });
  expect(wrong.structuredContent).toMatchObject({ status: 400, error: { code: 'invalid_parameter', param: 'stars' } });
  const unknown = await call(client, 'write_note', { agentId: world.agentId, text: 'a note', moons: 1 });
  expect(unknown.structuredContent).toMatchObject({ status: 400, error: { param: 'moons' } });
  const { rows } = await sql<Loose>`
    select surface, tool, status from audit_entries where operation = 'writeNote' and tool is not null order by created_at, id
  `.execute(world.database.em().getKysely());
  const entry = { surface: 'mcp', tool: 'write_note' };
  expect(rows).toEqual([403, 201, 400, 400].map((status) => ({ ...entry, status })));
});

test('a person operation is no tool', () => {
  const names = new Set(makeTools(operations).map(({ operation }) => operation.scope));
  expect([...names].toSorted()).toEqual(['read', 'write']);
});

test('a limit that is used up is the answer of the tool, and costs nobody else', async () => {
  const client = await connect(await world.makeKey({ access: 'write' }));
  const answers: Loose[] = [];
  for (let at = 0; at < 25; at += 1) {
    answers.push(await call(client, 'write_note', { agentId: world.agentId, text: 'x' }));
  }
  const refused = answers.filter((answer) => answer.isError);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(20);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0].structuredContent).toMatchObject({ status: 429, error: { code: 'rate_limited' } });
  expect((await call(client, 'get_agent', { agentId: world.agentId })).isError ?? false).toBe(false);
});

test('no arguments, however odd, are answered with anything but the contract', async () => {
  const tools = makeTools(operations);
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('', '1e3', '%', '\u0000', "'; drop table calls; --", '0'));
  const asked = fc.constantFrom(...tools).chain((tool) =>
    fc.record({
      tool: fc.constant(tool),
      given: fc.dictionary(fc.constantFrom(...Object.keys(tool.inputSchema.properties), 'x'), odd),
      reachesAgent: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(asked, async ({ tool, given, reachesAgent }) => {
      // The limits would soon be all that is tested.
      await sql`delete from buckets`.execute(world.database.em().getKysely());
      const reached = reachesAgent && 'agentId' in tool.inputSchema.properties ? { agentId: world.agentId } : {};
      const { status, text } = await world.ask('POST', '/mcp', {
        as: world.writeKey,
        headers: { accept: 'application/json, text/event-stream', host: 'localhost' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: tool.name, arguments: { ...given, ...reached } },
        },
      });
      if (status === 400) {
        // A body that would reach an object's prototype never comes as far as a tool.
        expect(JSON.stringify(given)).toContain('"__proto__":');
        expect(JSON.parse(text).error).toMatchObject({ code: 'invalid_body', param: '__proto__' });
        return;
      }
      expect(status).toBe(200);
      const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
      const { status: refusedWith, ...envelope } = result.structuredContent;
      if (!result.isError) expect(tool.operation.response?.safeParse(result.structuredContent).success).toBe(true);
      else expect([refusedWith < 500, errorEnvelope.safeParse(envelope).success]).toEqual([true, true]);
    }),
    { numRuns: 200 },
  );
});

test('arguments that would reach a prototype are refused before any tool', async () => {
  const { status, body } = await world.ask('POST', '/mcp', {
    as: world.writeKey,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', host: 'localhost' },
    payload:
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_agent","arguments":{"agentId":{"__proto__":0}}}}',
  });
  expect([status, body.error]).toMatchObject([400, { code: 'invalid_body', param: '__proto__' }]);
});

test('tests are tried, made and changed by tools as over HTTP', async () => {
  const client = await connect(world.writeKey);
  const { agentId } = world;
  const spec = makeSpec();
  const tried = await call(client, 'validate_test_spec', { agentId, spec });
  expect(tried.structuredContent).toEqual({ object: 'validation', valid: true, problems: [] });
  const made = await call(client, 'create_test', { agentId, title: 'By a tool', spec });
  expect(made.structuredContent).toMatchObject({ object: 'test', title: 'By a tool', revision: 1, spec });
  const { id: testId } = made.structuredContent;
  const changed = await call(client, 'replace_test_spec', {
    agentId,
    testId,
    revision: 1,
    spec: makeSpec({ maxTurns: 9 }),
  });
  expect(changed.structuredContent).toMatchObject({ id: testId, revision: 2, spec: { maxTurns: 9 } });
  expect((await world.get(`/v1/agents/${agentId}/tests/${testId}`)).body).toEqual(changed.structuredContent);
  const late = await call(client, 'replace_test_spec', { agentId, testId, revision: 1, spec });
  expect(late.structuredContent).toMatchObject({
    status: 409,
    error: { code: 'revision_conflict', param: 'revision' },
  });
  const wrong = await call(client, 'create_test', { agentId, title: 'T', spec: { ...spec, criteria: [{ text: '' }] } });
  expect(wrong.structuredContent).toMatchObject({ status: 400, error: { param: 'spec.criteria[0].text' } });
});
