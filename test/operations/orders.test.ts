import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createImport } from '../../src/db/queries/imports.ts';
import { openOrders } from '../../src/db/system/orders.ts';
import { AGENT_DESK, deskId, importOrder } from '../../src/durable/desk.ts';
import { importMessageOrder } from '../../src/durable/import.ts';
import { newId } from '../../src/ids.ts';
import { createLogger } from '../../src/logger.ts';
import { openDesks } from '../../src/operations/orders/open-desks.ts';
import { sendOrders } from '../../src/operations/orders/send-orders.ts';
import { startStarter } from '../../src/operations/orders/starter.ts';
import { writeOrder } from '../../src/operations/orders/write-order.ts';
import { createTemporal } from '../../src/operations/temporal.ts';
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

const orderFor = (agentId: string) => ({
  order: importOrder({ agentId, workspaceId: newId(), pollSeconds: null }, { importId: newId(), attempt: 1 }),
  workspaceId: newId(),
  agentId,
});

test('while Temporal is away an order stays, with its last error and a time to try again', async () => {
  const away = await createTemporal({ address: '127.0.0.1:9' });
  await writeOrder(world.database.em(), orderFor(newId()));
  expect(await sendOrders({ database: world.database, temporal: away })).toBe(0);
  await away.close();
  const { rows } = await sql<{ tries: number; lastError: string; later: boolean; sent: boolean }>`
    select tries, last_error as "lastError", leased_until > now() as later, sent_at is not null as sent from start_orders
  `.execute(world.database.em().getKysely());
  expect(rows).toEqual([{ tries: 1, lastError: expect.stringMatching(/\S/), later: true, sent: false }]);
  expect(await openOrders(world.database.em())).toMatchObject({ count: 1 });
  await sql`delete from start_orders`.execute(world.database.em().getKysely());
});

describe.skipIf(address === null)('with a real Temporal server', () => {
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
  });
  afterAll(() => temporal.close());

  test('an order of a transaction that was rolled back is never sent', async () => {
    const em = world.database.em();
    const rolledBack = em.transactional(async (tx) => {
      await writeOrder(tx, orderFor(newId()));
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await sendOrders({ database: world.database, temporal: temporal.gateway })).toBe(0);
  });

  test('two senders share the orders and none is sent twice', async () => {
    const agents = Array.from({ length: 30 }, () => newId());
    for (const agentId of agents) await writeOrder(world.database.em(), orderFor(agentId));
    const deps = { database: world.database, temporal: temporal.gateway };
    const sent = await Promise.all([sendOrders(deps), sendOrders(deps)]);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(await openOrders(world.database.em())).toBeNull();
    for (const agentId of agents) {
      const history = await temporal.gateway.client.workflow.getHandle(deskId(agentId)).fetchHistory();
      const signals = history.events?.filter((event) => event.workflowExecutionSignaledEventAttributes) ?? [];
      expect(signals).toHaveLength(1);
    }
  });

  test('a message to an import that has ended is dropped, and its order is done', async () => {
    const order = importMessageOrder({ importId: newId(), attempt: 1 }, 'pause');
    await writeOrder(world.database.em(), { order, workspaceId: newId(), agentId: null });
    expect(await sendOrders({ database: world.database, temporal: temporal.gateway })).toBe(1);
  });

  test('a message to an import that has not begun waits for it', async () => {
    const em = world.database.em();
    const agent = await storeAgent(em, world.deps.vault, { provider: 'retell', baseUrl: null });
    const request = await createImport(em, { ...agent, kind: 'manual', limit: null, from: null });
    await writeOrder(em, { order: importMessageOrder(request, 'cancel'), ...agent });
    expect(await sendOrders({ database: world.database, temporal: temporal.gateway })).toBe(0);
    const { rows } = await sql<{ lastError: string }>`
      select last_error as "lastError" from start_orders where sent_at is null`.execute(em.getKysely());
    expect(rows).toEqual([{ lastError: 'The import has not begun yet; it is told as soon as it does.' }]);
    await sql`delete from start_orders where sent_at is null`.execute(em.getKysely());
    await sql`update imports set status = 'cancelled' where id = ${request.importId}`.execute(em.getKysely());
  });

  test('a workflow carries what operators search by, and a summary with the name of its agent', async () => {
    const agentId = newId();
    await temporal.gateway.deliver({
      workflow: AGENT_DESK,
      workflowId: deskId(agentId),
      action: 'start',
      startArgs: [{ agentId, workspaceId: newId(), agentName: 'Front desk', pollSeconds: null }],
      signalArgs: [],
    });
    const described = await temporal.gateway.client.workflow.getHandle(deskId(agentId)).describe();
    expect(await described.staticSummary()).toBe('Desk of Front desk: one import and one grouping at a time');
    const found = async () => {
      const query = `EarshotAgent = "${agentId}" and EarshotKind = "desk" and EarshotStage = "idle"`;
      const names: string[] = [];
      for await (const { workflowId } of temporal.gateway.client.workflow.list({ query })) names.push(workflowId);
      return names.length === 1;
    };
    await untilTrue(found);
  });

  test('a committed order is sent at once, and what a server lost is brought back', async () => {
    const em = world.database.em();
    const agent = await storeAgent(em, world.deps.vault, { provider: 'retell', baseUrl: 'http://127.0.0.1:9' });
    const deps = {
      database: world.database,
      databaseUrl: world.database.url,
      temporal: temporal.gateway,
      polling: { polls: false, pollSeconds: 60 },
      logger: createLogger('test', 'silent'),
    };
    const starter = startStarter(deps);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const request = await createImport(em, { ...agent, kind: 'first', limit: null, from: null });
    const startedAt = Date.now();
    await writeOrder(em, { order: importOrder({ ...agent, pollSeconds: null }, request), ...agent });
    await untilTrue(async () => (await openOrders(world.database.em())) === null);
    process.stdout.write(`a committed order was sent within ${Date.now() - startedAt} ms\n`);
    await starter.stop();

    const desk = () => temporal.gateway.client.workflow.getHandle(deskId(agent.agentId));
    await desk().terminate('as if the server had lost it');
    await sql`update imports set updated_at = now() - interval '10 minutes' where id = ${request.importId}`.execute(
      em.getKysely(),
    );
    await openDesks(deps);
    const history = await desk().fetchHistory();
    const signals = history.events?.filter((event) => event.workflowExecutionSignaledEventAttributes) ?? [];
    expect(signals).toHaveLength(1);
    expect((await desk().describe()).status.name).toBe('RUNNING');
  });
});
