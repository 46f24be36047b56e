import { touchKey } from '../../db/system/keys.ts';
import { type Credential, drawOne, type Entry, enter } from '../../db/system/limits.ts';
import {
  type BucketKind,
  bucketsOf,
  PLATFORM_REQUESTS,
  PUBLIC_REQUESTS,
  type RateLimit,
} from '../../domain/limits/rate-limits.ts';
import type { RawRequest } from '../admission.ts';
import { Failure } from '../failure.ts';
import type { Operation } from '../operation.ts';
import type { Principal } from '../principal.ts';
import type { Services } from '../services.ts';
import { limitHeaders, showLimit } from './limit-headers.ts';
import { hasKeyForm, KEY_PREFIX, secretHash } from './secrets.ts';
import { createSessionTokens } from './session-tokens.ts';

/** Says who asks on every surface and lets them in, or refuses. Fills the answer's limit headers either way. */
export interface Authenticator {
  /** @throws Failure 429 for an address that failed too often, 401, 429 for an empty bucket. */
  authenticate(request: RawRequest, operation: Operation | null): Promise<Principal>;
  /**
   * Draws what an operation takes beyond a read, of somebody who was let in before it was known what they ask for.
   * @throws Failure 429 for an empty bucket.
   */
  drawBeyondRead(request: RawRequest, operation: Operation): Promise<void>;
  /** Lets a platform's request in, by its address alone. @throws Failure 429 for an empty bucket. */
  drawForPlatform(request: RawRequest): Promise<void>;
  /**
   * Notes a 401 that an operation itself decided, such as a wrong password.
   * @returns the failure to answer with: another one once the address has failed too often.
   */
  failed(request: RawRequest, failure: Failure): Promise<Failure>;
  /** The headers of an answer to what never became a request: the address's bucket, nothing drawn. */
  look(address: string): Promise<Record<string, string>>;
  /** Waits for what it writes off the request's path. */
  settle(): Promise<void>;
}

/** What the header names, before anything is looked up. */
interface Claim {
  credential: Credential;
  /** Answered when the look-up finds nobody; made only then, as an error costs its stack. */
  refusal(): Failure;
  /** False for a 401 that is nobody's attempt: a browser tab that slept past its minute. */
  counts: boolean;
}

const LAST_USED_EVERY_MS = 60_000;

