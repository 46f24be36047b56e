import type { EntityManager } from '../../db/database.ts';
import { mostTokens, type TokenPrice } from '../../domain/limits/model-cost.ts';
import { newId } from '../../ids.ts';
import { type AskedBrief, type BriefQuestion, briefRequest } from '../../models/brief-chat.ts';
import { type ChatModel, ModelError } from '../../models/port.ts';
import { asBusy, askCharged } from './ask-charged.ts';

/** What a model answers to one question about a brief; a sentence where it gives no usable answer. */
export async function askAboutBrief(
  em: EntityManager,
  { words, prices }: { words: ChatModel; prices: Record<string, TokenPrice> },
  { workspaceId, agentId, ...question }: BriefQuestion & { workspaceId: string; agentId: string },
): Promise<AskedBrief | { message: string }> {
  const request = briefRequest(question);
  try {
    const answer = await askCharged({
      em,
      key: { workspaceId, purpose: 'brief-chat', subject: newId(), ask: 1 },
      agentId,
      model: words,
      price: prices[words.model],
      most: mostTokens(request),
      ask: () => words.complete(request),
    });
    if (answer.state === 'answered') return answer.answer.value;
    if (answer.state === 'held') throw asBusy(words, answer.freeAt);
    return { message: "The workspace's AI model allowance does not cover a question of this size just now." };
  } catch (error) {
    if (error instanceof ModelError) return { message: `The model gave no usable answer: ${error.message}` };
    throw error;
  }
}
