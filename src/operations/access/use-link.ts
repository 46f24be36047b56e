import { z } from 'zod';
import { linkSecret } from '../../contract/member.ts';
import { type SignedIn, signedIn } from '../../contract/session.ts';
import { email, password, plainText } from '../../contract/text.ts';
import type { EntityManager } from '../../db/database.ts';
import { findInvitationBySecret, type InvitationView } from '../../db/system/invitations.ts';
import {
  type Account,
  findAccountsAt,
  findMembership,
  insertPerson,
  isEmailProved,
  type LinkView,
  lockAccount,
  takeLink,
  updatePerson,
} from '../../db/system/people.ts';
import { revokeOtherSessions } from '../../db/system/sessions.ts';
import { dropIdentities } from '../../db/system/single-sign-on.ts';
import { afterLink, isOpenTo, refusesInvitation } from '../../domain/access/accounts.ts';
import { join } from '../../services/access/accept-invitation.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { findLink, linkGone, standsBehind } from './find-link.ts';
import { hashPassword } from './passwords.ts';
import { secretHash } from './secrets.ts';
import { signIn } from './sessions.ts';
import { matchWithinTries } from './sign-in-tries.ts';

const body = z.strictObject({
  secret: linkSecret,
  name: plainText(1, 200).optional(),
  email: email.optional(),
  password,
});
type Body = z.infer<typeof body>;

export const useLink = defineOperation({
  id: 'useLink',
  surface: 'app',
  method: 'POST',
  path: '/app/links/use',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'Use a one-time link',
  description:
    'Sets a password, where wanted a name, and by the link of the first admin the e-mail address, then signs in. An invitation is accepted by a new account under its address, or by the one there whose password this is; whoever is signed in accepts it with `POST /app/session/invitations/accept`. A link for a new password ends every session of the account, and what its address proved. A link works once; a used, expired or unknown one is not found.',
  body,
  response: signedIn,
  refuses: ['link_not_found', 'password_given'],
  showsSecret: true,
  // A password is hashed, for which no connection should be held.
  transaction: false,
  async run(context, { body: given }): Promise<SignedIn> {
    const found = await findLink(context.em, given.secret);
    await checkEmail(context.em, found, given);
    return 'invitation' in found
      ? acceptByPassword(context, found.invitation, given)
      : setPassword(context, found.link, given);
  },
});

async function checkEmail(em: EntityManager, found: Awaited<ReturnType<typeof findLink>>, given: Body): Promise<void> {
  if (given.email === undefined) return;
  if ('invitation' in found || found.link.purpose !== 'first_admin') {
    throw new Failure('invalid_parameter', 'Only the first admin chooses the e-mail address here.', { param: 'email' });
  }
  if (await isEmailProved(em, given.email, found.link.personId)) {
    throw new Failure('invalid_parameter', 'Somebody else signs in with this e-mail address.', { param: 'email' });
  }
}

async function setPassword(context: Context, link: LinkView, given: Body): Promise<SignedIn> {
  const { personId, purpose } = link;
  const address = given.email ?? link.email;
  const passwordHash = await hashPassword(context.services.vault, address, given.password);
  return context.em.transactional(async (tx) => {
    // Held before anything is asked: the person joins no other workspace in between.
    const account = await lockAccount(tx, personId);
    if (!account || !isOpenTo(purpose, account)) throw linkGone();
    if (!(await takeLink(tx, link.id)) || !(await standsBehind(tx, link))) throw linkGone();
    const { isProved, staysBound, endsSessions } = afterLink(purpose);
    await updatePerson(tx, personId, {
      name: given.name,
      email: address,
      passwordHash,
      passwordGiven: false,
      isProved,
    });
    if (!staysBound) await dropIdentities(tx, personId);
    if (endsSessions) await revokeOtherSessions(tx, { personId, sessionId: null });
    return enter(context, tx, { personId, workspaceId: link.workspaceId });
  });
}

async function acceptByPassword(context: Context, invitation: InvitationView, given: Body): Promise<SignedIn> {
  const own = await accountOf(context, invitation.email, given.password);
  const made = own ? null : await hashPassword(context.services.vault, invitation.email, given.password);
  return context.em.transactional(async (tx) => {
    const account = own && (await lockAccount(tx, own.personId));
    if (own && account?.passwordHash !== own.passwordHash) throw linkGone();
    // While the password was hashed it may have been given another role or another link, or its maker have been demoted.
    const held = await findInvitationBySecret(tx, secretHash(given.secret), 'held');
    if (held?.id !== invitation.id) throw linkGone();
    if (account && refusesInvitation(account, held, true)) throw knownToOthers();
    // The invitation's id goes on as the member's.
    const { id, email: address, workspaceId } = held;
    const personId = account?.personId ?? id;
    if (!(await join(tx, personId, held))) throw linkGone();
    if (!account) await insertPerson(tx, { id, email: address, name: given.name ?? held.name, passwordHash: made });
    return enter(context, tx, { personId, workspaceId });
  });
}

const knownToOthers = () =>
  new Failure('password_given', 'An admin chose this password before, and may know it. Choose another one.', {
    param: 'password',
  });

/**
 * The account at an address that a password opens. It draws from the account's tries, as signing in does; where none is
 * left, nobody is found: strangers can use up those of an address, and must not keep its owner from an invitation.
 */
async function accountOf(context: Context, address: string, given: string): Promise<Account | null> {
  const accounts = await findAccountsAt(context.em, address);
  const tried = await matchWithinTries(context, { email: address, password: given }, accounts);
  if ('retryAfterSeconds' in tried) return null;
  return accounts.find(({ passwordHash }) => passwordHash !== null && tried.right.includes(passwordHash)) ?? null;
}

async function enter(
  context: Context,
  tx: EntityManager,
  who: { personId: string; workspaceId: string },
): Promise<SignedIn> {
  const member = await findMembership(tx, who);
  if (!member) throw linkGone();
  return signIn(context, tx, member, 'useLink');
}
