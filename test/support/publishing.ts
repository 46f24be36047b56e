import { sql } from 'kysely';
import { insertAgent } from '../../src/db/agents/write-agents.ts';
import { insertConnection } from '../../src/db/connections/connections.ts';
import { liveBase } from '../../src/db/drafts/draft-base.ts';
import { insertDraft } from '../../src/db/drafts/drafts.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { draftHashOf } from '../../src/domain/drafts/apply-changes.ts';
import type { DraftTexts } from '../../src/domain/drafts/parts.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { PlatformAdapter } from '../../src/platforms/port.ts';
import type { OwnedDatabase } from './owned-database.ts';
import { endRun, makeRun, makeTests, type OwnedAgent } from './runs.ts';
import type { World } from './world.ts';

/** The prompt of an agent at the stand-in for Retell. */
export const DESK_ENGINE: JsonObject = {
  general_prompt: 'Be kind.',
  begin_message: 'Hello.',
  general_tools: [],
  states: [],
};

/** Captures what is live at the platform of an agent. */
export async function captureLive(
  database: OwnedDatabase,
  agent: OwnedAgent,
  adapter: PlatformAdapter,
  { baseUrl, apiKey, providerAgentId }: { baseUrl: string; apiKey: string; providerAgentId: string },
): Promise<void> {
  const connection = { baseUrl, apiKey };
  const listed = (await adapter.listVersions(connection, providerAgentId)).find(({ isCurrent }) => isCurrent);
  if (!listed) throw new Error('nothing is live');
  const captured = await adapter.captureVersion(connection, providerAgentId, listed);
  await storeVersions(database.within(agent.workspaceId), agent, [captured]);
}

/** An agent of the world at its platform, with what is live there captured. */
export async function connectAgent(
  { database, workspaceId, services }: World,
  adapter: PlatformAdapter,
  place: { baseUrl: string; apiKey: string; providerAgentId: string },
): Promise<OwnedAgent> {
  const em = database.within(workspaceId);
  const { platform: provider } = adapter;
  const sealedKey = services.vault.seal(place.apiKey);
  const { baseUrl, providerAgentId } = place;
  const connectionId = await insertConnection(em, { workspaceId, platform: provider, baseUrl, sealedKey });
  const made = { setupStatus: 'approved', onboardingStep: 'done', readOnly: false } as const;
  const named = { name: 'An agent', provider, providerAgentId, source: provider };
  const agentId = (await insertAgent(em, { workspaceId, connectionId, ...named, ...made })) ?? '';
  await captureLive(database, { workspaceId, agentId }, adapter, place);
  return { workspaceId, agentId };
}

/** A draft over the live version whose one test has passed on its text. */
export async function makeTestedDraft(
  database: OwnedDatabase,
  agent: OwnedAgent,
  texts: DraftTexts = { '/prompt': 'Be quick.' },
): Promise<{ id: string; revision: number; draftHash: string }> {
  const em = database.within(agent.workspaceId);
  const live = await liveBase(em, agent.agentId);
  if (live === null) throw new Error('nothing is captured');
  const draftHash = draftHashOf(live.hash, texts);
  const id = await insertDraft(em, {
    ...agent,
    title: 'Quicker',
    rationale: '',
    newCaseIds: [],
    issueId: null,
    comparisonId: null,
    targetPath: null,
    baseVersion: live.version,
    baseHash: live.hash,
    base: live.configuration,
    texts,
    changes: Object.entries(texts).map(([path, text]) => ({ path, text })),
    draftHash,
    createdBy: 'earshot',
  });
  const testIds = await makeTests(database, agent, 1);
  const runId = await makeRun(database, agent, testIds, { draft: { id, revision: 1 } });
  await sql`update run_cells set result = 'passed', k = 1, n = 1 where run_id = ${runId}`.execute(
    database.em().getKysely(),
  );
  await endRun(database, agent, runId);
  return { id, revision: 1, draftHash };
}
