import type { CanonicalRecipe } from '../canonical.ts';

/** Ids, times, where events are sent and who watches: none of it changes what the agent says. */
export const VAPI_RECIPE: CanonicalRecipe = {
  volatile: new Set([
    'orgId',
    'createdAt',
    'updatedAt',
    'latestVersion',
    'server',
    'serverMessages',
    'clientMessages',
    'credentialIds',
    'credentials',
    'monitorPlan',
    'metadata',
    'isServerUrlSecretSet',
  ]),
  sortedBy: { tools: 'name', sharedTools: 'id', assistants: 'id' },
};
