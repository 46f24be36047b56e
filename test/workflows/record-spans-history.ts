import { sql } from 'kysely';
import { createVault } from '../../src/secrets.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { SETTLE_PROGRESS, SETTLE_SIGNALS, settleId } from '../../src/temporal/settle-spans.ts';
import { startMachine } from '../faults/machine.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { letWaitPass, takeSent } from '../support/sent-spans.ts';
import { talkSpans } from '../support/spans.ts';

/**
 * Records the history of a workflow that waited for a call to end, made a call of its spans, and waits for more:
 * `node test/workflows/record-spans-history.ts`. See `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });

try {
  await machine.startWorker();
  const { database } = machine;
  const vault = createVault(TEST_SECRET);
  const agent = await storeAgent(database.em(), vault, { provider: 'livekit', baseUrl: null });
  const handle = temporal.client.workflow.getHandle(settleId(agent.agentId));
  const waits = (words: RegExp) =>
    untilTrue(async () => words.test((await handle.query<{ waitsFor: string }>(SETTLE_PROGRESS)).waitsFor));
  const calls = async () =>
    (await sql`select id from calls where agent_id = ${agent.agentId}`.execute(database.em().getKysely())).rows.length;

  const spans = talkSpans('RM_1', { trace: 'one', from: 0 }, 'a');
  await takeSent({ database, vault }, agent, spans.slice(0, 3));
  await waits(/^Waits until/);
  await takeSent({ database, vault }, agent, spans.slice(3));
  await letWaitPass(database, agent);
  await handle.signal(SETTLE_SIGNALS.moved);
  await untilTrue(async () => (await calls()) === 1);
  await waits(/^No call goes on/);
  await recordHistory('spans-of-a-call', handle);
} finally {
  await temporal.close();
  await machine.close();
}
