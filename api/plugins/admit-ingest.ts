import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../src/operations/access/authenticate.ts';
import { enterIngest } from '../../src/operations/access/enter-ingest.ts';
import type { RawRequest } from '../../src/operations/admission.ts';
import { Failure } from '../../src/operations/failure.ts';
import type { Services } from '../../src/operations/services.ts';
import { anonymousRequest } from '../anonymous-request.ts';

export interface IngestDeps {
  services: Services;
  authenticator: Authenticator;
}

type Holder = Awaited<ReturnType<typeof enterIngest>>;

/** Lets in whoever sends calls, before a byte of the body is read. */
export async function admitted<Result>(
  { services, authenticator }: IngestDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (holder: Holder) => Promise<Result>,
): Promise<Result> {
  const raw: RawRequest = { ...anonymousRequest(request), authorization: request.headers.authorization ?? null };
  try {
    return await work(await enterIngest(services, raw));
  } catch (error) {
    const said = error instanceof Failure && error.status === 401 ? await authenticator.failed(raw, error) : error;
    if (said instanceof Failure && said.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(said.retryAfterSeconds));
    }
    throw said;
  } finally {
    reply.headers(raw.headers);
  }
}
