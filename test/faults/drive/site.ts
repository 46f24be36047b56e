import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { workflowBundle } from '../../../activities/workflow-bundle.ts';
import { type DemoPlatform, startDemoPlatform } from '../../../packages/demo-platform/server.ts';
import { insertKey } from '../../../src/db/system/keys.ts';
import { insertWorkspaceWithAdmin } from '../../../src/db/system/setup.ts';
import { insertTest } from '../../../src/db/tests/tests.ts';
import { hashPassword } from '../../../src/operations/access/passwords.ts';
import { newKeySecret, secretHash } from '../../../src/operations/access/secrets.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { createPlatforms } from '../../../src/platforms/registry.ts';
import { createVault } from '../../../src/secrets.ts';
import { type ApiProcess, startApi } from '../../support/api-process.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { storeAgent, TEST_SECRET } from '../../support/pipeline.ts';
import { DEMO_NOW } from '../../support/playing.ts';
import { captureLive, DESK_ENGINE } from '../../support/publishing.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { BOOKING, connectDemo } from '../../support/running.ts';
import { makeTests } from '../../support/runs.ts';
import { makeSpec } from '../../support/specs.ts';
import { type StandInPlatform, startStandInPlatform } from '../../support/stand-in-platform.ts';
import { openTcpLink, type TcpLink } from '../../support/tcp-link.ts';
import { type RetellWorkshop, startRetellWorkshop } from '../../support/workshops.ts';
import { type Machine, startMachine } from '../machine.ts';
import type { WorkerProcess } from '../worker-machine.ts';
import { type Clocks, openClocks } from './clocks.ts';
import { answerOfModel } from './model-answers.ts';

export const EMAIL = 'quality@example.com';
export const PASSWORD = 'a password of the fault run';
const PROCESSES = 2;
const DISK_BYTES = 1.5 * 1024 ** 3;
const TESTS = 4;
/** Longer than anything that it needs stays broken. */
const STARTS_WITHIN_MS = 120_000;
const START_AGAIN_MS = 500;

/** What the clients work with. */
export interface Workspace {
  workspaceId: string;
  /** Plays tests; its platform answers for it. */
  playedId: string;
  /** Its calls are asked for at a platform. */
  polledId: string;
  /** Its text is changed and published. */
  draftedId: string;
  writeKey: string;
  writeKeyId: string;
  budgetUsd: number;
  strangerKey: string;
  testIds: string[];
}

