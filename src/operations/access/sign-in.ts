import { z } from 'zod';
import { uuid } from '../../contract/common.ts';
import { signedIn } from '../../contract/session.ts';
import { email } from '../../contract/text.ts';
import { findMembersAt, lockAccount, type MemberView } from '../../db/system/people.ts';
import { noteAct } from '../audit/note-act.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { signIn as openSignedIn } from './sessions.ts';
import { matchWithinTries, rememberDevice, tooManyTries } from './sign-in-tries.ts';

export const signIn = defineOperation({
  id: 'signIn',
  surface: 'app',
  method: 'POST',
  path: '/app/sign-in',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'Sign in',
  description:
    'By e-mail and password. The answer carries a session token; the refresh secret comes as a cookie. An account has ten tries of its password, and another one each minute; a browser that signed in to it before has its own.',
  body: z.strictObject({ email, password: z.string().min(1).max(200), workspaceId: uuid.optional() }),
  response: signedIn,
  showsSecret: true,
  // Checking a password takes a third of a second, for which no connection should be held.
  transaction: false,
  async run(context, { body }) {
    const wanted = body.workspaceId?.toLowerCase();
    const members = (await findMembersAt(context.em, body.email)).filter(
      ({ workspaceId }) => wanted === undefined || workspaceId === wanted,
    );
    const tried = await matchWithinTries(context, body, members);
    if ('retryAfterSeconds' in tried) throw tooManyTries(tried.retryAfterSeconds);
    const member = members.find(({ passwordHash }) => passwordHash !== null && tried.right.includes(passwordHash));
    if (!member) {
      noteRefused(context, members);
      throw refused();
    }
    rememberDevice(context, member.personId);
    return context.em.transactional(async (tx) => {
      // Another one may have been set while this one was checked.
      const account = await lockAccount(tx, member.personId);
      if (account?.passwordHash !== member.passwordHash) throw refused();
      return openSignedIn(context, tx, member, 'signIn');
    });
  },
});

const refused = () => new Failure('invalid_credentials', 'The e-mail address or the password is not right.');

/**
 * In the audit log of a workspace of the account that was tried: where several stand under the address, of the one that
 * proved it, if any did. Whoever has an account under the address of somebody else is not told when that person errs.
 * Nobody waits for it: the time of the answer would tell which addresses there are.
 */
function noteRefused({ services }: Context, members: readonly (MemberView & { isProved: boolean })[]): void {
  const isOne = new Set(members.map(({ personId }) => personId)).size === 1;
  const tried = isOne ? members[0] : members.find(({ isProved }) => isProved);
  if (tried === undefined) return;
  const { workspaceId, personId } = tried;
  const act = { workspaceId, personId, operation: 'signIn', targetIds: [], status: 401 };
  noteAct(services.database.within(workspaceId), services, act).catch((error: unknown) => {
    services.log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'a refused sign-in was not noted');
  });
}
