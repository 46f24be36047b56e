import type { EntityManager } from '../db/database.ts';
import type { Admission, AuditLog } from './admission.ts';
import type { CursorScope } from './cursors.ts';
import type { Context, Parent } from './operation.ts';
import type { Services } from './services.ts';

export interface Outcome {
  isAudited: boolean;
  refreshSecret: { value: string; expiresAt: Date } | null | undefined;
  device: string | undefined;
  /** Keeps the answer that is made of a result; null where the request has no Idempotency-Key. */
  keep: ((em: EntityManager, result: unknown) => Promise<void>) | null;
}

/** The context of one request, what the operation left in it, and what its cursors are bound to. */
export function createContext(services: Services, audit: AuditLog, admission: Admission) {
  const { operation, request, principal } = admission;
  const outcome: Outcome = { isAudited: false, refreshSecret: undefined, device: undefined, keep: null };
  const cursorScope: CursorScope = {
    operation: operation.id,
    workspaceId: principal.kind === 'nobody' ? '' : principal.workspaceId,
    path: Object.fromEntries(operation.pathParams.map((name) => [name, (request.path[name] ?? '').toLowerCase()])),
    filters: {},
  };

  let transaction: EntityManager | null = null;
  const context: Context = {
    services,
    get em() {
      return transaction ?? admission.em;
    },
    set em(given) {
      transaction = given;
    },
    requestId: request.requestId,
    principal,
    via: request.surface ?? null,
    refreshSecret: request.refreshSecret,
    device: request.device ?? null,
    lastEventId: request.lastEventId ?? null,
    range: request.range ?? null,
    caller() {
      if (principal.kind === 'nobody') throw new Error(`${operation.id} is public and has no caller.`);
      return principal;
    },
    person() {
      if (principal.kind !== 'person') throw new Error(`${operation.id} is open to more than people.`);
      return principal;
    },
    get agent() {
      if (!admission.agent) throw new Error(`${operation.id} has no agent in its path.`);
      return admission.agent;
    },
    parent<T>(parent: Parent<T>): T {
      if (!admission.parents.has(parent)) throw new Error(`${operation.id} does not declare ${parent.param}.`);
      // What is kept of a parent is what this one loaded.
      return admission.parents.get(parent) as T;
    },
    keepDevice(device) {
      outcome.device = device;
    },
    keepRefreshSecret(secret) {
      outcome.refreshSecret = secret;
    },
    async audited(em, document) {
      outcome.isAudited = true;
      await audit.wrote?.(em, admission, admission.args?.body, operation.status, document);
    },
    async kept(em, result) {
      await outcome.keep?.(em, result);
      return result;
    },
    page(rows, limit, present, position) {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const hasMore = rows.length > limit && last !== undefined;
      return {
        object: 'list',
        data: shown.map(present),
        hasMore,
        nextCursor: hasMore ? services.cursors.seal(cursorScope, position(last)) : null,
      };
    },
  };
  return { context, outcome, cursorScope };
}
