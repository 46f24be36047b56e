import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleStorage } from '../../src/db/system/storage.ts';
import { exampleSpans, otlpBytes } from '../support/spans.ts';
import { type Answered, createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let admin: string;
let workspaceId: string;
let agentId: string;
let token: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

beforeEach(async () => {
  const operator = await world.makeWorkspaceOfOperator();
  workspaceId = operator.workspaceId;
  admin = await world.token(operator);
  const connection = await world.ask('POST', '/app/connections', { as: admin, body: { platform: 'livekit' } });
  const named = { connectionId: connection.body.id, providerAgentId: 'a', name: 'Front desk' };
  agentId = (await world.ask('POST', '/app/agents', { as: admin, body: named })).body.id;
  const tokens = `/app/connections/${connection.body.id}/tokens`;
  token = (await world.ask('POST', tokens, { as: admin, body: { agentId } })).body.token;
});

const db = () => world.database.em().getKysely();

async function bound(storageMib: number | null): Promise<Answered> {
  const answer = await world.ask('PATCH', '/app/plan', { as: admin, body: { storageMib } });
  const em = world.database.within(workspaceId);
  await settleStorage(em, workspaceId, null);
  await settleStorage(em, workspaceId, null);
  return answer;
}

const record = (id: string, bytes: number) =>
  JSON.stringify({ id, turns: [{ role: 'caller', text: randomBytes(bytes).toString('hex') }] });
const sendRecord = (id: string, bytes: number) =>
  world.ask('POST', '/ingest/calls', {
    as: token,
    payload: record(id, bytes),
    headers: { 'content-type': 'application/json' },
  });
const sendSpans = () =>
  world.app.inject({
    method: 'POST',
    url: '/otlp/v1/traces',
    payload: Buffer.from(otlpBytes(exampleSpans('livekit-python-1.8'))),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-protobuf' },
  });
const upload = (payload: string) =>
  world.ask('POST', `/app/agents/${agentId}/imports`, {
    as: admin,
    payload,
    headers: { 'content-type': 'application/x-ndjson' },
  });
const usedMib = async () => (await world.get('/app/plan', admin)).body.storage.usedMib;

async function kept(): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    select count(*)::int as kept from uploaded_records where workspace_id = ${workspaceId}`.execute(db());
  return rows[0]?.kept ?? 0;
}

describe('a workspace whose storage is bounded', () => {
  test('shows the bound and what is used; without one, neither is counted', async () => {
    expect((await world.get('/app/plan', admin)).body.storage).toEqual({ limitMib: null, isSet: false, usedMib: 0 });
    await sendRecord('before', 150_000);
    expect((await bound(1)).body.storage).toMatchObject({ limitMib: 1, isSet: true });
    expect(await usedMib()).toBeCloseTo(0.4, 0);
    expect((await bound(null)).body.storage.limitMib).toBeNull();
  });

  test('takes what fits, refuses what does not with a sentence, and keeps what it had taken', async () => {
    await bound(1);
    expect((await sendRecord('a', 300_000)).status).toBe(200);
    const refused = await sendRecord('b', 300_000);
    expectFailure(refused, 409, 'storage_full');
    expect(refused.body.error.message).toMatch(
      /^This workspace keeps 0\.\d MiB of its calls, and may keep 1 MiB\. Erase/,
    );
    expect(await kept()).toBe(1);
    expect((await sendRecord('c', 1_000)).status).toBe(200);
    expect(await kept()).toBe(2);
  });

  test('leaves nothing of an upload that passes it on its way', async () => {
    await bound(6);
    const lines = Array.from({ length: 10 }, (_, at) => record(`r${at}`, 400_000)).join('\n');
    expectFailure(await upload(lines), 409, 'storage_full');
    expect(await kept()).toBe(0);
    expect(await usedMib()).toBe(0);
    expect((await upload(record('one', 400_000))).status).toBe(200);
  });

  test('tells senders of spans for good, in their own protocol', async () => {
    await bound(0);
    const answer = await sendSpans();
    expect(answer.statusCode).toBe(409);
    expect(answer.headers['content-type']).toBe('application/x-protobuf');
    await bound(1);
    expect((await sendSpans()).statusCode).toBe(200);
  });

  test('has room again once something is erased', async () => {
    await bound(1);
    await sendRecord('a', 300_000);
    expectFailure(await sendRecord('b', 300_000), 409, 'storage_full');
    await sql`delete from uploaded_records where workspace_id = ${workspaceId}`.execute(db());
    expect((await sendRecord('b', 300_000)).status).toBe(200);
  });

  test('is bounded by the operator alone', async () => {
    const another = await world.token(await world.makeWorkspace());
    const answer = await world.ask('PATCH', '/app/plan', { as: another, body: { storageMib: 5 } });
    expectFailure(answer, 403, 'admin_only');
  });
});
