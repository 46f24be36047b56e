import { sql } from 'kysely';
import { workflowBundle } from '../../../activities/workflow-bundle.ts';
import { insertTest } from '../../../src/db/tests/tests.ts';
import { storeVersions } from '../../../src/db/versions/versions.ts';
import type { Criterion, TestSpec } from '../../../src/domain/tests/spec.ts';
import { newId } from '../../../src/ids.ts';
import { createVault } from '../../../src/secrets.ts';
import { openNamespace, type StoredAgent, storeAgent, TEST_SECRET, type TestTemporal } from '../../support/pipeline.ts';
import { openTestFolder } from '../../support/test-folder.ts';
import { startTestTemporal } from '../../support/test-temporal-server.ts';
import { type BenchDatabase, withBenchDatabase } from '../database.ts';
import { makeKey, productEnv, type ServerProcess, startProductApi, startServer } from '../servers.ts';
import { type Speakers, startSpeakers } from './speakers.ts';
import { CALLER_TURNS, FOUND, openingFor } from './words.ts';

/** The product's API, and who speaks in its runs; workers are started beside it, with as many slots as a bench asks for. */
export interface RunWorld {
  database: BenchDatabase;
  temporal: TestTemporal;
  speakers: Speakers;
  /** Settings that the API and the workers share. */
  env: Record<string, string>;
  bundle: string;
  api: ServerProcess;
  startWorker(slots: { conversations: number; models?: number }): Promise<ServerProcess>;
  /** An agent with one version, and a test for each order. */
  makeAgent(orders: readonly number[], tests?: TestsMade): Promise<RunAgent>;
}

export interface TestsMade {
  /** Lines of a scripted caller after the first; null: a model plays it. */
  script?: string[] | null;
  /** True: a criterion is decided by the judge, beside the one that code decides. */
  judged?: boolean;
}

export interface RunAgent {
  workspaceId: string;
  agentId: string;
  key: string;
}

/** More than any run of a bench is held to cost. */
const BUDGET_USD = 100_000;

export async function withRunWorld<T>(work: (world: RunWorld) => Promise<T>): Promise<T> {
  const folder = openTestFolder(true);
  const server = await startTestTemporal(folder.path);
  try {
    if (server.address === null) throw new Error('This bench needs a Temporal server.');
    const temporal = await openNamespace(server.address);
    const speakers = await startSpeakers();
    try {
      const bundle = await workflowBundle(folder.path);
      return await withBenchDatabase(async (database) => {
        const env = settings(database, temporal, speakers, bundle);
        const api = await startProductApi(database, env);
        try {
          return await work({
            database,
            temporal,
            speakers,
            env,
            bundle,
            api,
            startWorker: (slots) =>
              startServer('activities/worker.ts', {
                ...env,
                EARSHOT_CONVERSATION_SLOTS: String(slots.conversations),
                EARSHOT_MODEL_SLOTS: String(slots.models ?? 10),
              }),
            makeAgent: (orders, tests) => makeAgent(database, speakers.url, orders, tests),
          });
        } finally {
          await api.stop();
        }
      });
    } finally {
      await Promise.all([speakers.stop(), temporal.close()]);
    }
  } finally {
    await server.stop();
    folder.remove();
  }
}

function settings(database: BenchDatabase, temporal: TestTemporal, speakers: Speakers, bundle: string) {
  return {
    ...productEnv(database),
    EARSHOT_SECRET: TEST_SECRET,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EARSHOT_WORKFLOW_BUNDLE: bundle,
    EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
    EARSHOT_MODEL_URL: `${speakers.url}/v1`,
    EARSHOT_MODEL: 'stand-in',
    EARSHOT_MODEL_PRICES: '{"stand-in": 0.1}',
    EARSHOT_NO_POLL: 'true',
  };
}

async function makeAgent(
  database: BenchDatabase,
  baseUrl: string,
  orders: readonly number[],
  made: TestsMade = {},
): Promise<RunAgent> {
  const agent = await storeBenchAgent(database, baseUrl);
  await database.within(agent.workspaceId).transactional(async (tx) => {
    for (const order of orders)
      await insertTest(tx, { ...agent, ...TEST, title: `Order ${order}`, spec: specOf(order, made) });
  });
  const key = await makeKey(database, { ...agent, personId: newId(), budgetUsd: BUDGET_USD });
  return { ...agent, key: key.secret };
}

/** An agent with one version at a platform, in a workspace whose plan holds nothing back. */
export async function storeBenchAgent(database: BenchDatabase, baseUrl: string): Promise<StoredAgent> {
  const em = database.em();
  const agent = await storeAgent(em, createVault(TEST_SECRET), { provider: 'retell', baseUrl });
  await sql`update workspaces set plan = 'enterprise' where id = ${agent.workspaceId}`.execute(em.getKysely());
  await storeVersions(database.within(agent.workspaceId), agent, [
    {
      version: 1,
      providerRef: null,
      isCurrent: true,
      changedAt: null,
      document: { agent_id: 'agent_stand_in', version: 1 },
      configuration: CONFIGURATION,
    },
  ]);
  return agent;
}

export const CONFIGURATION = {
  name: 'A shop',
  language: 'en-US',
  prompt: 'You answer for a shop.',
  firstMessage: null,
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
};

const TEST = {
  source: 'written',
  lane: null,
  expect: 'pass',
  guard: false,
  sourceCallId: null,
  generatedFrom: null,
  createdBy: 'earshot',
} as const;

function specOf(order: number, { script = null, judged = false }: TestsMade): TestSpec {
  const found: Criterion = {
    id: 'found',
    text: 'The agent finds the order.',
    required: true,
    check: { kind: 'said', text: FOUND, by: 'agent' },
  };
  const polite: Criterion = { id: 'polite', text: 'The agent names the order.', required: true, check: null };
  return {
    caller: {
      goal: `Move order ${order} to Friday`,
      opening: openingFor(order),
      facts: { 'order number': String(order) },
      style: '',
      script,
    },
    fixtures: [],
    criteria: judged ? [found, polite] : [found],
    maxTurns: script === null ? CALLER_TURNS : script.length + 1,
    tier: 'text',
  };
}
