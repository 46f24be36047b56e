import { sessionToken } from '../../contract/session.ts';
import { toIso } from '../../db/convert.ts';
import { useSession } from '../../db/queries/sessions.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { createRefreshSecrets } from './refresh-secrets.ts';
import { secretHash } from './secrets.ts';
import { issueToken } from './sessions.ts';

/** The secret before still works for this long, so that two tabs do not sign each other out. */
const GRACE_SECONDS = 30;

export const renewSession = defineOperation({
  id: 'renewSession',
  surface: 'app',
  method: 'POST',
  path: '/app/session',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'Swap the refresh secret for a session token',
  description: 'Reads the cookie that signing in set, and replaces it. A secret that was replaced ends its session.',
  response: sessionToken,
  transaction: false,
  async run(context) {
    const secrets = createRefreshSecrets(context.services.vault);
    const secret = context.refreshSecret;
    const sessionId = secret === null ? null : secrets.sessionOf(secret);
    if (secret === null || sessionId === null) {
      throw new Failure('invalid_token', 'There is no session here. Sign in.');
    }
    const next = secrets.issue(sessionId);
    const use = await useSession(context.em, {
      sessionId,
      secretHash: secretHash(secret),
      nextHash: secretHash(next),
      graceSeconds: GRACE_SECONDS,
    });
    if (use.outcome === 'unknown' || use.outcome === 'reused') {
      throw new Failure('invalid_token', 'This session has ended. Sign in again.');
    }
    if (use.outcome === 'used' && use.rotated) {
      context.keepRefreshSecret({ value: next, expiresAt: new Date(toIso(use.session.expiresAt)) });
    }
    return issueToken(context.services, use.session);
  },
});
