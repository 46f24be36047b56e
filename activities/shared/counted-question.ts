import { Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import { chargedFor } from '../../src/db/models/model-usage.ts';
import { mostTokens } from '../../src/domain/limits/model-cost.ts';
import { type ChatRequest, ModelError } from '../../src/models/port.ts';
import { asBusy, askCharged, type ChargedAnswer } from '../../src/services/models/ask-charged.ts';
import type { PaidModel } from './reader-of.ts';

export interface CountedQuestion<T> {
  workspaceId: string;
  agentId: string;
  /** What the questions are for, such as `judge`; with `subject` it names one question over all processes. */
  purpose: string;
  subject: string;
  asksAtMost: number;
  asks: PaidModel;
  request: ChatRequest<T>;
  signal?: AbortSignal;
}

export type CountedAnswer<T> =
  | { state: 'answered'; value: T; model: string; nanoUsd: number }
  /** The AI allowance of the workspace is used up. `freeAt` null: it never covers such a question. */
  | { state: 'exhausted'; freeAt: string | null }
  /** Asked as often as allowed without a usable answer, or refused. `reason` is a sentence for people. */
  | { state: 'unusable'; reason: string; nanoUsd: number };

const LONGEST_WAIT_MS = 60_000;
const LONGEST_HELD_MS = 180_000;

/**
 * Asks a model one question until it has a usable answer, at most `asksAtMost` times over all processes: each ask is
 * reserved in the record before it goes out, so that one over which a process died counts as asked. Waits here between
 * the asks; call it within `withHeartbeat`. `nanoUsd` is what all asks of the question have cost.
 * @throws CancelledFailure when the activity is cancelled while it waits.
 */
export async function askCounted<T>(em: EntityManager, question: CountedQuestion<T>): Promise<CountedAnswer<T>> {
  const { workspaceId, agentId, purpose, subject, request } = question;
  const { model, price, isOwn } = question.asks;
  const signal = question.signal ?? Context.current().cancellationSignal;
  const charged = () => chargedFor(em, { workspaceId, purpose, subject });
  let reason = `The process ended each of the ${question.asksAtMost} times that the model was asked.`;
  for (let ask = 1; ask <= question.asksAtMost; ask += 1) {
    try {
      const asked = await onceFree(() =>
        askCharged({
          em,
          key: { workspaceId, purpose, subject, ask },
          agentId,
          model,
          price,
          isOwn,
          most: mostTokens(request),
          ask: () => model.complete({ ...request, signal }),
        }),
      );
      if (asked.state === 'exhausted') return { state: 'exhausted', freeAt: asked.freeAt };
      if (asked.state === 'held') {
        return { state: 'unusable', reason: asBusy(model, asked.freeAt).message, nanoUsd: await charged() };
      }
      if (asked.state === 'begun') continue;
      const { answer } = asked;
      // Before the first ask of a question none was charged.
      const nanoUsd = ask === 1 ? asked.nanoUsd : await charged();
      return { state: 'answered', value: answer.value, model: answer.model, nanoUsd };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      // An activity that was cancelled in the middle of a question has no answer, and is no trouble of the model.
      if (Context.current().cancellationSignal.aborted) await Context.current().cancelled;
      reason = error.message;
      if (error.kind === 'refused') break;
      if (error.kind !== 'busy' && ask < question.asksAtMost) await Context.current().sleep(waitAfter(error, ask));
    }
  }
  return { state: 'unusable', reason, nanoUsd: await charged() };
}

/** Waits while the account wants no questions, which is no try of this one; `held` where that takes too long. */
async function onceFree<Answer>(ask: () => Promise<ChargedAnswer<Answer>>): Promise<ChargedAnswer<Answer>> {
  for (let leftMs = LONGEST_HELD_MS; ; ) {
    const asked = await ask();
    if (asked.state !== 'held') return asked;
    const waitMs = Math.max(1, Date.parse(asked.freeAt) - Date.now());
    if (waitMs > leftMs) return asked;
    await Context.current().sleep(waitMs);
    leftMs -= waitMs;
  }
}

/** An answer that does not fit is asked for again at once; who is away is given time. */
function waitAfter({ kind, retryAfterMs }: ModelError, ask: number): number {
  const waitMs = kind === 'unusable' ? 500 : (retryAfterMs ?? 2_000 * ask * ask);
  return Math.min(waitMs, LONGEST_WAIT_MS);
}
