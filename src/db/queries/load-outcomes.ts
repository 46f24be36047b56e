import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { GroupFacts } from '../../domain/issues/facts.ts';
import { ANY_CODE } from '../../domain/issues/ledger.ts';
import type { OutcomeFacts } from '../../domain/issues/rescore-outcomes.ts';

/** Lays the codes noticed on the way to each step beside the issues of steps: from sums alone. */
export async function loadSteps(
  em: EntityManager,
  agentId: string,
  outcomes: readonly GroupFacts[],
): Promise<OutcomeFacts[]> {
  const steps = await readSteps(em, agentId);
  return outcomes.map((group) => {
    const codes = steps.get(group.issueId) ?? [];
    const all = codes.find(({ code }) => code === ANY_CODE);
    const step = { calls: all?.calls ?? 0, bad: all?.bad ?? 0, codes: codes.filter(({ code }) => code !== ANY_CODE) };
    return { ...group, step };
  });
}

async function readSteps(em: EntityManager, agentId: string): Promise<Map<string, OutcomeFacts['step']['codes']>> {
  const { rows } = await sql<{ id: string; codes: { code: string; calls: number; bad: number }[] }>`
    select i.id, jsonb_agg(jsonb_build_object('code', s.code, 'calls', s.calls, 'bad', s.bad) order by s.code) as codes
    from issues i join step_codes s on s.agent_id = i.agent_id and s.step_kind = i.place_kind
      and s.step_digest = md5(i.place_id)
    where i.agent_id = ${agentId} and i.source = 'outcome' group by i.id`.execute(em.getKysely());
  return new Map(rows.map((row) => [row.id, row.codes]));
}
