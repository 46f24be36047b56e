import type { EntityManager } from './database.ts';

/** The most that one statement does. */
const AT_ONCE = 100;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

type Work<Item, Result> = (em: EntityManager, items: readonly Item[]) => Promise<readonly Result[]>;

/**
 * Does together, in one commit, what many ask for at the same time in one scope: whatever comes while the work is under
 * way is done by the next go. Alone, nobody waits; under load, one commit serves many. Each is answered once its own
 * item is in the record. A go that fails is done again one by one, so that no item fails because of another: doing an
 * item twice must change nothing. @param work answers with one result an item, in their order
 */
export function together<Item, Result>(work: Work<Item, Result>): (em: EntityManager, item: Item) => Promise<Result> {
  const queues = new WeakMap<object, Waiting<Item, Result>[]>();
  return (em, item) =>
    new Promise((resolve, reject) => {
      // One object for each workspace, or for the transaction that is open.
      const scope = em.getKysely();
      const waiting = { item, resolve, reject };
      const queue = queues.get(scope);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const begun = [waiting];
      queues.set(scope, begun);
      void drain(em, begun, work, () => queues.delete(scope));
    });
}

/** @param emptied is called at once when nothing is left, so that nobody joins a queue that is done with. */
async function drain<Item, Result>(
  em: EntityManager,
  queue: Waiting<Item, Result>[],
  work: Work<Item, Result>,
  emptied: () => void,
): Promise<void> {
  while (queue.length > 0) await doTogether(em, queue.splice(0, AT_ONCE), work);
  emptied();
}

async function doTogether<Item, Result>(
  em: EntityManager,
  group: readonly Waiting<Item, Result>[],
  work: Work<Item, Result>,
): Promise<void> {
  try {
    const results = await work(
      em,
      group.map(({ item }) => item),
    );
    // As many as there are items, and in their order.
    for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result);
  } catch (error) {
    if (group.length === 1) group[0]?.reject(error);
    else for (const one of group) await doTogether(em, [one], work);
  }
}
