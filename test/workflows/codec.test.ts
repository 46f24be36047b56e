import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import {
  COORDINATOR_PROGRESS,
  type CoordinatorProgress,
  coordinatorId,
  regroupEntry,
} from '../../src/temporal/agent-coordinator.ts';
import { createTemporal, type TemporalGateway } from '../../src/temporal/client.ts';
import { createPayloadCodec, openRemotePayloads, type RemotePayload } from '../../src/temporal/payload-codec.ts';
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

const address = inject('temporalAddress');
const SEALED = Buffer.from('binary/encrypted').toString('base64');

describe.skipIf(address === null)('sealed histories on a real Temporal server', () => {
  let temporal: TestTemporal;
  let sealing: TemporalGateway;
  let world: PipelineDeps;
  let stopWorkers: () => Promise<void>;

  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
    world = await openDeps();
    sealing = await createTemporal(temporal, createPayloadCodec(world.deps.vault, true));
    stopWorkers = await startWorkers(world.deps, temporal);
  });
  afterAll(async () => {
    await stopWorkers?.();
    await sealing?.close();
    await world?.close();
    await temporal?.close();
  });

  const newAgent = () => storeAgent(world.database.em(), world.deps.vault, { provider: 'file', baseUrl: null });
  const regroup = async (agent: StoredAgent, gateway: TemporalGateway) => {
    const entry = regroupEntry({ ...agent, pollSeconds: null }, { messageId: newId(), mode: 'incremental' });
    await addToOutbox(world.database.em(), { entry, ...agent });
    await sendOutbox({ database: world.database, temporal: gateway });
  };
  const coordinator = ({ agentId }: StoredAgent, { client }: TemporalGateway) =>
    client.workflow.getHandle(coordinatorId(agentId));
  /** A coordinator that answers, and has grouped so often. */
  const untilGrouped = (agent: StoredAgent, times: number, gateway: TemporalGateway) =>
    untilTrue(async () => {
      const { events } = await coordinator(agent, temporal.gateway).fetchHistory();
      const ended = (events ?? []).filter((event) => event.activityTaskCompletedEventAttributes);
      const { state } = await coordinator(agent, gateway).query<CoordinatorProgress>(COORDINATOR_PROGRESS);
      return ended.length >= times && state === 'idle';
    });
  const payloadsOf = async (agent: StoredAgent): Promise<RemotePayload[]> => {
    const history = await coordinator(agent, temporal.gateway).fetchHistory();
    return payloadsIn(JSON.parse(JSON.stringify(history)));
  };

  test('what is new is sealed and opens again, and a workflow that began in plain goes on', async () => {
    const plain = await newAgent();
    await regroup(plain, temporal.gateway);
    await untilGrouped(plain, 1, temporal.gateway);
    expect((await payloadsOf(plain)).some(({ data }) => textOf(data).includes(plain.agentId))).toBe(true);
    await stopWorkers();
    stopWorkers = await startWorkers(world.deps, temporal, createPayloadCodec(world.deps.vault, true));

    await regroup(plain, sealing);
    await untilGrouped(plain, 2, sealing);
    const sealed = await newAgent();
    await regroup(sealed, sealing);
    await untilGrouped(sealed, 1, sealing);
    const payloads = await payloadsOf(sealed);
    expect(payloads.length).toBeGreaterThan(2);
    expect(new Set(payloads.map(({ metadata }) => metadata?.['encoding']))).toEqual(new Set([SEALED]));
    expect(payloads.filter(({ data }) => textOf(data).includes(sealed.agentId))).toEqual([]);

    const opened = await openRemotePayloads(world.deps.vault, payloads);
    expect(opened.some(({ data }) => textOf(data).includes(sealed.agentId))).toBe(true);
    expect(new Set(opened.map(({ metadata }) => textOf(metadata?.['encoding'])))).not.toContain('binary/encrypted');
    expect(await openRemotePayloads(world.deps.vault, opened)).toEqual(opened);
  });

  test('workers that seal nothing any more open what was sealed', async () => {
    const agent = await newAgent();
    await regroup(agent, sealing);
    await untilGrouped(agent, 1, sealing);
    await stopWorkers();
    const codec = createPayloadCodec(world.deps.vault, false);
    stopWorkers = await startWorkers(world.deps, temporal, codec);
    const opening = await createTemporal(temporal, codec);
    try {
      await regroup(agent, opening);
      await untilGrouped(agent, 2, opening);
    } finally {
      await opening.close();
    }
  });
});

const textOf = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();

/**
 * Every payload of a history but those of search attributes, which the server itself reads, and of patches, whose names
 * the SDK leaves plain.
 */
function payloadsIn(part: unknown): RemotePayload[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return part.flatMap(payloadsIn);
  if (
    'metadata' in part &&
    typeof part.metadata === 'object' &&
    part.metadata !== null &&
    'encoding' in part.metadata
  ) {
    return [part as RemotePayload];
  }
  return Object.entries(part).flatMap(([name, value]) => (isPlain(name) ? [] : payloadsIn(value)));
}

const isPlain = (name: string) => ['indexedFields', 'markerRecordedEventAttributes'].includes(name);
