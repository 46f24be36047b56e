import { plan, planChange } from '../../contract/plan.ts';
import { agentsWithWaitingCalls } from '../../db/limits/plans.ts';
import { readPlan, writePlan } from '../../db/system/plans.ts';
import { runsInstallation } from '../../db/system/setup.ts';
import { writeStorageLimit } from '../../db/system/storage.ts';
import { changeAllowances } from '../../domain/limits/plans.ts';
import { newId } from '../../ids.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { analyseEntry } from '../../temporal/agent-coordinator.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { presentPlan } from './present-plan.ts';

export const changePlan = defineOperation({
  id: 'changePlan',
  surface: 'app',
  method: 'PATCH',
  path: '/app/plan',
  scope: 'person',
  role: 'admin',
  tag: 'Plan',
  summary: 'Change the plan of the workspace',
  description:
    'By admins of the installation, whose workspace is the one made at its first start. Another plan brings its own allowances; those given hold in their place, and null takes one back. Nothing that is there is taken away by a smaller plan; calls that wait for the allowance are analysed as soon as it grows, oldest first.',
  body: planChange,
  response: plan,
  async run(context, { body }) {
    const { em, services } = context;
    const { workspaceId, personId } = context.person();
    if (!(await runsInstallation(em, personId))) {
      throw new Failure('admin_only', 'Only an admin of the installation changes plans and allowances.');
    }
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name a plan or an allowance to change.');
    const before = await readPlan(em, workspaceId, true);
    await writePlan(em, workspaceId, changeAllowances(before, body));
    for (const agent of await agentsWithWaitingCalls(em, workspaceId)) {
      const entry = analyseEntry(coordinatorOf(agent, services.polling), { messageId: newId() });
      await addToOutbox(em, { entry, workspaceId, agentId: agent.agentId });
    }
    if (body.storageMib !== undefined) await writeStorageLimit(em, workspaceId, body.storageMib);
    return presentPlan(em, services, workspaceId);
  },
});
