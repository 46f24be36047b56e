import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { usualCosts } from '../../domain/signals/agent-costs.ts';
import { costOutlier } from '../../domain/signals/detectors/cost-outlier.ts';
import { enoughCosts, renewCost } from '../../domain/signals/renew-cost.ts';
import { loadAgentSource } from '../agents/agent-source.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { db } from '../db.ts';
import { readAgentCosts } from '../metrics/agent-costs.ts';
import { renewStanding } from './renew-standing.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

const CALLS_AT_ONCE = 100;
const { code } = costOutlier.entry;

/**
 * Compares an agent's calls with what its calls cost now and brings the readings of those to it that say otherwise: calls
 * that are dear and not called so, that are called dear and are not, and that name other figures. Because it compares
 * what should be with what is, neither the order of imports nor where a run ended makes a difference. A page is one
 * transaction under the agent's lock; pages go by the ids of calls, so that a run ends whatever comes in meanwhile.
 * @returns calls whose reading changed.
 */
export async function reviewCosts(em: EntityManager, owner: Owner): Promise<number> {
  let changed = 0;
  for (let after: string | null = null; ; ) {
    const page = await em.transactional((tx) => reviewPage(tx, owner, after));
    changed += page.changed;
    if (page.lastId === null) return changed;
    after = page.lastId;
  }
}

async function reviewPage(em: EntityManager, owner: Owner, after: string | null) {
  const { agentId } = owner;
  await lockAgent(em, agentId);
  const thresholds = (await loadAgentSource(em, agentId))?.thresholds ?? {};
  const usual = enoughCosts(await readAgentCosts(em, agentId), thresholds);
  const rows = await callsInDoubt(em, agentId, after, {
    dearAboveUsd: usual?.dearAboveUsd ?? Number.POSITIVE_INFINITY,
    said: usual ? usualCosts(usual.costs) : '',
  });
  const costs = new Map(rows.map(({ id, costUsd }) => [id, costUsd]));
  const changed = await renewStanding(em, owner, [...costs.keys()], (reading, callId) =>
    renewCost(reading, costs.get(callId) ?? null, usual?.costs ?? null, thresholds),
  );
  return { changed, lastId: rows.length < CALLS_AT_ONCE ? null : (rows.at(-1)?.id ?? null) };
}

/**
 * A call that waits to be read again will be read first. One whose reading says that the code could not be computed keeps
 * that: it was read by an analyser before this one, or its cost was not known.
 */
async function callsInDoubt(
  em: EntityManager,
  agentId: string,
  after: string | null,
  { dearAboveUsd, said }: { dearAboveUsd: number; said: string },
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
    where not reanalyse and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${CALLS_AT_ONCE}
  `.execute(db(em));
  return rows;
}
