import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode, Quota } from '../contract/error.ts';
import type { EntityManager } from '../db/database.ts';
import {
  claimRequest,
  type FirstAnswer,
  findFirstAnswer,
  keepAnswer,
  type RequestName,
  releaseRequest,
  renewClaim,
} from '../db/limits/idempotency.ts';
import { fieldOf } from '../domain/json.ts';
import { newId } from '../ids.ts';
import type { Admission, Answer } from './admission.ts';
import { argsTextOf } from './audit/args-hash.ts';
import { Failure } from './failure.ts';
import type { Principal } from './principal.ts';
import type { Services } from './services.ts';

/**
 * Stores the answer; inside the transaction of the operation, so that both are there or neither.
 * @throws Failure `idempotency_conflict` when the claim is somebody else's by now.
 */
export type Keep = (em: EntityManager, answer: Answer) => Promise<void>;

const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const TWIN_WAIT_MS = 10_000;
const TWIN_POLL_MS = 100;
/**
 * Whoever is at work says so at this gap, and is given up on after the lease: a twin that waits from its death on has its
 * turn before it is told to come back. One that was merely stopped writes nothing when it goes on: its answer is kept in
 * the transaction of its work, which finds the claim gone.
 */
const BEAT_MS = 2_000;
const LEASE_SECONDS = 8;
/** Refusals that the work itself decided, so that asking again must not decide anew. */
const KEPT_REFUSALS = new Set([402, 409]);
const REPLAYED = 'idempotency-replayed';

/**
 * Does the work of a POST, or of any change that a card of the copilot makes, once for each Idempotency-Key of a caller:
 * a repetition within 24 hours has the first answer, 402 and 409 included. Where the request has no key, the work is
 * simply done.
 * @throws Failure `idempotency_conflict` when the key came with other arguments, when its twin is still at work after
 * 10 seconds, or when the first answer held a secret and was not kept.
 */
export async function once(
  services: Services,
  admission: Admission,
  work: (keep: Keep | null) => Promise<Answer>,
): Promise<Answer> {
  const { operation, request, principal } = admission;
  const key = readIdempotencyKey(admission);
  if (key === null) return work(null);

  const name: RequestName = { caller: callerOf(principal, request.address), operation: operation.id, key };
  const token = newId();
  const first = await claimOrWait(admission.em, name, {
    argsDigest: digestOf(services, admission),
    token,
    leaseSeconds: LEASE_SECONDS,
  });
  if (first) return replay(admission, first);

  const stopBeating = beat(admission.em, name, token);
  try {
    return await work(async (em, answer) => {
      const kept = await keepAnswer(em, name, {
        token,
        status: answer.status,
        answer: operation.showsSecret ? null : JSON.stringify(answer.body),
        resourceId: resourceIdOf(answer.body),
      });
      if (!kept) throw conflict('Another request with this Idempotency-Key has taken over.');
    });
  } catch (error) {
    const { em } = admission;
    if (error instanceof Failure && KEPT_REFUSALS.has(error.status)) {
      const { code, message, param, quota } = error;
      const answer = JSON.stringify({ code, message, param, quota });
      await keepAnswer(em, name, { token, status: error.status, answer, resourceId: null });
    } else {
      // Where PostgreSQL is away, the lease runs out instead, since nobody renews it. Where only the answer to a COMMIT
      // was lost, the claim has its answer and is not let go.
      await releaseRequest(em, name, token).catch(() => {});
    }
    throw error;
  } finally {
    stopBeating();
  }
}

/** Renews a claim until it is told to stop. Begun outside of the work's transaction, so that others see it. */
function beat(em: EntityManager, name: RequestName, token: string): () => void {
  let isAsking = false;
  const renew = async () => {
    if (isAsking) return;
    isAsking = true;
    // One that fails is made up for by the next.
    await renewClaim(em, name, token).catch(() => {});
    isAsking = false;
  };
  const timer = setInterval(() => void renew(), BEAT_MS);
  return () => clearInterval(timer);
}

/** True when what is answered, or thrown, is the answer to an earlier request: nothing happened this time. */
export const isReplayed = ({ request }: Admission) => request.headers[REPLAYED] !== undefined;

/** @throws Failure 400. */
export function readIdempotencyKey({ operation, request }: Admission): string | null {
  const key = request.idempotencyKey ?? null;
  const isRepeatable = operation.method === 'POST' || (request.surface === 'copilot' && operation.changes);
  if (!isRepeatable || !operation.response || key === null) return null;
  if (VISIBLE.test(key)) return key;
  throw new Failure('invalid_parameter', 'Idempotency-Key must have 1 to 255 visible ASCII characters.', {
    param: 'Idempotency-Key',
  });
}

/** @returns the first answer, or null when the request is now ours to do. */
async function claimOrWait(
  em: EntityManager,
  name: RequestName,
  claim: { argsDigest: string; token: string; leaseSeconds: number },
): Promise<FirstAnswer | null> {
  for (let waitedMs = 0; waitedMs <= TWIN_WAIT_MS; waitedMs += TWIN_POLL_MS) {
    if (await claimRequest(em, name, claim)) return null;
    const first = await findFirstAnswer(em, name);
    if (first && first.argsDigest !== claim.argsDigest) {
      throw conflict(
        'This Idempotency-Key was used for a request with other arguments. Use a new key for each request.',
      );
    }
    if (first && first.status !== null) return first;
    await sleep(TWIN_POLL_MS);
  }
  throw conflict(
    'The first request with this Idempotency-Key is still at work. Ask again with the same key in a while.',
  );
}

/** The envelope of a refusal as it was kept. */
interface KeptFailure {
  code: ErrorCode;
  message: string;
  param: string | null;
  quota?: Quota;
}

/** @throws Failure the first one again, or that the answer was not kept. */
function replay({ operation, request }: Admission, first: FirstAnswer): Answer {
  if (first.answer === null) {
    const made = first.resourceId === null ? '' : ` It made ${first.resourceId}.`;
    throw conflict(
      `The first request with this Idempotency-Key was done; its answer held a secret and is not kept.${made}`,
    );
  }
  request.headers[REPLAYED] = 'true';
  const status = first.status ?? operation.status;
  if (status < 400) return { status, body: JSON.parse(first.answer), stream: null, refreshSecret: undefined };
  const { code, message, param, quota }: KeptFailure = JSON.parse(first.answer);
  throw new Failure(code, message, { ...(param === null ? {} : { param }), ...(quota ? { quota } : {}) });
}

/** Under a key of ours: the body of a sign-in holds a password, which a plain digest would let somebody guess at. */
function digestOf(services: Services, admission: Admission): string {
  return createHmac('sha256', services.vault.derive('idempotency/1')).update(argsTextOf(admission)).digest('hex');
}

function callerOf(principal: Principal, address: string): string {
  switch (principal.kind) {
    case 'key':
      return `key:${principal.keyId}`;
    case 'person':
      return `person:${principal.personId}@${principal.workspaceId}`;
    case 'nobody':
      return `nobody:${address}`;
    default:
      return principal satisfies never;
  }
}

function resourceIdOf(body: unknown): string | null {
  const id = fieldOf(body, 'id');
  return typeof id === 'string' ? id : null;
}

const conflict = (message: string) => new Failure('idempotency_conflict', message);
