import type { FastifyRequest } from 'fastify';
import type { RawRequest } from '../src/operations/admission.ts';
import { clientNetwork } from './client-network.ts';

/** A request as authentication sees one that shows neither a key nor a session. */
export function anonymousRequest(request: FastifyRequest): RawRequest {
  return {
    requestId: request.id,
    address: clientNetwork(request.ip),
    authorization: null,
    refreshSecret: null,
    path: {},
    headers: {},
  };
}
