import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { createImport } from '../../src/db/imports/imports.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { pollerId } from '../../src/temporal/account-poller.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import { createTemporal, type TemporalGateway } from '../../src/temporal/client.ts';
import { IMPORT_SIGNALS, type ImportRequestKey, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { retellCall, type StandInPlatform, startStandInPlatform } from '../support/stand-in-platform.ts';
import { type Machine, startMachine } from './machine.ts';
import type { WorkerProcess } from './worker-machine.ts';

const vault = createVault(TEST_SECRET);

describe.skipIf(inject('temporalAddress') === null)('platform accounts over several processes', () => {
  let machine: Machine;
  let platform: StandInPlatform;
  let temporal: TemporalGateway;

  beforeEach(async () => {
    [machine, platform] = await Promise.all([startMachine(), startStandInPlatform()]);
    temporal = await createTemporal({ address: machine.temporalAddress() });
  }, 300_000);
  afterEach(async () => {
    await temporal?.close();
    await machine?.close();
    await platform?.close();
  });

  const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
    (await query.execute(machine.database.em().getKysely())).rows;

  /** Agents of one account. */
  async function openAccount(names: readonly string[]): Promise<{ connectionId: string; agents: StoredAgent[] }> {
    const agents: StoredAgent[] = [];
    let connectionId: string | undefined;
    for (const providerAgentId of names) {
      const made = { provider: 'retell', baseUrl: platform.url, providerAgentId } as const;
      const agent = await storeAgent(machine.database.em(), vault, made, agents[0]?.workspaceId, connectionId);
      agents.push(agent);
      connectionId ??= await connectionOf(agent);
    }
    return { connectionId: connectionId ?? '', agents };
  }
  async function connectionOf({ agentId }: StoredAgent): Promise<string> {
    const [row] = await rows(sql<{ id: string }>`select connection_id as id from agents where id = ${agentId}`);
    return row?.id ?? '';
  }

  test('what one worker is told holds the work of the other, which was never told itself', async () => {
    const calls = 600;
    for (let at = 0; at < calls; at += 1)
      platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at }));
    const { agents } = await openAccount(['agent_a', 'agent_b']);
    // A worker of one slot reads one page at a time: two pages in hand are in hand of two workers.
    const slots = { EARSHOT_ANALYSIS_SLOTS: '1' };
    await Promise.all([machine.startWorker(slots), machine.startWorker(slots)]);
    // So slow that neither is over before both have begun.
    platform.delayMs = 400;
    const imports = await Promise.all(agents.map(startImport));
    const storedOf = () => rows(sql<{ calls: number }>`select count(*)::int as calls from calls group by agent_id`);
    await untilTrue(async () => (await storedOf()).length === 2);
    platform.next.push({ status: 429, headers: { 'retry-after': '3600' } });
    await untilTrue(async () => (await waitsOf(imports)).every((waitsFor) => waitsFor?.includes('rate limit')));
    // Nothing else was told to wait: the second worker has it from the record.
    expect(platform.refused).toBe(1);
    platform.delayMs = 0;
    for (const { importId, attempt } of imports) {
      await temporal.client.workflow.getHandle(importWorkflowId(importId, attempt)).signal(IMPORT_SIGNALS.tryNow);
    }
    await untilTrue(async () => (await statusesOf(imports)).every((status) => status === 'complete'));
    expect(await storedOf()).toEqual([{ calls }, { calls }]);
  }, 300_000);

  async function startImport(agent: StoredAgent): Promise<ImportRequestKey> {
    return machine.database.em().transactional(async (tx) => {
      const made = await createImport(tx, { ...agent, kind: 'first', limit: null, from: null });
      await addToOutbox(tx, { entry: importEntry({ ...agent, pollSeconds: null }, made), ...agent });
      return made;
    });
  }
  const importRows = (imports: readonly ImportRequestKey[]) =>
    rows(sql<{ status: string; waitsFor: string | null }>`
      select status, waits_for as "waitsFor" from imports where id = any(${imports.map(({ importId }) => importId)}::uuid[])`);
  const waitsOf = async (imports: readonly ImportRequestKey[]) =>
    (await importRows(imports)).map(({ waitsFor }) => waitsFor);
  const statusesOf = async (imports: readonly ImportRequestKey[]) =>
    (await importRows(imports)).map(({ status }) => status);

  test('when Temporal loses all its data, the pollers come back, and no call is lost or doubled', async () => {
    const names = ['agent_a', 'agent_b', 'agent_c'];
    platform.agentIds = names;
    const { agents, connectionId } = await openAccount(names);
    await rows(sql`update agents set bookmark_at = now() - interval '1 minute'`);
    const polling = { EARSHOT_NO_POLL: '0', EARSHOT_POLL_SECONDS: '1' };
    let worker: WorkerProcess = await machine.startWorker(polling);
    const rung: { agentId: string; ref: string }[] = [];
    const ring = (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        const [at, ref] = [rung.length % names.length, `call_${rung.length}`];
        const call = retellCall(ref, { minutesAgo: 2 });
        if (call.kind === 'call') call.payload.agent_id = names[at];
        platform.calls.set(ref, call);
        rung.push({ agentId: agents[at]?.agentId ?? '', ref });
      }
    };
    const stored = () =>
      rows(sql<{ agentId: string; ref: string; state: string; analyses: number }>`
        select agent_id as "agentId", provider_call_id as ref, state,
          (select count(*)::int from call_analyses a where a.call_id = calls.id) as analyses
        from calls`);
    const allAreThere = async () => {
      const calls = await stored();
      return calls.length >= rung.length && calls.every(({ state }) => state === 'analysed');
    };
    const noneIsOpen = async () =>
      (await rows(sql`select from imports where status in ('queued', 'running')`)).length === 0;
    const asExpected = () => rung.map((call) => ({ ...call, state: 'analysed', analyses: 1 })).toSorted(byRef);
    const byRef = (a: { ref: string }, b: { ref: string }) => (a.ref < b.ref ? -1 : 1);

    ring(12);
    await untilTrue(allAreThere);
    platform.delayMs = 50;
    // However late the kill comes, work is under way then.
    platform.giveAtMost(30);
    ring(60);
    await untilTrue(async () => (await stored()).length > 12);
    worker.child.kill('SIGKILL');
    await Promise.all([machine.killTemporal(), worker.ended]);
    platform.giveAtMost(null);
    expect((await stored()).length).toBeLessThan(72);
    rmSync(join(machine.folder, 'temporal'), { recursive: true });
    ring(18);
    // As if the servers had been away for some minutes: an import that nobody works on counts as such after two.
    await rows(sql`update imports set updated_at = updated_at - interval '3 minutes'`);
    await machine.startTemporal();
    worker = await machine.startWorker(polling);
    await untilTrue(allAreThere);
    platform.delayMs = 0;
    ring(6);
    await untilTrue(allAreThere);
    expect((await stored()).toSorted(byRef)).toEqual(asExpected());

    await untilTrue(noneIsOpen);
    // Once more, with a worker that stays: it sees that the server is another one.
    await machine.killTemporal();
    rmSync(join(machine.folder, 'temporal'), { recursive: true });
    await machine.startTemporal();
    ring(9);
    // An import that was under way counts as left by the second pass.
    await untilTrue(allAreThere, 330_000);
    expect((await stored()).toSorted(byRef)).toEqual(asExpected());
    expect(worker.child.exitCode).toBeNull();
    const { status } = await temporal.client.workflow.getHandle(pollerId(connectionId)).describe();
    expect(status.name).toBe('RUNNING');
    await untilTrue(noneIsOpen);
  }, 900_000);
});
