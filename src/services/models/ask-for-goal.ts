import type { EntityManager } from '../../db/database.ts';
import type { Turn } from '../../domain/calls/call.ts';
import { mostTokens, type TokenPrice } from '../../domain/limits/model-cost.ts';
import { checkGoalWords, type GoalWords } from '../../domain/tests/goal-words.ts';
import { goalRequest } from '../../models/goal-words.ts';
import { type ChatModel, ModelError } from '../../models/port.ts';
import { askCharged } from './ask-charged.ts';

export interface GoalToWord {
  workspaceId: string;
  agentId: string;
  testId: string;
  /** In the words of the rules. */
  goal: string;
  turns: readonly Turn[];
}

/** What a model says that the caller of a test wants, once; null where it says nothing that holds. */
export async function askForGoal(
  em: EntityManager,
  { words, prices }: { words: ChatModel; prices: Record<string, TokenPrice> },
  { workspaceId, agentId, testId, goal, turns }: GoalToWord,
): Promise<GoalWords | null> {
  const request = goalRequest(turns, goal);
  try {
    const answer = await askCharged({
      em,
      key: { workspaceId, purpose: 'test-words', subject: testId, ask: 1 },
      agentId,
      model: words,
      price: prices[words.model],
      most: mostTokens(request),
      ask: () => words.complete(request),
    });
    return answer.state === 'answered' ? checkGoalWords(turns, answer.answer.value) : null;
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}
