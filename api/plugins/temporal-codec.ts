import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../src/operations/access/authenticate.ts';
import { listSignInMethods } from '../../src/operations/access/list-sign-in-methods.ts';
import { Failure } from '../../src/operations/failure.ts';
import type { Services } from '../../src/operations/services.ts';
import { openPayloads } from '../../src/operations/system/open-payloads.ts';
import { anonymousRequest } from '../anonymous-request.ts';
import { readBytes } from '../read-bytes.ts';
import { readRefreshCookie } from './refresh-cookie.ts';

/** A page of a history. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024;
/** Below the path of the session's cookie. */
const CODEC_PATH = '/app/session/temporal-codec';

/**
 * The codec address of the Temporal UI, by Temporal's own protocol: it opens sealed payloads for an admin of the
 * installation, for pages of the UI's origin alone. No operation, as its caller is a page that knows nothing of ours.
 */
export function addTemporalCodec(
  app: FastifyInstance,
  { services, authenticator, temporalUi }: { services: Services; authenticator: Authenticator; temporalUi: string },
): void {
  const { origin } = new URL(temporalUi);
  const allow = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'origin').header('cache-control', 'no-store');
    if (request.headers.origin !== origin) {
      throw new Failure('origin_refused', 'Payloads are opened for pages of the Temporal UI alone.');
    }
    reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true');
  };

  app.options(`${CODEC_PATH}/decode`, async (request, reply) => {
    allow(request, reply);
    return reply
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, x-namespace, authorization',
        'access-control-max-age': '600',
      })
      .code(204)
      .send('');
  });

  app.post(`${CODEC_PATH}/decode`, async (request, reply) => {
    request.operationId = 'openPayloads';
    allow(request, reply);
    const raw = anonymousRequest(request);
    try {
      await authenticator.authenticate(raw, listSignInMethods);
      return await openPayloads(services, {
        refreshSecret: readRefreshCookie(request),
        readBody: () => readJson(request),
      });
    } catch (error) {
      throw error instanceof Failure && error.status === 401 ? await authenticator.failed(raw, error) : error;
    } finally {
      reply.headers(raw.headers);
    }
  });
}

async function readJson(request: FastifyRequest): Promise<unknown> {
  const bytes = await readBytes(request, BODY_LIMIT_BYTES);
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Failure('invalid_body', 'The body is not JSON.');
  }
}
