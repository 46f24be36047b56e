import { SENDING_PLATFORMS } from '../../domain/vocabulary.ts';
import { isOpen } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { secondsSince } from '../expressions.ts';

/** How far behind the agents of one workspace are. */
export interface Standing {
  /** Agents whose platform is followed. */
  followedAgents: number;
  /**
   * Seconds since the calls of the agent that is furthest behind were all accounted for, as far as they had ended: one
   * that goes on is waited for and not lagged behind. Null where none is followed.
   */
  importLagSeconds: number | null;
  waitingCalls: number;
  /** Age in seconds of the call that waits for its analysis for the longest time; null where none waits. */
  analysisLagSeconds: number | null;
  failedCalls: number;
  openImports: { queued: number; running: number; paused: number };
  /** Running imports that wait for a platform or a person. */
  waitingImports: number;
}

export async function readStanding(em: EntityManager, workspaceId: string): Promise<Standing> {
  const { queued, running, paused, ...standing } = await db(em)
    .with('own', (within) => within.selectFrom('agents').where('workspaceId', '=', workspaceId).selectAll())
    .with('followed', (within) =>
      within
        .selectFrom('own')
        .where('bookmarkAt', 'is not', null)
        .where('provider', 'not in', SENDING_PLATFORMS)
        .select(({ fn }) => fn<string>('greatest', ['bookmarkAt', 'polledUntil']).as('readUntil')),
    )
    .with('open', (within) =>
      within
        .selectFrom('calls')
        .where('agentId', 'in', (eb) => eb.selectFrom('own').select('id'))
        .where('state', 'in', ['waiting', 'failed'])
        .where(isOpen)
        .select(['state', 'createdAt']),
    )
    .with('going', (within) =>
      within
        .selectFrom('imports')
        .where('workspaceId', '=', workspaceId)
        .where('status', 'in', ['queued', 'running', 'paused'])
        .select(['status', 'waitsFor']),
    )
    .selectNoFrom((eb) => {
      const count = () => eb.fn.countAll<number>().as('rows');
      const followed = eb.selectFrom('followed');
      const waiting = eb.selectFrom('open').where('state', '=', 'waiting');
      const failed = eb.selectFrom('open').where('state', '=', 'failed');
      const imports = eb.selectFrom('going');
      return [
        followed.select(count).$asScalar().$notNull().as('followedAgents'),
        followed.select(({ fn }) => secondsSince(fn.min('readUntil')).as('lag')).as('importLagSeconds'),
        waiting.select(count).$asScalar().$notNull().as('waitingCalls'),
        waiting.select(({ fn }) => secondsSince(fn.min('createdAt')).as('lag')).as('analysisLagSeconds'),
        failed.select(count).$asScalar().$notNull().as('failedCalls'),
        imports.where('status', '=', 'queued').select(count).$asScalar().$notNull().as('queued'),
        imports.where('status', '=', 'running').select(count).$asScalar().$notNull().as('running'),
        imports.where('status', '=', 'paused').select(count).$asScalar().$notNull().as('paused'),
        imports.where('waitsFor', 'is not', null).select(count).$asScalar().$notNull().as('waitingImports'),
      ];
    })
    .executeTakeFirstOrThrow();
  return { ...standing, openImports: { queued, running, paused } };
}
