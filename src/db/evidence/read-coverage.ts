import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

export interface ProfileCount {
  calls: number;
  notComputable: { code: string; reason: string }[];
}

/** How many analysed calls each set of uncomputable codes stands for. */
export async function readComputability(em: EntityManager, scope: ReadScope): Promise<ProfileCount[]> {
  const { rows } = await sql<ProfileCount>`
    select sum(r.calls)::float8 as calls, coalesce(p.not_computable, '[]') as not_computable
    from place_rollups r left join computability_profiles p on p.id = r.profile_id and p.agent_id = r.agent_id
    where ${ofAgents('r.agent_id', scope)} and r.place_kind = 'agent' and r.place_digest = md5('agent')
    group by r.profile_id, p.not_computable having sum(r.calls) > 0
  `.execute(db(em));
  return rows;
}
