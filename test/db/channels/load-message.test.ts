import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertChannel, setQuotes } from '../../../src/db/channels/channels.ts';
import { keepBody, takeNotices } from '../../../src/db/channels/load-message.ts';
import { sendMissed } from '../../../src/db/channels/tend-messages.ts';
import { forgetMessages } from '../../../src/db/erasures/erase-records.ts';
import { RemovedRows } from '../../../src/db/erasures/removed.ts';
import type { Digest } from '../../../src/domain/messages/subscription.ts';
import { newId } from '../../../src/ids.ts';
import { makeAgent, type TestAgent } from '../../support/analysed-calls.ts';
import { untilSomebodyWaitsFor } from '../../support/blocked.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { groupAndLive, many, readCalls } from '../../support/evidence.ts';
import type { Loose } from '../../support/world.ts';

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
const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(em().getKysely())).rows;

async function listen(digest: Digest = { every: 'immediate' }): Promise<string> {
  const { workspaceId } = agent;
  const made = { workspaceId, kind: 'email', personId: null, name: 'All', threads: true } as const;
  const address = { shownAddress: 'a@example.com', sealedAddress: 'sealed' };
  const subscription = { minSeverity: null, agentId: null, timeZone: 'UTC', quietHours: null, digest };
  const subscriptions = [{ ...subscription, events: ['issue.opened' as const] }];
  return (await insertChannel(em(), { ...made, ...address, subscriptions, createdBy: newId() }, 20)) ?? '';
}

async function openIssue(): Promise<void> {
  await readCalls(database, agent, [...many(4, 'old', { daysAgo: 1, shows: true }), { id: 'ok', daysAgo: 0.5 }]);
  await groupAndLive(database, agent);
}
const deliveriesOf = (channelId: string) =>
  rows(
    sql`select id, event, event_key from webhook_deliveries where webhook_id = ${channelId} order by created_at, id`,
  );

test('a new issue is told with words of the newest call behind it, unless none may leave', async () => {
  const channelId = await listen();
  await openIssue();
  const [{ id: deliveryId }] = (await deliveriesOf(channelId)) as [Loose];
  const take = () => takeNotices(em(), { channelId, deliveryId, isDigest: false });
  const [{ quote }] = (await rows(sql`select quote from call_signals where agent_id = ${agent.agentId} limit 1`)) as [
    Loose,
  ];
  expect(quote).not.toBe('');
  expect(await take()).toMatchObject([{ event: 'issue.opened', quote: expect.any(String) }]);
  await setQuotes(em(), agent.workspaceId, false);
  expect(await take()).toMatchObject([{ event: 'issue.opened', quote: null }]);
});

test.each([false, true])(
  'an erasure that comes while a message is written finds its words; a digest: %s',
  async (isDigest) => {
    const channelId = await listen(isDigest ? { every: 'daily', hour: 9 } : { every: 'immediate' });
    await openIssue();
    await rows(sql`update notices set due_at = now() - interval '5 minutes' where channel_id = ${channelId}`);
    const [{ id: deliveryId }] = (await deliveriesOf(channelId)) as [Loose];
    const issues = await rows(sql`select facts ->> 'issueId' as id from notices where channel_id = ${channelId}`);
    const issueIds = issues.map(({ id }) => id);
    const removed = new RemovedRows();
    let erased: Promise<void> | undefined;
    await em().transactional(async (tx) => {
      expect(await takeNotices(tx, { channelId, deliveryId, isDigest })).toHaveLength(1);
      erased = em().transactional((other) => forgetMessages(other, agent.agentId, issueIds, removed));
      await untilSomebodyWaitsFor(database, tx);
      await keepBody(tx, deliveryId, 'words of the call');
    });
    await erased;
    expect(await rows(sql`select body from webhook_deliveries where id = ${deliveryId}`)).toEqual([{ body: null }]);
    expect(removed.byTable).toEqual({ webhook_deliveries: 1 });
  },
);

test('what was written just after its digest went out gets a message of its own, once', async () => {
  const channelId = await listen({ every: 'daily', hour: 9 });
  await openIssue();
  const [{ id: deliveryId }] = (await deliveriesOf(channelId)) as [Loose];
  expect(await takeNotices(em(), { channelId, deliveryId, isDigest: true })).toEqual([]);
  await rows(sql`update webhook_deliveries set state = 'dropped' where id = ${deliveryId}`);
  await rows(sql`update notices set due_at = now() - interval '5 minutes' where channel_id = ${channelId}`);
  for (let at = 0; at < 2; at += 1) await sendMissed(em(), agent.workspaceId);
  const [, missed, ...more] = await deliveriesOf(channelId);
  expect([missed.event, more]).toEqual(['digest', []]);
  const taken = { channelId, deliveryId: missed.id, isDigest: true };
  expect(await takeNotices(em(), taken)).toHaveLength(1);
  // The same at each try, and nothing of it for another message.
  expect(await takeNotices(em(), taken)).toHaveLength(1);
  expect(await takeNotices(em(), { ...taken, deliveryId: newId() })).toEqual([]);
});
