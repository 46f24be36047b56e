import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createImport } from '../../src/db/imports/imports.ts';
import { listen } from '../../src/db/listen.ts';
import { openOutboxEntries } from '../../src/db/system/outbox.ts';
import { newId } from '../../src/ids.ts';
import { createLogger } from '../../src/logger.ts';
import { reconcileCoordinators } from '../../src/services/agents/reconcile-coordinators.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { openOutbox } from '../../src/services/outbox/open-outbox.ts';
import { reconcile } from '../../src/services/outbox/reconcile.ts';
import { pollerId } from '../../src/temporal/account-poller.ts';
import { coordinatorEntry, coordinatorId, importEntry } from '../../src/temporal/agent-coordinator.ts';
import { createTemporal, type TemporalGateway } from '../../src/temporal/client.ts';
import { importMessageEntry } from '../../src/temporal/import-calls.ts';
import { OUTBOX_CHANNEL } from '../../src/temporal/outbox.ts';
import { startOutboxRelay } from '../../src/temporal/outbox-relay.ts';
import { sendOutbox } from '../support/outbox.ts';
import {
  openDeps,
  openNamespace,
  type PipelineDeps,
  storeAgent,
  type TestTemporal,
  untilTrue,
} from '../support/pipeline.ts';

const address = inject('temporalAddress');
let world: PipelineDeps;
beforeAll(async () => {
  world = await openDeps();
});
afterAll(() => world.close());

const entryFor = (agentId: string) => ({
  entry: importEntry({ agentId, workspaceId: newId(), pollSeconds: null }, { importId: newId(), attempt: 1 }),
  workspaceId: newId(),
  agentId,
});

test('while Temporal is away an entry stays, with its last error and a time to try again', async () => {
  const away = await createTemporal({ address: '127.0.0.1:9' });
  await addToOutbox(world.database.em(), entryFor(newId()));
  expect(await sendOutbox({ database: world.database, temporal: away })).toBe(0);
  await away.close();
  const { rows } = await sql<{ tries: number; lastError: string; later: boolean; sent: boolean }>`
    select tries, last_error as "lastError", leased_until > now() as later, sent_at is not null as sent from outbox_entries
  `.execute(world.database.em().getKysely());
  expect(rows).toEqual([{ tries: 1, lastError: expect.stringMatching(/\S/), later: true, sent: false }]);
  expect(await openOutboxEntries(world.database.em())).toMatchObject({ count: 1 });
  await sql`delete from outbox_entries`.execute(world.database.em().getKysely());
});

