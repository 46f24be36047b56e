import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertConnection } from '../../src/db/connections/connections.ts';
import { insertIngestToken } from '../../src/db/system/ingest-tokens.ts';
import { newIngestSecret, secretHash } from '../../src/operations/access/secrets.ts';
import { startApi } from '../support/api-process.ts';
import { makeSpan, otlpBytes } from '../support/spans.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const SENDERS = 8;
const ANSWERED_BEFORE_THE_END = 120;

test('what was answered is there after the API was killed in the middle of its work', async () => {
  const em = world.database.within(world.workspaceId);
  const connectionId = await insertConnection(em, {
    workspaceId: world.workspaceId,
    platform: 'otel',
    baseUrl: null,
    sealedKey: null,
  });
  const token = newIngestSecret();
  await insertIngestToken(em, {
    workspaceId: world.workspaceId,
    connectionId,
    agentId: world.agentId,
    name: 'a token of the tests',
    secretHash: secretHash(token),
    prefix: token.slice(0, 10),
    createdBy: world.personId,
  });
  const api = await startApi(world.database.url);
  const answered: string[] = [];
  let sent = 0;

  async function sendUntilTheEnd(): Promise<void> {
    for (;;) {
      sent += 1;
      const span = makeSpan({ id: `s${sent}`, trace: `trace ${sent}`, name: 'user_turn', from: 0, to: 1 });
      const answer = await fetch(`${api.url}/otlp/v1/traces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-protobuf' },
        body: otlpBytes([span]),
      }).catch(() => null);
      if (answer === null) return;
      if (answer.status === 200) answered.push(span.traceId);
      if (answered.length === ANSWERED_BEFORE_THE_END) api.child.kill('SIGKILL');
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sendUntilTheEnd));

  const { rows } = await sql<{ id: string; waits: boolean }>`
    select trace_id as id, due_at is not null as waits from span_traces where agent_id = ${world.agentId}
  `.execute(world.database.em().getKysely());
  const kept = new Set(rows.filter(({ waits }) => waits).map(({ id }) => id));
  expect(answered.length).toBeGreaterThanOrEqual(ANSWERED_BEFORE_THE_END);
  expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  const orders = await sql<{ count: number }>`
    select count(*)::int as count from outbox_entries where workflow = 'settleSpans' and sent_at is null
  `.execute(world.database.em().getKysely());
  expect(orders.rows[0]?.count).toBeGreaterThan(0);
});
