import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadedLinePlace } from '../../src/db/secrets/sealed-places.ts';
import { idBoundAt, newId } from '../../src/ids.ts';
import { untilTrue } from '../support/pipeline.ts';
import { seedCalls } from '../support/seed.ts';
import { type Answered, createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let token: string;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  token = await world.token();
  agentId = await world.makeAgent({ provider: 'file' });
});
afterAll(() => world.close());

const db = () => world.database.em().getKysely();
const upload = (payload: string | Buffer, headers: Record<string, string> = {}): Promise<Answered> =>
  world.ask('POST', `/app/agents/${agentId}/imports`, {
    as: token,
    payload,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
const record = (id: string) => JSON.stringify({ id, turns: [], labels: { outcome: 'resolved' } });

async function stored(importId: string): Promise<{ line: number; text: string }[]> {
  const { rows } = await sql<{ line: number; sealedPayload: string }>`
    select line, sealed_payload as "sealedPayload" from uploaded_records where import_id = ${importId} order by line
  `.execute(db());
  return rows.map(({ line, sealedPayload }) => ({
    line,
    text: world.services.vault.open(sealedPayload, uploadedLinePlace(world.workspaceId, importId, line)),
  }));
}

async function orders(): Promise<{ action: string; workflowId: string; signalArgs: unknown[] }[]> {
  const { rows } = await sql<{ action: string; workflowId: string; signalArgs: unknown[] }>`
    select action, workflow_id as "workflowId", signal_args as "signalArgs" from outbox_entries
    where agent_id = ${agentId} order by created_at, id
  `.execute(db());
  return rows;
}

async function tables(): Promise<string> {
  const { rows } = await sql<{ counts: string }>`
    select concat_ws(' ', (select count(*) from imports where agent_id = ${agentId}),
      (select count(*) from import_failures where agent_id = ${agentId}),
      (select count(*) from uploaded_records), (select count(*) from outbox_entries where agent_id = ${agentId})) as counts
  `.execute(db());
  return rows[0]?.counts ?? '';
}

describe('an upload', () => {
  test('stores each record sealed, without its labels, and orders the import', async () => {
    const answer = await upload(`${record('a')}\n\n  \r\n${record('b')}\r\n${record('c')}`);
    expect(answer.body).toMatchObject({ object: 'import', kind: 'file', status: 'queued', listed: 0, badLines: [] });
    expect(await stored(answer.body.id)).toEqual([
      { line: 1, text: '{"id":"a","turns":[]}' },
      { line: 4, text: '{"id":"b","turns":[]}' },
      { line: 5, text: '{"id":"c","turns":[]}' },
    ]);
    expect(await orders()).toEqual([
      {
        action: 'importRequested',
        workflowId: `agent/${agentId}`,
        signalArgs: [{ importId: answer.body.id, attempt: 1, lane: 'backfill' }],
      },
    ]);
  });

  test('that is still on its way loses no line to another one', async () => {
    const large = (id: string) => JSON.stringify({ id, turns: [], note: 'x'.repeat(1_000_000) });
    const address = await world.app.listen({ host: '127.0.0.1', port: 0 });
    const slow = request(`${address}/app/agents/${agentId}/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    });
    for (let at = 0; at < 5; at += 1) slow.write(`${large(`slow-${at}`)}\n`);
    const unfinished = sql<{ count: number }>`
      select count(*)::int as count from uploaded_records u where not exists (select from imports where id = u.import_id)`;
    await untilTrue(async () => ((await unfinished.execute(db())).rows[0]?.count ?? 0) > 0);
    expect((await upload(record('quick'))).status).toBe(200);
    slow.end(record('last'));
    const [answer]: IncomingMessage[] = await once(slow, 'response');
    const { id } = JSON.parse(Buffer.concat((await answer?.toArray()) ?? []).toString());
    expect((await stored(id)).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('removes what a process left that ended a day ago, and nothing later', async () => {
    const hours = (count: number) => idBoundAt(Date.now() - count * 3_600_000);
    for (const importId of [hours(25), hours(23)]) {
      await sql`insert into uploaded_records (workspace_id, import_id, line, sealed_payload)
        values (${world.workspaceId}, ${importId}, 1, 'x')`.execute(db());
    }
    await upload(record('a'));
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from uploaded_records where sealed_payload = 'x'`.execute(db());
    expect(rows).toEqual([{ left: 1 }]);
    await sql`delete from uploaded_records where sealed_payload = 'x'`.execute(db());
  });

  test('keeps lines that are no records with their numbers, and imports the rest', async () => {
    const deep = `${'['.repeat(33)}${']'.repeat(33)}`;
    const bad = Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]);
    const long = `{"id":"${'x'.repeat(1024 * 1024)}"}`;
    const answer = await upload(
      Buffer.concat([
        Buffer.from(`${record('a')}\n{"id":\n[1]\n"text"\n${deep}\n`),
        bad,
        Buffer.from(`${long}\n${record('b')}\n`),
      ]),
    );
    expect(answer.body.badLines).toEqual([
      { line: 2, reason: 'The line is not JSON.' },
      { line: 3, reason: 'The line is no JSON object.' },
      { line: 4, reason: 'The line is no JSON object.' },
      { line: 5, reason: 'The line nests deeper than 32 levels.' },
      { line: 6, reason: 'The line is not valid UTF-8.' },
      { line: 7, reason: 'The line is longer than 1 MiB.' },
    ]);
    expect(answer.body).toMatchObject({ listed: 6, failed: 6, ongoing: 0, gone: 0 });
    expect((await stored(answer.body.id)).map((each) => each.line)).toEqual([1, 8]);
    const read = await world.ask('GET', `/app/agents/${agentId}/imports/${answer.body.id}`, { as: token });
    expect(read.body.failures).toHaveLength(6);
    expect(read.body.failures[0]).toEqual({ ref: 'line 2', reason: 'The line is not JSON.' });
    expect(read.body.reasons[0]).toEqual({ reason: 'The line is no JSON object.', calls: 2 });
  });

  test('holds no more of bad lines than of good ones: of those beyond, the reason alone is kept', async () => {
    const megabyte = 'x'.repeat(1024 * 1024 - 10);
    const answer = await upload(`${`${megabyte}\n`.repeat(6)}${record('a')}\n`);
    expect(answer.body).toMatchObject({ failed: 6 });
    const { rows } = await sql<{ kept: boolean }>`
      select sealed_payload is not null as kept from import_failures where import_id = ${answer.body.id} order by ref
    `.execute(world.database.em().getKysely());
    expect(rows.map(({ kept }) => kept)).toEqual([true, true, true, true, false, false]);
  });

  test('of the same bad line twice keeps both', async () => {
    const first = await upload('{\n');
    const second = await upload('{\n');
    for (const { body } of [first, second]) {
      const read = await world.ask('GET', `/app/agents/${agentId}/imports/${body.id}`, { as: token });
      expect(read.body.failures).toEqual([{ ref: 'line 1', reason: 'The line is not JSON.' }]);
    }
  });

  test.each([
    ['is empty', ''],
    ['holds nothing but blank lines', '\n \n\r\n'],
    ['holds more than 1,000 records', `${record('a')}\n`.repeat(1001)],
  ])('that %s is refused and leaves nothing', async (_name, payload) => {
    const before = await tables();
    expectFailure(await upload(payload), 400, 'invalid_body');
    expect(await tables()).toBe(before);
  });

  test('of 1,000 records is taken', async () => {
    const answer = await upload(`${record('a')}\n`.repeat(1000));
    expect(answer.status).toBe(200);
    expect(await stored(answer.body.id)).toHaveLength(1000);
  });

  test('must be JSON lines, plain, and for an agent whose calls come from files', async () => {
    expectFailure(await upload(record('a'), { 'content-type': 'text/plain' }), 400, 'invalid_body');
    expectFailure(await upload('{}', { 'content-type': 'application/json' }), 400, 'invalid_body');
    expectFailure(await upload(record('a'), { 'content-encoding': 'gzip' }), 400, 'invalid_body');
    agentId = await world.makeAgent({ provider: 'retell' });
    expectFailure(await upload(record('a')), 400, 'invalid_body');
  });
});

describe('an import from a platform', () => {
  const start = (body: unknown) => world.ask('POST', `/app/agents/${agentId}/imports`, { as: token, body });
  beforeEach(async () => {
    agentId = await world.makeAgent({ provider: 'retell' });
  });

  test('takes the newest 1,000 calls, or what is asked for', async () => {
    expect((await start(undefined)).body).toMatchObject({ kind: 'first', limit: 1000, since: null });
    const since = new Date(Date.now() - 86_400_000).toISOString();
    expect((await start({ limit: 5, since })).body).toMatchObject({ kind: 'manual', limit: 5, since });
  });

  test.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ since: '2020-01-01T00:00:00Z' }, 'since'],
    [{ since: 'yesterday' }, 'since'],
    [{ until: 1 }, 'until'],
  ])('%j is refused and %s is named', async (body, param) => {
    expectFailure(await start(body), 400, 'invalid_parameter', param);
  });
});

