import { z } from 'zod';
import { uuid } from '../../contract/common.ts';
import { sessionToken } from '../../contract/session.ts';
import { toIso } from '../../db/convert.ts';
import type { EntityManager } from '../../db/database.ts';
import { listOwnWorkspaces } from '../../db/system/members.ts';
import { type SessionView, useSession } from '../../db/system/sessions.ts';
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
  refuses: ['no_workspace', 'workspace_not_found'],
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
      // Thrown within the transaction, so that the secret stays as it was.
      return { use: used, workspaceId: await workspaceFor(em, used.session, wanted) };
    });
    if (!use) throw new Failure('invalid_token', 'This session has ended. Sign in again.');
    if (use.outcome === 'used' && use.rotated) {
      context.keepRefreshSecret({ value: next, expiresAt: new Date(toIso(use.session.expiresAt)) });
    }
    return issueToken(context.services, { ...use.session, workspaceId });
  },
});

/** The one that is asked for, else where the session began, else where the person has belonged for the longest. */
async function workspaceFor(em: EntityManager, session: SessionView, wanted: string | undefined): Promise<string> {
  const own = (await listOwnWorkspaces(em, session.personId)).map(({ id }) => id);
  if (wanted !== undefined && !own.includes(wanted)) {
    throw new Failure('workspace_not_found', 'You belong to no workspace with this id.', { param: 'workspaceId' });
  }
  const begun = own.find((id) => id === session.workspaceId) ?? own[0];
  const workspaceId = wanted ?? begun;
  if (workspaceId === undefined) {
    throw new Failure('no_workspace', 'You belong to no workspace. Accept an invitation, or ask an admin for one.');
  }
  return workspaceId;
}
