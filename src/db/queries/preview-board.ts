import { sql } from 'kysely';
import { type BoardChange, type BoardRow, compareBoards } from '../../domain/signals/reanalysis-report.ts';
import type { EntityManager } from '../database.ts';
import { regroupAgent } from './regroup-agent.ts';
import { nextShadows } from './shadow-readings.ts';
import { storeAnalyses } from './store-analyses.ts';

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
  await regroupAgent(em, of.agentId, 'incremental');
  try {
    await em.transactional(async (tx) => {
      const before = await readBoard(tx, of.agentId);
      for (let after: string | null = null; ; ) {
        const shadows = await nextShadows(tx, of.id, after, BATCH, true);
        const analyses = shadows.flatMap(({ analysis, ...shadow }) => (analysis ? [{ ...shadow, analysis }] : []));
        await storeAnalyses(tx, { workspaceId: of.workspaceId, agentId: of.agentId, analyses });
        if (shadows.length < BATCH) break;
        after = shadows.at(-1)?.callId ?? null;
      }
      await regroupAgent(tx, of.agentId, 'incremental');
      throw new Previewed(compareBoards(before, await readBoard(tx, of.agentId)));
    });
  } catch (error) {
    if (error instanceof Previewed) return error.change;
    throw error;
  }
  throw new Error('A preview ended without its result.');
}

/** The default list of the agent, in its order. */
async function readBoard(em: EntityManager, agentId: string): Promise<BoardRow[]> {
  const { rows } = await sql<BoardRow>`
    select i.key, i.title, i.section, i.volume as calls from issues i join agents a on a.id = i.agent_id
    where i.agent_id = ${agentId} and i.section <> 'hidden' and i.withdrawn_at is null and i.status <> 'resolved'
      and i.source = a.board_source and i.klass <> 'behaviour'
    order by (i.section = 'not_established'), i.fell_on_live, i.order_key desc, i.id
  `.execute(em.getKysely());
  return rows;
}
