import { type AgentView, findReachableAgent } from '../db/agents/read-agents.ts';
import type { EntityManager } from '../db/database.ts';
import type { Authenticator } from './access/authenticate.ts';
import type { Admission, Answer, AuditLog, Query, RawRequest } from './admission.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { createContext } from './context.ts';
import { Failure } from './failure.ts';
import { isReplayed, once, readIdempotencyKey } from './idempotency.ts';
import { readInput } from './input.ts';
import type { RawBody } from './json-body.ts';
import { type Media, type Operation, type Parent, StoredDocument } from './operation.ts';
import { readId, readNamed } from './params.ts';
import { type Principal, reachOf } from './principal.ts';
import { refuseByScope, refuseUnlessOperator } from './refuse-by-scope.ts';
import type { Services } from './services.ts';

export interface Runner {
  /** @throws Failure in the total order of checks. `null` stands for a route that does not exist. */
  admit(operation: Operation | null, request: RawRequest): Promise<Admission>;
  /**
   * Checks query and body, runs the operation and validates its answer. The query may be given as a function, so that a
   * surface which fails to read it is refused here, where refusals are noted.
   */
  finish(admission: Admission, query: Query | (() => Query), body: RawBody): Promise<Answer>;
}

/**
 * The one way into every operation, whatever the surface. The order of checks is total, so that no answer tells more
 * than the one before it would have: address limit, 401, rate limit, route, malformed agent id, agent, the three 403s,
 * malformed child id, child, query and body, then what the operation itself decides.
 */
export function createRunner(
  services: Services,
  authenticator: Pick<Authenticator, 'authenticate' | 'failed'>,
  audit: AuditLog = createAuditLog(services.vault),
): Runner {
  return {
    async admit(operation, request) {
      const principal = await authenticator.authenticate(request, operation);
      if (!operation) throw routeNotFound();
      const admission = openAdmission(services, operation, request, principal);
      admission.agent = await loadAgent(admission);
      try {
        refuseByScope(admission);
        await refuseUnlessOperator(admission);
        for (const parent of operation.parents) {
          admission.parents.set(parent, await loadParent(parent, admission));
        }
      } catch (error) {
        if (error instanceof Failure) await audit.refused?.(admission, error);
        throw error;
      }
      return admission;
    },

    async finish(admission, query, body) {
      try {
        return await run(services, audit, admission, typeof query === 'function' ? query() : query, body);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.retryAfterSeconds !== undefined) {
          admission.request.headers['retry-after'] = String(error.retryAfterSeconds);
        }
        if (!isReplayed(admission)) await audit.refused?.(admission, error);
        throw error.status === 401 ? await authenticator.failed(admission.request, error) : error;
      }
    },
  };
}

/** Its unit of work is begun by whoever first needs it: some operations answer from what authentication knows. */
function openAdmission(services: Services, operation: Operation, request: RawRequest, principal: Principal): Admission {
  let em: EntityManager | null = null;
  return {
    operation,
    request,
    principal,
    get em() {
      em ??= emOf(services, principal);
      return em;
    },
    agent: null,
    parents: new Map(),
    args: null,
  };
}

function emOf({ database }: Services, principal: Principal): EntityManager {
  return principal.kind === 'nobody' ? database.unscoped() : database.within(principal.workspaceId);
}

export const routeNotFound = () => new Failure('route_not_found', 'There is nothing at this address with this method.');

async function loadAgent(admission: Admission): Promise<AgentView | null> {
  const { operation, request, principal } = admission;
  if (!operation.pathParams.includes('agentId')) return null;
  const agent = await findReachableAgent(admission.em, reachOf(principal), readPathId('agentId', request.path.agentId));
  if (!agent) throw new Failure('agent_not_found', 'There is no agent with this id that you can reach.');
  return agent;
}

async function loadParent(parent: Parent<unknown>, admission: Admission): Promise<unknown> {
  const raw = admission.request.path[parent.param];
  const id = parent.format === 'uuid' ? readPathId(parent.param, raw) : (raw ?? '');
  const found = await parent.load(admission.em, id, { principal: admission.principal, agent: admission.agent });
  if (found === null) {
    const noun = parent.notFound.replace(/_not_found$/, '').replaceAll('_', ' ');
    throw new Failure(parent.notFound, `There is no ${noun} like this here.`);
  }
  return found;
}

const readPathId = (param: string, raw: string | undefined) => readNamed(param, () => readId(raw ?? ''));

async function run(
  services: Services,
  audit: AuditLog,
  admission: Admission,
  query: Query,
  body: RawBody,
): Promise<Answer> {
  const { operation } = admission;
  const { context, outcome, cursorScope } = createContext(services, audit, admission);
  readIdempotencyKey(admission);
  const input = await readInput(operation, cursorScope, services.cursors, query, body);
  // Of lines, which are read as they come, only how many bytes were announced.
  const lines = input.lines && body.kind === 'bytes' ? { declaredBytes: body.declaredBytes } : undefined;
  admission.args = { query: input.query, body: lines ?? input.body };

  // Those without a schema of what they answer are defined to run to a medium or to a stream (`operation.ts`).
  const toAnswer = (result: unknown): Answer => {
    const answer = { status: operation.status, refreshSecret: outcome.refreshSecret, device: outcome.device };
    if (operation.streamType === 'audio/*') return { ...answer, body: null, stream: null, media: result as Media };
    if (!operation.response) return { ...answer, body: null, stream: result as AsyncIterable<string> };
    if (result instanceof StoredDocument) {
      // Parsed only for whoever looks into it: over HTTP nobody does, and it may have megabytes.
      const document = {
        get body(): unknown {
          return JSON.parse(result.text);
        },
      };
      return Object.assign(document, answer, { stored: result, stream: null });
    }
    return { ...answer, body: operation.response.parse(result), stream: null };
  };
  return once(services, admission, async (keep) => {
    const prepared = await operation.prepare(context, input);
    if (!operation.transaction) {
      let isKept = keep === null;
      outcome.keep = async (em, result) => {
        await keep?.(em, toAnswer(result));
        isKept = true;
      };
      const answer = toAnswer(await operation.run(context, input, prepared));
      if (operation.audits && !outcome.isAudited) throw new Error(`${operation.id} wrote no audit entry.`);
      if (!isKept) await keep?.(admission.em, answer);
      return answer;
    }
    return admission.em.transactional(async (transaction) => {
      context.em = transaction;
      const answer = toAnswer(await operation.run(context, input, prepared));
      await audit.wrote?.(transaction, admission, input.body, answer.status, answer.body);
      await keep?.(transaction, answer);
      return answer;
    });
  });
}
