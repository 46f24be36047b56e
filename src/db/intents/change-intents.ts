import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { IntentView } from './read-intents.ts';

interface By {
  workspaceId: string;
  personId: string;
}

/** A label that a person gives; the slug stays. Nothing is noted where it is the label already. */
export async function renameIntent(em: EntityManager, intent: IntentView, label: string, by: By): Promise<void> {
  await sql`
    with old as (select id, label from intents where id = ${intent.id} and agent_id = ${intent.agentId} for update),
    noted as (
      insert into intent_changes (id, workspace_id, agent_id, intent_id, kind, from_text, to_text, person_id)
      select ${newId()}, ${by.workspaceId}, ${intent.agentId}, id, 'renamed', label, ${label}, ${by.personId}
      from old where label <> ${label}
    )
    update intents i set label = ${label}, kept_at = coalesce(i.kept_at, now()), updated_at = now()
    from old where i.id = old.id`.execute(db(em));
}

/**
 * From now on the slug of the one stands for the other; its calls follow in `finishMerges`. What the one had learnt goes
 * over too, so that new calls like its own are given the other.
 * @returns false where one of them was merged away meanwhile.
 */
export async function mergeIntents(em: EntityManager, from: IntentView, into: IntentView, by: By): Promise<boolean> {
  await lockAgent(em, from.agentId);
  const { rows } = await sql<{ slug: string }>`
    select slug from intents where agent_id = ${from.agentId} and id in (${from.id}, ${into.id})
      and merged_into_id is null`.execute(db(em));
  if (rows.length < 2) return false;
  await sql`
    with both_terms as (
      select t.key, sum(t.value::float8 * greatest(i.calls, 1)) as sum
      from intents i cross join jsonb_each_text(i.terms) t
      where i.id in (${from.id}, ${into.id}) group by t.key
    ), total as (
      select sum(greatest(calls, 1)) as calls from intents where id in (${from.id}, ${into.id})
    ), joined as (
      select coalesce(jsonb_object_agg(key, round((sum / calls)::numeric, 4)), '{}') as terms from both_terms, total
    )
    update intents i set terms = case when i.kind = 'intent' then joined.terms else i.terms || (
        select terms from intents where id = ${from.id}) end,
      kept_at = coalesce(i.kept_at, now()), updated_at = now()
    from joined where i.id = ${into.id}`.execute(db(em));
  await sql`
    update intents set merged_into_id = ${into.id}, terms = '{}', updated_at = now()
    where agent_id = ${from.agentId} and (id = ${from.id} or merged_into_id = ${from.id})`.execute(db(em));
  // What stood under the one stands under the other now.
  await sql`
    update intents set parent_slug = ${into.slug}, updated_at = now()
    where agent_id = ${from.agentId} and parent_slug = ${from.slug}
      and kind = ${from.kind === 'use_case' ? 'intent' : 'sub_use_case'} and ${from.kind} in ('use_case', 'intent')
  `.execute(db(em));
  await sql`
    insert into intent_changes (id, workspace_id, agent_id, intent_id, kind, from_text, to_text, person_id)
    values (${newId()}, ${by.workspaceId}, ${from.agentId}, ${from.id}, 'merged', ${from.slug}, ${into.slug},
      ${by.personId})`.execute(db(em));
  return true;
}
