import { Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import { endPlaying } from '../../src/db/runs/attempts.ts';
import type { Standing } from '../../src/db/runs/scores.ts';
import { REPEATS } from '../../src/domain/runs/combine.ts';
import type { Slots } from '../../src/slots.ts';
import { allEnded } from '../../src/temporal/all-ended.ts';
import type { AttemptKey, CellsWindow, CellToPlay } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { mayAskJudge } from './ask-judge.ts';
import { holdOpenly } from './held-calls.ts';
import { playToEnd, type StandsAt, standsAt } from './play-attempt.ts';
import { scoreFirst, scoreWithEnd } from './score-attempt.ts';

/** What goes on at once in this process: simulated calls, and questions to models beside them. */
export interface PlayingSlots {
  conversations: Slots;
  models: Slots;
}

interface Playing {
  deps: ActivityDeps;
  slots: PlayingSlots;
  em: EntityManager;
  /** The simulated calls that go on, for whoever looks at the pending activity. */
  goOn: Set<StandsAt>;
}

/**
 * Plays and scores some cells to their results. Each simulated call has a slot of its own, so that the next begins when one
 * ends, and every step and score is in the record by itself: begun again, this does what is left of it. A cell that fails
 * keeps none of the others from its result.
 */
export function createPlayWindow(deps: ActivityDeps, slots: PlayingSlots) {
  return async function playWindow({ cells, atOnce, ...run }: CellsWindow): Promise<void> {
    const playing: Playing = { deps, slots, em: deps.database.within(run.workspaceId), goOn: new Set() };
    let left = cells.length;
    await withHeartbeat(
      () => ({ runId: run.runId, cellsLeft: left, calls: [...playing.goOn] }),
      async () => {
        await allEnded(
          cells.map(async (cell) => {
            await playCell(playing, run, { ...cell, atOnce });
            left -= 1;
          }),
        );
      },
    );
  };
}

/** Each attempt is played, then scored, until the score says that the cell is done. */
async function playCell(
  playing: Playing,
  run: Pick<AttemptKey, 'workspaceId' | 'agentId' | 'runId'>,
  { testId, persona, firstAttempt, atOnce }: CellToPlay & Pick<CellsWindow, 'atOnce'>,
): Promise<void> {
  const keys = Array.from({ length: REPEATS }, (_, at) => ({ ...run, testId, persona, attempt: firstAttempt + at }));
  if (atOnce > 1) {
    await allEnded(keys.map((key) => playOnce(playing, key)));
    return;
  }
  for (const key of keys) {
    if ((await playOnce(playing, key)).cell === 'done') return;
  }
}

/** The slot of the call is free again before a judge is asked, for which there are slots of models. */
async function playOnce({ deps, slots, em, goOn }: Playing, key: AttemptKey): Promise<Standing> {
  const at = standsAt(key);
  const played = await slots.conversations.use(key.workspaceId, async () => {
    await notCancelled();
    goOn.add(at);
    try {
      const call = await playToEnd(deps, em, key, at, holdOpenly(em, key, slots.conversations));
      if (call === null) throw new Error('The run has no such test any more.');
      const { attempt, end } = call;
      if (end !== null && !mayAskJudge(deps, attempt.spec)) return await scoreWithEnd(deps, em, key, { attempt, end });
      if (end !== null) await endPlaying(em, attempt, end);
      return { ...attempt, state: attempt.state === 'playing' ? ('played' as const) : attempt.state };
    } finally {
      goOn.delete(at);
    }
  });
  if ('cell' in played) return played;
  return slots.models.use(key.workspaceId, async () => {
    await notCancelled();
    return scoreFirst(deps, em, key, played);
  });
}

/** @throws CancelledFailure where the run was cancelled while this waited for its slot. */
async function notCancelled(): Promise<void> {
  const { cancellationSignal, cancelled } = Context.current();
  if (cancellationSignal.aborted) await cancelled;
}
