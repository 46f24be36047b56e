import type { EntityManager } from '../../db/database.ts';
import { reserveUsage, settleUsage, type UsageKey } from '../../db/models/model-usage.ts';
import { costNanoUsd, type TokenPrice, type Tokens } from '../../domain/limits/model-cost.ts';
import { ModelError, type Usage } from '../../models/port.ts';

export interface Charged<Answer> {
  em: EntityManager;
  key: UsageKey;
  agentId: string;
  model: string;
  price: TokenPrice | undefined;
  /** What the question may take at most. */
  most: Tokens;
  ask(): Promise<Answer>;
}

/** The AI allowance of the workspace does not cover a question. */
export interface Exhausted {
  /** Null: it never covers one of this size. */
  exhaustedUntil: string | null;
}

/** Asks a model once: what it may cost is reserved in the record before the question goes out. @throws ModelError */
export async function askCharged<Answer extends { usage: Usage }>(asked: Charged<Answer>): Promise<Answer | Exhausted> {
  const { em, key, agentId, model, price } = asked;
  const cost = { nanoUsd: costNanoUsd(price, asked.most) };
  const reserved = await reserveUsage(em, { ...key, agentId, model, priced: price !== undefined, ...cost });
  if (reserved.state === 'exhausted') return { exhaustedUntil: reserved.freeAt };
  try {
    const answer = await asked.ask();
    await settleUsage(em, { ...key, ...answer.usage, nanoUsd: costNanoUsd(price, answer.usage) });
    return answer;
  } catch (error) {
    // Where nobody knows what it cost, what was held back stays charged: the endpoint may charge it too.
    if (error instanceof ModelError && error.usage) {
      await settleUsage(em, { ...key, ...error.usage, nanoUsd: costNanoUsd(price, error.usage) });
    }
    throw error;
  }
}
