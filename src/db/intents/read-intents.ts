import { sql } from 'kysely';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

export type IntentKind = 'intent' | 'use_case' | 'sub_use_case' | 'persona';

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

const columns = sql`
  i.id, i.agent_id, i.kind, i.slug, i.label, i.parent_slug,
  (i.calls + coalesce(m.calls, 0))::int as calls, coalesce(m.slugs, '[]') as aliases,
  i.kept_at is not null as named, i.merged_into_id
  from intents i left join lateral (
    select jsonb_agg(o.slug order by o.slug) as slugs, sum(o.calls) as calls from intents o
    where o.agent_id = i.agent_id and o.merged_into_id = i.id
  ) m on true`;

/** Those that callers have or had, by kind and slug. Merged ones are shown as aliases of what they stand for. */
export async function listIntents(
  em: EntityManager,
  scope: ReadScope,
  kind: IntentKind | null,
  page: { after: [string, string] | null; limit: number },
): Promise<IntentView[]> {
  const where = [
    sql`${ofAgents('i.agent_id', scope)}`,
    sql`i.workspace_id = ${scope.workspaceId}`,
    sql`i.merged_into_id is null`,
    sql`(i.calls > 0 or i.kept_at is not null or m.slugs is not null)`,
  ];
  if (kind !== null) where.push(sql`i.kind = ${kind}`);
  if (page.after) where.push(sql`(i.kind, i.slug collate "C") > (${page.after[0]}, ${page.after[1]})`);
  const { rows } = await sql<IntentView>`
    select ${columns} where ${sql.join(where, sql` and `)}
    order by i.kind, i.slug collate "C" limit ${page.limit + 1}`.execute(db(em));
  return rows;
}

export async function findIntent(em: EntityManager, scope: ReadScope, id: string): Promise<IntentView | null> {
  const { rows } = await sql<IntentView>`
    select ${columns} where i.id = ${id}::uuid and ${ofAgents('i.agent_id', scope)}
      and i.workspace_id = ${scope.workspaceId}`.execute(db(em));
  return rows[0] ?? null;
}

/** The slugs under which calls of an intent may stand: its own, and while a merge goes on those that stand for it. */
export async function slugsOfIntent(em: EntityManager, scope: ReadScope, slug: string): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    with asked as (
      select coalesce(merged_into_id, id) as id from intents
      where ${ofAgents('agent_id', scope)} and kind = 'intent' and slug = ${slug}
    )
    select i.slug from intents i join asked a on i.id = a.id or (i.merged_into_id = a.id and i.calls > 0)
    where ${ofAgents('i.agent_id', scope)}`.execute(db(em));
  return rows.length === 0 ? [slug] : [...new Set(rows.map((row) => row.slug))];
}

/** Labels by slug; a merged slug has the label of what it stands for. */
export async function listSlugLabels(
  em: EntityManager,
  scope: ReadScope,
  kind: IntentKind,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ slug: string; label: string }>`
    select i.slug, coalesce(m.label, i.label) as label from intents i left join intents m on m.id = i.merged_into_id
    where ${ofAgents('i.agent_id', scope)} and i.kind = ${kind}`.execute(db(em));
  return new Map(rows.map(({ slug, label }) => [slug, label]));
}

export interface IntentChangeView {
  id: string;
  kind: 'renamed' | 'merged' | 'dissolved';
  from: string;
  to: string;
  personId: string | null;
  personName: string | null;
  at: string;
}

/** What became of an intent and of those that were merged into it, newest first. */
export async function listIntentChanges(
  em: EntityManager,
  intent: Pick<IntentView, 'id' | 'agentId'>,
  page: { after: [string, string] | null; limit: number },
): Promise<IntentChangeView[]> {
  const behind = page.after
    ? sql`and (c.created_at, c.id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<IntentChangeView>`
    select c.id, c.kind, c.from_text as "from", c.to_text as "to", c.person_id, p.name as person_name,
      c.created_at as at
    from intent_changes c left join people p on p.id = c.person_id
    where c.agent_id = ${intent.agentId} and c.intent_id in (
      select id from intents where agent_id = ${intent.agentId} and (id = ${intent.id} or merged_into_id = ${intent.id})
    ) ${behind}
    order by c.created_at desc, c.id desc limit ${page.limit + 1}`.execute(db(em));
  return rows.map((row) => ({ ...row, at: toIso(row.at) }));
}
