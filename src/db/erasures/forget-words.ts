import { sql } from 'kysely';
import { WHOLE } from '../../domain/calls/intent-model.ts';
import { requestTerms } from '../../domain/calls/request-terms.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now, ofAgent } from '../expressions.ts';
import type { RemovedRows } from './removed.ts';

const CALLS_AT_ONCE = 500;

/** Intents recognise requests by terms: those that no call says any more go. */
export async function forgetTerms(em: EntityManager, agentId: string): Promise<void> {
  const intents = await db(em)
    .selectFrom('intents')
    .where('agentId', '=', agentId)
    .where('terms', '<>', json({}))
    .select(['id', 'terms'])
    .orderBy('id')
    .execute();
  if (intents.length === 0) return;
  const said = await termsSaid(em, agentId);
  for (const { id, terms } of intents) {
    const kept = Object.fromEntries(Object.entries(terms).filter(([term]) => term === WHOLE || said.has(term)));
    if (Object.keys(kept).length === Object.keys(terms).length) continue;
    await db(em)
      .updateTable('intents')
      .where('id', '=', id)
      // A discovery that came between has learnt from what is there now.
      .where('terms', '=', json(terms))
      .set({ terms: json(kept), updatedAt: now })
      .execute();
  }
}

async function termsSaid(em: EntityManager, agentId: string): Promise<Set<string>> {
  const said = new Set<string>();
  for (let after: string | null = null; ; ) {
    let analyses = db(em)
      .selectFrom('calls as c')
      .innerJoin('call_analyses as a', 'a.callId', 'c.id')
      .where('c.agentId', '=', agentId)
      .where('c.state', '=', 'analysed')
      .select(['c.id', requests.as('requests')]);
    if (after !== null) analyses = analyses.where('c.id', '>', after);
    const page: { id: string; requests: string[] }[] = await analyses.orderBy('c.id').limit(CALLS_AT_ONCE).execute();
    for (const call of page) for (const term of requestTerms(call.requests).weights.keys()) said.add(term);
    after = page.at(-1)?.id ?? null;
    if (page.length < CALLS_AT_ONCE) return said;
  }
}

const requests = sql<string[]>`coalesce((select jsonb_agg(r ->> 'text' order by n)
  from jsonb_array_elements(a.analysis -> 'requests') with ordinality as e(r, n)), '[]')`;

/** What calls share by reference goes with the last call that has it: names of places and steps among it. */
export async function dropUnused(em: EntityManager, agentId: string, removed: RemovedRows): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const drop = async (table: string, unused: ReturnType<typeof sql>) => {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} t where t.agent_id = ${agentId} and ${unused}`.execute(db(tx));
      removed.add(table, numAffectedRows);
    };
    // A group that was never confirmed is nobody's issue yet; one that was keeps its key and its history.
    await drop(
      'issues',
      sql`t.confirmed_at is null and not exists (select from issue_calls c where c.issue_id = t.id)
        and not exists (select from issue_comments c where c.issue_id = t.id)
        and not exists (select from issues c where c.merged_into_id = t.id or c.downstream_of_id = t.id)`,
    );
    const theirs = ofAgent('c', agentId);
    await drop('visit_sets', sql`not exists (select from calls c where ${theirs} and c.visit_set_id = t.id)`);
    await drop(
      'computability_profiles',
      sql`not exists (select from calls c where ${theirs} and c.profile_id = t.id)
        and not exists (select from place_rollups c where ${theirs} and c.profile_id = t.id)`,
    );
    await drop(
      'flow_steps',
      sql`not exists (select from flow_counts c where ${theirs} and (c.from_step = t.step or c.to_step = t.step))`,
    );
  });
}
