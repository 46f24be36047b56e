import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fieldOf } from '../../src/domain/json.ts';
import type { Authenticator } from '../../src/operations/access/authenticate.ts';
import type { AuditLog, RawRequest } from '../../src/operations/admission.ts';
import { Failure } from '../../src/operations/failure.ts';
import { readJsonBody } from '../../src/operations/json-body.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { createRunner } from '../../src/operations/perform.ts';
import type { Principal } from '../../src/operations/principal.ts';
import type { Services } from '../../src/operations/services.ts';
import { makeTools, type Tool } from '../../src/operations/tools.ts';
import { anonymousRequest } from '../anonymous-request.ts';
import { idempotencyKeyOf, readBody } from '../plugins/routes.ts';
import { createOriginCheck } from './check-origin.ts';
import { offeredTools, readChoice } from './offered-tools.ts';
import type { ToolServer } from './server.ts';

interface McpDeps {
  services: Services;
  authenticator: Authenticator;
  audit: AuditLog;
  operations: readonly Operation[];
}

/**
 * `/mcp`: every operation that a key may use, as a tool. One HTTP request is one message and is authenticated before it is
 * read; what its operation takes beyond a read is drawn then, so that it draws what the same request over HTTP would draw.
 */
export function addMcpRoutes(app: FastifyInstance, { services, authenticator, audit, operations }: McpDeps): void {
  const authenticated = new WeakMap<RawRequest, Principal>();
  const runner = createRunner(
    services,
    {
      failed: authenticator.failed,
      async authenticate(request) {
        const principal = authenticated.get(request);
        if (!principal) throw new Error('A tool was called by someone who was not authenticated.');
        return principal;
      },
    },
    audit,
  );
  // The protocol takes 7 MB, and the schemas of all tools a while: a process that no model's client asks goes without.
  let made: ReadonlyMap<string, Tool> | null = null;
  const tools = () => {
    made ??= new Map(makeTools(operations).map((tool) => [tool.name, tool]));
    return made;
  };
  let loading: Promise<ToolServer> | null = null;
  const serve = () => {
    loading ??= import('./server.ts').then(({ createToolServer }) =>
      createToolServer([...tools().values()], runner, services.log),
    );
    return loading;
  };
  const checkOrigin = createOriginCheck({ publicUrl: services.publicUrl, isNamed: services.isNamed });

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    onRequest: async (request) => {
      request.operationId = 'mcp';
      checkOrigin(request);
    },
    handler: async (request, reply) => {
      const raw = messageRequest(request);
      try {
        let refused = await unlessLimited(async () => {
          request.principal = await authenticator.authenticate(raw, null);
          authenticated.set(raw, request.principal);
        });
        const read = await readMessage(request);
        const tool = toolOf(read.message);
        const operation = tool === null ? null : (tools().get(tool)?.operation ?? null);
        if (operation) {
          request.operationId = operation.id;
          refused ??= await unlessLimited(() => authenticator.drawBeyondRead(raw, operation));
        }
        // Who is known and has used up a limit reads it as the tool's answer; who is not known gets no protocol.
        if (refused && tool === null) throw refused;
        if (read.problem) throw read.problem;
        // The message says it; the header belongs to answers of status 429.
        if (refused) delete raw.headers['retry-after'];
        const { principal } = request;
        const choice = readChoice(new URL(request.url, 'http://localhost').searchParams);
        const offered = principal ? offeredTools([...tools().values()], principal, choice) : [];
        const turn = (who: Principal) => app.largeAnswers(who, reply);
        const answer = await (await serve()).answer(request.raw, read.message, {
          request: raw,
          refused,
          offered,
          turn,
        });
        return reply.header('cache-control', 'no-store').send(answer);
      } finally {
        reply.headers(raw.headers);
      }
    },
  });
  app.addHook('onClose', async () => {
    await (await loading)?.close();
  });
}

/** @returns the refusal of somebody who is known and has used up a limit. */
async function unlessLimited(work: () => Promise<void>): Promise<Failure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Failure && error.code === 'rate_limited') return error;
    throw error;
  }
}

function messageRequest(request: FastifyRequest): RawRequest {
  return {
    ...anonymousRequest(request),
    authorization: request.headers.authorization ?? null,
    idempotencyKey: idempotencyKeyOf(request),
    surface: 'mcp',
  };
}

interface ReadMessage {
  /** Undefined where there is none, as with the methods that close or open a stream. */
  message?: unknown;
  /** Told only to those who are authenticated. */
  problem?: Failure;
}

async function readMessage(request: FastifyRequest): Promise<ReadMessage> {
  if (request.method !== 'POST') return {};
  try {
    const message = await readJsonBody(readBody(request));
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return { message };
    return { problem: new Failure('invalid_body', 'The body must be one JSON-RPC message.') };
  } catch (error) {
    if (error instanceof Failure) return { problem: error };
    throw error;
  }
}

/** The tool that a message wants to call; null for every other message. */
function toolOf(message: unknown): string | null {
  if (fieldOf(message, 'method') !== 'tools/call') return null;
  const name = fieldOf(fieldOf(message, 'params'), 'name');
  return typeof name === 'string' ? name : null;
}
