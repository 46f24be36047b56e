import type { BoardRow } from '../../domain/signals/reanalysis-report.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { listedIssues } from './listed.ts';

/** The default list of the agent, in its order. */
export function readDefaultList(em: EntityManager, agentId: string): Promise<BoardRow[]> {
  return db(em)
    .selectFrom(
      listedIssues(agentId)
        .select(['issues.id', 'issues.key', 'issues.title', 'issues.section', 'issues.volume as calls'])
        .select(['issues.fellOnLive', 'issues.orderKey'])
        .as('listed'),
    )
    .select(['key', 'title', 'section', 'calls'])
    .orderBy((eb) => eb('section', '=', 'not_established'))
    .orderBy('fellOnLive')
    .orderBy('orderKey', 'desc')
    .orderBy('id')
    .execute();
}
