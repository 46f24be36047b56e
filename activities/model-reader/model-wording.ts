import { ApplicationFailure, Context } from '@temporalio/activity';
import { reserveUsage, settleUsage, type UsageKey } from '../../src/db/models/model-usage.ts';
import { beginWording, keepWording, nextWording } from '../../src/db/models/model-wordings.ts';
import { costNanoUsd, mostTokens } from '../../src/domain/limits/model-cost.ts';
import { checkWording } from '../../src/domain/signals/wording.ts';
import { ModelError } from '../../src/models/port.ts';
import { wordingRequest } from '../../src/models/wording.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { WordingOutcome } from '../../src/temporal/model-reader.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

const ASKS_AT_MOST = 3;
const PURPOSE = 'wording';

/** Asks the model to word the next thing that the rules found and named; one question an attempt, three a thing. */
export function createModelWording({ database, models }: ActivityDeps) {
  return async function wordNext(owner: { workspaceId: string; agentId: string }): Promise<WordingOutcome> {
    const { reader, prices } = models;
    if (reader === null) return { state: 'none' };
    return withHeartbeat(
      () => null,
      async () => {
        const em = database.within(owner.workspaceId);
        const task = await nextWording(em, owner.agentId);
        if (task === null) return { state: 'none' };
        const ask = task.asks + 1;
        const subject = `${task.subjectId}/${task.digest}/${reader.model}`;
        const key: UsageKey = { workspaceId: owner.workspaceId, purpose: PURPOSE, subject, ask };
        const price = prices[reader.model];
        const question = wordingRequest(task);
        const nanoUsd = costNanoUsd(price, mostTokens(question));
        const reserved = await em.transactional(async (tx) => {
          const wanted = { ...key, agentId: owner.agentId, model: reader.model, priced: price !== undefined, nanoUsd };
          const made = await reserveUsage(tx, wanted);
          if (made.state !== 'exhausted') await beginWording(tx, owner, task, ask);
          return made;
        });
        if (reserved.state === 'exhausted') return { state: 'paused' };
        // Whoever began it did not hear the answer: the next question is another one.
        if (reserved.state === 'begun') return { state: 'unusable' };
        try {
          const answer = await reader.complete({ ...question, signal: Context.current().cancellationSignal });
          const text = checkWording(task, answer.value);
          await em.transactional(async (tx) => {
            await settleUsage(tx, { ...key, ...answer.usage, nanoUsd: costNanoUsd(price, answer.usage) });
            if (text !== null) await keepWording(tx, owner, task, text);
          });
          return { state: text === null ? 'unusable' : 'worded' };
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          if (error.usage) await settleUsage(em, { ...key, ...error.usage, nanoUsd: costNanoUsd(price, error.usage) });
          if (error.kind === 'unusable' || ask >= ASKS_AT_MOST) return { state: 'unusable' };
          const nextRetryDelay = Math.min(error.retryAfterMs ?? 5_000 * ask, 600_000);
          throw ApplicationFailure.create({ type: FAILURE_TYPES.modelWaits, message: error.message, nextRetryDelay });
        }
      },
    );
  };
}
