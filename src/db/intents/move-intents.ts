import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { storeMetrics } from '../custom-metrics/compute.ts';
import { db } from '../db.ts';
import { alsoOfAgent, anyId, given } from '../expressions.ts';
import { dropEmptySums, tallyIntents } from '../metrics/tally-calls.ts';
import { executePlanned } from '../planned.ts';
import type { NewRow } from '../tables.ts';
import { followCalls } from '../watches/verdicts.ts';
import type { IntentKind } from './read-intents.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Where a call belongs from now on. */
export interface MovedCall {
  id: string;
  intent: string | null;
  useCase: string | null;
  subUseCase: string | null;
  persona: string | null;
  requestIntents: string[];
}

export interface IntentRow {
  kind: IntentKind;
  slug: string;
  label: string;
  parent: string | null;
}

/** Calls moved in one transaction: it holds the agent's lock, which batches of an import wait for. */
export const MOVED_AT_ONCE = 500;

/**
 * Moves at most `MOVED_AT_ONCE` calls to other intents, with the counts of intents and of issues by intent. Calls that
 * are there already are left alone, so doing it again changes nothing.
 * @param rows the intents that the calls go to, made where they are missing.
 */
export async function moveCalls(
  em: EntityManager,
  owner: Owner,
  calls: readonly MovedCall[],
  rows: readonly IntentRow[],
): Promise<void> {
  if (calls.length === 0) return;
  const { agentId } = owner;
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    await addMissing(tx, owner, rows);
    const callIds = calls.map(({ id }) => id);
    await tallyIntents(tx, agentId, callIds, -1);
    await moveWithCounts(tx, owner, calls);
    await db(tx).deleteFrom('issue_intents').where('agentId', '=', agentId).where('calls', '=', 0).execute();
    await tallyIntents(tx, agentId, callIds, 1);
    await dropEmptySums(tx, agentId);
    await storeMetrics(tx, agentId, callIds);
    await followCalls(tx, agentId, callIds);
  });
}

async function addMissing(em: EntityManager, owner: Owner, intents: readonly IntentRow[]): Promise<void> {
  if (intents.length === 0) return;
  const { workspaceId, agentId } = owner;
  await db(em)
    .insertInto('intents')
    .values(
      intents.map(
        ({ kind, slug, label, parent: parentSlug }): NewRow<'intents'> => ({
          id: newId(),
          workspaceId,
          agentId,
          kind,
          slug,
          label,
          parentSlug,
        }),
      ),
    )
    .onConflict((conflict) => conflict.columns(['agentId', 'kind', 'slug']).doNothing())
    .execute();
}

/** The calls with all sums that go by intent, in one statement. */
async function moveWithCounts(em: EntityManager, { workspaceId, agentId }: Owner, calls: readonly MovedCall[]) {
  const rows = calls.map(({ id, intent, useCase, subUseCase, persona, requestIntents }) => ({
    id,
    intentSlug: intent,
    useCaseSlug: useCase,
    subUseCaseSlug: subUseCase,
    personaSlug: persona,
    requestIntents,
  }));
  await executePlanned(
    em,
    sql`
    with asked as materialized (
      select id, intent_slug as intent, use_case_slug as use_case, sub_use_case_slug as sub_use_case,
        persona_slug as persona, request_intents from ${given('calls', rows)}
    ), old as materialized (
      select c.id, c.intent_slug, c.use_case_slug, c.sub_use_case_slug, c.persona_slug, g.intent, g.use_case,
        g.sub_use_case, g.persona, g.request_intents, c.caller_key, c.caller_of
      from calls c join asked g on g.id = c.id
      where c.id = ${anyId(calls.map(({ id }) => id))} and ${alsoOfAgent('c', agentId)} and c.state = 'analysed'
        and (c.intent_slug, c.use_case_slug, c.sub_use_case_slug, c.persona_slug, c.request_intents)
          is distinct from (g.intent, g.use_case, g.sub_use_case, g.persona, g.request_intents)
    ), moved as (
      update calls c set intent_slug = o.intent, use_case_slug = o.use_case, sub_use_case_slug = o.sub_use_case,
        persona_slug = o.persona, request_intents = o.request_intents, updated_at = now()
      from old o where c.id = o.id
    ), callers as (
      insert into callers_to_review (agent_id, caller_key, workspace_id)
      select distinct ${agentId}::uuid, caller_key, ${workspaceId}::uuid from old
      where caller_key is not null and caller_of > 1 and intent_slug is distinct from intent
      on conflict do nothing
    ), places as (
      select 'intent' as kind, intent_slug as was, intent as now from old
      union all select 'use_case', use_case_slug, use_case from old
      union all select 'sub_use_case', sub_use_case_slug, sub_use_case from old
      union all select 'persona', persona_slug, persona from old
    ), changes as (
      select kind, slug, sum(n)::int as by from (
        select kind, was as slug, -1 as n from places union all select kind, now, 1 from places
      ) both_ways where slug is not null group by kind, slug having sum(n) <> 0
    ), counted as (
      update intents i set calls = i.calls + c.by, updated_at = now()
      from changes c where i.agent_id = ${agentId} and i.kind = c.kind and i.slug = c.slug
    ), links as materialized (
      select l.issue_id, o.intent_slug as was, o.intent as now
      from old o join issues i on i.agent_id = ${agentId}
      join issue_calls l on l.issue_id = i.id and l.call_id = o.id
      where o.intent_slug is distinct from o.intent
    ), sums as (
      select issue_id, slug, sum(n)::int as by from (
        select issue_id, was as slug, -1 as n from links union all select issue_id, now, 1 from links
      ) both_ways where slug is not null group by issue_id, slug having sum(n) <> 0
    ), summed as (
      insert into issue_intents (issue_id, intent_slug, agent_id, calls)
      select issue_id, slug, ${agentId}, by from sums
      on conflict (issue_id, intent_slug) do update set calls = issue_intents.calls + excluded.calls
    )
    update agents set evidence_revision = evidence_revision + 1 where id = ${agentId} and exists (select from sums)`,
  );
}