describe.skipIf(address === null)('with a real Temporal server', () => {
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
  });
  afterAll(() => temporal.close());

  test('an entry of a transaction that was rolled back is never sent', async () => {
    const em = world.database.em();
    const rolledBack = em.transactional(async (tx) => {
      await addToOutbox(tx, entryFor(newId()));
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await sendOutbox({ database: world.database, temporal: temporal.gateway })).toBe(0);
  });

  test('two relays share the entries and none is sent twice', async () => {
    const agents = Array.from({ length: 30 }, () => newId());
    for (const agentId of agents) await addToOutbox(world.database.em(), entryFor(agentId));
    const deps = { database: world.database, temporal: temporal.gateway };
    const sent = await Promise.all([sendOutbox(deps), sendOutbox(deps)]);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(await openOutboxEntries(world.database.em())).toBeNull();
    for (const agentId of agents) {
      const history = await temporal.gateway.client.workflow.getHandle(coordinatorId(agentId)).fetchHistory();
      const signals = history.events?.filter((event) => event.workflowExecutionSignaledEventAttributes) ?? [];
      expect(signals).toHaveLength(1);
    }
  });

  test('a message to an import that has ended is dropped, and its entry is done', async () => {
    const entry = importMessageEntry({ importId: newId(), attempt: 1 }, 'pause');
    await addToOutbox(world.database.em(), { entry, workspaceId: newId(), agentId: null });
    expect(await sendOutbox({ database: world.database, temporal: temporal.gateway })).toBe(1);
  });

  test('a message to an import that has not begun waits for it', async () => {
    const em = world.database.em();
    const agent = await storeAgent(em, world.deps.vault, { provider: 'retell', baseUrl: null });
    const request = await createImport(em, { ...agent, kind: 'manual', limit: null, from: null });
    await addToOutbox(em, { entry: importMessageEntry(request, 'cancel'), ...agent });
    expect(await sendOutbox({ database: world.database, temporal: temporal.gateway })).toBe(0);
    const { rows } = await sql<{ lastError: string }>`
      select last_error as "lastError" from outbox_entries where sent_at is null`.execute(em.getKysely());
    expect(rows).toEqual([{ lastError: 'The import has not begun yet; it is told as soon as it does.' }]);
    await sql`delete from outbox_entries where sent_at is null`.execute(em.getKysely());
    await sql`update imports set status = 'cancelled' where id = ${request.importId}`.execute(em.getKysely());
  });

  test('a workflow carries what operators search by, and a summary with the name of its agent', async () => {
    const agentId = newId();
    await temporal.gateway.deliver(
      coordinatorEntry({ agentId, workspaceId: newId(), agentName: 'Front coordinator', pollSeconds: null }),
    );
    const described = await temporal.gateway.client.workflow.getHandle(coordinatorId(agentId)).describe();
    expect(await described.staticSummary()).toBe(
      'Coordinator of Front coordinator: live calls and a backfill side by side',
    );
    const found = async () => {
      const query = `EarshotAgent = "${agentId}" and EarshotKind = "coordinator" and EarshotStage = "idle"`;
      const names: string[] = [];
      for await (const { workflowId } of temporal.gateway.client.workflow.list({ query })) names.push(workflowId);
      return names.length === 1;
    };
    await untilTrue(found);
  });

  test('a committed entry is sent at once, and what a server lost is brought back', async () => {
    const em = world.database.em();
    const broken = await storeAgent(em, world.deps.vault, { provider: 'retell', baseUrl: 'http://127.0.0.1:9' });
    await createImport(em, { ...broken, kind: 'first', limit: null, from: null });
    const agent = await storeAgent(em, world.deps.vault, { provider: 'retell', baseUrl: 'http://127.0.0.1:9' });
    const deps = {
      database: world.database,
      temporal: temporal.gateway,
      polling: { polls: false, pollSeconds: 60 },
      storageMib: null,
    };
    const relay = startOutboxRelay({
      outbox: openOutbox(world.database),
      listen: (onWritten) => listen(world.database.url, OUTBOX_CHANNEL, onWritten),
      temporal: temporal.gateway,
      logger: createLogger('test', 'silent'),
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const request = await createImport(em, { ...agent, kind: 'first', limit: null, from: null });
    const startedAt = Date.now();
    await addToOutbox(em, { entry: importEntry({ ...agent, pollSeconds: null }, request), ...agent });
    await untilTrue(async () => (await openOutboxEntries(world.database.em())) === null);
    process.stdout.write(`a committed entry was sent within ${Date.now() - startedAt} ms\n`);
    await relay.stop();

    const coordinator = () => temporal.gateway.client.workflow.getHandle(coordinatorId(agent.agentId));
    await coordinator().terminate('as if the server had lost it');
    await sql`update imports set updated_at = now() - interval '10 minutes' where id = ${request.importId}`.execute(
      em.getKysely(),
    );
    // What can't be done for one agent holds up none after it.
    const temporalOfMost = refusing(temporal.gateway, broken.agentId);
    await expect(reconcile({ ...deps, temporal: temporalOfMost }, false)).rejects.toThrow('1 could not be done.');
    const history = await coordinator().fetchHistory();
    const signals = history.events?.filter((event) => event.workflowExecutionSignaledEventAttributes) ?? [];
    expect(signals).toHaveLength(1);
    expect((await coordinator().describe()).status.name).toBe('RUNNING');
  });

  test('the poller of an account that a server lost is opened again, and rests where nothing is polled', async () => {
    const em = world.database.em();
    const agent = await storeAgent(em, world.deps.vault, { provider: 'retell', baseUrl: 'http://127.0.0.1:9' });
    const { rows } = await sql<{ id: string }>`
      update agents set bookmark_at = now() where id = ${agent.agentId} returning connection_id as id`.execute(
      em.getKysely(),
    );
    const poller = temporal.gateway.client.workflow.getHandle(pollerId(rows[0]?.id ?? ''));
    const pass = (polls: boolean, isFirst: boolean) =>
      reconcileCoordinators(
        { database: world.database, temporal: temporal.gateway, polling: { polls, pollSeconds: 60 } },
        isFirst,
      );
    await pass(false, true);
    await expect(poller.describe()).rejects.toThrow('not found');
    await pass(true, false);
    await poller.terminate('as if the server had lost it');
    await Promise.all([pass(true, false), pass(true, true)]);
    expect((await poller.describe()).status.name).toBe('RUNNING');
    await pass(false, true);
    const history = await poller.fetchHistory();
    const told = history.events?.flatMap(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
    );
    expect(told).toEqual(['pollEvery', 'pollEvery']);
  });
});

/** Whatever is delivered for one agent fails, and not because the server is away. */
const refusing = (gateway: TemporalGateway, agentId: string): TemporalGateway => ({
  ...gateway,
  async deliver(entry) {
    if (entry.workflowId === coordinatorId(agentId)) throw new Error('Its input is broken.');
    return gateway.deliver(entry);
  },
});
