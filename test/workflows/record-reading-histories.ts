import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { insertReanalysis, moveReanalysis } from '../../src/db/reanalyses/reanalyses.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { analyseEntry } from '../../src/temporal/agent-coordinator.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { READER_PROGRESS, READER_SIGNALS, type ReaderProgress, readerId } from '../../src/temporal/model-reader.ts';
import { reanalysisEntry, reanalysisId } from '../../src/temporal/reanalyse.ts';
import { startMachine } from '../faults/machine.ts';
import { startModelServer } from '../support/model-server.ts';
import { failingCall, GOOD_ANSWER, modelSettings } from '../support/model-world.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';

/**
 * Records the histories of a model reader that waited for its allowance and gave a call up, and of a re-analysis that
 * was reported and switched on: `node test/workflows/record-reading-histories.ts`. See `record-histories.ts` for when.
 */
const [machine, server] = await Promise.all([startMachine(), startModelServer()]);
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  server.answerWith(({ material }) => (material.includes('odd') ? { prose: 'No.' } : { value: GOOD_ANSWER }));
  await machine.startWorker(modelSettings(server));
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const one = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
    (await query.execute(machine.database.em().getKysely())).rows[0];
  const allow = (usd: number | null) =>
    one(sql`update workspaces set allowances = ${JSON.stringify(usd === null ? {} : { aiAllowanceUsd: usd })}::jsonb
      where id = ${agent.workspaceId} returning id`);

  await allow(0.0001);
  const calls = [...Array.from({ length: 20 }, () => failingCall(newId())), failingCall(newId(), 'Something odd.')];
  const payloads = calls.map((call) => ({ payload: { id: call.providerCallId }, call }));
  await storeCalls(em, { ...agent, importId: null, vault, calls: payloads });
  await addToOutbox(em, { entry: analyseEntry({ ...agent, pollSeconds: null }, { messageId: newId() }), ...agent });
  const reader = temporal.client.workflow.getHandle(readerId(agent.agentId));
  await untilTrue(async () => (await reader.query<ReaderProgress>(READER_PROGRESS)).waitsFor !== null, 60_000);
  await allow(null);
  await reader.signal(READER_SIGNALS.tryNow);
  await untilTrue(async () => (await reader.describe()).status.name === 'COMPLETED', 120_000);

  await one(
    sql`update calls set analyser_version = 1, outcome = outcome where agent_id = ${agent.agentId} returning id`,
  );
  const made = { ...agent, analyserVersion: ANALYSER_VERSION, thresholds: null, appliesItself: false, createdBy: null };
  const id = (await insertReanalysis(em, made)) ?? '';
  const status = (wanted: string) =>
    untilTrue(
      async () => (await one(sql`select status from reanalyses where id = ${id}`))?.['status'] === wanted,
      60_000,
    );
  const order = (task: 'read' | 'apply') =>
    addToOutbox(em, { entry: reanalysisEntry({ ...agent, reanalysisId: id, task }), ...agent });
  await order('read');
  await status('reported');
  await moveReanalysis(em, id, ['reported'], 'applying');
  await order('apply');
  await status('applied');
  const handle = (task: 'read' | 'apply') =>
    temporal.client.workflow.getHandle(reanalysisId({ reanalysisId: id, task }));
  await untilTrue(async () => (await handle('apply').describe()).status.name === 'COMPLETED');

  await recordHistory('model-reader-with-allowance', reader);
  await recordHistory('reanalysis-read', handle('read'));
  await recordHistory('reanalysis-applied', handle('apply'));
} finally {
  await temporal.close();
  await machine.close();
  await server.close();
}
