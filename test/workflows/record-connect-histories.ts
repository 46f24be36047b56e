import { sql } from 'kysely';
import { beginBrief } from '../../src/db/agents/briefs.ts';
import { beginCheck, insertConnection } from '../../src/db/connections/connections.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { CONNECT_SIGNALS, connectionCheckEntry, connectionCheckId } from '../../src/temporal/check-connection.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { briefReadEntry, briefReadId } from '../../src/temporal/read-brief.ts';
import { startMachine } from '../faults/machine.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { type ScriptedAnswer, startScriptedServer } from '../support/scripted-server.ts';

/**
 * Records the histories of looks at a platform and of a brief that is read, each with a wait for the platform that a
 * person ends: `node test/workflows/record-connect-histories.ts`. See `record-histories.ts` for when.
 */
const [machine, platform] = await Promise.all([startMachine(), startScriptedServer()]);
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);
const BUSY: ScriptedAnswer = { status: 429, headers: { 'retry-after': '300' }, json: {} };
const CONFIGURATION: Record<string, unknown> = {
  '/get-api-key-info': { api_key_name: 'key' },
  '/v2/list-agents': { items: [{ agent_id: 'agent_a', agent_name: 'Front desk' }], has_more: false },
  '/list-agent-versions/agent_a': { items: [{ version: 1, is_published: true }], has_more: false },
  '/get-agent/agent_a': {
    agent_id: 'agent_a',
    agent_name: 'Front desk',
    response_engine: { type: 'retell-llm', llm_id: 'llm', version: 1 },
  },
  '/get-retell-llm/llm': { general_prompt: 'You help callers with booking a visit.', general_tools: [] },
};

/** Busy until it has been asked once, or as long as `refuses` says. */
function speak({ busyOnce = false, refuses = false } = {}): void {
  let isBusy = busyOnce;
  platform.answerWith(({ path }) => {
    if (refuses) return { status: 401, json: {} };
    if (isBusy) {
      isBusy = false;
      return BUSY;
    }
    const json = CONFIGURATION[path];
    return json === undefined ? { status: 404, json: {} } : { json };
  });
}

try {
  await machine.startWorker();
  const { workspaceId } = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(workspaceId);
  const handleOf = (workflowId: string) => temporal.client.workflow.getHandle(workflowId);
  const read = async (query: ReturnType<typeof sql<{ text: string | null }>>) =>
    (await query.execute(machine.database.em().getKysely())).rows[0]?.text ?? '';
  const ended = (workflowId: string) =>
    untilTrue(async () => (await handleOf(workflowId).describe()).status.name === 'COMPLETED', 60_000);

  const connectionId = await insertConnection(em, {
    workspaceId,
    platform: 'retell',
    baseUrl: platform.url,
    sealedKey: vault.seal('a key of the tests'),
    status: 'checking',
  });
  async function look(): Promise<string> {
    const check = await beginCheck(em, connectionId);
    await addToOutbox(em, {
      entry: connectionCheckEntry({ workspaceId, connectionId, check }),
      workspaceId,
      agentId: null,
    });
    return connectionCheckId(connectionId, check);
  }
  speak({ busyOnce: true });
  const looked = await look();
  await untilTrue(async () =>
    (await read(sql`select message as text from platform_connections where id = ${connectionId}`)).includes('Next try'),
  );
  await handleOf(looked).signal(CONNECT_SIGNALS.tryNow);
  await ended(looked);
  speak({ refuses: true });
  const refused = await look();
  await ended(refused);

  const { agentId } = await storeAgent(machine.database.em(), vault, { provider: 'retell', baseUrl: platform.url });
  await sql`update agents set provider_agent_id = 'agent_a' where id = ${agentId}`.execute(
    machine.database.em().getKysely(),
  );
  const ofAgent = await read(sql`select workspace_id::text as text from agents where id = ${agentId}`);
  const within = machine.database.within(ofAgent);
  speak({ busyOnce: true });
  const reading = { workspaceId: ofAgent, agentId, read: await beginBrief(within, agentId) };
  await addToOutbox(within, { entry: briefReadEntry(reading), workspaceId: ofAgent, agentId });
  await untilTrue(async () =>
    (await read(sql`select brief_message as text from agents where id = ${agentId}`)).includes('Next try'),
  );
  await handleOf(briefReadId(agentId, reading.read)).signal(CONNECT_SIGNALS.tryNow);
  await ended(briefReadId(agentId, reading.read));

  await recordHistory('connection-that-waited', handleOf(looked));
  await recordHistory('connection-refused', handleOf(refused));
  await recordHistory('brief-that-waited', handleOf(briefReadId(agentId, reading.read)));
} finally {
  await temporal.close();
  await machine.close();
  await platform.close();
}
