import type { EntityManager } from '../../db/database.ts';
import { findOpenSession } from '../../db/system/sessions.ts';
import type { OwnSession } from '../../services/access/accept-invitation.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';
import { createRefreshSecrets, GRACE_SECONDS } from './refresh-secrets.ts';
import { secretHash } from './secrets.ts';

/**
 * The session of a refresh secret, which stays as it is: for what a person does wherever they belong to, and nowhere yet.
 * The web app in the same browser replaces the secret now and then, so the one before is as good for a moment.
 * @throws Failure `invalid_token`
 */
export async function requireSession(
  em: EntityManager,
  { vault }: Pick<Services, 'vault'>,
  refreshSecret: string | null,
  refusal = 'There is no session here. Sign in.',
): Promise<OwnSession> {
  const sessionId = refreshSecret === null ? null : createRefreshSecrets(vault).sessionOf(refreshSecret);
  const session =
    refreshSecret === null || sessionId === null
      ? null
      : await findOpenSession(em, {
          sessionId,
          secretHash: secretHash(refreshSecret),
          graceSeconds: GRACE_SECONDS,
        });
  if (session === null) throw new Failure('invalid_token', refusal);
  return session;
}
