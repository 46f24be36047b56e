import type { sql } from 'kysely';
import { openReservation } from '../../src/db/runs/budgets.ts';
import { closeCells } from '../../src/db/runs/run-cells.ts';
import { insertRun, moveRun, type NewRun } from '../../src/db/runs/runs.ts';
import { insertTest, loadTestsForRun } from '../../src/db/tests/tests.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { OWN_CALLER } from '../../src/domain/runs/attempt.ts';
import type { TestSpec } from '../../src/domain/tests/spec.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import { finishDocument } from '../../src/services/runs/finish-document.ts';
import type { OwnedDatabase } from './owned-database.ts';
import { makeSpec } from './specs.ts';

export interface OwnedAgent {
  workspaceId: string;
  agentId: string;
}

const CONFIGURATION: AgentConfiguration = {
  name: 'Front desk',
  language: 'en-US',
  prompt: 'You answer for a clinic.',
  firstMessage: 'Hello?',
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
};

/** A version whose configuration is known, so that it can be played. */
export async function captureVersion(
  database: OwnedDatabase,
  agent: OwnedAgent,
  version = 1,
  changed: Partial<AgentConfiguration> = {},
): Promise<void> {
  const configuration = { ...CONFIGURATION, ...changed };
  await storeVersions(database.within(agent.workspaceId), agent, [
    {
      version,
      providerRef: null,
      isCurrent: true,
      changedAt: null,
      document: JSON.parse(JSON.stringify({ version, configuration })),
      configuration,
    },
  ]);
}

/** Tests of an agent, titled by their number. @returns their ids in order. */
export async function makeTests(
  database: OwnedDatabase,
  agent: OwnedAgent,
  count: number,
  spec: Partial<TestSpec> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    ids.push(
      await insertTest(database.within(agent.workspaceId), {
        ...agent,
        title: `Test ${at}`,
        source: 'written',
        lane: null,
        expect: 'pass',
        guard: false,
        spec: { ...makeSpec(), ...spec },
        sourceCallId: null,
        generatedFrom: null,
        createdBy: 'earshot',
      }),
    );
  }
  return ids;
}

/** A run in the record as it stands after its start, without a start order: nothing will play it. */
export async function makeRun(
  database: OwnedDatabase,
  agent: OwnedAgent,
  testIds: readonly string[],
  made: Partial<NewRun> = {},
): Promise<string> {
  const em = database.within(agent.workspaceId);
  const { tests } = await loadTestsForRun(em, agent.agentId, { testIds });
  const runId = await insertRun(em, {
    ...agent,
    kind: 'run',
    trigger: 'manual',
    note: null,
    version: 1,
    configHash: null,
    testSetId: null,
    testIds,
    personas: null,
    repeats: null,
    platformNanoUsd: 0,
    serviceNanoUsd: 0,
    createdBy: 'earshot',
    apiKeyId: null,
    cells: tests.map((test, position) => ({
      testId: test.id,
      testRevision: test.revision,
      persona: OWN_CALLER,
      position,
      source: test.source,
      lane: test.lane,
      expect: test.expect,
      guard: test.guard,
      gates: test.gates,
      gateReason: test.gateReason,
      runnable: true,
      reason: null,
    })),
    ...made,
  });
  if (runId === null) throw new Error('the run was not made');
  await openReservation(em, { ...agent, apiKeyId: made.apiKeyId ?? null, runId, testCalls: 0, countedIn: [] });
  return runId;
}

/** Ends a run in the record with its document: cells without a result were not run. */
export async function endRun(database: OwnedDatabase, agent: OwnedAgent, runId: string): Promise<void> {
  await database.within(agent.workspaceId).transactional(async (tx) => {
    await closeCells(tx, runId, null);
    await moveRun(tx, runId, ['queued', 'running'], 'complete', { message: null });
    await finishDocument(tx, { ...agent, runId, score: 0 });
  });
}

/** What a table holds of a run. */
export async function rowsOf<Row>(database: OwnedDatabase, query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(database.em().getKysely())).rows;
}
