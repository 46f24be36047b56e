import { sql } from 'kysely';
import { storeUploadedLines } from '../../src/db/imports/import-records.ts';
import { createImport, reopenImport } from '../../src/db/imports/imports.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { coordinatorId, importEntry, regroupEntry } from '../../src/temporal/agent-coordinator.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { type ImportRequestKey, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { startMachine } from '../faults/machine.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { retellCall, startStandInPlatform } from '../support/stand-in-platform.ts';

/**
 * Records the histories that `replay.test.ts` replays, from the product's worker on a real server:
 *
 *     node test/workflows/record-histories.ts
 *
 * Record a new set beside the old one when the workflows change their course on purpose and the old course is no longer
 * open anywhere; until then the old histories are the proof that running imports survive an upgrade.
 */
const vault = createVault(TEST_SECRET);
const machine = await startMachine();
const platform = await startStandInPlatform();
const temporal = await createTemporal({ address: machine.temporalAddress() });
const em = () => machine.database.em();

async function order(agent: StoredAgent, request: ImportRequestKey, pollSeconds: number | null = null): Promise<void> {
  const coordinator = { ...agent, agentName: 'Restaurant', pollSeconds };
  await addToOutbox(em(), { entry: importEntry(coordinator, request), ...agent });
}

async function statusOf({ importId }: ImportRequestKey): Promise<string> {
  const { rows } = await sql<{ status: string }>`select status from imports where id = ${importId}`.execute(
    em().getKysely(),
  );
  return rows[0]?.status ?? '';
}

const ended = (request: ImportRequestKey) =>
  untilTrue(async () => ['complete', 'failed', 'cancelled'].includes(await statusOf(request)), 60_000);
const importOf = (request: ImportRequestKey) =>
  temporal.client.workflow.getHandle(importWorkflowId(request.importId, request.attempt));

try {
  await machine.startWorker({ EARSHOT_NO_POLL: '0', EARSHOT_POLL_SECONDS: '2' });
  for (let at = 0; at < 130; at += 1) {
    const shape = at % 4 === 0 ? { failingTool: 'check_availability' } : {};
    platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at, ...shape }));
  }
  platform.calls.set('unreadable', {
    kind: 'call',
    payload: { call_status: 'ended', start_timestamp: Date.now() - 9e6 },
  });

  const agent = await storeAgent(em(), vault, { provider: 'retell', baseUrl: platform.url });
  const request = await createImport(em(), { ...agent, kind: 'first', limit: null, from: null });
  platform.delayMs = 20;
  await order(agent, request, 2);
  await untilTrue(async () => platform.log.some((line) => line.startsWith('GET /v2/get-call')));
  platform.next.push({ status: 429, headers: { 'retry-after': '600' } });
  await untilTrue(async () => (await importOf(request).query<{ stage: string }>('progress')).stage === 'waiting');
  await importOf(request).signal('pause');
  await importOf(request).signal('tryNow');
  await importOf(request).signal('goOn');
  await ended(request);
  platform.delayMs = 0;

  platform.calls.set('unreadable', retellCall('unreadable'));
  const again = await reopenImport(em(), agent.agentId, request.importId);
  if (!again) throw new Error('the import could not be opened again');
  await order(agent, again);
  await ended(again);
  await addToOutbox(em(), {
    entry: regroupEntry({ ...agent, pollSeconds: 2 }, { messageId: 'm1', mode: 'full' }),
    ...agent,
  });
  const coordinator = temporal.client.workflow.getHandle(coordinatorId(agent.agentId));
  await untilTrue(async () => {
    const { rows } =
      await sql`select 1 from imports where agent_id = ${agent.agentId} and kind = 'poll' and attempt > 1`.execute(
        em().getKysely(),
      );
    return rows.length > 0;
  }, 60_000);
  await coordinator.signal('pause', { messageId: 'm2' });
  await untilTrue(async () => (await coordinator.query<{ state: string }>('progress')).state === 'paused', 30_000);

  const other = await storeAgent(em(), vault, { provider: 'retell', baseUrl: platform.url });
  const cancelled = await createImport(em(), { ...other, kind: 'first', limit: null, from: null });
  platform.delayMs = 20;
  await order(other, cancelled);
  platform.log.length = 0;
  await untilTrue(async () => platform.log.some((line) => line.startsWith('GET /v2/get-call')));
  await importOf(cancelled).signal('cancel');
  await ended(cancelled);
  platform.delayMs = 0;

  platform.always = { status: 401 };
  const refused = await createImport(em(), { ...other, kind: 'manual', limit: null, from: null });
  await order(other, refused);
  await ended(refused);
  platform.always = null;

  const file = await storeAgent(em(), vault, { provider: 'file', baseUrl: null });
  const upload = await createImport(em(), { ...file, kind: 'file', limit: null, from: null });
  const lines = Array.from({ length: 150 }, (_, at) => ({
    line: at + 1,
    sealedPayload: vault.seal(JSON.stringify({ id: `record ${at}`, turns: [{ role: 'caller', text: 'Hello?' }] })),
  }));
  await storeUploadedLines(machine.database.within(file.workspaceId), upload.importId, lines);
  await order(file, upload);
  await ended(upload);

  await recordHistory('import-with-rate-limit', importOf(request));
  await recordHistory('import-retried', importOf(again));
  await recordHistory('import-cancelled', importOf(cancelled));
  await recordHistory('import-key-refused', importOf(refused));
  await recordHistory('import-of-a-file', importOf(upload));
  await recordHistory('coordinator-with-quiet-polls', coordinator);
} finally {
  await temporal.close();
  await platform.close();
  await machine.close();
}
