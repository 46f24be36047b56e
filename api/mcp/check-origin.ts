import type { FastifyRequest } from 'fastify';
import { Failure } from '../../src/operations/failure.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Turns away pages of other sites. A browser names the page's origin, which must be this server's own. A site can also
 * let its own name point to this server, so that one which listens to its own machine, or is told its public address,
 * answers to those names only. A server that listens to the network under names that we were not told is held by the
 * bearer header, which no other site has.
 *
 * @param at.isNamed whether the operator named the public address, or it is only where the server listens.
 */
export function createOriginCheck({
  publicUrl,
  isNamed,
}: {
  publicUrl: string;
  isNamed: boolean;
}): (request: FastifyRequest) => void {
  const own = new URL(publicUrl);
  const names = isNamed || LOOPBACK.includes(own.hostname) ? [...new Set([own.hostname, ...LOOPBACK])] : null;
  return (request) => {
    const { host, origin } = request.raw.headers;
    const asked = host === undefined ? null : URL.parse(`http://${host}`);
    if (names && !names.includes(asked?.hostname ?? '')) {
      throw new Failure('origin_refused', `This server answers as ${names.join(', ')}. See EARSHOT_PUBLIC_URL.`);
    }
    const from = origin === undefined ? null : URL.parse(origin);
    if (origin !== undefined && from?.origin !== own.origin && from?.host !== asked?.host) {
      throw new Failure('origin_refused', 'Pages of other sites may not use the tools.');
    }
  };
}
