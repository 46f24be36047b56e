import { findKeyBySecret, findMember, touchKey } from '../../db/queries/access.ts';
import { Failure } from '../failure.ts';
import type { Operation } from '../operation.ts';
import type { RawRequest } from '../perform.ts';
import type { Principal } from '../principal.ts';
import type { Services } from '../services.ts';
import { hasKeyForm, KEY_PREFIX, secretHash } from './secrets.ts';
import { createSessionTokens } from './session-tokens.ts';

/** The door of every surface: says who asks, or refuses. Limits by address and by key belong here, beside the look-up. */
export interface Gate {
  /** @throws Failure 401. */
  enter(request: RawRequest, operation: Operation | null): Promise<Principal>;
  /** Waits for what it writes off the request's path. */
  settle(): Promise<void>;
}

const LAST_USED_EVERY_MS = 60_000;

export function createGate(services: Services): Gate {
  const tokens = createSessionTokens(services.vault);
  const lastUsed = createLastUsed(services);

  async function enterByKey(secret: string): Promise<Principal> {
    const key = hasKeyForm(secret) ? await findKeyBySecret(services.database.em(), secretHash(secret)) : null;
    if (!key) throw new Failure('invalid_api_key', 'This key is unknown or was revoked.');
    lastUsed.note(key.keyId);
    return { kind: 'key', ...key };
  }

  async function enterByToken(token: string): Promise<Principal> {
    const claims = await tokens.read(token, services.now());
    if (claims === 'expired') throw new Failure('invalid_token', 'This session token has expired. Ask for a new one.');
    const member = claims && (await findMember(services.database.em(), claims));
    if (!claims || !member) throw new Failure('invalid_token', 'This session token is not valid.');
    return { kind: 'person', ...claims, role: member.role };
  }

  return {
    async enter(request, operation) {
      if (operation?.scope === 'public') return { kind: 'nobody' };
      const bearer = /^bearer[ \t]+(\S.*)$/i.exec(request.authorization?.trim() ?? '')?.[1];
      if (bearer === undefined) {
        throw new Failure('missing_authorization', 'This needs a header "Authorization: Bearer <key>".');
      }
      return bearer.startsWith(KEY_PREFIX) ? enterByKey(bearer) : enterByToken(bearer);
    },
    settle: () => lastUsed.settle(),
  };
}

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
      const write = touchKey(services.database.em(), keyId)
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
