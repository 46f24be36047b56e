import { plan, planChange } from '../../contract/plan.ts';
import { readPlan, writePlan } from '../../db/queries/plans.ts';
import { changeAllowances } from '../../domain/limits/plans.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { presentPlan } from './present-plan.ts';

export const changePlan = defineOperation({
  id: 'changePlan',
  surface: 'app',
  method: 'PATCH',
  path: '/app/plan',
  scope: 'person',
  adminOnly: true,
  tag: 'Plan',
  summary: 'Change the plan of the workspace',
  description:
    'Another plan brings its own allowances; those given hold in their place, and null takes one back. Nothing that is there is taken away by a smaller plan.',
  body: planChange,
  response: plan,
  async run(context, { body }) {
    const { em } = context;
    const { workspaceId } = context.person();
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name a plan or an allowance to change.');
    const before = await readPlan(em, workspaceId, true);
    await writePlan(em, workspaceId, changeAllowances(before, body));
    return presentPlan(em, workspaceId, await readPlan(em, workspaceId, false));
  },
});
