import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { newId } from '../../src/ids.ts';
import { createTemporal, type QueueStanding } from '../../src/temporal/client.ts';
import { createWorld, type World } from '../support/world.ts';

const TOKEN = 'a token of the operator';
const AS = { authorization: `Bearer ${TOKEN}` };
const ready = { ok: true, message: 'Answers.' };
const health = {
  database: async () => ready,
  readiness: async () => ({ ready: true, database: ready, temporal: ready, workers: { ...ready, seen: 1 } }),
  accepting: () => true,
};
const QUEUES: QueueStanding[] = [{ name: 'earshot-analysis', kind: 'activity', waiting: 7, oldestSeconds: 3.5 }];

let world: World;
let app: FastifyInstance;
beforeAll(async () => {
  world = await createWorld();
  app = await buildApp({ services: { ...world.services, queues: async () => QUEUES }, health, metricsToken: TOKEN });
});
afterAll(async () => {
  await app?.close();
  await world?.close();
});

/** One sample of the exposition, or undefined where there is none. */
async function read(): Promise<(sample: string) => number | undefined> {
  const { statusCode, body } = await app.inject({ url: '/metrics', headers: AS });
  expect(statusCode).toBe(200);
  const samples = new Map(
    body
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))] as const),
  );
  return (sample) => samples.get(sample);
}

