import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { GroupFacts } from '../../domain/issues/facts.ts';
import { ANY_CODE } from '../../domain/issues/ledger.ts';
import type { OutcomeFacts } from '../../domain/issues/rescore-outcomes.ts';
import { type Reached, routesTo } from '../../domain/issues/routes.ts';
import { toNumber } from '../convert.ts';
import { db } from '../db.ts';

/** Lays the codes noticed on the way to each step, there and elsewhere, beside the issues of steps: from sums alone. */
export async function loadSteps(
  em: EntityManager,
  agentId: string,
  outcomes: readonly GroupFacts[],
  groups: readonly GroupFacts[],
): Promise<OutcomeFacts[]> {
  const steps = await readSteps(em, agentId);
  const reached = await readReached(em, agentId, groups);
  return outcomes.map((group) => {
    const codes = steps.get(group.issueId) ?? [];
    const all = codes.find(({ code }) => code === ANY_CODE);
    const bad = all?.bad ?? 0;
    const routes = routesTo(group, bad, groups, reached);
    const step = { calls: all?.calls ?? 0, bad, codes: codes.filter(({ code }) => code !== ANY_CODE), routes };
    return { ...group, step };
  });
}

/** How many calls reached each place at which something was noticed. */
async function readReached(em: EntityManager, agentId: string, groups: readonly GroupFacts[]): Promise<Reached> {
  const { rows } = await sql<{ kind: string; id: string; calls: string }>`
    with places as (
      select distinct place_kind, place_id from issues where agent_id = ${agentId} and source = 'detector'
        and place_kind in ('tool', 'node') and id = any(${groups.map(({ issueId }) => issueId)}::uuid[])
    )
    select p.place_kind as kind, p.place_id as id, sum(r.calls) as calls
    from places p join place_rollups r on r.agent_id = ${agentId} and r.place_kind = p.place_kind
      and r.place_digest = md5(p.place_id)
    group by 1, 2`.execute(db(em));
  const calls = new Map(rows.map((row) => [`${row.kind} ${row.id}`, toNumber(row.calls)]));
  return ({ kind, id }) => calls.get(`${kind} ${id}`) ?? 0;
}

async function readSteps(em: EntityManager, agentId: string): Promise<Map<string, OutcomeFacts['step']['codes']>> {
  const { rows } = await sql<{ id: string; codes: { code: string; calls: number; bad: number }[] }>`
    select i.id, jsonb_agg(jsonb_build_object('code', s.code, 'calls', s.calls, 'bad', s.bad) order by s.code) as codes
    from issues i join step_codes s on s.agent_id = i.agent_id and s.step_kind = i.place_kind
      and s.step_digest = md5(i.place_id)
    where i.agent_id = ${agentId} and i.source = 'outcome' group by i.id`.execute(db(em));
  return new Map(rows.map((row) => [row.id, row.codes]));
}
