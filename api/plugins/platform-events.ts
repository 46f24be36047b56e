import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../src/operations/access/authenticate.ts';
import { listSignInMethods } from '../../src/operations/access/list-sign-in-methods.ts';
import type { RawRequest } from '../../src/operations/admission.ts';
import { Failure } from '../../src/operations/failure.ts';
import { answerTools } from '../../src/operations/platform-events/answer-tools.ts';
import { takeEvent } from '../../src/operations/platform-events/take-event.ts';
import type { Services } from '../../src/operations/services.ts';
import { anonymousRequest } from '../anonymous-request.ts';
import { readBytes } from '../read-bytes.ts';

/** Transcripts of an hour are a few megabytes; audio, which some platforms offer to send too, is not taken. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** Questions for tools carry the conversation along. */
const TOOLS_BODY_LIMIT_BYTES = 2 * 1024 * 1024;

interface Hook {
  Params: { connectionId: string };
}

/**
 * Where voice platforms send their events, and have tools of simulated calls answered. No operations: who sends is told
 * by a signature over the raw bytes, not by a key, and what is answered is for a machine that only reads the status.
 */
export function addPlatformEvents(
  app: FastifyInstance,
  { services, authenticator }: { services: Services; authenticator: Authenticator },
): void {
  app.post<Hook>('/hooks/:connectionId', async (request, reply) => {
    request.operationId = 'takeEvent';
    const from = anonymousRequest(request);
    const raw = ofConnection(from, request.params.connectionId);
    try {
      await authenticator.drawForPlatform(from);
      const taken = await takeEvent(services, {
        connectionId: request.params.connectionId,
        headers: headersOf(request),
        // Of a connection that is there only: what a stranger makes up is nobody's, and gets no limits of its own.
        async readBody() {
          await authenticator.authenticate(raw, listSignInMethods);
          return readBytes(request, BODY_LIMIT_BYTES);
        },
      });
      return reply.header('cache-control', 'no-store').send(taken);
    } catch (error) {
      throw error instanceof Failure && error.status === 401 ? await authenticator.failed(raw, error) : error;
    } finally {
      reply.headers(raw.headers);
    }
  });

  app.post<{ Params: { token: string } }>('/fixtures/:token', async (request, reply) => {
    request.operationId = 'answerTools';
    reply.header('cache-control', 'no-store');
    const from = anonymousRequest(request);
    try {
      await authenticator.drawForPlatform(from);
      return await answerTools(services, {
        token: request.params.token,
        headers: headersOf(request),
        readBody: () => readBytes(request, TOOLS_BODY_LIMIT_BYTES),
      });
    } finally {
      reply.headers(from.headers);
    }
  });
}

/**
 * A platform sends everybody's events from a few addresses, so failures count by address and connection: one workspace
 * with a wrong secret does not lock out the others.
 */
const ofConnection = (from: RawRequest, connectionId: string): RawRequest => ({
  ...from,
  address: `${from.address} ${connectionId.slice(0, 40)}`,
});

function headersOf(request: FastifyRequest): Record<string, string | undefined> {
  const named = Object.entries(request.headers);
  return Object.fromEntries(named.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]));
}
