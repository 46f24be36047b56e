import type { EntityManager } from '../../src/db/database.ts';
import { readModelPolicy } from '../../src/db/models/model-policy.ts';
import { queueModelReadings } from '../../src/db/models/model-readings.ts';
import { readAiUsage } from '../../src/db/models/model-usage.ts';
import { readPlan } from '../../src/db/system/plans.ts';
import { usdOfNano } from '../../src/domain/limits/model-cost.ts';
import { allowancesOf } from '../../src/domain/limits/plans.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { readerEntry } from '../../src/temporal/model-reader.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Notes that these calls were read by rules and wakes the model reader of the agent. Nothing waits for it. Doing it
 * twice asks nothing twice.
 */
export async function handToModel(
  { models }: Pick<ActivityDeps, 'models'>,
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  callIds: string[],
): Promise<void> {
  const { reader } = models;
  if (reader === null || callIds.length === 0) return;
  const { workspaceId, agentId } = owner;
  if ((await readModelPolicy(em, agentId)).mode === 'off') return;
  await em.transactional(async (tx) => {
    await queueModelReadings(tx, { workspaceId, agentId }, callIds, reader.model);
    await addToOutbox(tx, { entry: readerEntry({ workspaceId, agentId }), workspaceId, agentId });
  });
}

/** Says in words that the AI allowance is used up, for whoever wonders where the model's reading is; else null. */
export async function whyNoModel(
  { models }: Pick<ActivityDeps, 'models'>,
  em: EntityManager,
  workspaceId: string,
): Promise<string | null> {
  if (models.reader === null) return null;
  const { plan, set } = await readPlan(em, workspaceId, false);
  const { aiAllowanceUsd: limit } = allowancesOf(plan, set);
  if (limit === null) return null;
  const used = usdOfNano((await readAiUsage(em, workspaceId)).nanoUsd);
  // What is left covers no question more once it is under a thousandth of a dollar.
  if (used < limit - 0.001) return null;
  return `The AI allowance of ${limit} USD over 30 days is used up: the reading by a model waits until older usage leaves the 30 days, or the allowance grows. Everything that rules read is complete.`;
}