test('what waits is told in numbers, over all workspaces, and requests by operation and status', async () => {
  const db = world.database.em().getKysely();
  const other = await world.makeWorkspace();
  const theirs = await world.makeAgent({ workspaceId: other.workspaceId, provider: 'retell' });
  await sql`update agents set bookmark_at = now() - interval '5 minutes' where id = ${theirs}`.execute(db);
  for (const [agentId, workspaceId] of [
    [world.agentId, world.workspaceId],
    [theirs, other.workspaceId],
  ]) {
    await sql`
      insert into calls (id, workspace_id, agent_id, provider_call_id, payload_digest, state, version, duration_ms,
        direction, disconnection_reason, created_at)
      values (${newId()}, ${workspaceId}, ${agentId}, 'waits', 'd', 'waiting', 1, 1000, 'inbound', 'user_hangup',
        now() - interval '2 minutes')`.execute(db);
  }
  await sql`
    insert into imports (id, workspace_id, agent_id, kind, status, waits_for)
    values (${newId()}, ${other.workspaceId}, ${theirs}, 'poll', 'running', 'waits for the platform')`.execute(db);
  await sql`
    insert into outbox_entries (id, workflow, workflow_id, action, start_args, signal_args, workspace_id, created_at)
    values (${newId()}, 'agentDesk', 'agent/x', 'start', '[]', '[]', ${other.workspaceId}, now() - interval '1 minute')
  `.execute(db);
  await app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${world.readKey}` } });
  await app.inject({ url: '/v1/me' });
  await app.inject({ url: '/v1/nowhere', headers: { authorization: `Bearer ${world.readKey}` } });

  const sample = await read();
  expect(sample('earshot_calls{state="waiting"}')).toBe(2);
  expect(sample('earshot_analysis_lag_seconds')).toBeGreaterThanOrEqual(120);
  expect(sample('earshot_import_lag_seconds')).toBeGreaterThanOrEqual(300);
  expect(sample('earshot_imports_open{status="running"}')).toBe(1);
  expect(sample('earshot_imports_waiting')).toBe(1);
  expect(sample('earshot_outbox_oldest_seconds')).toBeGreaterThanOrEqual(60);
  expect(sample('earshot_queue_delay_seconds{queue="earshot-analysis",kind="activity"}')).toBe(3.5);
  expect(sample('earshot_temporal_up')).toBe(1);
  expect(sample('earshot_http_requests_total{operation="getMe",method="GET",status="200"}')).toBe(1);
  expect(sample('earshot_http_requests_total{operation="getMe",method="GET",status="401"}')).toBe(1);
  expect(sample('earshot_http_requests_total{operation="none",method="GET",status="404"}')).toBe(1);
  expect(sample('earshot_http_request_seconds_count{operation="getMe"}')).toBe(2);
  expect(sample('earshot_database_connections{state="idle"}')).toBeGreaterThanOrEqual(1);
  expect(sample('earshot_database_connections{state="waiting"}')).toBe(0);
});

test('how well agents do is told by their ids, from the sums that their boards show', async () => {
  const db = world.database.em().getKysely();
  const { workspaceId } = await world.makeWorkspace();
  const agentId = await world.makeAgent({ workspaceId, provider: 'retell' });
  for (const [outcome, calls, daysAgo] of [
    ['resolved', 6, 0],
    ['abandoned', 2, 29],
    ['no_contact', 2, 1],
    ['', 5, 1],
    ['resolved', 100, 30],
  ] as const) {
    await sql`
      insert into metric_counts (agent_id, day, version, outcome, intent_slug, use_case_slug, calls, with_tool, tool_failed, friction)
      values (${agentId}, (now() at time zone 'UTC')::date - ${daysAgo}::int, 1, ${outcome}, '', '', ${calls}, 0, 0, 3)
    `.execute(db);
  }
  const fresh = await buildApp({
    services: { ...world.services, queues: async () => null },
    health,
    metricsToken: TOKEN,
  });
  try {
    const { body } = await fresh.inject({ url: '/metrics', headers: AS });
    const labels = `workspace="${workspaceId}",agent="${agentId}"`;
    expect(body).toContain(`earshot_agent_calls{${labels}} 15`);
    expect(body).toContain(`earshot_agent_outcome_ratio{${labels},outcome="resolved"} 0.75`);
    expect(body).toContain(`earshot_agent_outcome_ratio{${labels},outcome="abandoned"} 0.25`);
    expect(body).toContain(`earshot_agent_outcome_ratio{${labels},outcome="no_contact"} 0.2`);
    expect(body).toContain(`earshot_agent_friction_ratio{${labels}} 0.8`);
    expect(body).toContain(`earshot_agent_issues_open{${labels}} 0`);
    expect(body).not.toContain(`earshot_agent_tool_failure_ratio{${labels}}`);
    expect(body).toContain('earshot_agents_left_out 0');
  } finally {
    await fresh.close();
  }
});

test('nothing is told without the token, nor that there is something; without a token set there is nothing', async () => {
  const [closed, absent] = [await app.inject({ url: '/metrics' }), await world.ask('GET', '/metrics')];
  expect(closed.statusCode).toBe(404);
  expect(closed.json().error).toMatchObject({ code: absent.body.error.code, message: absent.body.error.message });
  for (const shown of [`Bearer ${world.readKey}`, `Bearer ${TOKEN}x`, TOKEN]) {
    expect((await app.inject({ url: '/metrics', headers: { authorization: shown } })).statusCode).toBe(404);
  }
});

test("a member sees how far their own workspace is behind, and not another's", async () => {
  const { workspaceId, personId } = await world.makeWorkspace();
  const as = await world.token({ workspaceId, personId });
  const { body } = await world.ask('GET', '/app/system', { as });
  expect(body).toMatchObject({
    queues: null,
    lag: { importSeconds: null, analysisSeconds: null, waitingImports: 0 },
    calls: { waiting: 0 },
  });
});

test.skipIf(inject('temporalAddress') === null)('the queues of a real Temporal server are read', async () => {
  const temporal = await createTemporal({ address: inject('temporalAddress') ?? '' });
  const waiting = { waiting: expect.any(Number), oldestSeconds: expect.any(Number) };
  try {
    expect(await temporal.queues(5_000)).toEqual([
      { name: 'earshot-control', kind: 'workflow', ...waiting },
      { name: 'earshot-control', kind: 'activity', ...waiting },
      { name: 'earshot-analysis', kind: 'activity', ...waiting },
      { name: 'earshot-checks', kind: 'activity', ...waiting },
      { name: 'earshot-models', kind: 'activity', ...waiting },
      { name: 'earshot-conversations', kind: 'activity', ...waiting },
      { name: 'earshot-deliveries', kind: 'activity', ...waiting },
    ]);
  } finally {
    await temporal.close();
  }
});

test('the dashboard asks for metrics that exist, by labels that they have', async () => {
  const { body } = await app.inject({ url: '/metrics', headers: AS });
  const known = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const dashboard = readFileSync(new URL('../../deploy/grafana/earshot.json', import.meta.url), 'utf8');
  const asked = [...dashboard.matchAll(/earshot_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});
