import { sql } from 'kysely';
import { COST_OUTLIER } from '../../domain/signals/entries/platform.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

const { code } = COST_OUTLIER;

/**
 * Calls whose reading says otherwise of their cost than what calls cost now, by id. A call that waits to be read again will be read first. One whose reading says that the code could not be computed keeps
 * that: it was read by an analyser before this one, or its cost was not known.
 */
export async function callsOfDoubtfulCost(
  em: EntityManager,
  agentId: string,
  { dearAboveUsd, said, after, limit }: { dearAboveUsd: number; said: string; after: string | null; limit: number },
): Promise<{ id: string; costUsd: number | null }[]> {
  const { rows } = await sql<{ id: string; costUsd: number | null }>`
    with doubt as (
      select c.id, c.cost_usd, c.reanalyse from calls c
      left join computability_profiles p on p.id = c.profile_id
      where c.agent_id = ${agentId} and c.state = 'analysed' and c.cost_usd > ${dearAboveUsd}::float8
        and c.outcome <> 'no_contact' and not ${code} = any(c.signal_codes)
        and not coalesce(p.not_computable @> ${JSON.stringify([{ code }])}::jsonb, false)
      union all
      select c.id, c.cost_usd, c.reanalyse from call_codes k join calls c on c.id = k.call_id
      where k.agent_id = ${agentId} and k.code = ${code} and (c.cost_usd is null or c.outcome = 'no_contact'
        or c.cost_usd <= ${dearAboveUsd}::float8 or exists (
          select 1 from call_signals s where s.call_id = c.id and s.code = ${code}
            and right(s.detail, length(${said}::text)) <> ${said}::text))
    )
    select id, cost_usd from doubt
    where not reanalyse and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}
  `.execute(db(em));
  return rows;
}
