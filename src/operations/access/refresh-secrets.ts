import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../secrets.ts';

/** The secret before still works for this long, so that two tabs do not sign each other out. */
export const GRACE_SECONDS = 30;

/**
 * Refresh secrets name their session and are signed, so that one which we issued and have replaced since is told from
 * one that somebody made up: only the first is reuse, and ends its session.
 */
export interface RefreshSecrets {
  issue(sessionId: string): string;
  /** @returns the id of the session that it was issued for, or null when it is none of ours. */
  sessionOf(secret: string): string | null;
}

export function createRefreshSecrets(vault: Vault): RefreshSecrets {
  const key = vault.derive('refresh-secret/1');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  return {
    issue(sessionId) {
      const body = `${sessionId}.${randomBytes(24).toString('base64url')}`;
      return `${body}.${sign(body)}`;
    },
    sessionOf(secret) {
      const cut = secret.lastIndexOf('.');
      if (cut < 0 || secret.length > 200) return null;
      const given = Buffer.from(secret.slice(cut + 1));
      const right = Buffer.from(sign(secret.slice(0, cut)));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      return secret.slice(0, 36);
    },
  };
}
