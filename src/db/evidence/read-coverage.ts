import type { EntityManager } from '../database.ts';
import { json } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import { everyCall } from './every-call.ts';

export interface ProfileCount {
  calls: number;
  notComputable: { code: string; reason: string }[];
}

/** How many analysed calls each set of uncomputable codes stands for. */
export function readComputability(em: EntityManager, scope: ReadScope): Promise<ProfileCount[]> {
  return everyCall(em)
    .leftJoin('computability_profiles as p', (join) =>
      join.onRef('p.id', '=', 'place_rollups.profileId').onRef('p.agentId', '=', 'place_rollups.agentId'),
    )
    .where('place_rollups.agentId', '=', anyAgent(scope))
    .groupBy(['place_rollups.profileId', 'p.notComputable'])
    .having(({ fn }) => fn.sum('place_rollups.calls'), '>', 0)
    .select(({ fn }) => [
      fn.sum<number>('place_rollups.calls').as('calls'),
      fn.coalesce('p.notComputable', json<ProfileCount['notComputable']>([])).as('notComputable'),
    ])
    .execute();
}
