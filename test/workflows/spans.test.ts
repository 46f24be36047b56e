import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { SentSpan } from '../../src/domain/spans/span.ts';
import { SETTLE_PROGRESS, SETTLE_SIGNALS, settleId } from '../../src/temporal/settle-spans.ts';
import { sendOutbox } from '../support/outbox.ts';
import {
  openDeps,
  openNamespace,
  type PipelineDeps,
  type StoredAgent,
  startWorkers,
  storeAgent,
  type TestTemporal,
  untilTrue,
} from '../support/pipeline.ts';
import { letWaitPass, takeSent } from '../support/sent-spans.ts';
import { exampleSpans, makeSpan, talkSpans } from '../support/spans.ts';

/** What Temporal's UI asks of a workflow. */
interface WorkflowMetadata {
  definition?: { signalDefinitions?: { name: string; description: string }[] };
}

const address = inject('temporalAddress');

describe.skipIf(address === null)('spans become calls on a real Temporal server', () => {
  let temporal: TestTemporal;
  let world: PipelineDeps;
  let stopWorkers: () => Promise<void>;
  let agent: StoredAgent;

  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
    world = await openDeps();
    stopWorkers = await startWorkers(world.deps, temporal);
  });
  afterAll(async () => {
    await stopWorkers?.();
    await world?.close();
    await temporal?.close();
  });
  beforeEach(async () => {
    agent = await storeAgent(world.database.em(), world.deps.vault, { provider: 'livekit', baseUrl: null });
  });

  const flush = () => sendOutbox({ database: world.database, temporal: temporal.gateway });
  const handle = () => temporal.gateway.client.workflow.getHandle(settleId(agent.agentId));
  const waitsFor = async () => (await handle().query<{ waitsFor: string }>(SETTLE_PROGRESS)).waitsFor;

  async function send(spans: readonly SentSpan[]): Promise<void> {
    await takeSent({ database: world.database, vault: world.deps.vault }, agent, spans);
    await flush();
  }

  async function settle(): Promise<void> {
    await letWaitPass(world.database, agent);
    await handle().signal(SETTLE_SIGNALS.moved);
  }

  interface StoredCall {
    id: string;
    state: string;
    version: number;
    text: string;
    call: NormalisedCall;
  }
  async function calls(): Promise<StoredCall[]> {
    await flush();
    const { rows } = await sql<StoredCall>`
      select c.provider_call_id as id, c.state, c.version, t.call, t.call::text as text
      from calls c join transcripts t on t.call_id = c.id where c.agent_id = ${agent.agentId} order by c.provider_call_id
    `.execute(world.database.em().getKysely());
    return rows;
  }
  const untilAnalysed = (ids: string[]) =>
    untilTrue(async () => {
      const there = await calls();
      return there.length === ids.length && there.every(({ id, state }, at) => id === ids[at] && state === 'analysed');
    });

  test('a call that is over, once its late spans had their time', async () => {
    await send(exampleSpans('livekit-python-1.8'));
    await untilTrue(async () => (await waitsFor()).startsWith('Waits until'));
    expect(await calls()).toEqual([]);
    const { definition } = await handle().query<WorkflowMetadata>('__temporal_workflow_metadata');
    expect(definition?.signalDefinitions).toContainEqual({
      name: SETTLE_SIGNALS.moved,
      description: expect.stringMatching(/^Looks at the record/),
    });
    await settle();
    await untilAnalysed(['RM_x7TnQ2vLw9aB']);
    const [stored] = await calls();
    expect(stored?.version).toBe(1);
    expect(stored?.call.turns.filter(({ toolResult }) => toolResult?.ok === false)).toHaveLength(1);
    const { rows } = await sql<{ ref: string; current: number }>`
      select v.provider_ref as ref, a.current_version as current from agent_versions v join agents a on a.id = v.agent_id
      where v.agent_id = ${agent.agentId}`.execute(world.database.em().getKysely());
    expect(rows).toEqual([{ ref: '2026-11-08.3', current: 1 }]);
    await untilTrue(async () => (await waitsFor()) === 'No call goes on: waits for spans');
  });

  test('spans of two calls in one trace, and one that comes late', async () => {
    const [first, second] = [
      talkSpans('RM_1', { trace: 'one', from: 0 }, 'a'),
      talkSpans('RM_2', { trace: 'one', from: 60 }, 'b'),
    ];
    await send([...first, ...second]);
    await settle();
    await untilAnalysed(['RM_1', 'RM_2']);
    const late = makeSpan({
      id: 'late',
      trace: 'one',
      name: 'user_turn',
      parent: 'a-s',
      from: 6,
      to: 7,
      attributes: { 'lk.pii.user_transcript': 'one more thing' },
    });
    await send([late]);
    await settle();
    await untilTrue(async () => (await calls())[0]?.text.includes('one more thing') === true);
    await untilAnalysed(['RM_1', 'RM_2']);
    expect((await calls())[1]?.text).not.toContain('one more thing');
  });

  test('a call that never ends is closed after a silence, and a call of another agent is left alone', async () => {
    const other = await storeAgent(world.database.em(), world.deps.vault, { provider: 'livekit', baseUrl: null });
    const goingOn = talkSpans('RM_1', { trace: 'one', from: 0 }, 'a').slice(0, 3);
    await takeSent({ database: world.database, vault: world.deps.vault }, other, goingOn);
    await send(goingOn);
    await settle();
    await untilAnalysed(['RM_1']);
    expect((await calls())[0]?.call).toMatchObject({ partial: true, warnings: [expect.stringContaining('silence')] });
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from calls where agent_id = ${other.agentId}`.execute(
      world.database.em().getKysely(),
    );
    expect(rows[0]?.count).toBe(0);
  });
});
