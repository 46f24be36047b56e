import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { ERASED_TEST, withoutTests } from '../../domain/runs/erase-from-document.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText } from '../expressions.ts';
import { countTests } from '../tests/tests.ts';
import type { RemovedRows } from './removed.ts';

/**
 * Removes the tests that were made from calls, with every simulated call that played them: they speak the callers' own
 * words. What they came to stays in the figures of their runs. @returns their ids.
 */
export async function eraseTests(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  removed: RemovedRows,
): Promise<string[]> {
  const tests = await db(em)
    .deleteFrom('tests')
    .where('agentId', '=', agentId)
    .where('sourceCallId', '=', anyId(callIds))
    .returning(['id', 'archivedAt'])
    .execute();
  if (tests.length === 0) return [];
  const testIds = tests.map(({ id }) => id);
  removed.add('tests', tests.length);
  await countTests(em, agentId, -tests.filter(({ archivedAt }) => archivedAt === null).length);
  await eraseRevisions(em, agentId, testIds, removed);
  await eraseAttempts(em, agentId, testIds, removed);
  await eraseFromRuns(em, agentId, testIds, removed);
  return testIds;
}

async function eraseRevisions(em: EntityManager, agentId: string, testIds: readonly string[], removed: RemovedRows) {
  const revisions = db(em).deleteFrom('test_revisions').where('testId', '=', anyId(testIds));
  removed.add('test_revisions', (await revisions.executeTakeFirst()).numDeletedRows);
  for (const { table, ids } of LISTS) {
    await sql`
      update ${sql.table(table)} set updated_at = now(), ${sql.ref(ids)} = array(
        select each.id from unnest(${sql.ref(ids)}) with ordinality each(id, place)
        where each.id <> all(${[...testIds]}::uuid[]) order by each.place)
      where agent_id = ${agentId} and ${sql.ref(ids)} && ${[...testIds]}::uuid[]`.execute(db(em));
  }
}

/** Lists that name tests. */
const LISTS = [
  { table: 'test_sets', ids: 'test_ids' },
  { table: 'goals', ids: 'test_ids' },
  { table: 'drafts', ids: 'new_case_ids' },
] as const;

async function eraseAttempts(em: EntityManager, agentId: string, testIds: readonly string[], removed: RemovedRows) {
  const attempts = await db(em)
    .deleteFrom('attempts')
    .where('agentId', '=', agentId)
    .where('testId', '=', anyId(testIds))
    .returning('id')
    .execute();
  removed.add('attempts', attempts.length);
  const steps = db(em)
    .deleteFrom('attempt_steps')
    .where('attemptId', '=', anyId(attempts.map(({ id }) => id)));
  removed.add('attempt_steps', (await steps.executeTakeFirst()).numDeletedRows);
}

/** Cells and documents of runs that played the tests lose their words, and what was sent of them is kept no longer. */
async function eraseFromRuns(em: EntityManager, agentId: string, testIds: readonly string[], removed: RemovedRows) {
  const cells = await db(em)
    .updateTable('run_cells')
    .where('agentId', '=', agentId)
    .where('testId', '=', anyId(testIds))
    .set({ reason: ERASED_TEST })
    .returning('runId')
    .execute();
  const runIds = [...new Set(cells.map(({ runId }) => runId))];
  if (runIds.length === 0) return;
  removed.add('run_cells', cells.length);
  await rewriteDocuments(em, runIds, new Set(testIds), removed);
  const keys = runIds.map((runId) => `run:${runId}/%`);
  const deliveries = db(em)
    .updateTable('webhook_deliveries')
    .where('agentId', '=', agentId)
    .where('event', '=', 'run.completed')
    .where('eventKey', 'like', anyText(keys))
    .where('body', 'is not', null)
    .set((eb) => ({
      body: null,
      state: eb
        .case()
        .when('state', '=', 'pending')
        .then('dropped' as const)
        .else(eb.ref('state'))
        .end(),
      lastError: eb.case().when('state', '=', 'pending').then(ERASED_TEST).else(eb.ref('lastError')).end(),
    }));
  removed.add('webhook_deliveries', (await deliveries.executeTakeFirst()).numUpdatedRows);
}

/** One by one: a document may have megabytes. */
async function rewriteDocuments(
  em: EntityManager,
  runIds: readonly string[],
  testIds: ReadonlySet<string>,
  removed: RemovedRows,
): Promise<void> {
  const named = await db(em)
    .selectFrom('run_documents')
    .where('runId', '=', anyId(runIds))
    .select(['runId', 'score'])
    .execute();
  for (const { runId, score } of named) {
    const { body: before } = await db(em)
      .selectFrom('run_documents')
      .where('runId', '=', runId)
      .where('score', '=', score)
      .select('body')
      .executeTakeFirstOrThrow();
    const body = withoutTests(before, testIds);
    const sha256 = createHash('sha256').update(body).digest('hex');
    await db(em)
      .updateTable('run_documents')
      .where('runId', '=', runId)
      .where('score', '=', score)
      .set({ body, sha256 })
      .execute();
  }
  removed.add('run_documents', named.length);
}
