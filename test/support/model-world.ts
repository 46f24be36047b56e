import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createAnalysisActivities, createModelActivities } from '../../activities/index.ts';
import { readModelConfig } from '../../src/config.ts';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { ReaderAnswer } from '../../src/domain/reading/answer.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import { createModels } from '../../src/models/registry.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { ReadOutcome } from '../../src/temporal/model-reader.ts';
import { makeCall, turn } from './analysed-calls.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { openDeps, type PipelineDeps, type StoredAgent, storeAgent } from './pipeline.ts';
import type { Loose } from './world.ts';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
/** USD a million tokens; a question of the model server's usage costs 0.0012 USD. */
export const PRICES = { 'small-one': { input: 1, output: 2 } };
export const NANO_OF_A_QUESTION = 1_200_000;

/** A database, an agent and a model over HTTP. */
export interface ModelWorld extends PipelineDeps {
  agent: StoredAgent;
  server: ModelServer;
  deps: ActivityDeps;
  /** Stores calls that wait for their analysis. @returns their ids. */
  store(calls: NormalisedCall[], agent?: StoredAgent): Promise<string[]>;
  /** Reads calls by rules, which hands them to the model. */
  analyse(callIds: string[], agent?: StoredAgent): Promise<Loose>;
  /** One attempt at reading a call by the model, without a Temporal server. */
  read(callId: string, deps?: ActivityDeps): Promise<ReadOutcome>;
  rows(query: ReturnType<typeof sql<Loose>>): Promise<Loose[]>;
  newAgent(): Promise<StoredAgent>;
}

export async function openModelWorld(
  env: Record<string, string> = {},
  settings: (server: ModelServer) => Record<string, string> = modelSettings,
): Promise<ModelWorld> {
  const server = await startModelServer();
  const opened = await openDeps();
  const outbound = createOutbound({ allow: [], trustedOrigins: [server.origin] });
  const config = readModelConfig({ ...settings(server), ...env });
  const deps: ActivityDeps = { ...opened.deps, models: createModels(outbound, config) };
  const newAgent = () => storeAgent(opened.database.em(), deps.vault, { provider: 'file', baseUrl: null });
  const first = await newAgent();
  const rows: ModelWorld['rows'] = async (query) => (await query.execute(opened.database.em().getKysely())).rows;
  return {
    ...opened,
    deps,
    server,
    agent: first,
    newAgent,
    rows,
    async store(calls, agent = first) {
      const em = opened.database.within(agent.workspaceId);
      await storeCalls(em, {
        ...agent,
        importId: null,
        vault: deps.vault,
        calls: calls.map((call) => ({ payload: { id: call.providerCallId }, call })),
      });
      const found = await rows(sql`select id, provider_call_id as ref from calls where agent_id = ${agent.agentId}`);
      const ids = new Map(found.map(({ id, ref }) => [ref, id]));
      return calls.map(({ providerCallId }) => ids.get(providerCallId));
    },
    analyse: (callIds, agent = first) =>
      new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
        createAnalysisActivities(deps).analyseCalls as never,
        { ...agent, callIds } as never,
      ),
    read: (callId, given = deps) =>
      new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
        createModelActivities(given).readCallByModel as never,
        { ...first, callId } as never,
      ),
    async close() {
      await opened.close();
      await outbound.close();
      await server.close();
    },
  };
}

/** Settings of a worker that asks the model server. */
export const modelSettings = (server: ModelServer): Record<string, string> => ({
  EARSHOT_MODEL_URL: server.url,
  EARSHOT_MODEL: 'small-one',
  EARSHOT_MODEL_PRICES: JSON.stringify(PRICES),
});

/** The same over Anthropic's protocol. */
export const anthropicSettings = (server: ModelServer): Record<string, string> => ({
  ANTHROPIC_API_KEY: 'a-key',
  ANTHROPIC_BASE_URL: server.origin,
  EARSHOT_MODEL: 'small-one',
  EARSHOT_MODEL_PRICES: JSON.stringify(PRICES),
});

/** A call on which the rules notice a tool that failed, without knowing why. */
export function failingCall(
  providerCallId: string,
  said = 'I would like to move my appointment to Friday.',
): NormalisedCall {
  return makeCall({
    providerCallId,
    turns: [
      turn(0, 'agent', 'Hello, this is the practice. How can I help?'),
      turn(1, 'caller', said),
      { ...turn(2, 'agent', ''), toolCall: { id: 't1', name: 'move_appointment', args: { day: 'Friday' } } },
      {
        ...turn(3, 'tool', ''),
        toolResult: {
          id: 't1',
          name: 'move_appointment',
          ok: false,
          okSource: 'flag',
          body: { status: 'failed', note: 'the calendar did not say why' },
          latencyMs: null,
        },
      },
      turn(4, 'agent', 'I could not move it, I am sorry.'),
      turn(5, 'caller', 'That is a pity. Goodbye.'),
    ],
  });
}

export const byRules = (call: NormalisedCall): CallAnalysis => analyseCall({ call, configuration: null }, {});

/** What a reader that keeps to its task says of `failingCall`: nothing that code could not find. */
export const GOOD_ANSWER: ReaderAnswer = {
  requests: [
    {
      sentence: 'Move an appointment to Friday',
      turn: 1,
      quote: 'move my appointment to Friday',
      fulfilled: 'no',
      by: null,
    },
  ],
  checked: 'The agent told the failure of its tool honestly.',
  findings: [],
  expectations: [],
  outcome: {
    turn: 4,
    quote: 'I could not move it',
    because: 'The tool failed and it was not moved.',
    value: 'unresolved',
  },
  intent: 'move appointment',
};
