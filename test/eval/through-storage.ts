import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { PageResult } from '../../activities/import-calls/page.ts';
import { createAnalysisActivities } from '../../activities/index.ts';
import { createAnalyser } from '../../src/analyser/analyser.ts';
import { insertAgent } from '../../src/db/agents/write-agents.ts';
import { loadForAnalysis } from '../../src/db/analysis/load-for-analysis.ts';
import { storeUploadedLines } from '../../src/db/imports/import-records.ts';
import { createImport } from '../../src/db/imports/imports.ts';
import { listBoard } from '../../src/db/issues/read-issues.ts';
import { migrate } from '../../src/db/migrate.ts';
import { asAnalysis, standingReadings } from '../../src/db/reanalyses/shadow-readings.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import { withoutReading } from '../../src/domain/reading/merge-reading.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import { newId } from '../../src/ids.ts';
import { toConfiguration, toDocument } from '../../src/operations/agents/file-configuration.ts';
import { exportLines } from '../../src/operations/calls/export-calls.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { createVault } from '../../src/secrets.ts';
import { NO_SOUND } from '../support/no-sound.ts';
import { type OwnedDatabase, openOwnedDatabase } from '../support/owned-database.ts';
import type { AnalysedSet, BoardRow, Measured, Way } from './analysed.ts';
import { openReader, type ReaderAtWork, readByModel, spentOf } from './reading/reader-at-work.ts';
import type { ReaderKind } from './reading/reader-kind.ts';
import type { RecordSet } from './records.ts';

const SECRET = 'labelled calls hold no secrets, and still it has to be long';
const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const BOARD_ROWS = 6;
const OPEN_ISSUES = {
  source: 'detector',
  statuses: null,
  classes: null,
  includeResolved: false,
  includeDownstream: false,
} as const;

interface Agent {
  workspaceId: string;
  agentId: string;
}

interface Storage {
  reader: ReaderAtWork;
  database: OwnedDatabase;
  deps: ActivityDeps;
  workspaceId: string;
}

/**
 * The way of production: records imported into PostgreSQL, analysed by the worker's activities, read by a model where there is
 * one, grouped and exported.
 */
export async function throughStorage(databaseUrl: string, kind: ReaderKind = 'none'): Promise<Way> {
  const reader = await openReader(kind);
  await migrate(databaseUrl);
  const database = await openOwnedDatabase({
    url: databaseUrl,
    poolMax: 4,
    applicationName: 'earshot-eval',
    statementTimeoutMs: 0,
    onIdleError: () => {},
  });
  const outbound = createOutbound({ allow: [], trustedOrigins: [] });
  const analyser = createAnalyser();
  const deps: ActivityDeps = {
    database,
    vault: createVault(SECRET),
    platforms: createPlatforms({ outbound, demoUrl: null }),
    analyser,
    models: reader.models,
    ...NO_SOUND,
    receivers: outbound,
    mailer: null,
    mailDomains: [],
    publicUrl: 'https://earshot.example.com',
    isNamed: false,
    conversationSlots: 1,
    storageMib: null,
    requestsASecond: null,
    patience: { firstGapMs: 200, longestGapMs: 1_000, giveUpAfterMs: 60_000 },
  };
  const workspaceId = newId();
  await sql`insert into workspaces (id, name, plan) values (${workspaceId}, 'Labelled sets', 'enterprise')`.execute(
    database.em().getKysely(),
  );
  return {
    name: `through PostgreSQL: import, analysis, grouping, export; reader: ${kind}`,
    analyse: (set) => analyseSet({ reader, database, deps, workspaceId }, set),
    notes: async () => (kind === 'none' ? [] : [await spentOf(database, workspaceId)]),
    async close() {
      await reader.close();
      await analyser.close();
      await outbound.close();
      await database.close();
    },
  };
}

async function analyseSet(storage: Storage, whole: RecordSet): Promise<AnalysedSet> {
  const set = storage.reader.prepare(whole);
  if (set.records.length === 0) return { ...set, calls: [], board: null };
  const agent = await makeAgent(storage, set);
  await importRecords(storage, agent, set);
  await readByModel(storage, agent);
  await run(storage.deps).regroup({ ...agent, mode: 'full' });
  const found = await readBack(storage, agent);
  const calls = set.records.map((one) => {
    const read = found.get(one.id);
    if (read === undefined) throw new Error(`${set.set}: ${one.id} was not analysed.`);
    return { ...one, ...read };
  });
  return { ...set, calls, board: await readBoard(storage, agent) };
}

