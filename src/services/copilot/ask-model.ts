import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerKey } from '../../db/copilot/answers.ts';
import type { EntityManager } from '../../db/database.ts';
import { ANSWER_BOUNDS } from '../../domain/copilot/copilot.ts';
import { mostTokens, type TokenPrice } from '../../domain/limits/model-cost.ts';
import { ModelError, type TalkAnswer, type TalkModel, type TalkRequest } from '../../models/port.ts';
import { asBusy, askCharged } from '../models/ask-charged.ts';
import { failed } from './answer-ended.ts';

export interface TalkPayer {
  em(): EntityManager;
  key: AnswerKey;
  agentId: string;
  model: TalkModel;
  price: TokenPrice | undefined;
}

const PURPOSE = 'copilot';
const LONGEST_WAIT_MS = 10_000;

/**
 * One turn of the model, asked for again while it is away and has said nothing yet; each ask is reserved in the record
 * before it goes out.
 * @throws ModelError when it has no usable turn, AnswerEnded when the AI allowance does not cover it.
 */
export async function askModel(payer: TalkPayer, round: number, request: TalkRequest): Promise<TalkAnswer> {
  for (let ask = 1; ; ask += 1) {
    let spoke = false;
    try {
      return await askOnce(payer, round * ANSWER_BOUNDS.asks + ask, {
        ...request,
        onText(text) {
          spoke = true;
          request.onText(text);
        },
      });
    } catch (error) {
      if (!(error instanceof ModelError) || request.signal?.aborted) throw error;
      if (spoke || error.kind === 'refused' || ask === ANSWER_BOUNDS.asks) throw error;
      await sleep(waitAfter(error, ask), undefined, request.signal ? { signal: request.signal } : {});
    }
  }
}

async function askOnce(payer: TalkPayer, ask: number, request: TalkRequest): Promise<TalkAnswer> {
  const { key, model, price, agentId } = payer;
  const answer = await askCharged({
    em: payer.em(),
    key: { workspaceId: key.workspaceId, purpose: PURPOSE, subject: key.messageId, ask },
    agentId,
    model,
    price,
    most: mostTokens({ ...request, material: JSON.stringify([request.messages, request.tools]) }),
    ask: () => model.talk(request),
  });
  switch (answer.state) {
    case 'answered':
      return answer.answer;
    case 'exhausted':
      throw failed('budget_exceeded', exhaustedMessage(answer.freeAt));
    case 'held':
      throw asBusy(model, answer.freeAt);
    case 'begun':
      throw new ModelError('away', 'The model was asked before, and nobody heard its answer.');
    default:
      return answer satisfies never;
  }
}

const exhaustedMessage = (freeAt: string | null) =>
  `The AI allowance of the workspace is used up. ${
    freeAt === null ? 'It never covers a question of this size.' : `It has room again from ${freeAt}.`
  }`;

const waitAfter = ({ kind, retryAfterMs }: ModelError, ask: number): number =>
  Math.min(kind === 'unusable' ? 200 : (retryAfterMs ?? 500 * ask), LONGEST_WAIT_MS);
