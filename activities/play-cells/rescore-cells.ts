import { Context } from '@temporalio/activity';
import { readRules } from '../../src/db/agents/agent-source.ts';
import { loadToRescore } from '../../src/db/runs/rescores.ts';
import type { Slots } from '../../src/slots.ts';
import { allEnded } from '../../src/temporal/all-ended.ts';
import type { RescoreWindow } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { scoreAgain } from './score-attempt.ts';

/**
 * Scores the attempts of some cells again, each in a slot of its own, so that the next question goes out as soon as one
 * is answered. Each score is in the record by itself: begun again, this does what is left of it.
 */
export function createRescoreCells(deps: ActivityDeps, slots: Slots) {
  return async function rescoreCells(request: RescoreWindow): Promise<{ scored: number }> {
    const { workspaceId, agentId, runId, nth, from } = request;
    let scored = 0;
    return withHeartbeat(
      () => ({ runId, fromCell: from, scored }),
      async () => {
        const em = deps.database.within(workspaceId);
        const { attempts, now } = await loadToRescore(em, request);
        const rules = await readRules(em, agentId);
        const { cancellationSignal, cancelled } = Context.current();
        const works = attempts.map(({ stored, expect }) =>
          slots.use(workspaceId, async () => {
            if (cancellationSignal.aborted) await cancelled;
            const { testId, persona, attempt } = stored;
            const key = { workspaceId, agentId, runId, testId, persona, attempt };
            await scoreAgain(deps, em, { stored, nth, key, expect, now, rules });
            scored += 1;
          }),
        );
        await allEnded(works);
        return { scored };
      },
    );
  };
}
