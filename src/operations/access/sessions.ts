import type { SignedIn } from '../../contract/session.ts';
import { toIso } from '../../db/convert.ts';
import type { EntityManager } from '../../db/database.ts';
import type { MemberView } from '../../db/system/people.ts';
import { actIn } from '../../db/system/scope.ts';
import { insertSession } from '../../db/system/sessions.ts';
import { newId } from '../../ids.ts';
import { noteAct } from '../audit/note-act.ts';
import type { Context } from '../operation.ts';
import type { Services } from '../services.ts';
import { createRefreshSecrets } from './refresh-secrets.ts';
import { secretHash } from './secrets.ts';
import { createSessionTokens } from './session-tokens.ts';

const SESSION_DAYS = 30;
/** The command line's session stays where the installation stays. */
const STANDING_SESSION_DAYS = 3650;

/** Opens a session. @returns its refresh secret, which is stored nowhere. */
export async function openSession(
  em: EntityManager,
  services: Pick<Services, 'vault'>,
  who: { workspaceId: string | null; personId: string; rotates: boolean },
): Promise<{ sessionId: string; secret: string; expiresAt: Date }> {
  const sessionId = newId();
  const secret = createRefreshSecrets(services.vault).issue(sessionId);
  const { expiresAt } = await insertSession(em, {
    id: sessionId,
    workspaceId: who.workspaceId,
    personId: who.personId,
    secretHash: secretHash(secret),
    rotates: who.rotates,
    validDays: who.rotates ? SESSION_DAYS : STANDING_SESSION_DAYS,
  });
  return { sessionId, secret, expiresAt: new Date(toIso(expiresAt)) };
}

/**
 * Opens the session of somebody who showed who they are, and leaves an entry in the workspace's audit log.
 * @param tx outside of any workspace's scope, with the account held.
 */
export async function enterWorkspace(
  tx: EntityManager,
  services: Pick<Services, 'vault'>,
  { workspaceId, personId }: { workspaceId: string | null; personId: string },
  operation: string,
): ReturnType<typeof openSession> {
  const session = await openSession(tx, services, { workspaceId, personId, rotates: true });
  if (workspaceId !== null) {
    const act = { workspaceId, personId, operation, targetIds: [session.sessionId] };
    await actIn(tx, workspaceId, () => noteAct(tx, services, act));
  }
  return session;
}

/** Signs a member in whose account is held: the refresh secret goes to the surface, the first token into the answer. */
export async function signIn(
  context: Context,
  tx: EntityManager,
  member: MemberView,
  operation: string,
): Promise<SignedIn> {
  const { workspaceId, personId } = member;
  const session = await enterWorkspace(tx, context.services, { workspaceId, personId }, operation);
  context.keepRefreshSecret({ value: session.secret, expiresAt: session.expiresAt });
  const { token, expiresAt } = await issueToken(context.services, { workspaceId, personId, id: session.sessionId });
  return {
    token,
    expiresAt,
    person: { id: personId, email: member.email, name: member.name, workspaceId, role: member.role },
  };
}

export function issueToken(
  services: Services,
  session: { workspaceId: string; personId: string; id: string },
): Promise<{ token: string; expiresAt: string }> {
  const { workspaceId, personId, id: sessionId } = session;
  return createSessionTokens(services.vault).issue({ workspaceId, personId, sessionId }, services.now());
}
