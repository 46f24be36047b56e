import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CALL_DATA } from '../../src/db/erasures/call-data.ts';
import { insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import { newId } from '../../src/ids.ts';
import { coordinatorEntry } from '../../src/temporal/agent-coordinator.ts';
import { erasureWorkflowId } from '../../src/temporal/erase-data.ts';
import { CANARY, plantEverywhere, tablesWith } from '../support/erasure-plants.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { uploadLines } from '../support/upload-lines.ts';
import { writtenWatch } from '../support/watches.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import { expectFailure, type Loose, type World } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('an erasure on a real Temporal server', () => {
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
  const path = (agentId: string, rest = '') => `/app/agents/${agentId}/erasures${rest}`;
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) =>
    world.ask(method, url, { as: await world.token(), ...(body === undefined ? {} : { body }) });

  const record = (id: string, callerNumber: string, said: string) =>
    JSON.stringify({
      id,
      callerNumber,
      startedAt: '2026-03-10T10:00:00Z',
      endedAt: '2026-03-10T10:01:00Z',
      turns: [
        { role: 'agent', text: 'How can I help?' },
        { role: 'caller', text: said },
        { role: 'tool', text: '', toolCall: { id: 't', name: `find_${id}`, arguments: { name: said } } },
        { role: 'tool', text: '', toolResult: { id: 't', name: `find_${id}`, ok: false, body: { error: said } } },
        { role: 'agent', text: 'I can not do that.' },
      ],
    });

  const upload = (agentId: string, lines: readonly string[]) => uploadLines(world, agentId, lines);

  async function erased(agentId: string, selector: object): Promise<Loose> {
    const started = await ask('POST', path(agentId), { ...selector, reason: 'The caller asked for it.' });
    expect(started.status).toBe(200);
    const body = await ended(started.body.id);
    expect(body.message).toContain('Erased: ');
    expect((await ask('GET', path(agentId, `/${started.body.id}`))).body).toEqual(body);
    return body;
  }

  /** An agent with calls, and words of one in every place. */
  async function planted(): Promise<{ agentId: string; marks: string[] }> {
    const agentId = await world.makeAgent({ provider: 'file' });
    const said = `I want ${CANARY.word} lessons for ${CANARY.name}, call ${CANARY.number}`;
    await upload(agentId, [record('canary-1', CANARY.number, said), record('canary-2', CANARY.number, said)]);
    const [{ id: callId }] = await rows(sql`select id from calls
      where agent_id = ${agentId} and provider_call_id = 'canary-1'`);
    await plantEverywhere(world, { agentId, callId, providerCallId: 'canary-1' });
    return { agentId, marks: [CANARY.word, CANARY.name, CANARY.digits, CANARY.number, 'canary-1', 'canary-2'] };
  }
  const holding = async (texts: readonly string[]) =>
    [...(await tablesWith(world, texts))].filter(([, many]) => many > 0).map(([name]) => name);
  async function openWorkflows(agentId: string): Promise<string[]> {
    const { client } = worked.temporal.gateway;
    const open: string[] = [];
    const query = `EarshotAgent = '${agentId}' and ExecutionStatus = 'Running'`;
    for await (const { workflowId } of client.workflow.list({ query })) open.push(workflowId);
    return open;
  }

  async function ended(erasureId: string): Promise<Loose> {
    let body: Loose = null;
    await untilTrue(async () => {
      ({ body } = await ask('GET', `/app/erasures/${erasureId}`));
      return body.status === 'complete' || body.status === 'failed';
    });
    return body;
  }

  async function histories(): Promise<string> {
    const { client } = worked.temporal.gateway;
    const texts: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const json = historyToJSON(await client.workflow.getHandle(workflowId, runId).fetchHistory());
      texts.push(json.replaceAll(/"data": ?"([^"]*)"/g, (_, data: string) => Buffer.from(data, 'base64').toString()));
    }
    return texts.join('\n');
  }

  test('leaves no word, number or name of a caller in any column, log or history, and everything of the others', async () => {
    const agentId = await world.makeAgent({ provider: 'file' });
    const em = world.database.within(world.workspaceId);
    const watchId = await insertWatch(em, writtenWatch({ workspaceId: world.workspaceId, agentId }));
    await setWatchState(em, watchId, 'live');
    const said = `I want ${CANARY.word} lessons for ${CANARY.name}, call ${CANARY.number}`;
    const ours = [record('canary-1', CANARY.number, said), record('canary-2', CANARY.number, said)];
    const others = Array.from({ length: 6 }, (_, nth) =>
      record(`other-${nth}`, '+15550001', 'I want to book a table.'),
    );
    await upload(agentId, [...ours, ...others]);
    const [{ id: callId, key }] = await rows(sql`select id, caller_key as key from calls
      where agent_id = ${agentId} and provider_call_id = 'canary-1'`);
    const planted = await plantEverywhere(world, { agentId, callId, providerCallId: 'canary-1' });
    const marks = [CANARY.word, CANARY.name, CANARY.digits, CANARY.number, 'canary-1', 'canary-2', key];
    const ids = [callId, planted.testId, planted.attemptId];

    const before = await tablesWith(world, [...marks, ...ids]);
    const tables = [...before.keys()].filter((name) => name !== 'mikro_orm_migrations');
    expect(tables).toEqual(Object.keys(CALL_DATA).sort());
    const holding = Object.entries(CALL_DATA).filter(
      ([, data]) => data === 'rows' || (typeof data === 'object' && 'erasedBy' in data),
    );
    const sealed = ['uploaded_records', 'import_failures'];
    const unplanted = holding.map(([name]) => name).filter((name) => before.get(name) === 0 && !sealed.includes(name));
    expect(unplanted).toEqual([]);
    expect(await rows(sql`select 1 from uploaded_records union all select 1 from import_failures`)).toHaveLength(2);

    const report = await erased(agentId, { callerNumber: '1 555 987 1234' });
    expect(report).toMatchObject({ scope: 'caller', total: 2, done: 2 });
    expect(report.removed).toMatchObject({ calls: 2, transcripts: 2, raw_payloads: 2, tests: 1, attempts: 1 });

    const after = await tablesWith(
      world,
      marks.filter((mark) => mark !== key),
    );
    expect([...after].filter(([, many]) => many > 0)).toEqual([]);
    const withKey = [...(await tablesWith(world, [key]))].filter(([, many]) => many > 0).map(([name]) => name);
    expect(withKey.sort()).toEqual(['erased_callers', 'erasures']);
    const withIds = [...(await tablesWith(world, ids))].filter(([, many]) => many > 0).map(([name]) => name);
    const idsOnly = withIds.filter((name) => CALL_DATA[name as keyof typeof CALL_DATA] === 'rows');
    expect(idsOnly).toEqual([]);
    expect(await rows(sql`select 1 from uploaded_records union all select 1 from import_failures`)).toEqual([]);

    const told = await histories();
    expect(told).toContain(report.id);
    for (const mark of [CANARY.word, CANARY.name, CANARY.digits, CANARY.number]) {
      expect(told).not.toContain(mark);
      expect(world.logged.join('\n')).not.toContain(mark);
    }
    expect(await rows(sql`select id from calls where agent_id = ${agentId} and state = 'analysed'`)).toHaveLength(6);
    expect(await rows(sql`select 1 from transcripts where agent_id = ${agentId}`)).toHaveLength(6);

    await upload(agentId, [...ours, record('other-9', '+15550001', 'I want to book a table.')]);
    expect(await rows(sql`select id from calls where agent_id = ${agentId}`)).toHaveLength(7);
  });

  test('of calls by their ids ends right when asked for twice at once, and while calls come in', async () => {
    const agentId = await world.makeAgent({ provider: 'file' });
    const lines = Array.from({ length: 30 }, (_, nth) => record(`call-${nth}`, `+1555100${nth}`, 'I want to book.'));
    await upload(agentId, lines.slice(0, 15));
    const callIds = (await rows(sql`select id from calls where agent_id = ${agentId} order by id limit 10`)).map(
      ({ id }) => id,
    );
    const [first, second] = await Promise.all([
      erased(agentId, { callIds }),
      erased(agentId, { callIds }),
      upload(agentId, lines),
    ]);
    expect([first.done + second.done, first.total, second.total]).toEqual([10, 10, 10]);
    expect(await rows(sql`select id from calls where agent_id = ${agentId}`)).toHaveLength(20);
    const [agent] = await rows(sql`select call_count as calls from agents where id = ${agentId}`);
    expect(agent).toEqual({ calls: 20 });
    expectFailure(await ask('POST', path(agentId), { callIds, reason: 'Again.' }), 404, 'call_not_found', 'callIds[0]');
    const told = sql`select 1 from workspace_events e join erasures x on x.agent_id = e.agent_id
      where x.id = ${first.id} and e.created_at = x.finished_at`;
    expect(await rows(told), 'whoever looks at it hears of its end').toHaveLength(1);
    const listed = await ask('GET', path(agentId));
    expect(listed.body.data.map(({ id }: Loose) => id).sort()).toEqual([first.id, second.id].sort());
    const words = await worked.temporal.gateway.client.workflow
      .getHandle(erasureWorkflowId(first.id))
      .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    expect(words.currentDetails).toContain(`Erased: ${first.done} of 10 calls`);
  });

  test('of an agent ends its work, takes all that it has, and leaves the report and who did what', async () => {
    const { agentId, marks } = await planted();
    const [{ id: importId }] = await rows(sql`select id from imports where agent_id = ${agentId} limit 1`);
    const spared = await world.makeAgent({ provider: 'file' });
    await upload(spared, [record('spared', '+15550001', 'I want to book a table.')]);
    const order = coordinatorEntry({ workspaceId: world.workspaceId, agentId, pollSeconds: null });
    await worked.temporal.gateway.deliver(order);
    await untilTrue(async () => (await openWorkflows(agentId)).length > 0);

    const asked = await ask('DELETE', `/app/agents/${agentId}`);
    expect([asked.status, asked.body.scope, asked.body.total]).toEqual([200, 'agent', 2]);
    expectFailure(await ask('GET', `/v1/agents/${agentId}`), 404, 'agent_not_found');
    expectFailure(await ask('DELETE', `/app/agents/${agentId}`), 404, 'agent_not_found');
    const report = await ended(asked.body.id);
    expect(report).toMatchObject({ status: 'complete', done: 2 });
    expect(report.removed).toMatchObject({ agents: 1, calls: 2, tests: 1, uploaded_records: 1, copilot_events: 1 });

    expect(await holding(marks)).toEqual([]);
    // What a key's runs cost counts on in its budget.
    const own = ['audit_entries', 'budget_reservations', 'erasures', 'outbox_entries'];
    expect((await holding([agentId, importId])).filter((name) => !own.includes(name))).toEqual([]);
    await untilTrue(async () => (await openWorkflows(agentId)).length === 0);
    expect(await rows(sql`select 1 from calls where agent_id = ${spared} and state = 'analysed'`)).toHaveLength(1);
  });

  test('of a workspace signs everybody out and leaves nothing but its report', async () => {
    const { marks } = await planted();
    const { workspaceId, personId } = world;
    const as = await world.token();
    const refused = await world.ask('DELETE', '/app/workspace', { as });
    expectFailure(refused, 409, 'workspace_needed');
    const installation = newId();
    await rows(sql`insert into workspaces (id, name, created_at) values (${installation}, 'First', '2020-01-01')`);
    const stays = newId();
    await rows(sql`insert into people (id, email, name) values (${stays}, 'stays@example.com', 'Stays')`);
    for (const id of [installation, workspaceId]) {
      await rows(sql`insert into memberships (workspace_id, person_id, role) values (${id}, ${stays}, 'admin')`);
    }

    const asked = await world.ask('DELETE', '/app/workspace', { as });
    expect([asked.status, asked.body.scope, asked.body.agentId]).toEqual([200, 'workspace', null]);
    expect((await world.ask('GET', '/v1/agents', { as })).status).toBe(401);
    expect((await world.ask('GET', '/v1/agents', { as: world.readKey })).status).toBe(401);
    const statusOf = async () => (await rows(sql`select status from erasures where id = ${asked.body.id}`))[0]?.status;
    await untilTrue(async () => ['complete', 'failed'].includes(await statusOf()));
    expect(await statusOf()).toBe('complete');

    expect(await holding(marks)).toEqual([]);
    expect(await holding([workspaceId])).toEqual(['erasures', 'left_usage']);
    expect(await rows(sql`select id from people where id in (${personId}, ${stays})`)).toEqual([{ id: stays }]);
    expect(await rows(sql`select id from workspaces where id = ${installation}`)).toHaveLength(1);
  });
});
