import { isDatabaseAway } from '../../db/away.ts';
import type { Database, EntityManager } from '../../db/database.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import { isTemporalAway } from '../../temporal/away.ts';

/**
 * Does it for one after the other. One that fails holds up none of those after it.
 * @throws AggregateError once all had their turn, with what failed; at once what says that PostgreSQL or Temporal is away.
 */
export async function each<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isServerAway(error)) throw error;
      if (error instanceof AggregateError) failures.push(...error.errors);
      else failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be done.`);
}

/** The same for each workspace, within its fence. */
export async function eachWorkspace(
  database: Database,
  work: (em: EntityManager, workspaceId: string) => Promise<void>,
): Promise<void> {
  const workspaceIds = await listWorkspaceIds(database.unscoped());
  await each(workspaceIds, (workspaceId) => work(database.within(workspaceId), workspaceId));
}

/** All rows of a list that is read page by page. */
export async function* pagesOf<Row>(
  read: (afterId: string | null) => Promise<Row[]>,
  { idOf, size }: { idOf: (row: Row) => string; size: number },
): AsyncGenerator<Row> {
  for (let afterId: string | null = null; ; ) {
    const rows = await read(afterId);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    afterId = idOf(last);
  }
}

/** Whether whatever comes next would fail in the same way. */
export const isServerAway = (error: unknown): boolean => isTemporalAway(error) || isDatabaseAway(error);
