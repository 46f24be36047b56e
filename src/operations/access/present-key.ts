import type { ApiKeyResource } from '../../contract/key.ts';
import type { KeyView } from '../../db/system/keys.ts';

export function presentKey(key: KeyView): ApiKeyResource {
  return {
    object: 'api_key',
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    access: key.access,
    agentId: key.agentId,
    monthlyBudgetUsd: key.monthlyBudgetUsd,
    // Only runs spend, and there are none yet.
    spentThisMonthUsd: 0,
    lastUsedAt: key.lastUsedAt,
    createdAt: key.createdAt,
  };
}
