import { JOSEError, JWTExpired } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { Vault } from '../../secrets.ts';

const TOKEN_SECONDS = 60;
const LEEWAY_SECONDS = 5;
const DAY_SECONDS = 86_400;
const ISSUER = 'earshot';

export interface TokenClaims {
  personId: string;
  workspaceId: string;
  sessionId: string;
}

export interface SessionTokens {
  issue(claims: TokenClaims, now: Date): Promise<{ token: string; expiresAt: string }>;
  /**
   * @returns null when it is none of ours; `expired` when it was, and is past its minute and the leeway; `long_expired`
   * when that was a day ago or more.
   */
  read(token: string, now: Date): Promise<TokenClaims | 'expired' | 'long_expired' | null>;
}

/** Bearer tokens of about a minute. Signed with a key of their own, so that a session token is never a key and the reverse. */
export function createSessionTokens(vault: Vault): SessionTokens {
  const key = vault.derive('session-token/1');
  return {
    async issue(claims, now) {
      const issuedAt = Math.floor(now.getTime() / 1000);
      const token = await new SignJWT({ wid: claims.workspaceId, sid: claims.sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setSubject(claims.personId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_SECONDS)
        .sign(key);
      return { token, expiresAt: new Date((issuedAt + TOKEN_SECONDS) * 1000).toISOString() };
    },
    async read(token, now) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          clockTolerance: LEEWAY_SECONDS,
          currentDate: now,
          requiredClaims: ['exp', 'sub', 'wid', 'sid'],
        });
        const { sub, wid, sid } = payload;
        if (typeof sub !== 'string' || typeof wid !== 'string' || typeof sid !== 'string') return null;
        return { personId: sub, workspaceId: wid, sessionId: sid };
      } catch (error) {
        if (error instanceof JWTExpired) {
          const expiredForSeconds = now.getTime() / 1000 - (error.payload.exp ?? 0);
          return expiredForSeconds < DAY_SECONDS ? 'expired' : 'long_expired';
        }
        if (error instanceof JOSEError) return null;
        throw error;
      }
    },
  };
}
