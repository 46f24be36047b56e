import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { Platform } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** What has to be known of an agent and one of its versions before it is played. */
export interface PlayTerms {
  currentVersion: number;
  /** USD a simulated call by the agent's settings; null: the platform's usual rate. */
  simulatedCallUsd: number | null;
  /** Whether it answers chats at an address of its owner. */
  hasChat: boolean;
  configuration: AgentConfiguration | null;
  configHash: string | null;
}

/** @param version null: the current one. @returns null where the agent has no such version. */
export async function loadPlayTerms(
  em: EntityManager,
  agentId: string,
  version: number | null,
): Promise<(PlayTerms & { version: number }) | null> {
  const terms = await db(em)
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', 'v.agentId', 'a.id')
    .where('a.id', '=', agentId)
    .where('v.version', '=', (eb) => (version === null ? eb.ref('a.currentVersion') : eb.val(version)))
    .select(['v.version', 'a.currentVersion', 'a.simulatedCallUsd', 'v.configuration', 'v.configHash'])
    .select((eb) => eb('a.chatUrl', 'is not', null).$castTo<boolean>().as('hasChat'))
    .executeTakeFirst();
  return terms ? { ...terms, configHash: terms.configHash && `sha256:${terms.configHash}` } : null;
}

export interface AutoTerms {
  agent: { id: string; workspaceId: string; name: string; provider: Platform };
  /** Of the captured version before; null where there is none. */
  before: AgentConfiguration | null;
  after: AgentConfiguration | null;
}

/** @returns null where the agent asks for no automatic runs, or the version has had its own. */
export async function loadAutoTerms(em: EntityManager, agentId: string, version: number): Promise<AutoTerms | null> {
  const row = await db(em)
    .selectFrom('agents as a')
    .where('a.id', '=', agentId)
    .where('a.autoRuns', '=', true)
    .where('a.readOnly', '=', false)
    .where(({ not, exists, selectFrom }) => {
      const own = selectFrom('runs').whereRef('runs.agentId', '=', 'a.id').where('runs.version', '=', version);
      return not(exists(own.where('runs.trigger', '=', 'auto').select('runs.id')));
    })
    .select(['a.id', 'a.workspaceId', 'a.name', 'a.provider'])
    .select((eb) => {
      const versions = eb
        .selectFrom('agent_versions as v')
        .whereRef('v.agentId', '=', 'a.id')
        .select('v.configuration');
      const before = versions.where('v.version', '<', version).where('v.configCaptured', '=', true);
      return [
        versions.where('v.version', '=', version).as('after'),
        before.orderBy('v.version', 'desc').limit(1).as('before'),
      ];
    })
    .executeTakeFirst();
  if (!row) return null;
  const { before, after, ...agent } = row;
  return { agent, before, after };
}

/** A demo agent with tests that came with it and no run yet, held until the transaction ends; null for every other. */
export async function findUnplayedDemo(
  em: EntityManager,
  agentId: string,
): Promise<{ id: string; workspaceId: string; name: string; provider: Platform } | null> {
  const demo = await db(em)
    .selectFrom('agents as a')
    .where('a.id', '=', agentId)
    .where('a.source', '=', 'demo')
    .where(({ and, not, exists, selectFrom }) => {
      const tests = selectFrom('tests').whereRef('tests.agentId', '=', 'a.id').where('tests.createdBy', '=', 'earshot');
      const runs = selectFrom('runs').whereRef('runs.agentId', '=', 'a.id');
      return and([
        exists(tests.where('tests.archivedAt', 'is', null).select('tests.id')),
        not(exists(runs.select('runs.id'))),
      ]);
    })
    .select(['a.id', 'a.workspaceId', 'a.name', 'a.provider'])
    .forNoKeyUpdate()
    .executeTakeFirst();
  return demo ?? null;
}
