import { sql } from 'kysely';
import type { StandingCall } from '../analysis/analysis-context.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, listed, now } from '../expressions.ts';
import type { Row } from '../tables.ts';
import type { RemovedRows } from './removed.ts';

type Named = Pick<StandingCall, 'intentSlug' | 'useCaseSlug' | 'subUseCaseSlug' | 'personaSlug' | 'requestIntents'>;

interface SlugCount {
  kind: Row<'intents'>['kind'];
  slug: string;
  calls: number;
}

const slugsOf = (call: Named) =>
  [
    ['intent', call.intentSlug],
    ['use_case', call.useCaseSlug],
    ['sub_use_case', call.subUseCaseSlug],
    ['persona', call.personaSlug],
  ] as const;

function countSlugs(calls: readonly Named[]): SlugCount[] {
  const counts = new Map<string, SlugCount>();
  for (const call of calls) {
    for (const [kind, slug] of slugsOf(call)) {
      if (slug === null) continue;
      const counted = counts.get(`${kind}/${slug}`) ?? { kind, slug, calls: 0 };
      counts.set(`${kind}/${slug}`, { ...counted, calls: counted.calls + 1 });
    }
  }
  return [...counts.values()];
}

/** Takes calls out of the counts of their intents. */
export async function uncountIntents(em: EntityManager, agentId: string, calls: readonly Named[]): Promise<void> {
  const counts = countSlugs(calls);
  if (counts.length === 0) return;
  await db(em)
    .updateTable('intents')
    .from(listed(counts, { kind: 'text', slug: 'text', calls: 'integer' }))
    .where('intents.agentId', '=', agentId)
    .whereRef('intents.kind', '=', 'listed.kind')
    .whereRef('intents.slug', '=', 'listed.slug')
    .set((eb) => ({ calls: eb('intents.calls', '-', eb.ref('listed.calls')), updatedAt: now }))
    .execute();
}

/**
 * Intents of these calls that no call has any more go with their words, unless a person named them. What a model called
 * the others is asked anew.
 */
export async function dropEmptyIntents(
  em: EntityManager,
  agentId: string,
  calls: readonly Named[],
  removed: RemovedRows,
): Promise<void> {
  const named = countSlugs(calls);
  if (named.length === 0) return;
  const kinds = named.map(({ kind }) => kind);
  const slugs = named.map(({ slug }) => slug);
  const { rows } = await sql<{ id: string; isGone: boolean }>`
    with touched as materialized (
      select i.id, i.calls <= 0 and i.kept_at is null
        and not exists (select from intents m where m.merged_into_id = i.id)
        and not (i.kind = 'intent' and exists (
          select from calls c where c.agent_id = ${agentId} and c.state = 'analysed' and i.slug = any(c.request_intents)
        )) as is_gone
      from unnest(${kinds}::text[], ${slugs}::text[]) n(kind, slug)
      join intents i on i.agent_id = ${agentId} and i.kind = n.kind and i.slug = n.slug
    ), dropped as (
      delete from intents i using touched t where i.id = t.id and t.is_gone
    )
    select id, is_gone as "isGone" from touched`.execute(db(em));
  const gone = rows.filter(({ isGone }) => isGone).map(({ id }) => id);
  removed.add('intents', gone.length);
  const changes = db(em).deleteFrom('intent_changes').where('intentId', '=', anyId(gone));
  removed.add('intent_changes', (await changes.executeTakeFirst()).numDeletedRows);
  const wordings = db(em)
    .deleteFrom('model_wordings')
    .where('subjectId', '=', anyId(rows.map(({ id }) => id)));
  removed.add('model_wordings', (await wordings.executeTakeFirst()).numDeletedRows);
}
