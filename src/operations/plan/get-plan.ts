import { plan } from '../../contract/plan.ts';
import { defineOperation } from '../operation.ts';
import { presentPlan } from './present-plan.ts';

export const getPlan = defineOperation({
  id: 'getPlan',
  surface: 'app',
  method: 'GET',
  path: '/app/plan',
  scope: 'person',
  role: 'admin',
  tag: 'Plan',
  summary: 'The plan of the workspace',
  description: 'What it includes, what was set in its place, and what is used in the present period.',
  response: plan,
  async run(context) {
    const { workspaceId } = context.person();
    return presentPlan(context.em, context.services, workspaceId);
  },
});