export function createAuthenticator(services: Services): Authenticator {
  const tokens = createSessionTokens(services.vault);
  const lastUsed = createLastUsed(services);
  // One for all: it loads no entities, so that nothing collects in it.
  const em = services.database.unscoped();
  const ask = (address: string, counts: boolean, credential: Credential, buckets: BucketKind[]) =>
    enter(em, { credential, address, counts, buckets });

  async function readToken(token: string): Promise<Claim> {
    const claims = await tokens.read(token, services.now());
    if (claims === 'expired' || claims === 'long_expired') {
      const refusal = () => new Failure('invalid_token', 'This session token has expired. Ask for a new one.');
      return { credential: NONE, refusal, counts: claims === 'long_expired' };
    }
    const refusal = () => new Failure('invalid_token', 'This session token is not valid.');
    return { credential: claims ? { kind: 'session', ...claims } : NONE, refusal, counts: true };
  }

  async function readClaim(authorization: string | null): Promise<Claim> {
    const bearer = /^bearer[ \t]+(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
    if (bearer === undefined) {
      const refusal = () => new Failure('missing_authorization', 'This needs a header "Authorization: Bearer <key>".');
      return { credential: NONE, refusal, counts: true };
    }
    if (!bearer.startsWith(KEY_PREFIX)) return readToken(bearer);
    const refusal = () => new Failure('invalid_api_key', 'This key is unknown or was revoked.');
    const credential: Credential = hasKeyForm(bearer) ? { kind: 'key', secretHash: secretHash(bearer) } : NONE;
    return { credential, refusal, counts: true };
  }

  /** Before any work is done for somebody of whom only the address is known. */
  async function drawByAddress(kind: string, limit: RateLimit, { address, headers }: RawRequest): Promise<void> {
    const { retryAfterSeconds } = await drawOne(em, `${kind}:${address}`, limit);
    if (retryAfterSeconds === null) return;
    headers['retry-after'] = String(retryAfterSeconds);
    throw new Failure(
      'rate_limited',
      `Too many requests from this address. Try again in ${seconds(retryAfterSeconds)}.`,
    );
  }

  return {
    async authenticate(request, operation) {
      if (operation?.scope === 'public') {
        const entry = await ask(request.address, false, NONE, []);
        showLimit(request, entry);
        if (entry.outcome === 'shut_out') throw shutOut();
        await drawByAddress('public', PUBLIC_REQUESTS, request);
        return { kind: 'nobody' };
      }
      const claim = await readClaim(request.authorization);
      const buckets = bucketsOf(drawingOf(request, operation));
      const entry = await ask(request.address, claim.counts, claim.credential, buckets);
      showLimit(request, entry);
      const principal = principalOf(entry, claim);
      if (principal.kind === 'key') lastUsed.note(principal.keyId);
      return principal;
    },

    async drawBeyondRead(request, operation) {
      const { writes, ai } = drawingOf(request, operation);
      const buckets = bucketsOf({ mcp: false, writes, ai }).filter((kind) => kind === 'writes' || kind === 'ai');
      if (buckets.length === 0) return;
      const claim = await readClaim(request.authorization);
      const entry = await ask(request.address, false, claim.credential, buckets);
      if (writes) showLimit(request, entry);
      principalOf(entry, claim);
    },

    drawForPlatform: (request) => drawByAddress('platform', PLATFORM_REQUESTS, request),

    async failed(request, failure) {
      const entry = await ask(request.address, true, NONE, []);
      showLimit(request, entry);
      return entry.outcome === 'shut_out' ? shutOut() : failure;
    },

    async look(address) {
      return limitHeaders(await ask(address, false, NONE, []));
    },
    settle: () => lastUsed.settle(),
  };
}

const NONE: Credential = { kind: 'none' };

/** By the operation, whatever comes of it. Beside the API's writes, everything that changes something in the app. */
function drawingOf(request: RawRequest, operation: Operation | null) {
  return {
    mcp: request.surface === 'mcp',
    writes: operation?.changes === true && operation.scope !== 'read',
    ai: operation?.ai ?? false,
  };
}

function principalOf(entry: Entry, claim: Claim): Principal {
  const { workspaceId, keyId, agentId, access, monthlyBudgetUsd, role } = entry;
  switch (entry.outcome) {
    case 'shut_out':
      throw shutOut();
    case 'unknown':
      throw claim.refusal();
    case 'limited':
      throw new Failure(
        'rate_limited',
        `${WORDS[entry.refused ?? 'requests']} Try again in ${seconds(entry.retryAfterSeconds ?? 1)}.`,
      );
    case 'entered': {
      if (workspaceId && keyId && access) {
        return { kind: 'key', keyId, workspaceId, access, agentId, monthlyBudgetUsd };
      }
      if (workspaceId && role && claim.credential.kind === 'session') {
        const { personId, sessionId } = claim.credential;
        return { kind: 'person', personId, workspaceId, role, sessionId };
      }
      throw new Error('PostgreSQL let somebody in without saying who.');
    }
    default:
      return entry.outcome satisfies never;
  }
}

const WORDS: Record<BucketKind, string> = {
  mcp: 'Too many messages from this address.',
  requests: 'Too many requests.',
  writes: 'Too many changes.',
  ai: 'Too many requests to AI-backed routes in this workspace.',
  workspace: 'Too many requests in this workspace.',
};

const seconds = (count: number) => (count === 1 ? '1 second' : `${count} seconds`);

const shutOut = () =>
  new Failure(
    'too_many_failed_authentications',
    'Too many failed attempts came from this address. Wait for them to age out, then try again.',
  );

/** Writes a key's last use at most once a minute, outside the request. */
function createLastUsed(services: Services) {
  const written = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  return {
    note(keyId: string): void {
      const nowMs = services.now().getTime();
      if (nowMs - (written.get(keyId) ?? Number.NEGATIVE_INFINITY) < LAST_USED_EVERY_MS) return;
      // Bounded: forgetting costs one more statement, which changes nothing within the minute.
      if (written.size > 10_000) written.clear();
      written.set(keyId, nowMs);
      const write = touchKey(services.database.unscoped(), keyId)
        .catch((error: unknown) => {
          services.log.warn({ keyId, error: String(error) }, 'the last use of a key could not be written');
        })
        .finally(() => pending.delete(write));
      pending.add(write);
    },
    async settle(): Promise<void> {
      await Promise.all(pending);
    },
  };
}
