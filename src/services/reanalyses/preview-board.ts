import type { EntityManager } from '../../db/database.ts';
import { readDefaultList } from '../../db/issues/read-default-list.ts';
import { nextShadows } from '../../db/reanalyses/shadow-readings.ts';
import { type BoardChange, compareBoards } from '../../domain/signals/reanalysis-report.ts';
import { storeAnalyses } from '../analysis/store-analyses.ts';
import { recomputeIssues } from '../issues/recompute-issues.ts';

const BATCH = 200;

/** Carries the result out of a transaction that is to leave nothing behind. */
class Previewed extends Error {
  override name = 'Previewed';
  readonly change: BoardChange;

  constructor(change: BoardChange) {
    super('The preview is done.');
    this.change = change;
  }
}

/**
 * What the board would be with the new readings: they are stored and grouped by the very statements that switching on
 * uses, in one transaction that is rolled back. Imports of the agent wait meanwhile.
 */
export async function previewBoard(
  em: EntityManager,
  of: { id: string; workspaceId: string; agentId: string },
): Promise<BoardChange> {
  // Apart, so that what it has to say is said, and the workspace's events are not held up by what follows.
  await recomputeIssues(em, of.agentId, 'incremental');
  try {
    await em.transactional(async (tx) => {
      const before = await readDefaultList(tx, of.agentId);
      for (let after: string | null = null; ; ) {
        const shadows = await nextShadows(tx, of.id, after, BATCH, true);
        const analyses = shadows.flatMap(({ analysis, ...shadow }) => (analysis ? [{ ...shadow, analysis }] : []));
        await storeAnalyses(tx, { workspaceId: of.workspaceId, agentId: of.agentId, analyses });
        if (shadows.length < BATCH) break;
        after = shadows.at(-1)?.callId ?? null;
      }
      await recomputeIssues(tx, of.agentId, 'incremental');
      throw new Previewed(compareBoards(before, await readDefaultList(tx, of.agentId)));
    });
  } catch (error) {
    if (error instanceof Previewed) return error.change;
    throw error;
  }
  throw new Error('A preview ended without its result.');
}
