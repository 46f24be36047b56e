import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

export type IntentKind = Row<'intents'>['kind'];

export interface IntentView {
  id: string;
  agentId: string;
  kind: IntentKind;
  slug: string;
  label: string;
  parentSlug: string | null;
  /** Calls on their way from merged slugs included. */
  calls: number;
  aliases: string[];
  named: boolean;
  /** Null while it stands for itself. */
  mergedIntoId: string | null;
}

const views = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('intents as i')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('intents as o')
          .whereRef('o.agentId', '=', 'i.agentId')
          .whereRef('o.mergedIntoId', '=', 'i.id')
          .select(({ fn }) => [
            fn.agg<string[] | null>('array_agg', ['o.slug']).orderBy('o.slug').as('slugs'),
            fn.sum<number>('o.calls').as('calls'),
          ])
          .as('m'),
      (join) => join.onTrue(),
    )
    .where('i.agentId', '=', anyAgent(scope))
    .where('i.workspaceId', '=', scope.workspaceId)
    .select(['i.id', 'i.agentId', 'i.kind', 'i.slug', 'i.label', 'i.parentSlug', 'i.mergedIntoId'])
    .select(({ eb, fn, val }) => [
      eb('i.calls', '+', fn.coalesce('m.calls', val(0))).as('calls'),
      fn.coalesce('m.slugs', sql<string[]>`'{}'`).as('aliases'),
      eb('i.keptAt', 'is not', null).$castTo<boolean>().as('named'),
    ]);

/** By their bytes, as cursors compare them. */
const slugInOrder = sql<string>`i.slug collate "C"`;

/** Those that callers have or had, by kind and slug. Merged ones are shown as aliases of what they stand for. */
export function listIntents(
  em: EntityManager,
  scope: ReadScope,
  kind: IntentKind | null,
  { after, limit }: { after: [string, string] | null; limit: number },
): Promise<IntentView[]> {
  let intents = views(em, scope)
    .where('i.mergedIntoId', 'is', null)
    .where((eb) => eb.or([eb('i.calls', '>', 0), eb('i.keptAt', 'is not', null), eb('m.slugs', 'is not', null)]));
  if (kind !== null) intents = intents.where('i.kind', '=', kind);
  if (after) intents = intents.where(sql<boolean>`(i.kind, ${slugInOrder}) > (${after[0]}, ${after[1]})`);
  return intents
    .orderBy('i.kind')
    .orderBy(slugInOrder)
    .limit(limit + 1)
    .execute();
}

export async function findIntent(em: EntityManager, scope: ReadScope, id: string): Promise<IntentView | null> {
  return (await views(em, scope).where('i.id', '=', id).executeTakeFirst()) ?? null;
}

/** The slugs under which calls of an intent may stand: its own, and while a merge goes on those that stand for it. */
export async function slugsOfIntent(em: EntityManager, scope: ReadScope, slug: string): Promise<string[]> {
  const rows = await db(em)
    .with('asked', (within) =>
      within
        .selectFrom('intents')
        .where('agentId', '=', anyAgent(scope))
        .where('kind', '=', 'intent')
        .where('slug', '=', slug)
        .select(({ fn }) => fn.coalesce('mergedIntoId', 'id').as('id')),
    )
    .selectFrom('intents as i')
    .innerJoin('asked as a', (join) =>
      join.on((eb) =>
        eb.or([
          eb('i.id', '=', eb.ref('a.id')),
          eb.and([eb('i.mergedIntoId', '=', eb.ref('a.id')), eb('i.calls', '>', 0)]),
        ]),
      ),
    )
    .where('i.agentId', '=', anyAgent(scope))
    .select('i.slug')
    .execute();
  return rows.length === 0 ? [slug] : [...new Set(rows.map((row) => row.slug))];
}

/** Labels by slug; a merged slug has the label of what it stands for. */
export async function listSlugLabels(
  em: EntityManager,
  scope: ReadScope,
  kind: IntentKind,
): Promise<Map<string, string>> {
  const rows = await db(em)
    .selectFrom('intents as i')
    .leftJoin('intents as m', 'm.id', 'i.mergedIntoId')
    .where('i.agentId', '=', anyAgent(scope))
    .where('i.kind', '=', kind)
    .select(({ fn }) => ['i.slug', fn.coalesce('m.label', 'i.label').as('label')])
    .execute();
  return new Map(rows.map(({ slug, label }) => [slug, label]));
}

export interface IntentChangeView {
  id: string;
  kind: Row<'intent_changes'>['kind'];
  from: string;
  to: string;
  personId: string | null;
  personName: string | null;
  at: string;
}

/** What became of an intent and of those that were merged into it, newest first. */
export function listIntentChanges(
  em: EntityManager,
  { id, agentId }: Pick<IntentView, 'id' | 'agentId'>,
  page: ListPage,
): Promise<IntentChangeView[]> {
  const changes = db(em)
    .selectFrom('intent_changes as c')
    .leftJoin('people as p', 'p.id', 'c.personId')
    .where('c.agentId', '=', agentId)
    .where('c.intentId', 'in', (eb) =>
      eb
        .selectFrom('intents')
        .where('agentId', '=', agentId)
        .where((one) => one.or([one('id', '=', id), one('mergedIntoId', '=', id)]))
        .select('id'),
    );
  return newestFirst(changes, ['c.createdAt', 'c.id'], page)
    .select(['c.id', 'c.kind', 'c.fromText as from', 'c.toText as to', 'c.personId', 'p.name as personName'])
    .select('c.createdAt as at')
    .execute();
}
