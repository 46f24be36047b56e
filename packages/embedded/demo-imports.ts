import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from '../../src/db/agents/entities.ts';
import type { Database, EntityManager } from '../../src/db/database.ts';
import { Import, type ImportRow } from '../../src/db/imports/entities.ts';
import { UserFacingError } from '../../src/user-facing-error.js';
import type { DemoAgent } from './first-data.ts';
import type { Steps } from './steps.js';

const LOOK_EVERY_MS = 250;
const GIVE_UP_AFTER_MS = 60_000;
const FINISHED = new Set<ImportRow['status']>(['complete', 'failed', 'cancelled']);

/**
 * Follows the first imports of these agents to their end, one line each, and waits until the last batch is grouped.
 * @param signal ends the watching; the imports go on.
 */
export async function watchImports(
  database: Database,
  agents: DemoAgent[],
  steps: Steps,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(agents.map((agent) => watchOne(database, agent, steps, signal)));
}

/** The import that brought the agent's calls here; polls come after it. */
function firstImport(em: EntityManager, agentId: string): Promise<ImportRow | null> {
  return em.findOne(Import, { agentId, kind: { $ne: 'poll' } }, { orderBy: { createdAt: 'asc' } });
}

/** Whether the issues show every analysed call. */
async function isGrouped(em: EntityManager, agentId: string): Promise<boolean> {
  const agent = await em.findOne(Agent, { id: agentId });
  return !agent || agent.groupedRevision >= agent.evidenceRevision;
}

function result(row: ImportRow): string {
  if (row.status === 'failed') return `the import failed: ${row.reason ?? 'no reason was given'}`;
  if (row.status === 'cancelled') return 'the import was cancelled';
  const aside = [
    [row.unchanged, 'known already'],
    [row.failed, 'kept aside with their reasons'],
    [row.ongoing, 'still going on'],
    [row.gone, 'deleted at the platform'],
  ] as const;
  const others = aside.filter(([calls]) => calls > 0).map(([calls, what]) => `, ${calls} ${what}`);
  return `${row.analysed} of ${row.listed} calls analysed${others.join('')}`;
}

async function watchOne(
  database: Database,
  { agentId, workspaceId, name }: DemoAgent,
  steps: Steps,
  signal: AbortSignal,
): Promise<void> {
  const step = steps.begin('Importing calls');
  let awaySince: number | null = null;
  try {
    while (!signal.aborted) {
      const seen = await look(database.within(workspaceId), agentId);
      if (seen === 'none') return step.dropped();
      if (seen instanceof Error) {
        awaySince ??= Date.now();
        step.progress(`${name}: the database does not answer`);
        if (Date.now() - awaySince > GIVE_UP_AFTER_MS) throw databaseAway(seen);
      } else {
        awaySince = null;
        if (seen.ended) return step.done(`${name}: ${result(seen.row)}`);
        step.progress(`${name}: ${figures(seen.row)}`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    step.dropped();
  }
}

type Look = { row: ImportRow; ended: boolean } | 'none' | Error;

async function look(em: EntityManager, agentId: string): Promise<Look> {
  try {
    const row = await firstImport(em, agentId);
    return row ? { row, ended: FINISHED.has(row.status) && (await isGrouped(em, agentId)) } : 'none';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function figures(row: ImportRow): string {
  const waits = row.waitsFor ? `, waits for ${row.waitsFor}` : '';
  if (row.listed === 0) return `waiting for the list of calls${waits}`;
  return `${row.stored + row.unchanged} stored, ${row.analysed} analyzed of ${row.listed}${waits}`;
}

function databaseAway(error: Error): UserFacingError {
  return new UserFacingError(
    `The database has not answered for ${GIVE_UP_AFTER_MS / 1000} s (${error.message}). The lines above say why, or the logs do; fix that and start again: what was stored is not lost.`,
  );
}
