import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { after, clock } from '../expressions.ts';

/** Waits that end within this time of each other are one to whoever reads of them. */
const SAME_WAIT_MS = 2_000;

/** Notes that a simulated call of the run waits. @returns false where a wait of that length is noted already. */
export async function noteHeld(
  em: EntityManager,
  runId: string,
  { forMs, because }: { forMs: number; because: string },
): Promise<boolean> {
  const noted = await db(em)
    .updateTable('runs')
    .where('id', '=', runId)
    .where((eb) =>
      eb.or([
        eb('heldUntil', 'is', null),
        eb('heldUntil', '<', after(clock, Math.max(0, forMs - SAME_WAIT_MS), 'milliseconds')),
      ]),
    )
    .set({ heldUntil: after(clock, forMs, 'milliseconds'), heldBecause: because })
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** When a person last had the calls of the run ask at once; null: nobody did. */
export async function readPressedAt(em: EntityManager, runId: string): Promise<string | null> {
  const run = db(em).selectFrom('runs').where('id', '=', runId).select('pressedAt');
  return (await run.executeTakeFirst())?.pressedAt ?? null;
}

/** Ends the present waits of a run that is played. @returns false where it is not. */
export async function pressRun(em: EntityManager, runId: string): Promise<boolean> {
  const pressed = await db(em)
    .updateTable('runs')
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .set({ pressedAt: clock, heldUntil: null, heldBecause: null, updatedAt: clock })
    .returning('id')
    .executeTakeFirst();
  return pressed !== undefined;
}