async function makeAgent({ database, workspaceId }: Storage, { set, configuration }: RecordSet): Promise<Agent> {
  const em = database.within(workspaceId);
  const agentId = await insertAgent(em, {
    workspaceId,
    connectionId: null,
    name: set,
    provider: 'file',
    providerAgentId: set,
    source: 'file',
    setupStatus: 'approved',
    onboardingStep: 'done',
    readOnly: false,
    modelReading: 'decide',
  });
  if (agentId === null) throw new Error(`There are two sets named ${set}.`);
  if (configuration !== null) {
    const version = { version: 1, providerRef: null, isCurrent: true, changedAt: null };
    await storeVersions(em, { workspaceId, agentId }, [
      { ...version, document: toDocument(configuration), configuration: toConfiguration(configuration, set) },
    ]);
  }
  return { workspaceId, agentId };
}

async function importRecords({ database, deps }: Storage, agent: Agent, set: RecordSet): Promise<void> {
  const em = database.within(agent.workspaceId);
  const importId = newId();
  const lines = set.records.map(({ record }, at) => ({
    line: at + 1,
    sealedPayload: deps.vault.seal(JSON.stringify(record)),
  }));
  await storeUploadedLines(em, importId, lines);
  await createImport(em, { ...agent, importId, kind: 'file', limit: null, from: null });
  const plan = { kind: 'file', source: 'file', from: null, to: null } as const;
  for (let cursor: string | null = null; ; ) {
    const page: PageResult = await run(deps).storeCallPage({
      ...agent,
      importId,
      plan,
      cursor,
      take: null,
      partial: null,
    });
    if (!page.done) throw new Error('A page of uploaded records waits for nobody.');
    const result = await run(deps).analyseCalls({ ...agent, callIds: page.totals.callIds });
    if (result.failed > 0) throw new Error(`${set.set}: ${result.reasons[0]?.reason ?? 'a call failed'}`);
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** Activities one by one, as a worker runs them. */
function run(deps: ActivityDeps) {
  const { storeCallPage, analyseCalls, regroup } = createAnalysisActivities(deps);
  const within =
    <Q, A>(activity: (request: Q) => Promise<A>) =>
    (request: Q): Promise<A> =>
      new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(activity, request);
  return { storeCallPage: within(storeCallPage), analyseCalls: within(analyseCalls), regroup: within(regroup) };
}

interface ReadBack {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  analysis: Measured;
  rules: Measured;
}

/** What an export shows of each call, and beside it what its analysis was made of. */
async function readBack({ database }: Storage, agent: Agent): Promise<Map<string, ReadBack>> {
  const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
  const em = database.within(agent.workspaceId);
  const { rows } = await sql<{ id: string }>`select id from calls where agent_id = ${agent.agentId}`.execute(
    em.getKysely(),
  );
  const callIds = rows.map(({ id }) => id);
  const loaded = await loadForAnalysis(em, agent.agentId, callIds);
  const stored = new Map(loaded.map((row) => [row.callId, row]));
  const analyses = new Map((await standingReadings(em, callIds)).map((row) => [row.callId, asAnalysis(row)]));
  const found = new Map<string, ReadBack>();
  for await (const chunk of exportLines(database, agent.workspaceId, scope, null)) {
    for (const line of chunk.split('\n').filter((text) => text !== '')) {
      const shown = JSON.parse(line) as Measured & { id: string; callId: string };
      const one = stored.get(shown.callId);
      if (one === undefined) throw new Error(`The export shows ${shown.id}, which is not stored.`);
      const standing = analyses.get(shown.callId);
      if (standing === undefined) throw new Error(`${shown.id} is exported, but was not analysed.`);
      const { requests } = standing;
      const { call, configuration } = one;
      found.set(shown.id, { call, configuration, analysis: { ...shown, requests }, rules: withoutReading(standing) });
    }
  }
  return found;
}

async function readBoard({ database }: Storage, agent: Agent): Promise<BoardRow[]> {
  const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
  const page = { after: null, limit: BOARD_ROWS };
  const rows = await listBoard(database.within(agent.workspaceId), scope, OPEN_ISSUES, page);
  return rows.slice(0, BOARD_ROWS).map((row) => ({ code: row.code, place: row.placeLabel, calls: row.volume }));
}
