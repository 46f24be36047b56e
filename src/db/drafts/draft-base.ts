import type { LiveWatch } from '../../domain/drafts/check.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { formOf } from '../watches/watches.ts';

export interface CapturedBase {
  version: number;
  /** `sha256:` and hexadecimal digits. */
  hash: string;
  configuration: AgentConfiguration;
}

/** The live version as it was captured; null where it was not. */
export async function liveBase(em: EntityManager, agentId: string): Promise<CapturedBase | null> {
  const row = await db(em)
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', (join) =>
      join.onRef('v.agentId', '=', 'a.id').onRef('v.version', '=', 'a.currentVersion'),
    )
    .where('a.id', '=', agentId)
    .where('v.configCaptured', '=', true)
    .select(['v.version', 'v.configHash', 'v.configuration'])
    .executeTakeFirst();
  if (!row?.configuration || row.configHash === null) return null;
  return { version: row.version, hash: writtenHash(row.configHash), configuration: row.configuration };
}

export const writtenHash = (hash: string) => `sha256:${hash.replace(/^sha256:/, '')}`;

/** Live watches of an agent, as a text is held against them. */
export async function liveWatchTexts(em: EntityManager, agentId: string): Promise<LiveWatch[]> {
  const rows = await db(em)
    .selectFrom('watches')
    .where('agentId', '=', agentId)
    .where('state', '=', 'live')
    .select(['name', 'sourceText', 'sourceGoneIn', 'scopeCode', 'expectationCode', 'polarity'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    name: row.name,
    form: formOf(row),
    sourceText: row.sourceGoneIn === null ? row.sourceText : null,
  }));
}