/** An installation of the product: two APIs, two workers, PostgreSQL and Temporal behind links, and all that it talks to. */
export interface Site {
  machine: Machine;
  workspace: Workspace;
  demo: DemoPlatform;
  platform: StandInPlatform;
  /** The platform whose prompts are changed. */
  workshop: RetellWorkshop;
  receiver: Receiver;
  /** What reads the calls of the agent that is fed. */
  model: ModelServer;
  /** Of each process by its place, and of PostgreSQL; null where this machine can't set them. */
  clocks: Clocks | null;
  links: { database: TcpLink; temporal: TcpLink };
  /** The address of one of the APIs. */
  api(at: number): string;
  /** The process that runs in this place now; null while none does. */
  process(place: Place): ChildProcess | null;
  /** Ends it at once and starts another in its place. */
  replace(place: Place, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** What processes said that ended without having been told to. */
  ownEnds: string[];
  close(): Promise<void>;
}

export interface Place {
  kind: 'api' | 'worker';
  at: number;
}
export const nameOf = ({ kind, at }: Place): string => `${kind} ${at}`;

export async function openSite(): Promise<Site> {
  const clocks = openClocks();
  // PostgreSQL takes its environment from this process, whose own clock is the machine's: it runs already.
  Object.assign(process.env, clocks?.environment('PostgreSQL'));
  const [machine, platform, workshop, receiver, demo, model] = await Promise.all([
    startMachine(DISK_BYTES),
    startStandInPlatform(),
    startRetellWorkshop(DESK_ENGINE),
    startReceiver(),
    startDemoPlatform({ port: 0, now: DEMO_NOW }),
    startModelServer(),
  ]);
  model.answerWith(answerOfModel);
  const links = {
    database: await openTcpLink(() => Number(new URL(machine.databaseUrl()).port)),
    temporal: await openTcpLink(() => Number(machine.temporalAddress().split(':').at(-1))),
  };
  const databaseUrl = () => {
    const url = new URL(machine.databaseUrl());
    url.port = String(links.database.port);
    return url.href;
  };
  const settings = {
    TEMPORAL_ADDRESS: `127.0.0.1:${links.temporal.port}`,
    EARSHOT_SECRET: TEST_SECRET,
    EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
    EARSHOT_MODEL_URL: model.url,
    EARSHOT_MODEL: 'a-model',
    // Its own: the one of the tests gives way to newer ones, and a worker must find it again for as long as this lasts.
    EARSHOT_WORKFLOW_BUNDLE: await workflowBundle(machine.folder),
  };
  const running = new Map<string, ApiProcess | WorkerProcess>();
  const told = new WeakSet<ChildProcess>();
  const ownEnds: string[] = [];

  /** As whatever runs processes starts one again that could not begin, such as an API while PostgreSQL is away. */
  async function start(place: Place): Promise<void> {
    for (const end = Date.now() + STARTS_WITHIN_MS; ; ) {
      try {
        return await startOnce(place);
      } catch (error) {
        if (Date.now() > end) throw error;
        await sleep(START_AGAIN_MS);
      }
    }
  }

  async function startOnce({ kind, at }: Place): Promise<void> {
    const own = { ...settings, ...clocks?.environment(nameOf({ kind, at })) };
    const started =
      kind === 'api'
        ? await startApi(databaseUrl(), own)
        : await machine.startWorker({ ...own, DATABASE_URL: databaseUrl() });
    running.set(nameOf({ kind, at }), started);
    started.child.once('exit', (code, signal) => {
      if (told.has(started.child)) return;
      ownEnds.push(`${kind} ${at} ended by itself (${signal ?? code}): ${started.said().slice(-2_000)}`);
      running.delete(nameOf({ kind, at }));
      void start({ kind, at }).catch((error: unknown) => ownEnds.push(String(error)));
    });
  }

  const replacing = new Map<string, Promise<void>>();
  async function replace(place: Place, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const now = running.get(nameOf(place));
    if (now) {
      told.add(now.child);
      const ended = new Promise<void>((resolve) => now.child.once('exit', () => resolve()));
      now.child.kill(signal);
      await ended;
    }
    running.delete(nameOf(place));
    await start(place);
  }

  const workspace = await makeWorkspace(machine, { platform, workshop, demo });
  const places = Array.from({ length: PROCESSES }, (_, at): Place[] => [
    { kind: 'api', at },
    { kind: 'worker', at },
  ]).flat();
  await Promise.all(places.map(start));

  return {
    machine,
    workspace,
    demo,
    platform,
    workshop,
    receiver,
    model,
    clocks,
    links,
    ownEnds,
    api(at) {
      const api = running.get(`api ${at % PROCESSES}`);
      return api && 'url' in api ? api.url : 'http://127.0.0.1:9';
    },
    process: (place) => running.get(nameOf(place))?.child ?? null,
    replace(place, signal) {
      const name = nameOf(place);
      // One after the other: what was started last is what the next one ends.
      const replaced = (replacing.get(name) ?? Promise.resolve()).then(() => replace(place, signal));
      replacing.set(name, replaced);
      return replaced;
    },
    async close() {
      for (const { child } of running.values()) {
        told.add(child);
        child.kill('SIGKILL');
      }
      await Promise.all([machine.close(), platform.close(), workshop.close(), receiver.close(), demo.close()]);
      await Promise.all([links.database.close(), links.temporal.close(), model.close()]);
      clocks?.close();
    },
  };
}

async function makeWorkspace(
  machine: Machine,
  { platform, workshop, demo }: Pick<Site, 'platform' | 'workshop' | 'demo'>,
): Promise<Workspace> {
  const em = machine.database.em();
  const vault = createVault(TEST_SECRET);
  const { workspaceId, personId } = await insertWorkspaceWithAdmin(em, {
    workspaceName: 'Under fire',
    email: EMAIL,
    name: 'Quality',
    passwordHash: await hashPassword(vault, EMAIL, PASSWORD),
  });
  const other = await insertWorkspaceWithAdmin(em, {
    workspaceName: 'Next door',
    email: 'stranger@example.com',
    name: 'Stranger',
    passwordHash: null,
  });
  const played = await connectDemo(machine.database, vault, demo.url, workspaceId);
  const polled = await storeAgent(em, vault, { provider: 'retell', baseUrl: platform.url }, workspaceId);
  const draftedId = await connectWorkshop(machine, workshop, workspaceId);
  const budgetUsd = 500;
  const key = async (made: { workspaceId: string; createdBy: string }) => {
    const secret = newKeySecret();
    const named = { name: 'of the fault run', access: 'write', agentId: null, monthlyBudgetUsd: budgetUsd } as const;
    const { id } = await insertKey(em, {
      ...made,
      ...named,
      secretHash: secretHash(secret),
      prefix: secret.slice(0, 10),
    });
    return { secret, id };
  };
  const own = await key({ workspaceId, createdBy: personId });
  const stranger = await key({ workspaceId: other.workspaceId, createdBy: other.personId });
  const testIds: string[] = [];
  for (let at = 1; at <= TESTS; at += 1) {
    const written = { source: 'written', lane: null, expect: 'pass', guard: false, spec: BOOKING } as const;
    const origin = { sourceCallId: null, generatedFrom: null, createdBy: 'earshot' };
    const title = `Books a cleaning ${at}`;
    testIds.push(await insertTest(machine.database.within(workspaceId), { ...played, ...written, ...origin, title }));
  }
  return {
    workspaceId,
    playedId: played.agentId,
    polledId: polled.agentId,
    draftedId,
    writeKey: own.secret,
    writeKeyId: own.id,
    budgetUsd,
    strangerKey: stranger.secret,
    testIds,
  };
}

/** An agent whose prompt can be changed, with what is live there and a test that every prompt passes. */
async function connectWorkshop(machine: Machine, { url, agentId }: RetellWorkshop, workspaceId: string) {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  try {
    const place = { baseUrl: url, apiKey: 'key', providerAgentId: agentId };
    const vault = createVault(TEST_SECRET);
    const agent = await storeAgent(machine.database.em(), vault, { provider: 'retell', ...place }, workspaceId);
    await captureLive(machine.database, agent, createPlatforms({ outbound, demoUrl: null }).adapter('retell'), place);
    const check = { kind: 'ended_by', by: 'agent' } as const;
    await makeTests(machine.database, agent, 1, {
      caller: { ...makeSpec().caller, script: ['Hello?'] },
      fixtures: [],
      criteria: [{ id: 'ends', text: 'Ends the call.', required: true, check }],
    });
    return agent.agentId;
  } finally {
    await outbound.close();
  }
}
