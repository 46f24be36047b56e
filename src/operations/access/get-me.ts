import { type Me, me } from '../../contract/me.ts';
import { RATE_LIMITS } from '../../domain/limits/rate-limits.ts';
import { defineOperation } from '../operation.ts';

export const getMe = defineOperation({
  id: 'getMe',
  surface: 'v1',
  method: 'GET',
  path: '/v1/me',
  scope: 'read',
  tag: 'Access',
  summary: 'Who am I',
  description: "The key's scope, the agent it is tied to, its monthly budget and its rate limits.",
  whenToUse: 'Call it to learn what this key may do before trying something that needs write access.',
  response: me,
  async run(context): Promise<Me> {
    const caller = context.caller();
    const isKey = caller.kind === 'key';
    return {
      object: 'me',
      organizationId: caller.workspaceId,
      principalKind: caller.kind,
      scope: isKey ? caller.access : 'person',
      agentId: isKey ? caller.agentId : null,
      monthlyBudgetUsd: isKey ? caller.monthlyBudgetUsd : null,
      rateLimits: RATE_LIMITS,
    };
  },
});
