import { sql } from 'kysely';
import { demoAgents } from '../../packages/demo-platform/agents.ts';
import { createDemoStore } from '../../packages/demo-platform/store.ts';
import { loadForAnalysis, waitingCallIds } from '../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { refreshComparisons } from '../../src/db/comparisons/comparisons.ts';
import { settleIntents } from '../../src/db/intents/settle-intents.ts';
import { type IssueView, listBoard } from '../../src/db/issues/read-issues.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { readConfiguration } from '../../src/platforms/retell/configuration.ts';
import { normaliseRetell } from '../../src/platforms/retell/normalise.ts';
import { reviewCallers } from '../../src/services/analysis/review-callers.ts';
import { reviewCosts } from '../../src/services/analysis/review-costs.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import { recomputeIssues, resolveDueIssues } from '../../src/services/issues/recompute-issues.ts';
import { makeAgent, type TestAgent, testVault } from './analysed-calls.ts';
import type { TestDatabase } from './database.ts';

export interface DemoBoard {
  agent: TestAgent;
  providerAgentId: string;
  /** By the platform's call id. */
  analyses: Map<string, CallAnalysis>;
  /** The default list, then the consequences. */
  issues: IssueView[];
  /** The platform's ids of the calls that show an issue. */
  evidence: Map<string, Set<string>>;
}

/**
 * Takes calls of a demo agent through the same steps as an import: store, analyse in batches, group, compare, look at time.
 * @param atMost of its calls; all where it is left out.
 */
export async function importDemo(
  database: TestDatabase,
  providerAgentId: string,
  now: Date,
  atMost?: number,
): Promise<DemoBoard> {
  const agent = await makeAgent(database.em());
  const em = () => database.within(agent.workspaceId);
  const served = demoAgents().find((one) => one.plan.providerAgentId === providerAgentId);
  if (served === undefined) throw new Error('There is no such demo agent.');
  const nowMs = now.getTime();
  const versions = served.versions.map((version) => ({
    version,
    providerRef: null,
    isCurrent: version === served.versions.at(-1),
    changedAt: null,
    document: { version },
    configuration: readConfiguration({
      agent: served.settings(version, nowMs),
      engine: served.engine(version),
      components: [],
    }),
  }));
  await storeVersions(em(), agent, versions);
  const calls = (createDemoStore(nowMs).calls.get(providerAgentId) ?? [])
    .filter(({ state }) => state === 'over')
    .slice(0, atMost)
    .map(({ payload }) => ({ payload, call: normaliseRetell(payload, nowMs) }));
  await storeCalls(em(), { ...agent, importId: null, vault: testVault, calls });

  const analyses = new Map<string, CallAnalysis>();
  for (let waiting = await waitingCallIds(em(), agent.agentId, 100); waiting.length > 0; ) {
    const loaded = await loadForAnalysis(em(), agent.agentId, waiting);
    const read = loaded.map(({ callId, call, configuration, callerHistory }) => {
      const analysis = analyseCall({ call, configuration, callerHistory, agentCosts: null }, {});
      analyses.set(call.providerCallId, analysis);
      return { callId, analysis };
    });
    await storeAnalyses(em(), { ...agent, analyses: read });
    await settleIntents(em(), agent, null);
    await reviewCosts(em(), agent);
    await reviewCallers(em(), agent);
    await recomputeIssues(em(), agent.agentId, 'incremental');
    await refreshComparisons(em(), CATALOGUE, agent);
    waiting = await waitingCallIds(em(), agent.agentId, 100);
  }
  await resolveDueIssues(em(), agent.agentId);
  const filter = {
    source: 'detector',
    statuses: null,
    classes: null,
    includeResolved: true,
    includeDownstream: true,
  } as const;
  const issues = await listBoard(em(), { ...agent, agentIds: [agent.agentId] }, filter, { after: null, limit: 200 });
  return { agent, providerAgentId, analyses, issues, evidence: await readEvidence(database, agent) };
}

async function readEvidence(database: TestDatabase, agent: TestAgent): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ issueId: string; call: string }>`
    select e.issue_id as "issueId", c.provider_call_id as call from issue_calls e join calls c on c.id = e.call_id
    where c.agent_id = ${agent.agentId}
  `.execute(database.em().getKysely());
  const evidence = new Map<string, Set<string>>();
  for (const { issueId, call } of rows) evidence.set(issueId, (evidence.get(issueId) ?? new Set()).add(call));
  return evidence;
}
