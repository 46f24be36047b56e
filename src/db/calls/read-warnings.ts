import { type RawBuilder, sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';

/** What was noted as calls were read, such as a time without a zone, and on how many of them. */
export interface WarningCount {
  warning: string;
  calls: number;
}

const SHOWN = 20;

/** Most frequent first, at most 20. */
export const readImportWarnings = (em: EntityManager, scope: ReadScope, importId: string) =>
  countWarnings(em, scope, sql`select id from calls where import_id = ${importId}::uuid and ${isOf(scope)}`);

/** Of the newest analysed calls: texts of all would be opened for it. */
export const readNewestWarnings = (em: EntityManager, scope: ReadScope, newest: number) =>
  countWarnings(
    em,
    scope,
    sql`select id from calls where state = 'analysed' and ${isOf(scope)} order by sort_at desc, id desc limit ${newest}`,
  );

const isOf = (scope: ReadScope) => sql`agent_id = ${anyAgent(scope)} and workspace_id = ${scope.workspaceId}`;

async function countWarnings(em: EntityManager, scope: ReadScope, calls: RawBuilder<unknown>): Promise<WarningCount[]> {
  const { rows } = await sql<WarningCount>`
    select w.warning, count(distinct call_id)::int as calls from transcripts
    cross join lateral jsonb_array_elements_text(call -> 'warnings') w(warning)
    where call_id in (${calls}) and ${isOf(scope)}
    group by w.warning order by calls desc, w.warning limit ${SHOWN}`.execute(db(em));
  return rows;
}
