import { setTimeout as wait } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createModelActivities } from '../../../activities/index.ts';
import { modelOrigins, readModelConfig } from '../../../src/config.ts';
import { createModels, type Models, NO_MODELS } from '../../../src/models/registry.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { FAILURE_TYPES } from '../../../src/temporal/failures.ts';
import type { ReadOutcome } from '../../../src/temporal/model-reader.ts';
import type { OwnedDatabase } from '../../support/owned-database.ts';
import type { RecordSet } from '../records.ts';
import type { ReaderKind } from './reader-kind.ts';
import { recordedReadings } from './recorded.ts';
import { startRecordedModel } from './recorded-model.ts';
import { everyFifthWrong } from './wrong-reader.ts';

/** The models that a way through storage has, and what they need to know of a set. */
export interface ReaderAtWork {
  models: Models;
  /** @returns the set with those records that the reader can be asked about. */
  prepare(set: RecordSet): RecordSet;
  close(): Promise<void>;
}

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const LONGEST_WAIT_MS = 60_000;

/** @throws where a live reader is wanted and none is configured. */
export async function openReader(kind: ReaderKind): Promise<ReaderAtWork> {
  if (kind === 'none') return { models: NO_MODELS, prepare: (set) => set, close: async () => {} };
  if (kind === 'live') {
    const config = readModelConfig();
    if (config.chat === null) throw new Error('--reader live needs EARSHOT_MODEL_URL and EARSHOT_MODEL, or a key.');
    const outbound = createOutbound({ allow: [], trustedOrigins: modelOrigins(config) });
    return { models: createModels(outbound, config), prepare: (set) => set, close: () => outbound.close() };
  }
  const { server, learn } = await startRecordedModel();
  const config = readModelConfig({
    EARSHOT_MODEL_URL: server.url,
    EARSHOT_MODEL: 'recorded',
    EARSHOT_MODEL_SLOTS: '1',
  });
  const outbound = createOutbound({ allow: [], trustedOrigins: [server.origin] });
  return {
    models: createModels(outbound, config),
    prepare(set) {
      const recorded = recordedReadings(set);
      const readings = kind === 'wrong' ? everyFifthWrong(set.records, recorded) : recorded;
      const known = { ...set, records: set.records.filter(({ id }) => readings.has(id)) };
      learn(known, readings);
      return known;
    },
    async close() {
      await outbound.close();
      await server.close();
    },
  };
}

interface ReadAgent {
  workspaceId: string;
  agentId: string;
}

/** Has the worker's activity read every call of an agent that waits for the model, as many at a time as there are slots. */
export async function readByModel(
  { database, deps }: { database: OwnedDatabase; deps: ActivityDeps },
  agent: ReadAgent,
): Promise<void> {
  if (deps.models.reader === null) return;
  const { rows } = await sql<{ callId: string }>`
    select call_id as "callId" from model_readings where agent_id = ${agent.agentId} and state = 'waiting'
    order by call_at desc, call_id`.execute(database.within(agent.workspaceId).getKysely());
  const open = rows.map(({ callId }) => callId);
  const { readCallByModel } = createModelActivities(deps);
  const readNext = async () => {
    for (let callId = open.shift(); callId !== undefined; callId = open.shift()) {
      await readOne(readCallByModel, { ...agent, callId });
    }
  };
  // One before the rest, so that a provider's cache holds what they have in common.
  const [first] = open.splice(0, 1);
  if (first !== undefined) await readOne(readCallByModel, { ...agent, callId: first });
  await Promise.all(Array.from({ length: deps.models.slots }, readNext));
}

type ReadCall = ReturnType<typeof createModelActivities>['readCallByModel'];

/** As the workflow does: tries again when the model asks to wait, and gives up when it is told to. */
async function readOne(readCall: ReadCall, request: ReadAgent & { callId: string }): Promise<void> {
  for (;;) {
    const outcome = await tryOne(readCall, request);
    if (outcome === null) continue;
    if (outcome.state === 'read' || outcome.state === 'given up') return;
    if (outcome.state === 'paused') throw new Error(`No money is left to read with (${outcome.bound ?? 'allowance'}).`);
    await wait(Math.min(LONGEST_WAIT_MS, Math.max(0, Date.parse(outcome.until) - Date.now())));
  }
}

/** @returns null: it is to be tried again. */
async function tryOne(readCall: ReadCall, request: ReadAgent & { callId: string }): Promise<ReadOutcome | null> {
  try {
    return await new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(readCall, request);
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== FAILURE_TYPES.modelWaits) throw error;
    await wait(Math.min(LONGEST_WAIT_MS, Number(error.nextRetryDelay ?? 0)));
    return null;
  }
}

/** What was asked, and what it took. */
export async function spentOf(database: OwnedDatabase, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ questions: number; input: number; cached: number; output: number; usd: number }>`
    select count(*)::int as questions, coalesce(sum(input_tokens), 0)::float as input,
      coalesce(sum(cached_input_tokens), 0)::float as cached, coalesce(sum(output_tokens), 0)::float as output,
      coalesce(sum(charged_nano_usd), 0)::float / 1e9 as usd
    from model_usage where workspace_id = ${workspaceId}`.execute(database.em().getKysely());
  const { questions = 0, input = 0, cached = 0, output = 0, usd = 0 } = rows[0] ?? {};
  const share = input === 0 ? 0 : Math.round((100 * cached) / input);
  return `${questions} questions, ${input} tokens in (${share} % cached), ${output} out, ${usd.toFixed(4)} USD`;
}
