import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WORDS_GONE } from '../../src/domain/signals/without-words.ts';
import { RETENTION_ID } from '../../src/temporal/keep-retention.ts';
import { CANARY, plantEverywhere, tablesWith } from '../support/erasure-plants.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { uploadLines } from '../support/upload-lines.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { Loose, World } from '../support/world.ts';

const address = inject('temporalAddress');
const MARKS = [CANARY.word, CANARY.name, CANARY.digits, CANARY.number];

/** What people made of a call goes with the call, and names that calls share, such as of intents, with the last of them. */
const KEPT_WITH_THE_CALL = [
  'attempt_steps',
  'attempts',
  'calls',
  'computability_profiles',
  'flow_steps',
  'intent_changes',
  'intents',
  'model_wordings',
  'run_cells',
  'run_documents',
  'test_revisions',
  'tests',
  'webhook_deliveries',
];

describe.skipIf(address === null)('retention on a real Temporal server', () => {
  let worked: WorkedWorld;
  let world: World;
  let sending: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    world = worked.world;
    sending = setInterval(() => void sendOutbox({ database: world.database, temporal: worked.temporal.gateway }), 100);
  });
  afterAll(async () => {
    clearInterval(sending);
    await worked?.close();
  });

  const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
    (await query.execute(world.database.em().getKysely())).rows;
  const ask = async (method: 'GET' | 'PATCH', url: string, body?: unknown) =>
    world.ask(method, url, { as: await world.token(), ...(body === undefined ? {} : { body }) });
  const holding = async () => [...(await tablesWith(world, MARKS))].flatMap(([name, many]) => (many > 0 ? [name] : []));

  const record = (id: string, said: string) =>
    JSON.stringify({
      id,
      callerNumber: CANARY.number,
      startedAt: '2026-03-10T10:00:00Z',
      endedAt: '2026-03-10T10:01:00Z',
      turns: [
        { role: 'agent', text: 'How can I help?' },
        { role: 'caller', text: said },
        { role: 'tool', text: '', toolCall: { id: 't', name: 'find_lessons', arguments: { name: said } } },
        {
          role: 'tool',
          text: '',
          toolResult: { id: 't', name: 'find_lessons', ok: false, body: { error: 'unavailable', asked: said } },
        },
        { role: 'agent', text: 'I can not do that.' },
      ],
    });

  const upload = (agentId: string, lines: readonly string[]) => uploadLines(world, agentId, lines);

  /** As if all that is there had come in so many days before. */
  async function age(agentId: string, days: number): Promise<void> {
    const by = sql`${`${days} days`}::interval`;
    await rows(sql`update calls set created_at = created_at - ${by} where agent_id = ${agentId}`);
    await rows(sql`update raw_payloads set stored_at = stored_at - ${by} where agent_id = ${agentId}`);
    await rows(sql`update import_failures set updated_at = updated_at - ${by} where agent_id = ${agentId}`);
    await rows(sql`update span_batches set received_at = received_at - ${by} where agent_id = ${agentId}`);
  }

  const countOf = async (table: string, agentId: string) =>
    (await rows(sql`select count(*)::int as many from ${sql.table(table)} where agent_id = ${agentId}`))[0].many;

  async function histories(): Promise<string> {
    const { client } = worked.temporal.gateway;
    const texts: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const json = historyToJSON(await client.workflow.getHandle(workflowId, runId).fetchHistory());
      texts.push(json.replaceAll(/"data": ?"([^"]*)"/g, (_, data: string) => Buffer.from(data, 'base64').toString()));
    }
    return texts.join('\n');
  }

  test('takes payloads, then every word, then the calls, and none of them comes in again', async () => {
    const agentId = await world.makeAgent({ provider: 'file' });
    const said = `I want ${CANARY.word} lessons for ${CANARY.name}, call ${CANARY.number}`;
    const lines = [record('canary-1', said), record('canary-2', said)];
    await upload(agentId, lines);
    const [{ id: callId }] = await rows(sql`select id from calls
      where agent_id = ${agentId} and provider_call_id = 'canary-1'`);
    await plantEverywhere(world, { agentId, callId, providerCallId: 'canary-1' });
    const { body: before } = await ask('GET', `/v1/agents/${agentId}/calls/${callId}`);
    const metrics = `/v1/agents/${agentId}/metrics?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z`;
    const { body: sums } = await ask('GET', metrics);
    await age(agentId, 40);
    // Looked for by the calls and not by the marks, which uploads that were never read keep sealed.
    await rows(sql`delete from imports where agent_id = ${agentId} and status = 'paused'`);
    await rows(sql`delete from uploaded_records where workspace_id = ${world.workspaceId}`);

    const settings = `/app/agents/${agentId}`;
    const first = await ask('PATCH', '/app/workspace', { retention: { payloadDays: 30 } });
    expect(first.body.retention).toEqual({ payloadDays: 30, transcriptDays: 365, callDays: null });
    await untilTrue(async () => (await countOf('raw_payloads', agentId)) === 0);
    expect(await countOf('transcripts', agentId)).toBe(2);
    const [failure] = await rows(sql`select sealed_payload as sealed, reason from import_failures
      where agent_id = ${agentId}`);
    expect(failure).toEqual({
      sealed: null,
      reason: 'It is no call. The record itself is kept no longer: send it again.',
    });

    const second = await ask('PATCH', settings, { retention: { transcriptDays: 35 } });
    expect(second.body).toMatchObject({
      retention: { payloadDays: 30, transcriptDays: 35, callDays: null },
      retentionFrom: { payloadDays: 'workspace', transcriptDays: 'agent', callDays: 'workspace' },
    });
    await untilTrue(
      async () => (await rows(sql`select 1 from calls where agent_id = ${agentId} and not words_gone`)).length === 0,
    );
    expect((await holding()).filter((name) => !KEPT_WITH_THE_CALL.includes(name))).toEqual([]);
    await upload(agentId, [record('canary-1', `${said} again`)]);
    expect(await countOf('transcripts', agentId)).toBe(0);

    const read = await ask('GET', `/v1/agents/${agentId}/calls/${callId}`);
    const { outcome, signalCodes, counts } = before;
    expect(read.body).toMatchObject({ outcome, signalCodes, counts, objective: '', claims: [] });
    expect(read.body).toMatchObject({ transcript: null, transcriptReason: WORDS_GONE });
    const { body: signals } = await ask('GET', `/v1/agents/${agentId}/calls/${callId}/signals`);
    expect(signals.detected.map(({ code }: Loose) => code).sort()).toEqual([...signalCodes].sort());
    expect(signals.detected.every(({ evidenceQuote }: Loose) => evidenceQuote === '')).toBe(true);
    expect((await ask('GET', metrics)).body).toEqual(sums);
    for (const path of [
      `/v1/agents/${agentId}/calls`,
      `/v1/agents/${agentId}/issues`,
      `/app/agents/${agentId}/export`,
    ]) {
      const { status, text } = await ask('GET', path);
      expect([path, status, text.includes(CANARY.digits)]).toEqual([path, 200, false]);
    }
    const refused = await world.ask('POST', `/v1/agents/${agentId}/tests`, {
      as: world.writeKey,
      headers: { 'idempotency-key': 'made-too-late-1' },
      body: { sourceCallId: callId },
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('kept no longer')]);

    const third = await ask('PATCH', settings, { retention: { transcriptDays: 'workspace', callDays: 39 } });
    expect(third.body.retention).toEqual({ payloadDays: 30, transcriptDays: 365, callDays: 39 });
    await untilTrue(async () => (await countOf('calls', agentId)) === 0);
    await untilTrue(async () => (await holding()).length === 0);
    await upload(agentId, lines);
    expect(await countOf('calls', agentId)).toBe(0);
    expect(await countOf('tests', agentId)).toBe(0);
    const { body: shown } = await ask('GET', `${settings}/settings`);
    expect(shown).toMatchObject({ retention: { callDays: 39 }, retentionFrom: { callDays: 'agent' } });

    const told = await histories();
    expect(told).toContain(RETENTION_ID);
    for (const mark of MARKS) {
      expect(told).not.toContain(mark);
      expect(world.logged.join('\n')).not.toContain(mark);
    }
    const audited = await rows(sql`select distinct operation from audit_entries
      where operation in ('updateWorkspace', 'updateAgent') and workspace_id = ${world.workspaceId}`);
    expect(audited).toHaveLength(2);
  });
});
