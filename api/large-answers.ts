import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Failure } from '../src/operations/failure.ts';
import type { Principal } from '../src/operations/principal.ts';
import { Slots } from '../src/slots.ts';

/** One of 8 MiB takes some 80 MiB while it is made: so many at once a process, and so many of one workspace. */
const AT_ONCE = 8;
const OF_A_WORKSPACE = 3;
const WAITING = 50;
const WAIT_MS = 10_000;
/** Whoever reads no faster than this gets it in parts by asking again: the bytes are held until they are sent. */
const SENT_WITHIN_MS = 120_000;
const RETRY_AFTER_SECONDS = 2;

/** Waits for its turn to make a large answer, which lasts until the answer was sent, or nobody listens any more. */
export type LargeAnswers = (principal: Principal, reply: FastifyReply) => Promise<void>;

/**
 * Bounds the bytes of answers that are made and not yet read, by process and by workspace: the others wait, and where too
 * many do, or for too long, they are asked to come again.
 */
export function createLargeAnswers(limits = { waitMs: WAIT_MS, sentWithinMs: SENT_WITHIN_MS }): LargeAnswers {
  const slots = new Slots(AT_ONCE, { mostOfOne: OF_A_WORKSPACE });
  return async (principal, reply) => {
    const owner = principal.kind === 'nobody' ? '' : principal.workspaceId;
    if (slots.waitingOf(owner) >= WAITING) throw comeAgain(reply);
    const giveUp = new AbortController();
    const tooLong = setTimeout(() => giveUp.abort(comeAgain(reply)), limits.waitMs);
    const isGone = () => giveUp.abort(comeAgain(reply));
    reply.raw.once('close', isGone);
    const release = await slots.take(owner, giveUp.signal).finally(() => {
      clearTimeout(tooLong);
      reply.raw.off('close', isGone);
    });
    if (reply.raw.destroyed) return release();
    const tooSlow = setTimeout(() => reply.raw.destroy(), limits.sentWithinMs);
    finished(reply.raw, () => {
      clearTimeout(tooSlow);
      release();
    });
  };
}

function comeAgain(reply: FastifyReply): Failure {
  reply.header('retry-after', String(RETRY_AFTER_SECONDS));
  const message = `Other large answers are being sent to this workspace. Ask again in ${RETRY_AFTER_SECONDS} seconds.`;
  return new Failure('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
