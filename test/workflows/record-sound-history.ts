import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { analyseEntry } from '../../src/temporal/agent-coordinator.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { SOUND_SIGNALS, soundReaderId } from '../../src/temporal/sound-reader.ts';
import { startMachine } from '../faults/machine.ts';
import { makeCall } from '../support/analysed-calls.ts';
import { voice, wavOf } from '../support/made-sound.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { startScriptedServer } from '../support/scripted-server.ts';

/**
 * Records the history of a reader of recordings that waited for one and heard it:
 * `node test/workflows/record-sound-history.ts`. See `record-histories.ts` for when.
 */
const [machine, server] = await Promise.all([startMachine(), startScriptedServer()]);
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  let isThere = false;
  server.answerWith(({ path }) => {
    if (path.endsWith('.wav')) return { bytes: wavOf([voice(2_000, [[500, 1_500]])]) };
    if (!isThere) return { status: 500, json: {} };
    return { json: { call_id: 'call_1', call_status: 'ended', recording_url: `${server.url}/call.wav` } };
  });
  await machine.startWorker({ EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'retell', baseUrl: server.url });
  await sql`update agents set settings = '{"hearRecordings": true}' where id = ${agent.agentId}`.execute(
    machine.database.em().getKysely(),
  );
  const em = machine.database.within(agent.workspaceId);
  const calls = [{ payload: { id: 'call_1' }, call: makeCall({ providerCallId: 'call_1' }) }];
  await storeCalls(em, { ...agent, importId: null, vault, calls });
  await addToOutbox(em, { entry: analyseEntry({ ...agent, pollSeconds: null }, { messageId: newId() }), ...agent });
  const reader = temporal.client.workflow.getHandle(soundReaderId(agent.agentId));
  const triedOnce = async () => {
    const { rows } = await sql`select 1 from call_sounds where state = 'away'`.execute(
      machine.database.em().getKysely(),
    );
    return rows.length === 1;
  };
  await untilTrue(triedOnce, 60_000);
  isThere = true;
  await sql`update call_sounds set next_try_at = now()`.execute(machine.database.em().getKysely());
  await reader.signal(SOUND_SIGNALS.tryNow);
  await untilTrue(async () => (await reader.describe()).status.name === 'COMPLETED', 120_000);
  await recordHistory('recording-that-was-away', reader);
} finally {
  await temporal.close();
  await machine.close();
  await server.close();
}
