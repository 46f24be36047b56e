import type { PlanResource } from '../../contract/plan.ts';
import type { EntityManager } from '../../db/database.ts';
import { readCallAllowance } from '../../db/limits/allowance.ts';
import { usedOfPlan } from '../../db/limits/draw-from-plan.ts';
import { countAgents } from '../../db/limits/plans.ts';
import { readAiUsage } from '../../db/models/model-usage.ts';
import { readWorkspaceReading } from '../../db/models/reading-status.ts';
import { readPlan } from '../../db/system/plans.ts';
import { readStorage, readStorageLimit } from '../../db/system/storage.ts';
import { keysOf } from '../../domain/keys-of.ts';
import { cachedShareOf, usdOfNano } from '../../domain/limits/model-cost.ts';
import { allowancesOf } from '../../domain/limits/plans.ts';
import type { Services } from '../services.ts';

export async function presentPlan(
  em: EntityManager,
  services: Pick<Services, 'storageMib'>,
  workspaceId: string,
): Promise<PlanResource> {
  const { plan, set } = await readPlan(em, workspaceId, false);
  const { period, used } = await readCallAllowance(em, workspaceId);
  const ai = await readAiUsage(em, workspaceId);
  const { usedBytes, limitMib } = await readStorage(em, workspaceId, services.storageMib);
  const isSet = (await readStorageLimit(em, workspaceId)) !== null;
  const { agents, ...reading } = await readWorkspaceReading(em, workspaceId);
  const startsAt = period.startsAt.toISOString();
  return {
    object: 'plan',
    plan,
    allowances: allowancesOf(plan, set),
    set: keysOf(set),
    storage: { limitMib, isSet, usedMib: Math.round((usedBytes / (1024 * 1024)) * 10) / 10 },
    period: { startsAt, endsAt: period.endsAt.toISOString() },
    used: {
      agents: await countAgents(em, workspaceId),
      analysedCalls: used,
      copilotMessages: await usedOfPlan(em, workspaceId, 'copilotMessages', startsAt),
      testCalls: await usedOfPlan(em, workspaceId, 'testCalls', startsAt),
      aiUsd: usdOfNano(ai.nanoUsd),
      aiUnpriced: ai.unpriced,
    },
    reading: {
      usd: usdOfNano(agents.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0)),
      questions: reading.questions,
      cachedShare: cachedShareOf(reading),
      agents: agents.map(({ nanoUsd, ...agent }) => ({ ...agent, usd: usdOfNano(nanoUsd) })),
    },
  };
}
