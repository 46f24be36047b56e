import type { EntityManager } from '../../src/db/database.ts';
import { reserveUsage, settleUsage, type UsageKey } from '../../src/db/models/model-usage.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import { costNanoUsd, mostTokens } from '../../src/domain/limits/model-cost.ts';
import { type ModelReading, withShownProblems } from '../../src/domain/signals/model-reading.ts';
import { type ChatModel, ModelError } from '../../src/models/port.ts';
import { problemsRequest } from '../../src/models/reader.ts';

interface Asks {
  reader: ChatModel;
  price: Parameters<typeof costNanoUsd>[0];
  /** Of the question that named the problems. */
  key: UsageKey;
  agentId: string;
  signal: AbortSignal;
}

/**
 * Asks once more about problems that no rule knows, without a word of the caller. Where that can't be asked or brings
 * nothing usable, the problems are left out and the rest of the reading stands.
 */
export async function keepShownProblems(
  em: EntityManager,
  call: NormalisedCall,
  reading: ModelReading,
  { reader, price, key: first, agentId, signal }: Asks,
): Promise<ModelReading> {
  const problems = reading.problems ?? [];
  if (problems.length === 0) return reading;
  const none = withShownProblems(reading, []);
  const question = problemsRequest(call, problems);
  const key: UsageKey = { ...first, purpose: 'problems_shown' };
  const nanoUsd = costNanoUsd(price, mostTokens(question));
  const held = { ...key, agentId, model: reader.model, priced: price !== undefined, nanoUsd };
  const { state } = await em.transactional((tx) => reserveUsage(tx, held));
  if (state !== 'reserved') return none;
  try {
    const { value, usage } = await reader.complete({ ...question, signal });
    await settleUsage(em, { ...key, ...usage, nanoUsd: costNanoUsd(price, usage) });
    return withShownProblems(reading, value.problems);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (error.usage) await settleUsage(em, { ...key, ...error.usage, nanoUsd: costNanoUsd(price, error.usage) });
    return none;
  }
}
