import { Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import { publishEvent } from '../../src/db/events/events.ts';
import { noteHeld, readPressedAt } from '../../src/db/runs/held-runs.ts';
import type { Slots } from '../../src/slots.ts';

/** Waits of one simulated call for its platform. */
export interface Hold {
  /** So long all of them have taken. */
  heldMs: number;
  /** Waits so long, or until a person has the run's calls ask at once. */
  wait(forMs: number, because: string): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** A shorter wait is over before anybody reads of it. */
const TOLD_FROM_MS = 3_000;

/** Of an attempt that has no slot to lend and whose run nobody tells of waits. */
export function holdSilently(): Hold {
  const hold: Hold = {
    heldMs: 0,
    async wait(forMs) {
      await Context.current().sleep(forMs);
      hold.heldMs += forMs;
    },
  };
  return hold;
}

/** The run says what it waits for, and the call's slot is lent to others meanwhile. */
export function holdOpenly(
  em: EntityManager,
  { workspaceId, agentId, runId }: { workspaceId: string; agentId: string; runId: string },
  slots: Slots,
): Hold {
  const hold: Hold = {
    heldMs: 0,
    async wait(forMs, because) {
      const began = performance.now();
      const pressedBefore = await readPressedAt(em, runId);
      if (forMs >= TOLD_FROM_MS && (await noteHeld(em, runId, { forMs, because }))) {
        await em.transactional((tx) => publishEvent(tx, { agentId, kind: 'run.changed', ref: runId }));
      }
      await slots.lend(workspaceId, async () => {
        for (let left = forMs; left > 0; left = forMs - (performance.now() - began)) {
          await Context.current().sleep(Math.min(left, LOOK_EVERY_MS));
          if ((await pressedAt(em, runId)) !== pressedBefore) break;
        }
      });
      hold.heldMs += performance.now() - began;
    },
  };
  return hold;
}

/** What the calls of a run that wait in this process have looked up together, for as long as that is new enough. */
const looks = new Map<string, { untilMs: number; pressedAt: Promise<string | null> }>();

async function pressedAt(em: EntityManager, runId: string): Promise<string | null> {
  const nowMs = performance.now();
  for (const [id, { untilMs }] of looks) if (untilMs <= nowMs) looks.delete(id);
  const look = looks.get(runId) ?? { untilMs: nowMs + LOOK_EVERY_MS / 2, pressedAt: readPressedAt(em, runId) };
  looks.set(runId, look);
  return look.pressedAt;
}
