import { plainText } from '../../contract/text.ts';
import type { EntityManager } from '../../db/database.ts';
import { actIn } from '../../db/system/scope.ts';
import type { IdentityProvider, SignInAttempt } from '../../identity/identity-provider.ts';
import { admitByIdentity } from '../../services/access/admit-by-identity.ts';
import { takeRoleFromGroups } from '../../services/access/role-by-groups.ts';
import { noteAct } from '../audit/note-act.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';
import { enterWorkspace } from './sessions.ts';

/** Where the provider sends the browser back to; registered there by the operator. */
export const CALLBACK_PATH = '/sign-in/oidc/callback';
/** A person may have to find their second factor. */
export const ATTEMPT_SECONDS = 600;
/** What is sealed for one use must not open as another. */
const MARK = 'sign-on/1';

interface Kept extends SignInAttempt {
  mark: typeof MARK;
  endsAtMs: number;
}

/** @returns where the browser goes, and what it keeps meanwhile. @throws IdentityError */
export async function beginSingleSignOn(services: Services): Promise<{ url: string; kept: string }> {
  const { url, attempt } = await provider(services).begin(callbackOf(services));
  const kept: Kept = { mark: MARK, ...attempt, endsAtMs: services.now().getTime() + ATTEMPT_SECONDS * 1000 };
  return { url, kept: services.vault.seal(JSON.stringify(kept)) };
}

export interface SignedOn {
  email: string;
  refreshSecret: { value: string; expiresAt: Date };
}

/**
 * Signs in whoever the provider vouches for and who belongs to a workspace, or is invited to one and can say yes to it
 * then. @throws IdentityError, or Failure `invalid_credentials`
 */
export async function finishSingleSignOn(
  services: Services,
  back: { answer: Record<string, string>; kept: string | null },
): Promise<SignedOn> {
  const attempt = openKept(services, back.kept);
  const identity = await provider(services).finish(back.answer, attempt, callbackOf(services));
  const { email } = identity;
  const session = await services.database.unscoped().transactional(async (tx) => {
    const admitted = await admitByIdentity(tx, { ...identity, name: nameOf(identity.name) });
    if (admitted === null) return null;
    await followGroups(tx, services, admitted.personId, identity.groups);
    return enterWorkspace(tx, services, admitted, 'singleSignOn');
  });
  if (!session) {
    const message = `Nobody with the address ${email} belongs here. Ask an admin to invite you.`;
    throw new Failure('invalid_credentials', message);
  }
  return { email, refreshSecret: { value: session.secret, expiresAt: session.expiresAt } };
}

async function followGroups(
  tx: EntityManager,
  services: Services,
  personId: string,
  groups: readonly string[] | null,
): Promise<void> {
  const roles = services.identity?.roles ?? null;
  if (groups === null || roles === null) return;
  const workspaceId = await takeRoleFromGroups(tx, personId, groups, roles);
  if (workspaceId === null) return;
  const act = { workspaceId, personId, operation: 'changeRole', targetIds: [personId] };
  await actIn(tx, workspaceId, () => noteAct(tx, services, act));
}

/** As names that people give are; null where the provider's is none of these. */
const nameOf = (said: string | null) => plainText(1, 200).safeParse(said?.trim()).data ?? null;

function openKept(services: Services, sealed: string | null): SignInAttempt {
  const kept = sealed === null ? null : unseal(services, sealed);
  if (kept?.mark !== MARK || kept.endsAtMs < services.now().getTime()) {
    throw new Failure(
      'invalid_credentials',
      'This sign-in was not begun in this browser, or took too long. Begin again.',
    );
  }
  return kept;
}

function unseal(services: Services, sealed: string): Kept | null {
  try {
    return JSON.parse(services.vault.open(sealed));
  } catch {
    return null;
  }
}

function provider({ identity }: Services): IdentityProvider {
  if (!identity) throw new Failure('route_not_found', 'Signing in at a provider is not set up here.');
  return identity.provider;
}

const callbackOf = ({ publicUrl }: Services) => `${publicUrl}${CALLBACK_PATH}`;
