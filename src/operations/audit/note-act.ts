import { insertAuditEntry } from '../../db/audit/audit.ts';
import type { EntityManager } from '../../db/database.ts';
import type { Services } from '../services.ts';
import { hashOfText } from './args-hash.ts';

export interface PersonAct {
  workspaceId: string;
  personId: string;
  operation: string;
  targetIds: string[];
  /** Of the answer; 200 where it is left out. */
  status?: number;
}

/** The audit entry of somebody whom the request itself made known, such as by signing in. Nothing of its arguments is kept. */
export function noteAct(em: EntityManager, { vault }: Pick<Services, 'vault'>, act: PersonAct): Promise<void> {
  return insertAuditEntry(em, {
    ...act,
    agentId: null,
    surface: 'app',
    principalKind: 'person',
    apiKeyId: null,
    tool: null,
    argsHash: hashOfText(vault.hashingKey, act.operation),
    status: act.status ?? 200,
    goalId: null,
  });
}
