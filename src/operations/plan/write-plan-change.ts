import type { z } from 'zod';
import type { planChange } from '../../contract/plan.ts';
import type { EntityManager } from '../../db/database.ts';
import { agentsWithWaitingCalls } from '../../db/limits/plans.ts';
import { readPlan, writePlan } from '../../db/system/plans.ts';
import { writeStorageLimit } from '../../db/system/storage.ts';
import { changeAllowances } from '../../domain/limits/plans.ts';
import { newId } from '../../ids.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { analyseEntry } from '../../temporal/agent-coordinator.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';

/** In a transaction of that workspace. Calls that wait for the allowance are looked at anew. @throws Failure where nothing is named. */
export async function writePlanChange(
  em: EntityManager,
  services: Pick<Services, 'polling'>,
  workspaceId: string,
  change: z.infer<typeof planChange>,
): Promise<void> {
  if (Object.keys(change).length === 0) throw new Failure('invalid_body', 'Name a plan or an allowance to change.');
  const before = await readPlan(em, workspaceId, true);
  await writePlan(em, workspaceId, changeAllowances(before, change));
  for (const agent of await agentsWithWaitingCalls(em, workspaceId)) {
    const entry = analyseEntry(coordinatorOf(agent, services.polling), { messageId: newId() });
    await addToOutbox(em, { entry, workspaceId, agentId: agent.agentId });
  }
  if (change.storageMib !== undefined) await writeStorageLimit(em, workspaceId, change.storageMib);
}
