import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText } from '../expressions.ts';

/**
 * Who somebody is whatever becomes of the account here, the most lasting first: as each provider knows them, then by their
 * address, which is all that an account had before it was bound to one. Empty where the account is gone.
 */
export async function lastingNames(em: EntityManager, personId: string): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('people as p')
    .leftJoin('identities as i', 'i.personId', 'p.id')
    .where('p.id', '=', personId)
    .select(['p.email', 'i.issuer', 'i.subject'])
    .orderBy('i.createdAt')
    .execute();
  const ofProviders = rows.flatMap(({ issuer, subject }) => (subject === null ? [] : [`${issuer} ${subject}`]));
  return [...ofProviders, ...rows.slice(0, 1).map(({ email }) => email)];
}

/** Keeps what a workspace that is being deleted has used; later than a month ago nothing of it counts any more. */
export async function keepUsage(em: EntityManager, workspaceId: string, maker: string): Promise<void> {
  await sql`delete from left_usage where created_at < now() - interval '32 days'`.execute(db(em));
  await sql`
    insert into left_usage (workspace_id, maker, plan_since, periods, spent)
    select w.id, ${maker}, w.plan_since,
      coalesce((select jsonb_agg(to_jsonb(u) - 'workspace_id') from plan_usage u
        where u.workspace_id = w.id and u.starts_at > now() - interval '32 days'), '[]'),
      coalesce((select jsonb_agg(jsonb_build_object('at', d.at, 'nano', d.nano)) from (
        select max(created_at) as at, sum(charged_nano_usd) as nano from model_usage
        where workspace_id = w.id and charged_nano_usd > 0 and created_at > now() - interval '30 days'
        group by date_trunc('day', created_at)) d), '[]')
    from workspaces w where w.id = ${workspaceId}
    on conflict (workspace_id) do nothing
  `.execute(db(em));
}

/** Counts for a new workspace what one that its maker deleted had used: each for one, so that all of it stays counted. */
export async function takeLeftUsage(em: EntityManager, workspaceId: string, makers: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from left_usage where maker = ${anyText(makers)}
    order by created_at, workspace_id limit 1`.execute(db(em));
  const [left] = rows;
  if (!left) return;
  await sql`
    with gone as (delete from left_usage where workspace_id = ${left.id} returning *), since as (
      update workspaces w set plan_since = gone.plan_since from gone where w.id = ${workspaceId}
    ), used as (
      insert into plan_usage (workspace_id, starts_at, analysed_calls, test_calls, copilot_messages)
      select ${workspaceId}, u.starts_at, u.analysed_calls, u.test_calls, u.copilot_messages
      from gone, jsonb_populate_recordset(null::plan_usage, gone.periods) u
    )
    insert into model_usage (id, workspace_id, purpose, subject, ask, model, priced, charged_nano_usd, settled_at, created_at)
    select gen_random_uuid(), ${workspaceId}, 'deleted_workspace', s.at::text, 1, '', true, s.nano, s.at, s.at
    from gone, jsonb_to_recordset(gone.spent) as s(at timestamptz, nano bigint)
  `.execute(db(em));
}
