import type { CanonicalRecipe } from '../canonical.ts';

/** Ids of this copy, times, layout, who may see it and what is shown beside it: none of it is behaviour on a call. */
export const ELEVENLABS_RECIPE: CanonicalRecipe = {
  volatile: new Set([
    'agent_id',
    'version_id',
    'branch_id',
    'main_branch_id',
    'metadata',
    'access_info',
    'phone_numbers',
    'whatsapp_accounts',
    'tags',
    'default_hold_audio_url',
    'position',
    'widget',
    'auth',
    'call_limits',
    'testing',
    'privacy',
    'response_mocks',
    'usage_stats',
  ]),
  sortedBy: { tools: 'id', tool_ids: 'id', knowledge_base: 'id' },
};
