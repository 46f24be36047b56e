import { expressionBuilder } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { SuiteRun, SuiteTest } from '../../domain/drafts/suite-gate.ts';
import type { RunTrigger } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import type { Tables } from '../tables.ts';

/** A run of the text that a draft has now, with what its cells came to. */
export interface TextRun extends SuiteRun {
  draftId: string;
  trigger: RunTrigger;
  createdAt: string;
}

const cells = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>()
  .selectFrom('run_cells as c')
  .whereRef('c.runId', '=', 'run.id')
  .where('c.runnable', '=', true)
  .select(({ fn, ref }) =>
    fn
      .jsonAgg(
        jsonBuildObject({
          testId: ref('c.testId'),
          testRevision: ref('c.testRevision'),
          result: ref('c.result'),
        }),
      )
      .orderBy('c.position')
      .orderBy('c.persona')
      .as('cells'),
  )
  .$asScalar();

/** Runs of exactly the text in force, newest first. */
export async function runsOfTexts(em: EntityManager, draftIds: readonly string[]): Promise<Map<string, TextRun[]>> {
  const rows = await db(em)
    .selectFrom('drafts as d')
    .innerJoin('draft_revisions as r', (join) =>
      join.onRef('r.draftId', '=', 'd.id').onRef('r.revision', '=', 'd.revision'),
    )
    .innerJoin('draft_revisions as same', (join) =>
      join.onRef('same.draftId', '=', 'd.id').onRef('same.draftHash', '=', 'r.draftHash'),
    )
    .innerJoin('runs as run', (join) =>
      join.onRef('run.draftId', '=', 'same.draftId').onRef('run.draftRevision', '=', 'same.revision'),
    )
    .where('d.id', '=', anyId(draftIds))
    .where('run.kind', '=', 'run')
    .select(['d.id as draftId', 'run.id as runId', 'run.status', 'run.trigger', 'run.createdAt'])
    .select(cells.as('cells'))
    .orderBy('run.createdAt', 'desc')
    .orderBy('run.id', 'desc')
    .execute();
  return Map.groupBy(
    rows.map((row) => ({ ...row, cells: row.cells ?? [] })),
    ({ draftId }) => draftId,
  );
}

/** The tests that a change has to have run through: those that gate, or all where none does. */
export async function acceptedSuite(em: EntityManager, agentId: string): Promise<SuiteTest[]> {
  const tests = await kept(em, agentId).select('gates').execute();
  const gating = tests.filter(({ gates }) => gates);
  return (gating.length > 0 ? gating : tests).map(({ id, title, revision }) => ({ id, title, revision }));
}

/** Tests of the agent by their ids; archived ones are no longer played. */
export function keptTests(em: EntityManager, agentId: string, ids: readonly string[]): Promise<SuiteTest[]> {
  return kept(em, agentId).where('id', '=', anyId(ids)).execute();
}

const kept = (em: EntityManager, agentId: string) =>
  db(em)
    .selectFrom('tests')
    .where('agentId', '=', agentId)
    .where('archivedAt', 'is', null)
    .select(['id', 'title', 'revision'])
    .orderBy('createdAt')
    .orderBy('id');