describe('an import that goes on', () => {
  let importId: string;
  beforeEach(async () => {
    importId = (await upload(record('a'))).body.id;
  });
  const tell = (path: string) => world.ask('POST', `/app/agents/${agentId}/imports/${importId}/${path}`, { as: token });
  const finish = () =>
    sql`update imports set status = 'complete', finished_at = now() where id = ${importId}`.execute(db());

  test.each([
    ['pause', 'pause'],
    ['go-on', 'goOn'],
    ['try-now', 'tryNow'],
    ['cancel', 'cancel'],
    ['retry', 'retryFailed'],
  ])('is told to %s by a message order', async (path, action) => {
    expect((await tell(path)).status).toBe(200);
    expect((await orders()).at(-1)).toEqual({ action, workflowId: `import/${importId}/1`, signalArgs: [] });
  });

  test('takes no message once it has ended, but can be tried again', async () => {
    await finish();
    for (const path of ['pause', 'go-on', 'try-now', 'cancel']) expectFailure(await tell(path), 409, 'import_finished');
    expect((await tell('retry')).body).toMatchObject({ status: 'queued', attempt: 2, finishedAt: null });
    expect((await orders()).at(-1)).toMatchObject({ signalArgs: [{ importId, attempt: 2 }] });
  });

  test('is found by its agent alone', async () => {
    const other = await world.makeAgent({ provider: 'file' });
    const answer = await world.ask('GET', `/app/agents/${other}/imports/${importId}`, { as: token });
    expectFailure(answer, 404, 'import_not_found');
    expectFailure(
      await world.ask('POST', `/app/agents/${agentId}/imports/${newId()}/retry`, { as: token }),
      404,
      'import_not_found',
    );
    const list = await world.ask('GET', `/app/agents/${agentId}/imports`, { as: token });
    expect(list.body.data.map((each: { id: string }) => each.id)).toEqual([importId]);
  });
});

