import { sql } from 'kysely';
import { roomsOf } from '../../domain/spans/split-calls.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText, holdsAny } from '../expressions.ts';
import type { RemovedRows } from './removed.ts';

/** Records by the platform's ids of calls: what an import kept with a reason, calls that were announced, and spans. */
export async function eraseRecords(
  em: EntityManager,
  agentId: string,
  refs: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  const failures = db(em).deleteFrom('import_failures').where('agentId', '=', agentId).where('ref', '=', anyText(refs));
  removed.add('import_failures', (await failures.executeTakeFirst()).numDeletedRows);
  const told = db(em)
    .deleteFrom('announced_calls')
    .where('agentId', '=', agentId)
    .where('providerCallId', '=', anyText(refs));
  removed.add('announced_calls', (await told.executeTakeFirst()).numDeletedRows);
  await eraseSpans(em, agentId, refs, removed);
}

/** Whole traces: whatever else they hold was made into calls of its own. */
async function eraseSpans(em: EntityManager, agentId: string, refs: readonly string[], removed: RemovedRows) {
  const names = [...new Set(refs.flatMap(roomsOf))];
  const traces = await db(em)
    .deleteFrom('span_traces')
    .where('agentId', '=', agentId)
    .where((eb) => eb.or([eb('traceId', '=', anyText(names)), eb('callRefs', '&&', eb.val(names))]))
    .returning('traceId')
    .execute();
  removed.add('span_traces', traces.length);
  const batches = db(em)
    .deleteFrom('span_batches')
    .where('agentId', '=', agentId)
    .where('traceId', '=', anyText(traces.map(({ traceId }) => traceId)));
  removed.add('span_batches', (await batches.executeTakeFirst()).numDeletedRows);
}

/**
 * Answers that are kept for repeated requests and name one of these are kept no longer; the request still counts as made.
 * @param ids null: whatever they name
 */
export async function forgetAnswers(
  em: EntityManager,
  workspaceId: string,
  ids: readonly string[] | null,
  removed: RemovedRows,
): Promise<void> {
  let answers = db(em)
    .updateTable('idempotency_records')
    .where('workspaceId', '=', workspaceId)
    .where('answer', 'is not', null);
  if (ids !== null) answers = answers.where((eb) => holdsAny(eb.ref('answer'), ids));
  const forgotten = await answers.set({ answer: null }).executeTakeFirst();
  removed.add('idempotency_records', forgotten.numUpdatedRows);
}

/**
 * Messages about these issues may quote any call of them: what was written is kept no longer, what waits is written anew.
 * @param issueIds null: whatever the agent was told of in.
 */
export async function forgetMessages(
  em: EntityManager,
  agentId: string,
  issueIds: readonly string[] | null,
  removed: RemovedRows,
): Promise<void> {
  const among = issueIds === null ? sql`` : sql`and n.facts ->> 'issueId' = any(${[...issueIds]}::text[])`;
  const ofIssues = sql`n.agent_id = ${agentId} ${among}`;
  const ofDeliveries = sql`d.id in (select n.delivery_id from notices n where ${ofIssues})`;
  // A message that is being written holds its notices and its delivery: both are waited for, in the same order.
  await sql`select from notices n where ${ofIssues} for no key update`.execute(db(em));
  await sql`select from webhook_deliveries d where ${ofDeliveries} for no key update`.execute(db(em));
  const { numAffectedRows } = await sql`
    update webhook_deliveries d set body = null where ${ofDeliveries} and d.body is not null`.execute(db(em));
  removed.add('webhook_deliveries', numAffectedRows);
}
