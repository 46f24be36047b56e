import { ApplicationFailure, Context } from '@temporalio/activity';
import { beginWording, keepWording, nextWording } from '../../src/db/models/model-wordings.ts';
import { mostTokens } from '../../src/domain/limits/model-cost.ts';
import { checkWording } from '../../src/domain/signals/wording.ts';
import { ModelError } from '../../src/models/port.ts';
import { wordingRequest } from '../../src/models/wording.ts';
import {
  noteModelError,
  reserveQuestion,
  settleQuestion,
  type ToCharge,
} from '../../src/services/models/ask-charged.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { WordingOutcome } from '../../src/temporal/model-reader.ts';
import type { ActivityDeps } from '../deps.ts';
import { readerOf } from '../shared/reader-of.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

const ASKS_AT_MOST = 3;
const PURPOSE = 'wording';

/** Asks the model to word the next thing that the rules found and named; one question an attempt, three a thing. */
export function createModelWording(deps: ActivityDeps) {
  return async function wordNext(owner: { workspaceId: string; agentId: string }): Promise<WordingOutcome> {
    return withHeartbeat(
      () => null,
      async () => {
        const em = deps.database.within(owner.workspaceId);
        const reads = await readerOf(deps, em, owner.workspaceId);
        if (reads === null) return { state: 'none' };
        const { model: reader, price, isOwn } = reads;
        const task = await nextWording(em, owner.agentId);
        if (task === null) return { state: 'none' };
        const ask = task.asks + 1;
        const question = wordingRequest(task);
        const charge: ToCharge = {
          key: {
            workspaceId: owner.workspaceId,
            purpose: PURPOSE,
            subject: `${task.subjectId}/${task.digest}/${reader.model}`,
            ask,
          },
          agentId: owner.agentId,
          model: reader,
          price,
          isOwn,
        };
        const reserved = await em.transactional(async (tx) => {
          const made = await reserveQuestion(tx, charge, mostTokens(question));
          if (made.state === 'reserved' || made.state === 'begun') await beginWording(tx, owner, task, ask);
          return made;
        });
        if (reserved.state === 'exhausted' || reserved.state === 'held') return { state: 'paused' };
        // Whoever began it did not hear the answer: the next question is another one.
        if (reserved.state === 'begun') return { state: 'unusable' };
        try {
          const answer = await reader.complete({ ...question, signal: Context.current().cancellationSignal });
          const text = checkWording(task, answer.value);
          await em.transactional(async (tx) => {
            await settleQuestion(tx, charge, answer.usage);
            if (text !== null) await keepWording(tx, owner, task, text);
          });
          return { state: text === null ? 'unusable' : 'worded' };
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          await noteModelError(em, charge, error, mostTokens(question));
          // What has the reading of calls pause says so there; words are the last thing that is missed.
          if (error.kind === 'refused' || error.kind === 'busy') return { state: 'paused' };
          if (error.kind === 'unusable' || ask >= ASKS_AT_MOST) return { state: 'unusable' };
          const nextRetryDelay = 5_000 * ask;
          throw ApplicationFailure.create({ type: FAILURE_TYPES.modelWaits, message: error.message, nextRetryDelay });
        }
      },
    );
  };
}
