import type { ApiKeyResource } from '../../contract/key.ts';
import type { KeyView } from '../../db/system/keys.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';

export function presentKey(key: KeyView): ApiKeyResource {
  return {
    object: 'api_key',
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    access: key.access,
    agentId: key.agentId,
    monthlyBudgetUsd: key.monthlyBudgetUsd,
    spentThisMonthUsd: usdOfNano(key.usedNanoUsd),
    lastUsedAt: key.lastUsedAt,
    createdAt: key.createdAt,
    createdBy: key.createdBy,
  };
}