describe('agents', () => {
  test('are connected once, and the key of the platform is never shown', async () => {
    const body = { platform: 'retell', apiKey: 'key_of_the_platform', providerAgentId: 'agent_1', name: 'Front desk' };
    const made = await world.ask('POST', '/app/agents', { as: token, body });
    expect(made.body).toMatchObject({
      provider: 'retell',
      source: 'retell',
      name: 'Front desk',
      setupStatus: 'pending',
    });
    expectFailure(await world.ask('POST', '/app/agents', { as: token, body }), 409, 'agent_exists', 'providerAgentId');
    const { rows } = await sql<{ row: string }>`select to_jsonb(c)::text as row from platform_connections c`.execute(
      db(),
    );
    expect(rows).toHaveLength(1);
    expect(`${rows[0]?.row}${made.text}${world.logged.join()}`).not.toContain('key_of_the_platform');
  });

  test.each([
    [{ platform: 'retell', providerAgentId: 'a' }, 'apiKey'],
    [{ platform: 'file', providerAgentId: 'a', apiKey: 'x' }, 'apiKey'],
    [{ platform: 'file', providerAgentId: 'a', baseUrl: 'https://x.test' }, 'baseUrl'],
    [{ platform: 'retell', apiKey: 'x', providerAgentId: 'a', baseUrl: 'ftp://x.test' }, 'baseUrl'],
    [{ platform: 'retell', apiKey: 'x', providerAgentId: 'a', baseUrl: 'https://u:p@x.test' }, 'baseUrl'],
    [{ platform: 'retell', apiKey: 'x', providerAgentId: 'a', baseUrl: 'https://x.test/?to=' }, 'baseUrl'],
    [{ platform: 'retell', apiKey: 'x', providerAgentId: 'a', baseUrl: 'https://x.test/v1#' }, 'baseUrl'],
    [{ platform: 'telephone', providerAgentId: 'a' }, 'platform'],
    [{ platform: 'file', providerAgentId: '' }, 'providerAgentId'],
  ])('%j is refused and %s is named', async (body, param) => {
    expectFailure(await world.ask('POST', '/app/agents', { as: token, body }), 400, 'invalid_parameter', param);
  });

  test('change their settings, and the coordinator groups again where that moves issues', async () => {
    const change = (body: unknown) => world.ask('PATCH', `/app/agents/${agentId}`, { as: token, body });
    expect((await change({ name: 'Renamed', graceDays: 14 })).body).toMatchObject({ name: 'Renamed', graceDays: 14 });
    expect((await orders()).map((order) => order.action)).toEqual(['regroup']);
    expect((await change({ thresholds: { tool_slow: { slowMs: 3000 } } })).status).toBe(200);
    expectFailure(await change({ graceDays: 91 }), 400, 'invalid_parameter', 'graceDays');
    expectFailure(await change({ thresholds: { nothing: {} } }), 400, 'invalid_parameter', 'thresholds.nothing');
    expectFailure(
      await change({ thresholds: { tool_slow: { x: 1 } } }),
      400,
      'invalid_parameter',
      'thresholds.tool_slow.x',
    );
    expectFailure(await change({}), 400, 'invalid_body');
  });

  test('of files take prompt and tools as their configuration', async () => {
    const put = (body: unknown) => world.ask('PUT', `/app/agents/${agentId}/configuration`, { as: token, body });
    const tools = [
      { type: 'function', function: { name: 'transfer_to_human', parameters: { type: 'object' } } },
      { name: 'find' },
    ];
    expect((await put({ set: 'x', prompt: 'Be kind.', tools })).body.counts.versions).toBe(1);
    const { rows } = await sql<{ configuration: { prompt: string; tools: { kind: string }[] }; configHash: string }>`
      select configuration, config_hash as "configHash" from agent_versions where agent_id = ${agentId}
    `.execute(db());
    expect(rows[0]?.configuration.tools.map((tool) => tool.kind)).toEqual(['transfer', 'other']);
    const versions = await world.get(`/v1/agents/${agentId}/versions`);
    expect(versions.body.data).toEqual([
      expect.objectContaining({
        version: 1,
        isCurrent: true,
        configCaptured: true,
        calls: 0,
        gotItDone: { value: null, n: 0 },
      }),
    ]);
    expect(versions.body.data[0].configHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expectFailure(await put({ prompt: 1 }), 400, 'invalid_parameter', 'prompt');
    expectFailure(await put({ promt: 'x' }), 400, 'invalid_parameter', 'promt');
  });

  test('of files are watched as their prompt asks', async () => {
    const prompt = 'You answer for a salon.\nAlways call find_time before book_time.';
    const tools = [{ name: 'find_time' }, { name: 'book_time' }];
    await world.ask('PUT', `/app/agents/${agentId}/configuration`, { as: token, body: { prompt, tools } });
    const { body } = await world.get(`/v1/agents/${agentId}/watches`);
    expect(body.data).toEqual([
      expect.objectContaining({
        state: 'draft',
        origin: 'generated',
        source: expect.objectContaining({ agentVersion: 1, line: 2, verbatim: true }),
      }),
    ]);
  });
});

test('the export has one line a call, in the order of the list', async () => {
  await seedCalls(
    world,
    agentId,
    Array.from({ length: 205 }, (_, at) => ({
      call: { providerCallId: `c${at}`, startedAt: null, endedAt: null, callerNumber: '+15550111' },
      analysis: at === 204 ? null : { notComputable: [{ code: 'tool_slow', reason: 'No times.' }] },
    })),
  );
  const answer = await world.ask('GET', `/app/agents/${agentId}/export`, { as: token });
  expect(answer.headers['content-type']).toContain('application/x-ndjson');
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(new Set(lines.map((line) => line.id)).size).toBe(204);
  expect(lines[0]).toMatchObject({
    outcome: 'resolved',
    badEndingScore: 0.1,
    intents: ['i'],
    caller: { kind: 'repeat', of: 204, key: expect.any(String) },
    notComputable: [{ code: 'tool_slow', reason: 'No times.' }],
    rootCause: null,
    timing: null,
    rating: 3,
  });
  expect(answer.text).not.toContain('+15550111');
  expectFailure(
    await world.ask('GET', `/app/agents/${agentId}/export?x=1`, { as: token }),
    400,
    'invalid_parameter',
    'x',
  );
});

describe('skipping a call', () => {
  const skip = (importId: string, body: object) =>
    world.ask('POST', `/app/agents/${agentId}/imports/${importId}/skip`, { as: token, body });

  test('is told to the running import and stands in the audit log; an ended one is refused', async () => {
    const started = (await upload(record('a'))).body.id as string;
    expect((await skip(started, { providerCallId: 'call_7', reason: ' The platform lost it. ' })).status).toBe(200);
    expect((await orders()).at(-1)).toMatchObject({
      action: 'skipItem',
      signalArgs: [{ providerCallId: 'call_7', reason: 'The platform lost it.' }],
    });
    const { rows } =
      await sql`select operation, person_id from audit_entries where agent_id = ${agentId} order by created_at`.execute(
        db(),
      );
    expect(rows).toEqual([
      { operation: 'startImport', person_id: world.personId },
      { operation: 'skipCall', person_id: world.personId },
    ]);
    await sql`update imports set status = 'complete', finished_at = now() where id = ${started}`.execute(db());
    expectFailure(await skip(started, { providerCallId: 'call_7', reason: 'x' }), 409, 'import_finished');
  });

  test.each([
    ['providerCallId', { providerCallId: '', reason: 'x' }],
    ['providerCallId', { providerCallId: 'a\nb', reason: 'x' }],
    ['reason', { providerCallId: 'a', reason: '  ' }],
    ['reason', { providerCallId: 'a', reason: 'ok \u202egnp' }],
    ['also', { providerCallId: 'a', reason: 'x', also: 1 }],
  ])('is refused where %s is not one', async (param, body) => {
    const started = (await upload(record('a'))).body.id as string;
    expectFailure(await skip(started, body), 400, 'invalid_parameter', param);
  });
});
