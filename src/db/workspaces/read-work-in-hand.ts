import type { CallState, ImportStatus } from '../../domain/vocabulary.ts';
import { isOpen } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface WorkInHand {
  calls: { analysed: number; waiting: number; failed: number };
  imports: { queued: number; running: number; paused: number };
}

/** What a workspace has and what still goes on in it. Analysed calls are counted by the agents, never here. */
export async function readWorkInHand(em: EntityManager, workspaceId: string): Promise<WorkInHand> {
  const { analysed, waiting, failed, queued, running, paused } = await db(em)
    .selectNoFrom((eb) => {
      const own = eb.selectFrom('agents').where('workspaceId', '=', workspaceId);
      const calls = eb.selectFrom('calls').where('workspaceId', '=', workspaceId).where(isOpen);
      const imports = eb.selectFrom('imports').where('workspaceId', '=', workspaceId);
      const count = () => eb.fn.countAll<number>().as('rows');
      const callsThat = (state: CallState) =>
        calls.where('agentId', 'in', own.select('id')).where('state', '=', state).select(count).$asScalar().$notNull();
      const importsThat = (status: ImportStatus) =>
        imports.where('status', '=', status).select(count).$asScalar().$notNull();
      return [
        own
          .select(({ fn, val }) => fn.coalesce(fn.sum<number>('callCount'), val(0)).as('calls'))
          .$asScalar()
          .$notNull()
          .as('analysed'),
        callsThat('waiting').as('waiting'),
        callsThat('failed').as('failed'),
        importsThat('queued').as('queued'),
        importsThat('running').as('running'),
        importsThat('paused').as('paused'),
      ];
    })
    .executeTakeFirstOrThrow();
  return { calls: { analysed, waiting, failed }, imports: { queued, running, paused } };
}
