import { insertAuditEntry, type NewAuditEntry } from '../../db/audit/audit.ts';
import { fieldOf } from '../../domain/json.ts';
import type { Vault } from '../../secrets.ts';
import type { Admission, AuditLog } from '../admission.ts';
import { argsHashOf } from './args-hash.ts';

/** Refusals that leave an entry, once it is known who asks: a 401 is then a wrong password. Not 429, which says nothing of the request. */
const NOTED_STATUSES = new Set([400, 401, 402, 403, 404, 409]);

const UUID = /^[0-9a-f-]{36}$/;

/**
 * Writes the audit log: in the transaction of the write that it records, or for a refusal in one of its own. What has an
 * entry follows from the definition, so that no operation can forget it.
 */
export function createAuditLog(vault: Pick<Vault, 'hashingKey'>): AuditLog {
  return {
    async wrote(em, admission, _body, status, document) {
      if (!isAudited(admission)) return;
      await insertAuditEntry(em, entryOf(vault.hashingKey, admission, status, document));
    },
    async refused(admission, failure) {
      if (!isAudited(admission) || !NOTED_STATUSES.has(failure.status)) return;
      await insertAuditEntry(admission.em, entryOf(vault.hashingKey, admission, failure.status, null));
    },
  };
}

/** Every change, whoever makes it, refused ones too. */
function isAudited({ operation, request, principal, agent }: Admission): boolean {
  if (principal.kind === 'nobody') return false;
  if (operation.audits && (agent || !ofAgent(operation))) return true;
  if (!agent) return false;
  const changes = operation.changes && (operation.scope === 'write' || operation.scope === 'person');
  return changes && (principal.kind === 'key' || request.surface !== undefined);
}

/** Refused before its agent is known, an operation says nothing about any. */
const ofAgent = ({ pathParams }: Admission['operation']) => pathParams.includes('agentId');

function entryOf(key: Buffer, admission: Admission, status: number, document: unknown): NewAuditEntry {
  const { operation, request, principal, agent } = admission;
  if (principal.kind === 'nobody') throw new Error(`${operation.id} is public and has no audit entries.`);
  return {
    workspaceId: principal.workspaceId,
    agentId: agent?.id ?? null,
    surface: request.surface ?? operation.surface,
    principalKind: request.surface === 'copilot' ? 'copilot' : principal.kind,
    apiKeyId: principal.kind === 'key' ? principal.keyId : null,
    personId: principal.kind === 'person' ? principal.personId : null,
    tool: request.tool ?? null,
    operation: operation.id,
    targetIds: targetsOf(admission, document),
    argsHash: argsHashOf(key, admission),
    status,
    goalId: status === 404 ? null : goalOf(admission, document),
  };
}

/** The goal of the path, of the body or of the run which is acted on, or the one that was opened. */
function goalOf({ request, args, parents }: Admission, document: unknown): string | null {
  const named = fieldOf(args?.body, 'goalId');
  const runs = [...parents.values()].map((parent) => fieldOf(parent, 'goalId'));
  const opened = fieldOf(document, 'object') === 'goal' ? fieldOf(document, 'id') : null;
  const found = [request.path.goalId, named, ...runs, opened].find(
    (one) => typeof one === 'string' && UUID.test(one.toLowerCase()),
  );
  return typeof found === 'string' ? found.toLowerCase() : null;
}

/** The ids of the path below the agent and the id of the answer; the agent's own where there is none of these. */
function targetsOf({ operation, request, agent }: Admission, document: unknown): string[] {
  const ids = operation.parents
    .filter(({ format }) => format === 'uuid')
    .map(({ param }) => (request.path[param] ?? '').toLowerCase())
    // A malformed one names nothing, and could be anything.
    .filter((id) => UUID.test(id));
  const made = fieldOf(document, 'id');
  if (typeof made === 'string') ids.push(made);
  if (ids.length === 0 && agent) ids.push(agent.id);
  return [...new Set(ids)];
}
