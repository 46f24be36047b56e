import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { asId, json, now } from '../expressions.ts';
import type { IntentView } from './read-intents.ts';

interface By {
  workspaceId: string;
  personId: string;
}

/** A label that a person gives; the slug stays. Nothing is noted where it is the label already. */
export async function renameIntent(em: EntityManager, intent: IntentView, label: string, by: By): Promise<void> {
  const { workspaceId, personId } = by;
  await db(em)
    .with('old', (within) =>
      within
        .selectFrom('intents')
        .where('id', '=', intent.id)
        .where('agentId', '=', intent.agentId)
        .select(['id', 'agentId', 'label'])
        .forUpdate(),
    )
    .with('noted', (within) =>
      within
        .insertInto('intent_changes')
        .columns(['intentId', 'agentId', 'fromText', 'id', 'workspaceId', 'kind', 'toText', 'personId'])
        .expression((eb) =>
          eb
            .selectFrom('old')
            .where('label', '<>', label)
            .select(['id', 'agentId', 'label'])
            .select([asId(newId()).as('changeId'), asId(workspaceId).as('workspaceId'), sql.lit('renamed').as('kind')])
            .select([eb.val(label).as('toText'), asId(personId).as('personId')]),
        ),
    )
    .updateTable('intents')
    .from('old')
    .whereRef('intents.id', '=', 'old.id')
    .set((eb) => ({ label, keptAt: eb.fn.coalesce('intents.keptAt', now), updatedAt: now }))
    .execute();
}

/**
 * From now on the slug of the one stands for the other; its calls follow in `finishMerges`. What the one had learnt goes
 * over too, so that new calls like its own are given the other.
 * @returns false where one of them was merged away meanwhile.
 */
export async function mergeIntents(em: EntityManager, from: IntentView, into: IntentView, by: By): Promise<boolean> {
  await lockAgent(em, from.agentId);
  const both = await db(em)
    .selectFrom('intents')
    .where('agentId', '=', from.agentId)
    .where('id', 'in', [from.id, into.id])
    .where('mergedIntoId', 'is', null)
    .select('slug')
    .execute();
  if (both.length < 2) return false;
  await joinTerms(em, from, into);
  await db(em)
    .updateTable('intents')
    .where('agentId', '=', from.agentId)
    .where((eb) => eb.or([eb('id', '=', from.id), eb('mergedIntoId', '=', from.id)]))
    .set({ mergedIntoId: into.id, terms: json({}), updatedAt: now })
    .execute();
  await moveUnder(em, from, into);
  const { workspaceId, personId } = by;
  const change = { kind: 'merged', fromText: from.slug, toText: into.slug } as const;
  await db(em)
    .insertInto('intent_changes')
    .values({ ...change, id: newId(), intentId: from.id, agentId: from.agentId, workspaceId, personId })
    .execute();
  return true;
}

/** The terms of both, weighed by their calls. */
async function joinTerms(em: EntityManager, from: IntentView, into: IntentView): Promise<void> {
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
}

/** What stood under the one stands under the other now. */
async function moveUnder(em: EntityManager, from: IntentView, into: IntentView): Promise<void> {
  const kind = ({ use_case: 'intent', intent: 'sub_use_case', sub_use_case: null, persona: null } as const)[from.kind];
  if (kind === null) return;
  await db(em)
    .updateTable('intents')
    .where('agentId', '=', from.agentId)
    .where('parentSlug', '=', from.slug)
    .where('kind', '=', kind)
    .set({ parentSlug: into.slug, updatedAt: now })
    .execute();
}
