import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { Runtime } from '@temporalio/worker';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/deps.ts';
import { runWorkers } from '../../activities/run-workers.ts';
import { workflowBundle } from '../../activities/workflow-bundle.ts';
import type { Database, EntityManager } from '../../src/db/database.ts';
import type { Platform } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { createLogger } from '../../src/logger.ts';
import { NO_MODELS } from '../../src/models/registry.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { openRecordings } from '../../src/platforms/recordings.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { createVault } from '../../src/secrets.ts';
import { createListener } from '../../src/sound/hear.ts';
import { createTemporal, type TemporalGateway } from '../../src/temporal/client.ts';
import type { Patience } from '../../src/temporal/import-calls.ts';
import { addMissingSearchAttributes } from '../../src/temporal/register-search-attributes.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { onceARun } from './once-a-run.ts';
import { testAnalyser } from './test-analyser.ts';

export const TEST_SECRET = 'a secret of the tests, thirty-two characters and more';
/** Waits that a test can sit through. */
export const SHORT_PATIENCE: Patience = { firstGapMs: 200, longestGapMs: 1_000, giveUpAfterMs: 3_600_000 };

export interface PipelineDeps {
  database: TestDatabase;
  deps: ActivityDeps;
  close(): Promise<void>;
}

/** A database of its own and everything that activities stand on, with real HTTP to stand-ins on this machine. */
export async function openDeps(patience: Patience = SHORT_PATIENCE): Promise<PipelineDeps> {
  const database = await createTestDatabase();
  const opened = depsOn(database, patience);
  return {
    database,
    deps: opened.deps,
    async close() {
      await opened.close();
      await database.drop();
    },
  };
}

/** The same on a database that somebody else opened and drops. */
export function depsOn(database: Database, patience: Patience = SHORT_PATIENCE) {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  const recordings = openRecordings({ outboundAllow: ['127.0.0.0/8'], demoUrl: null });
  const listener = createListener();
  const deps: ActivityDeps = {
    database,
    vault: createVault(TEST_SECRET),
    platforms: createPlatforms({ outbound, demoUrl: null }),
    analyser: testAnalyser(),
    models: NO_MODELS,
    recordings,
    listener,
    receivers: outbound,
    mailer: null,
    mailDomains: [],
    publicUrl: 'https://earshot.example.com',
    isNamed: true,
    conversationSlots: 4,
    storageMib: null,
    requestsASecond: null,
    patience,
  };
  const close = async () => {
    await Promise.all([outbound.close(), recordings.close(), listener.close()]);
  };
  return { deps, close };
}

export interface StoredAgent {
  workspaceId: string;
  agentId: string;
}

/** An agent that is connected to the stand-in, or a file agent where there is no address; in a workspace of its own where none is named. */
export async function storeAgent(
  em: EntityManager,
  vault: ActivityDeps['vault'],
  agent: { provider: Platform; baseUrl: string | null; providerAgentId?: string; apiKey?: string },
  inWorkspace?: string,
  ofConnection?: string,
): Promise<StoredAgent> {
  const [workspaceId, agentId, connectionId] = [inWorkspace ?? newId(), newId(), ofConnection ?? newId()];
  const db = em.getKysely();
  if (!inWorkspace) await sql`insert into workspaces (id, name) values (${workspaceId}, 'Workspace')`.execute(db);
  if (!ofConnection)
    await sql`
    insert into platform_connections (id, workspace_id, platform, base_url, sealed_key)
    values (${connectionId}, ${workspaceId}, ${agent.provider}, ${agent.baseUrl}, ${vault.seal(agent.apiKey ?? 'key_stand_in')})
  `.execute(db);
  await sql`
    insert into agents (id, workspace_id, connection_id, name, provider, provider_agent_id, source, setup_status)
    values (${agentId}, ${workspaceId}, ${connectionId}, 'Restaurant', ${agent.provider},
      ${agent.providerAgentId ?? 'agent_stand_in'},
      ${agent.provider}, 'approved')
  `.execute(db);
  return { workspaceId, agentId };
}

export interface TestTemporal {
  address: string;
  namespace: string;
  gateway: TemporalGateway;
  close(): Promise<void>;
}

/** A namespace of its own on the dev server, so that files with the same task queues do not take each other's work. */
export async function openNamespace(address: string): Promise<TestTemporal> {
  const namespace = `test-${newId()}`;
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(86_400_000),
    });
    await untilTrue(async () => {
      await addMissingSearchAttributes(connection, namespace);
      return true;
    });
  } finally {
    await connection.close();
  }
  const gateway = await createTemporal({ address, namespace });
  return { address, namespace, gateway, close: () => gateway.close() };
}

/** The product's two workers in this process. @returns what stops them. */
export async function startWorkers(
  deps: ActivityDeps,
  place: { address: string; namespace: string },
  payloadCodec?: PayloadCodec,
) {
  quietRuntime();
  const stop = new AbortController();
  const polling = Promise.withResolvers<void>();
  const running = runWorkers({
    deps,
    size: { analysisSlots: 6, deliverySlots: 40, cachedWorkflows: 300 },
    place,
    ...(payloadCodec && { payloadCodec }),
    bundlePath: await testBundle(),
    logger: createLogger('test', 'silent'),
    stop: stop.signal,
    onPolling: (polls) => polls && polling.resolve(),
  });
  await Promise.race([polling.promise, running]);
  return async () => {
    stop.abort();
    await running;
  };
}

let bundle: Promise<string> | undefined;
/** The product's bundle, made once for all test files. */
export function testBundle(): Promise<string> {
  bundle ??= sharedBundle();
  return bundle;
}

async function sharedBundle(): Promise<string> {
  const folder = join(tmpdir(), 'earshot-test-bundle');
  let file: string | null = null;
  // Files that begin a run together would each make it.
  await onceARun(
    join(folder, 'lock'),
    () => file !== null,
    async () => {
      file = await workflowBundle(folder);
    },
  );
  return file ?? '';
}

let installed = false;
export function quietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    shutdownSignals: [],
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
}

/** Asks until the answer is true. @throws with the last error, or that it never was. */
export async function untilTrue(ask: () => Promise<boolean>, withinMs = 150_000): Promise<void> {
  const end = Date.now() + withinMs;
  for (let last: unknown = new Error('It did not become true in time.'); ; ) {
    try {
      if (await ask()) return;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw last;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
