import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { AGENT_COORDINATOR, coordinatorId, pollEveryEntry } from '../../src/temporal/agent-coordinator.ts';
import { IMPORT_SIGNALS, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import {
  eventOf,
  type PlatformState,
  PROVIDER_AGENT_ID,
  type ScriptedCall,
  type ScriptedPlatform,
  speakAs,
} from '../support/scripted-platforms.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { Loose, World } from '../support/world.ts';

const address = inject('temporalAddress');
const PLATFORMS = ['retell', 'vapi', 'elevenlabs'] as const;
const KEY = 'key_of_the_platform';
const SECRET = 'whsec_of_the_connection';
const IN_AN_HOUR = { 'retry-after': '3600' };

describe.skipIf(address === null)('following a connected agent', () => {
  let worked: WorkedWorld;
  let world: World;
  let server: ScriptedServer;
  let state: PlatformState;
  let sender: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    world = worked.world;
  });
  afterAll(() => worked?.close());
  beforeEach(async () => {
    server = await startScriptedServer();
    state = { key: KEY, prompts: ['You are the front desk.'], calls: [call('call_1', 1, 60)], instead: null };
    // As the starter of a worker does, without its own database connection.
    let sending: Promise<unknown> | null = null;
    sender = setInterval(() => {
      sending ??= sendOutbox({ database: world.database, temporal: worked.temporal.gateway }).finally(() => {
        sending = null;
      });
    }, 100);
  });
  afterEach(async () => {
    clearInterval(sender);
    await server.close();
  });

  function call(id: string, version: number, minutesAgo: number, said = 'I want to book a visit.'): ScriptedCall {
    return { id, version, startMs: Date.now() - minutesAgo * 60_000, said };
  }

  interface Followed {
    connectionId: string;
    agentId: string;
    at: string;
  }

  const asAdmin = async (admin: { workspaceId: string; personId: string }) => {
    const as = await world.token(admin);
    return (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) =>
      world.ask(method, url, { as, ...(body === undefined ? {} : { body }) });
  };
  let ask: Awaited<ReturnType<typeof asAdmin>>;
  let readKey: string;

  /** Connected, approved and imported for the first time, as a person does it. */
  async function follow(platform: ScriptedPlatform): Promise<Followed> {
    server.answerWith(speakAs(platform, state));
    const admin = await world.makeWorkspace();
    ask = await asAdmin(admin);
    readKey = await world.makeKey({ workspaceId: admin.workspaceId });
    const made = await ask('POST', '/app/connections', { platform, apiKey: KEY, baseUrl: server.url });
    const connectionId: string = made.body.id;
    await ask('PATCH', `/app/connections/${connectionId}`, { webhookSecret: SECRET });
    const agent = await ask('POST', '/app/agents', {
      connectionId,
      providerAgentId: PROVIDER_AGENT_ID,
      name: 'Front desk',
    });
    const agentId: string = agent.body.id;
    const at = `/app/agents/${agentId}`;
    await untilTrue(async () => (await ask('GET', `${at}/brief`)).body.brief !== null);
    await ask('POST', `${at}/brief/approve`);
    await untilTrue(async () => (await read(`/v1/agents/${agentId}`)).onboardingStep === 'done');
    return { connectionId, agentId, at };
  }

  const read = async (url: string): Promise<Loose> => (await world.get(url, readKey)).body;
  const tell = (platform: ScriptedPlatform, { connectionId }: Followed, callId: string) =>
    world.ask('POST', `/hooks/${connectionId}`, eventOf(platform, callId, SECRET));
  const versionsOfCalls = async ({ agentId }: Followed) => {
    const { data } = await read(`/v1/agents/${agentId}/calls`);
    return Object.fromEntries(
      (data as { providerCallId: string; version: number }[]).map((one) => [one.providerCallId, one.version]),
    );
  };
  const coordinator = ({ agentId }: Followed) =>
    worked.temporal.gateway.client.workflow.getHandle(coordinatorId(agentId));
  async function detailsOf(workflowId: string): Promise<string> {
    const handle = worked.temporal.gateway.client.workflow.getHandle(workflowId);
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails ?? '';
  }
  const polls = async ({ at }: Followed) =>
    ((await ask('GET', `${at}/imports`)).body.data as Loose[]).filter(({ kind }) => kind === 'poll');

  /** Also those that found nothing, which no list shows. */
  const endedPolls = async ({ agentId }: Followed) => {
    const { rows } = await sql<{ status: string }>`
      select status from imports where agent_id = ${agentId} and kind = 'poll'
    `.execute(world.database.em().getKysely());
    return rows.filter(({ status }) => status === 'complete').length;
  };

  test.each(PLATFORMS)(
    '%s: an event brings a new call within seconds, on the version that it ran on, with a comparison',
    async (platform) => {
      const followed = await follow(platform);
      expect(await versionsOfCalls(followed)).toEqual({ call_1: 1 });
      state.prompts.push('You are the front desk.\nAsk for the name first.');
      state.calls.unshift(call('call_2', 2, 1));
      expect((await tell(platform, followed, 'call_2')).body).toEqual({ taken: true });
      await untilTrue(async () => Object.keys(await versionsOfCalls(followed)).length === 2);
      expect(await versionsOfCalls(followed)).toEqual({ call_1: 1, call_2: 2 });

      const versions = await read(`/v1/agents/${followed.agentId}/versions`);
      expect(versions.data).toMatchObject([
        { version: 2, isCurrent: true, configCaptured: true },
        { version: 1, isCurrent: false, configCaptured: true },
      ]);
      await untilTrue(async () => (await read(`/v1/agents/${followed.agentId}/comparisons`)).data.length === 1);
      const [compared] = (await read(`/v1/agents/${followed.agentId}/comparisons`)).data;
      expect(compared).toMatchObject({ fromVersion: 1, toVersion: 2 });
      expect(JSON.stringify(compared.changes)).toContain('Ask for the name first.');
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from workspace_events where agent_id = ${followed.agentId} and kind = 'version.new'
      `.execute(world.database.em().getKysely());
      expect(rows[0]?.n).toBe(2);
    },
  );

  test.each(PLATFORMS)(
    '%s: a call that changed at the platform is read and analysed again when it tells so',
    async (platform) => {
      const followed = await follow(platform);
      state.calls = [call('call_1', 1, 60, 'I want to cancel a visit.')];
      await tell(platform, followed, 'call_1');
      await untilTrue(async () => {
        const { data } = await read(`/v1/agents/${followed.agentId}/calls`);
        const whole = await read(`/v1/agents/${followed.agentId}/calls/${data[0].id}`);
        return JSON.stringify(whole.transcript).includes('cancel a visit');
      });
      const { rows } = await sql`select 1 from announced_calls where agent_id = ${followed.agentId}`.execute(
        world.database.em().getKysely(),
      );
      expect(rows).toEqual([]);
    },
  );

  test.each(PLATFORMS)(
    '%s: an import that is stuck on a dead platform says so and is freed by `tryNow`',
    async (platform) => {
      const followed = await follow(platform);
      state.instead = { path: '/', answer: { status: 503, headers: IN_AN_HOUR, json: {} } };
      state.calls.unshift(call('call_2', 1, 1));
      const started = await ask('POST', `${followed.at}/imports`, {});
      const at = `${followed.at}/imports/${started.body.id}`;
      await untilTrue(async () => String((await ask('GET', at)).body.waitsFor).includes('waits for the platform'));
      const workflowId = importWorkflowId(started.body.id, 1);
      expect(await detailsOf(workflowId)).toContain('waits for the platform');
      state.instead = null;
      await worked.temporal.gateway.client.workflow.getHandle(workflowId).signal(IMPORT_SIGNALS.tryNow);
      await untilTrue(async () => (await ask('GET', at)).body.status === 'complete');
      expect(Object.keys(await versionsOfCalls(followed))).toHaveLength(2);
    },
  );

  test.each(PLATFORMS)(
    '%s: a key that was taken back ends the poll with that reason, and another key mends it at once',
    async (platform) => {
      const followed = await follow(platform);
      state.key = 'another_key_of_the_platform';
      state.calls.unshift(call('call_2', 1, 1));
      await coordinator(followed).signal('poll', { messageId: 'asked' });
      await untilTrue(async () => (await polls(followed))[0]?.status === 'failed');
      expect((await polls(followed))[0].reason).toContain('refused the key');
      const connection = async () => (await ask('GET', `/app/connections/${followed.connectionId}`)).body;
      expect(await connection()).toMatchObject({
        status: 'refused',
        message: expect.stringContaining('refused the key'),
      });
      await untilTrue(async () =>
        (await detailsOf(coordinatorId(followed.agentId))).includes('The last import failed'),
      );
      await ask('PATCH', `/app/connections/${followed.connectionId}`, { apiKey: state.key });
      await untilTrue(async () => Object.keys(await versionsOfCalls(followed)).length === 2);
      expect(await connection()).toMatchObject({ status: 'ok', message: null });
    },
  );

  test('a person skips the call that an import waits for; it is kept with the reason, and a retry takes it up', async () => {
    const followed = await follow('retell');
    const stuck = { path: '/v2/get-call/stuck', answer: { status: 429, headers: IN_AN_HOUR, json: {} } };
    state.instead = stuck;
    state.calls = [call('stuck', 1, 2), call('call_2', 1, 3), ...state.calls];
    const started = await ask('POST', `${followed.at}/imports`, {});
    const at = `${followed.at}/imports/${started.body.id}`;
    await untilTrue(async () => String((await ask('GET', at)).body.waitsFor).includes('rate limit'));
    const skipped = await ask('POST', `${at}/skip`, { providerCallId: 'stuck', reason: 'Its record is broken.' });
    expect(skipped.status).toBe(200);
    await untilTrue(async () => (await ask('GET', at)).body.status === 'complete');
    const ended = (await ask('GET', at)).body;
    expect(ended).toMatchObject({
      failed: 1,
      failures: [{ ref: 'stuck', reason: 'Skipped by a person: Its record is broken.' }],
    });
    expect((await ask('POST', `${at}/skip`, { providerCallId: 'x', reason: 'late' })).body.error.code).toBe(
      'import_finished',
    );
    const { rows } = await sql<{ operation: string }>`
      select operation from audit_entries where agent_id = ${followed.agentId} and status = 200
    `.execute(world.database.em().getKysely());
    expect(rows).toContainEqual({ operation: 'skipCall' });

    const asked = server.requests.filter(({ path }) => path === stuck.path).length;
    await coordinator(followed).signal('poll', { messageId: 'asked' });
    await untilTrue(async () => (await endedPolls(followed)) === 1);
    expect(server.requests.filter(({ path }) => path === stuck.path)).toHaveLength(asked);
    state.instead = null;
    await ask('POST', `${at}/retry`);
    await untilTrue(async () => (await versionsOfCalls(followed))['stuck'] === 1);
  });

  test('another poll interval reaches a coordinator that is open', async () => {
    const followed = await follow('retell');
    const { rows } = await sql<{ workspaceId: string }>`
      select workspace_id as "workspaceId" from agents where id = ${followed.agentId}
    `.execute(world.database.em().getKysely());
    const input = { agentId: followed.agentId, workspaceId: rows[0]?.workspaceId ?? '', agentName: 'Front desk' };
    state.calls.unshift(call('call_2', 1, 1));
    expect(pollEveryEntry({ ...input, pollSeconds: 1 }).workflow).toBe(AGENT_COORDINATOR);
    await worked.temporal.gateway.deliver(pollEveryEntry({ ...input, pollSeconds: 1 }));
    await untilTrue(async () => Object.keys(await versionsOfCalls(followed)).length === 2);
    await worked.temporal.gateway.deliver(pollEveryEntry({ ...input, pollSeconds: null }));
    await untilTrue(async () => (await detailsOf(coordinatorId(followed.agentId))).includes('Waits for records'));
  });
});
