import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { ANY_CODE } from '../../domain/issues/ledger.ts';
import type { OutcomeFacts } from '../../domain/issues/rescore-outcomes.ts';
import { loadIssues, toGroup } from './load-facts.ts';

export interface LoadedOutcomes {
  groups: OutcomeFacts[];
  /** What the last regroup wrote, by issue. */
  digests: Map<string, string>;
}

/** The facts of an agent's outcome issues, from sums alone: one issue a step at which some call ended badly. */
export async function loadOutcomeFacts(em: EntityManager, agentId: string): Promise<LoadedOutcomes> {
  const rows = await loadIssues(em, agentId, 'outcome');
  const steps = await loadSteps(em, agentId);
  const groups = rows.map((row): OutcomeFacts => {
    const codes = steps.get(row.id) ?? [];
    const all = codes.find(({ code }) => code === ANY_CODE);
    const step = { calls: all?.calls ?? 0, bad: all?.bad ?? 0, codes: codes.filter(({ code }) => code !== ANY_CODE) };
    return { ...toGroup(row), step };
  });
  return { groups, digests: new Map(rows.map((row) => [row.id, row.state_digest])) };
}

async function loadSteps(em: EntityManager, agentId: string): Promise<Map<string, OutcomeFacts['step']['codes']>> {
  const { rows } = await sql<{ id: string; codes: { code: string; calls: number; bad: number }[] }>`
    select i.id, jsonb_agg(jsonb_build_object('code', s.code, 'calls', s.calls, 'bad', s.bad) order by s.code) as codes
    from issues i join step_codes s on s.agent_id = i.agent_id and s.step_kind = i.place_kind
      and s.step_digest = md5(i.place_id)
    where i.agent_id = ${agentId} and i.source = 'outcome' group by i.id`.execute(em.getKysely());
  return new Map(rows.map((row) => [row.id, row.codes]));
}
