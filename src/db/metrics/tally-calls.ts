import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { ofCall } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { addedTo, settle } from '../evidence/write-sums.ts';
import { alsoOfAgent, anyId, ofAgent } from '../expressions.ts';
import { executePlanned, queryPlanned } from '../planned.ts';
import { METRIC_COUNTS, SUM_TABLES, type SumTable, stepNames } from './metric-sums.ts';

/**
 * Adds calls as they stand to the sums of figures and flow, or takes them away: before a change and after it. Within the
 * transaction of the change, under the agent's lock. Calls that are not analysed count nowhere.
 */
export async function tallyCalls(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  sign: 1 | -1,
): Promise<void> {
  await sql`with ${tallyParts(agentId, callIds, sign)} select 1`.execute(db(em));
}

/** The same as parts of a `with`, for a statement that comes after the change anyway. */
export function tallyParts(agentId: string, callIds: readonly string[], sign: 1 | -1): RawBuilder<unknown> {
  const where = analysed(agentId, callIds);
  const sets = sql`v.agent_id = ${agentId} and v.id in (select c.visit_set_id from calls c where ${where})`;
  return sql`${sql.join(SUM_TABLES.map((table) => added(table, agentId, where, sign)))},
    steps_named as (${nameSteps(agentId, sets)})`;
}

function nameSteps(agentId: string, sets: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into flow_steps (agent_id, step, kind, place_id, label)
    select ${agentId}::uuid, n.* from (${stepNames(sets)}) n
    where not exists (select 1 from flow_steps f where f.agent_id = ${agentId} and f.step = n.step)`;
}

/** The same for a change of intents alone, which moves no time and no step. */
export async function tallyIntents(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  sign: 1 | -1,
): Promise<void> {
  const where = analysed(agentId, callIds);
  await executePlanned(em, sql`with ${added(METRIC_COUNTS, agentId, where, sign)} select 1`);
}

/** Rows that came to nothing go, so that sums kept by difference equal sums counted anew. */
export async function dropEmptySums(em: EntityManager, agentId: string): Promise<void> {
  const empty = db(em)
    .with('counts', (within) =>
      within.deleteFrom('metric_counts').where('agentId', '=', agentId).where('calls', '=', 0),
    )
    .with('bins', (within) => within.deleteFrom('metric_bins').where('agentId', '=', agentId).where('calls', '=', 0))
    .with('costs', (within) => within.deleteFrom('cost_bins').where('agentId', '=', agentId).where('calls', '=', 0))
    .deleteFrom('flow_counts')
    .where('agentId', '=', agentId)
    .where('calls', '=', 0);
  await queryPlanned(em, empty);
}

/** Counts all sums of figures and flow anew and writes what differs: nothing, where the differences added up. */
export async function rebuildMetrics(em: EntityManager, agentId: string): Promise<void> {
  const where = analysed(agentId, null);
  for (const { of, ...columns } of SUM_TABLES) {
    await settle(em, { ...columns, agentId, within: sql.lit(true), fresh: of(where) });
  }
  await nameSteps(agentId, ofAgent('v', agentId)).execute(db(em));
}

/** Null: all analysed calls of the agent. */
function analysed(agentId: string, callIds: readonly string[] | null): Expression<SqlBool> {
  const isAnalysed = ofCall('c.state', '=', 'analysed');
  if (callIds === null) return ofCall.and([ofCall('c.agentId', '=', agentId), isAnalysed]);
  return ofCall.and([ofCall('c.id', '=', anyId(callIds)), isAnalysed, alsoOfAgent('c', agentId)]);
}

const added = ({ of, ...columns }: SumTable, agentId: string, where: Expression<SqlBool>, sign: 1 | -1) =>
  addedTo({ ...columns, agentId, rows: of(where), sign });
