import { z } from 'zod';
import { uuid } from '../../contract/common.ts';
import { sessionToken } from '../../contract/session.ts';
import { toIso } from '../../db/convert.ts';
import { findMembership } from '../../db/system/people.ts';
import { useSession } from '../../db/system/sessions.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { createRefreshSecrets, GRACE_SECONDS } from './refresh-secrets.ts';
import { secretHash } from './secrets.ts';
import { issueToken } from './sessions.ts';

export const renewSession = defineOperation({
  id: 'renewSession',
  surface: 'app',
  method: 'POST',
  path: '/app/session',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'Swap the refresh secret for a session token',
  description:
    'Reads the cookie that signing in set, and replaces it. A secret that was replaced ends its session. With a workspace the token is for that one, where the person belongs to it; the session itself stays as it is, so that two tabs can be in two workspaces.',
  body: z.strictObject({ workspaceId: uuid.optional() }).optional(),
  response: sessionToken,
  showsSecret: true,
  transaction: false,
  async run(context, { body }) {
    const secrets = createRefreshSecrets(context.services.vault);
    const secret = context.refreshSecret;
    const sessionId = secret === null ? null : secrets.sessionOf(secret);
    if (secret === null || sessionId === null) {
      throw new Failure('invalid_token', 'There is no session here. Sign in.');
    }
    const next = secrets.issue(sessionId);
    const wanted = body?.workspaceId?.toLowerCase();
    const { use, workspaceId } = await context.em.transactional(async (em) => {
      const used = await useSession(em, {
        sessionId,
        secretHash: secretHash(secret),
        nextHash: secretHash(next),
        graceSeconds: GRACE_SECONDS,
      });
      if (used.outcome === 'unknown' || used.outcome === 'reused') return { use: null, workspaceId: '' };
      if (wanted === undefined) return { use: used, workspaceId: used.session.workspaceId };
      // Thrown within the transaction, so that a wrong workspace leaves the secret as it was.
      const member = await findMembership(em, { personId: used.session.personId, workspaceId: wanted });
      if (!member) {
        throw new Failure('workspace_not_found', 'You belong to no workspace with this id.', { param: 'workspaceId' });
      }
      return { use: used, workspaceId: wanted };
    });
    if (!use) throw new Failure('invalid_token', 'This session has ended. Sign in again.');
    if (use.outcome === 'used' && use.rotated) {
      context.keepRefreshSecret({ value: next, expiresAt: new Date(toIso(use.session.expiresAt)) });
    }
    return issueToken(context.services, { ...use.session, workspaceId });
  },
});
