import type { FastifyRequest } from 'fastify';
import { Failure } from '../../src/operations/failure.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Turns away pages of other sites. A browser names the page's origin, which must be this server's own. A site can also
 * let its own name point to this machine, so that a server which listens to this machine alone answers to this
 * machine's names only. A server that listens to the network is known by names that we cannot know; there the bearer
 * header, which no other site has, is what holds.
 */
export function createDoor(publicUrl: string): (request: FastifyRequest) => void {
  const own = new URL(publicUrl).hostname;
  const names = LOOPBACK.includes(own) ? LOOPBACK : null;
  return (request) => {
    const { host, origin } = request.raw.headers;
    const asked = host === undefined ? null : URL.parse(`http://${host}`);
    if (names && !names.includes(asked?.hostname ?? '')) {
      throw new Failure(
        'origin_refused',
        `This server listens to its own machine only and answers as ${names.join(', ')}.`,
      );
    }
    if (origin !== undefined && URL.parse(origin)?.host !== asked?.host) {
      throw new Failure('origin_refused', 'Pages of other sites may not use the tools.');
    }
  };
}
