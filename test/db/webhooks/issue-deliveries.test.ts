import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertWebhook, updateWebhook } from '../../../src/db/webhooks/webhooks.ts';
import type { WebhookEvent } from '../../../src/domain/vocabulary.ts';
import { newId } from '../../../src/ids.ts';
import { makeAgent, type TestAgent } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type DatedCall, groupAndLive, many, readCalls } from '../../support/evidence.ts';

const ISSUE_EVENTS: WebhookEvent[] = ['issue.opened', 'issue.regressed', 'issue.resolved'];

let database: TestDatabase;
let agent: TestAgent;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  agent = await makeAgent(database.em(), 'file');
});

const em = () => database.within(agent.workspaceId);
const read = (...calls: DatedCall[]) => readCalls(database, agent, calls);
const group = () => groupAndLive(database, agent);
const register = async (events: WebhookEvent[] = ISSUE_EVENTS) => {
  const { workspaceId } = agent;
  const made = {
    workspaceId,
    agentId: null,
    url: 'https://ci.example.com/',
    events,
    sealedSecret: 's',
    createdBy: newId(),
  };
  return (await insertWebhook(em(), made, 20)) ?? '';
};
async function told(): Promise<{ event: string; body: { data: Record<string, unknown> } }[]> {
  const { rows } = await sql<{ event: string; body: string }>`
    select event, body from webhook_deliveries where workspace_id = ${agent.workspaceId} order by created_at, id`.execute(
    em().getKysely(),
  );
  return rows.map(({ event, body }) => ({ event, body: JSON.parse(body) }));
}
const kinds = async () => (await told()).map(({ event }) => event);
/** As if the issue had been resolved so many days ago. */
const resolvedDaysAgo = (days: number) =>
  sql`update issues set status = 'resolved', resolved_at = now() - make_interval(days => ${days})
    where agent_id = ${agent.agentId}`.execute(em().getKysely());

test('an issue is told when it first stands on the board, once, under the names of the API', async () => {
  await register();
  await read(...many(4, 'old', { daysAgo: 1, shows: true }), { id: 'ok', daysAgo: 0.5 });
  await group();
  await group();
  expect(await told()).toEqual([
    {
      event: 'issue.opened',
      body: {
        type: 'issue.opened',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        data: {
          issueId: expect.any(String),
          agentId: agent.agentId,
          agentName: expect.any(String),
          key: expect.stringMatching(/^tool_failed/),
          code: 'tool_failed',
          title: expect.stringContaining('tool_failed'),
          lane: expect.any(String),
          severity: expect.any(String),
          status: 'discovered',
          source: 'detector',
          location: { kind: 'tool', id: 'book_table', label: expect.any(String) },
          firstSeenVersion: 1,
          lastSeenVersion: 1,
        },
      },
    },
  ]);
});

test('an issue that comes back twice is told twice', async () => {
  await register(['issue.regressed']);
  await read(...many(4, 'old', { daysAgo: 12, shows: true }), { id: 'ok', daysAgo: 11 });
  await sql`update agents set grace_days = 90 where id = ${agent.agentId}`.execute(em().getKysely());
  await group();
  for (const [nth, days] of [2, 1].entries()) {
    await resolvedDaysAgo(days);
    await read({ id: `again ${nth}`, daysAgo: days - 0.5, shows: true });
    await group();
    expect(await kinds()).toEqual(Array.from({ length: nth + 1 }, () => 'issue.regressed'));
  }
});

test('a grouping that fails tells nothing, and nor does one that nobody listens to', async () => {
  await read(...many(4, 'old', { daysAgo: 1, shows: true }), { id: 'ok', daysAgo: 0.5 });
  const webhookId = await register();
  const failing = em().transactional(async (tx) => {
    await groupAndLive({ within: () => tx }, agent);
    throw new Error('the transaction fails');
  });
  await expect(failing).rejects.toThrow('the transaction fails');
  expect(await told()).toEqual([]);
  await updateWebhook(em(), webhookId, { enabled: false });
  await group();
  expect(await told()).toEqual([]);
});
