import { sql } from 'kysely';
import { outcomeKey } from '../../domain/issues/identity.ts';
import { ANY_CODE, STEP_COUNTS } from '../../domain/issues/ledger.ts';
import { COUNT_CODE } from '../../domain/issues/rescore-outcomes.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { START } from '../../domain/signals/end-step.ts';
import { mayLeadIn } from '../../domain/signals/may-lead.ts';
import type { PlaceKind } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { insertIssues, type NewIssue } from '../issues/insert-issues.ts';
import { settleLinks } from './rebuild-evidence.ts';
import { settle } from './write-sums.ts';

/** As in `outcome-step.ts`: signals of the last two turns describe the ending. */
const EARLY = sql`s.turn_index < c.turns - 2`;

/** Counts links and sums of outcome issues anew, and the codes by step; writes what differs. */
export async function rebuildOutcomes(
  em: EntityManager,
  agentId: string,
  catalogue: ReadonlyMap<string, CatalogueEntry>,
): Promise<void> {
  const mayLead = mayLeadIn(catalogue);
  const excluded = [...catalogue.keys()].filter((code) => !mayLead(code));
  const leading = sql`${EARLY} and s.code <> all(${excluded}::text[])`;
  await addMissingOutcomes(em, agentId);
  await sql`
    create temp table ended_badly on commit drop as
    select i.id as issue_id, c.id as call_id, greatest(c.turns - 1, 0) as first_turn,
      floor(coalesce(c.outcome_confidence, 0) * 1000 + 0.5)::int as confidence_milli, true as own, c.turns, c.sort_at,
      c.outcome, c.version, c.started_at, c.duration_ms, c.caller_spoke, c.ended_badly, c.intent_slug
    from calls c join visit_sets v on v.id = c.visit_set_id
    join issues i on i.agent_id = ${agentId} and i.source = 'outcome' and i.place_kind = v.end_step ->> 'kind'
      and md5(i.place_id) = md5(v.end_step ->> 'id')
    where c.agent_id = ${agentId} and c.state = 'analysed' and c.ended_badly`.execute(db(em));
  await sql`analyze ended_badly`.execute(db(em));
  const within = sql`t.issue_id in (select id from issues where agent_id = ${agentId} and source = 'outcome')`;
  await settleLinks(em, agentId, within, 'ended_badly');
  await settle(em, {
    table: 'issue_causes',
    key: ['issue_id', 'cause_code'],
    counts: ['calls'],
    agentId,
    within,
    fresh: sql`
      select c.issue_id, concat_ws(chr(31), s.code, coalesce(s.cause_code, ''), s.place_kind, s.place_id) as lead,
        count(distinct c.call_id)
      from ended_badly c join call_signals s on s.call_id = c.call_id and ${leading} group by 1, 2`,
  });
  await settle(em, {
    table: 'step_codes',
    key: ['step_kind', 'step_digest', 'code'],
    counts: STEP_COUNTS,
    agentId,
    within: sql.lit(true),
    fresh: sql`
      with counted as materialized (
        select c.visit_set_id, ${ANY_CODE}::text as code, count(*) as calls,
          count(*) filter (where c.ended_badly) as bad
        from calls c where c.agent_id = ${agentId} and c.state = 'analysed' group by 1
        union all
        select c.visit_set_id, s.code, count(distinct c.id), count(distinct c.id) filter (where c.ended_badly)
        from calls c join call_signals s on s.call_id = c.id and ${leading}
        where c.agent_id = ${agentId} and c.state = 'analysed' group by 1, 2
      ), reached as (
        select v.id, v.end_step ->> 'kind' as kind, v.end_step ->> 'id' as step, true as last
        from visit_sets v where v.agent_id = ${agentId} and v.end_step is not null
        union
        select v.id, p.kind, p.id, p.kind = v.end_step ->> 'kind' and p.id = v.end_step ->> 'id'
        from visit_sets v cross join lateral (
          select e ->> 'kind' as kind, e ->> 'id' as id from jsonb_array_elements(v.places) e
          where e ->> 'kind' = case when v.end_step ->> 'kind' = 'node' then 'node' else 'tool' end
          union select ${START.kind}, ${START.id} where v.end_step ->> 'kind' <> 'node'
        ) p where v.agent_id = ${agentId} and v.end_step is not null
      )
      select r.kind, md5(r.step), n.code, sum(n.calls), coalesce(sum(n.bad) filter (where r.last), 0)
      from counted n join reached r on r.id = n.visit_set_id group by 1, 2, 3`,
  });
  await sql`drop table ended_badly`.execute(db(em));
}

/** Rows for steps that have none: only calls that came in by another way than a batch lack one. */
async function addMissingOutcomes(em: EntityManager, agentId: string): Promise<void> {
  const { rows } = await sql<{ kind: PlaceKind; id: string; label: string }>`
    select e.kind, e.id, min(e.label) as label from (
      select v.id as set_id, v.end_step ->> 'kind' as kind, v.end_step ->> 'id' as id, v.end_step ->> 'label' as label
      from visit_sets v where v.agent_id = ${agentId} and v.end_step is not null
    ) e
    where exists (select 1 from calls c where c.agent_id = ${agentId} and c.visit_set_id = e.set_id
        and c.state = 'analysed' and c.ended_badly)
      and not exists (select 1 from issues i where i.agent_id = ${agentId} and i.source = 'outcome'
        and i.place_kind = e.kind and md5(i.place_id) = md5(e.id))
    group by e.kind, e.id order by e.kind, e.id`.execute(db(em));
  const made = rows.map(
    (step): NewIssue => ({
      id: newId(),
      key: outcomeKey(step),
      source: 'outcome',
      code: COUNT_CODE,
      countOnly: true,
      placeKind: step.kind,
      placeId: step.id,
      placeLabel: step.label,
      klass: 'flow',
      lane: 'flow',
      severity: 'low',
    }),
  );
  await insertIssues(em, agentId, made);
}
