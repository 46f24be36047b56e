import { plan, planChange } from '../../contract/plan.ts';
import { defineOperation } from '../operation.ts';
import { presentPlan } from './present-plan.ts';
import { writePlanChange } from './write-plan-change.ts';

export const changePlan = defineOperation({
  id: 'changePlan',
  surface: 'app',
  method: 'PATCH',
  path: '/app/plan',
  scope: 'person',
  operatorOnly: true,
  tag: 'Plan',
  summary: 'Change the plan of the workspace',
  description:
    'By admins of the installation, whose workspace is the one made at its first start. Another plan brings its own allowances; those given hold in their place, and null takes one back. Nothing that is there is taken away by a smaller plan; calls that wait for the allowance are analysed as soon as it grows, oldest first.',
  body: planChange,
  response: plan,
  async run(context, { body }) {
    const { em, services } = context;
    const { workspaceId } = context.person();
    await writePlanChange(em, services, workspaceId, body);
    return presentPlan(em, services, workspaceId);
  },
});
