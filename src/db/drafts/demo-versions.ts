import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface DemoVersion {
  workspaceId: string;
  version: number;
  configHash: string;
  configuration: AgentConfiguration;
  detectedAt: string;
}

/** Captured versions of a demo agent without a draft, oldest first, held until the transaction ends; none of any other. */
export async function versionsOfUndraftedDemo(em: EntityManager, agentId: string): Promise<DemoVersion[]> {
  const demo = await db(em)
    .selectFrom('agents as a')
    .where('a.id', '=', agentId)
    .where('a.source', '=', 'demo')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('drafts').whereRef('drafts.agentId', '=', 'a.id').select('drafts.id'))),
    )
    .select('a.id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!demo) return [];
  const rows = await db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agentId)
    .where('configCaptured', '=', true)
    .select(['workspaceId', 'version', 'configHash', 'configuration', 'detectedAt'])
    .orderBy('version')
    .execute();
  return rows.flatMap(({ configHash, configuration, ...row }) =>
    configHash === null || configuration === null ? [] : [{ ...row, configHash, configuration }],
  );
}
