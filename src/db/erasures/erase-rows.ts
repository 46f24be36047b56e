import { sql } from 'kysely';
import { recountCallers } from '../calls/recount-callers.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText } from '../expressions.ts';
import { dropVerdicts } from '../watches/verdicts.ts';
import { ROWS_OF_CALLS } from './call-data.ts';
import type { RemovedRows } from './removed.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** A call by which its caller is known, also where its changed record names another. */
interface CallOfCaller {
  callerKey: string | null;
  pending: { callerKey: string | null } | null;
}

/** The platform's ids of calls. */
export async function refsOf(em: EntityManager, callIds: readonly string[]): Promise<string[]> {
  const rows = await db(em).selectFrom('calls').where('id', '=', anyId(callIds)).select('providerCallId').execute();
  return rows.map(({ providerCallId }) => providerCallId);
}

/** What watches said of the calls, with the sums of it. */
export async function eraseVerdicts(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  removed: RemovedRows,
) {
  const verdicts = db(em).selectFrom('watch_verdicts').where('callId', '=', anyId(callIds));
  const { many } = await verdicts.select(({ fn }) => fn.countAll<number>().as('many')).executeTakeFirstOrThrow();
  await dropVerdicts(em, agentId, callIds);
  removed.add('watch_verdicts', many);
}

/** The calls with their rows and links. The links are known from the signals, so that their table needs no index by call. */
export async function eraseRows(
  em: EntityManager,
  callIds: readonly string[],
  issueIds: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  for (const table of ROWS_OF_CALLS) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where call_id = any(${[...callIds]}::uuid[])`.execute(db(em));
    removed.add(table, numAffectedRows);
  }
  const links = db(em)
    .deleteFrom('issue_calls')
    .where('issueId', '=', anyId(issueIds))
    .where('callId', '=', anyId(callIds));
  removed.add('issue_calls', (await links.executeTakeFirst()).numDeletedRows);
  const wordings = db(em).deleteFrom('model_wordings').where('subjectId', '=', anyId(issueIds));
  removed.add('model_wordings', (await wordings.executeTakeFirst()).numDeletedRows);
  const calls = db(em).deleteFrom('calls').where('id', '=', anyId(callIds));
  removed.add('calls', (await calls.executeTakeFirst()).numDeletedRows);
}

/** The callers' other calls are counted anew, and looked at with the next grouping; a caller without calls is forgotten. */
export async function settleCallers(em: EntityManager, owner: Owner, calls: readonly CallOfCaller[]): Promise<void> {
  const keys = calls.flatMap(({ callerKey, pending }) => [callerKey, pending?.callerKey ?? null]);
  const callerKeys = [...new Set(keys.filter((key) => key !== null))].sort();
  if (callerKeys.length === 0) return;
  await recountCallers(em, owner.agentId, callerKeys);
  await db(em)
    .deleteFrom('callers_to_review')
    .where('agentId', '=', owner.agentId)
    .where('callerKey', '=', anyText(callerKeys))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('calls')
            .whereRef('calls.agentId', '=', 'callers_to_review.agentId')
            .whereRef('calls.callerKey', '=', 'callers_to_review.callerKey')
            .where('calls.state', '=', 'analysed')
            .select('calls.id'),
        ),
      ),
    )
    .execute();
}
