import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertChannel } from '../../src/db/channels/channels.ts';
import { insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import { insertWebhook, switchOff } from '../../src/db/webhooks/webhooks.ts';
import { MESSAGE_EVENTS, WEBHOOK_EVENTS } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { startAutoRun } from '../../src/operations/runs/start-auto-run.ts';
import { planRun } from '../../src/services/runs/plan-run.ts';
import { captureVersion, makeRun, makeTests, type OwnedAgent } from '../support/runs.ts';
import { readWatched, spoken } from '../support/watched-calls.ts';
import { writtenWatch } from '../support/watches.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

let world: World;
let agent: OwnedAgent;
let webhookId: string;
let channelId: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await rows(sql`update webhooks set deleted_at = now()`);
  agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
  webhookId = await hearAll();
  const made = { workspaceId: world.workspaceId, kind: 'slack', personId: null, name: 'All', threads: false } as const;
  const address = { shownAddress: 'hooks.example.com', sealedAddress: 'sealed' };
  const subscription = { minSeverity: null, agentId: null, timeZone: 'UTC', quietHours: null };
  const subscriptions = [{ ...subscription, events: [...MESSAGE_EVENTS], digest: { every: 'immediate' as const } }];
  channelId = (await insertChannel(em(), { ...made, ...address, subscriptions, createdBy: newId() }, 20)) ?? '';
});

const em = () => world.database.within(world.workspaceId);
const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;
async function hearAll(): Promise<string> {
  const made = { workspaceId: world.workspaceId, agentId: null, url: 'https://ci.example.com/', sealedSecret: 's' };
  return (await insertWebhook(em(), { ...made, events: [...WEBHOOK_EVENTS], createdBy: newId() }, 20)) ?? '';
}
async function toldPrograms(id = webhookId): Promise<Loose[]> {
  const told = await rows(sql`select body from webhook_deliveries where webhook_id = ${id} order by created_at, id`);
  return told.map(({ body }) => JSON.parse(body));
}
const toldPeople = () =>
  rows(sql`select event, facts from notices where channel_id = ${channelId} order by created_at, id`);

/** The same facts, under the same name. */
async function expectBothTold(event: string, data: object): Promise<void> {
  const [body, ...more] = (await toldPrograms()).filter(({ type }) => type === event);
  expect(body).toMatchObject({ type: event, data: { agentId: agent.agentId, ...data } });
  expect(more).toEqual([]);
  const people = (await toldPeople()).filter((one) => one.event === event);
  expect(people).toEqual([{ event, facts: body.data }]);
}

test('a run that no budget pays is told of once, with what its message says', async () => {
  await captureVersion(world.database, agent);
  const [testId = ''] = await makeTests(world.database, agent, 1);
  await rows(sql`update agents set test_budget_usd = 0 where id = ${agent.agentId}`);
  const runId = await makeRun(world.database, agent, [testId], { trigger: 'ci' });
  const plan = () => planRun(em(), { ...agent, runId, expired: false });
  expect(await plan()).toMatchObject({ state: 'refused' });
  await plan();
  await expectBothTold('run.refused', { runId, version: 1, message: expect.stringMatching(/budget/i) });
});

test('an automatic run that waits for approval is told of', async () => {
  await captureVersion(world.database, agent);
  const [testId = ''] = await makeTests(world.database, agent, 1);
  await rows(sql`update agents set test_budget_usd = 0 where id = ${agent.agentId}`);
  const runId = await makeRun(world.database, agent, [testId], { trigger: 'auto' });
  expect(await planRun(em(), { ...agent, runId, expired: false })).toMatchObject({ state: 'wait' });
  await expectBothTold('run.awaiting_approval', { runId, waitsUntil: expect.any(String) });
});

test('a version that went live and that nobody can test is told of, with why', async () => {
  const agentId = await world.makeAgent({ provider: 'file' });
  agent = { workspaceId: world.workspaceId, agentId };
  await makeTests(world.database, agent, 1);
  await rows(sql`update agents set auto_runs = true where id = ${agentId}`);
  const start = () =>
    em().transactional((tx) => startAutoRun(tx, agentId, 7, { simulator: null, judge: null, prices: {} }));
  const runId = await start();
  expect(await start()).toBeNull();
  const run = (await world.get(`/v1/agents/${agentId}/runs/${runId}`)).body;
  expect(run).toMatchObject({
    status: 'refused',
    trigger: 'auto',
    version: 7,
    createdBy: null,
    cells: { requested: 1 },
  });
  expect(run.message).toMatch(/\w/);
  const { body: result } = await world.get(`/v1/agents/${agentId}/runs/${runId}/result`);
  expect(result.cells).toMatchObject([{ result: 'not_run', reason: run.message }]);
  await expectBothTold('version.untested', { version: 7, message: expect.stringMatching(/\w/) });
});

test('a new version is told to programs', async () => {
  await captureVersion(world.database, agent, 1);
  await captureVersion(world.database, agent, 1);
  await captureVersion(world.database, agent, 2);
  expect((await toldPrograms()).map(({ type, data }) => [type, data.version])).toEqual([
    ['version.new', 1],
    ['version.new', 2],
  ]);
});

test('an address that was switched off is told to the others', async () => {
  const other = await hearAll();
  await em().transactional((tx) => switchOff(tx, other, 'It was gone.'));
  await em().transactional((tx) => switchOff(tx, channelId, 'It bounced.'));
  expect((await toldPrograms()).map(({ type, data }) => [type, data.id, data.reason])).toEqual([
    ['webhook.off', other, 'It was gone.'],
    ['channel.off', channelId, 'It bounced.'],
  ]);
  expect(await toldPrograms(other)).toEqual([]);
});

test("a person's own channel that was switched off is nobody else's to hear of", async () => {
  const { workspaceId, personId } = world;
  const made = { workspaceId, kind: 'email', personId, name: 'E-mail', shownAddress: '', sealedAddress: null } as const;
  const own = await insertChannel(em(), { ...made, threads: true, subscriptions: [], createdBy: personId }, 1);
  await em().transactional((tx) => switchOff(tx, own ?? '', 'It bounced.'));
  expect(await rows(sql`select kind from workspace_events where ref = ${own}`)).toEqual([{ kind: 'channel.off' }]);
  expect(await toldPrograms()).toEqual([]);
});

test('a watch that fails is told of once, and once more when it holds again, as one problem', async () => {
  const watchId = await insertWatch(em(), writtenWatch(agent, {}));
  await setWatchState(em(), watchId, 'live');
  const at = (day: number) => new Date(Date.UTC(2026, 2, day, 10)).toISOString();
  const batch = (day: number, broken: number, held: number) =>
    readWatched(world, agent.agentId, [
      ...Array.from({ length: broken }, (_, nth) => spoken(`broken ${day} ${nth}`, false, at(day))),
      ...Array.from({ length: held }, (_, nth) => spoken(`held ${day} ${nth}`, true, at(day))),
    ]);
  await batch(1, 1, 79);
  await batch(2, 8, 2);
  await batch(3, 9, 3);
  await expectBothTold('watch.failing', { watchId, day: '2026-03-02' });
  await batch(20, 0, 20);
  await expectBothTold('watch.recovered', { watchId, day: '2026-03-02', message: expect.stringContaining('20 of 20') });
  const threads = await rows(sql`select distinct thread from notices where channel_id = ${channelId}`);
  expect(threads).toEqual([{ thread: `watch:${watchId}/2026-03-02` }]);
});
