import { passwordChange, passwordChanged } from '../../contract/member.ts';
import { findMembership, findPasswordHash, replacePassword } from '../../db/system/people.ts';
import { revokeOtherSessions } from '../../db/system/sessions.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { hashPassword, matchingHashes } from './passwords.ts';
import { drawTry, tooManyTries } from './sign-in-tries.ts';

export const changePassword = defineOperation({
  id: 'changePassword',
  surface: 'app',
  method: 'POST',
  path: '/app/password',
  scope: 'person',
  role: 'viewer',
  tag: 'Sign-in',
  summary: 'Change your password',
  description:
    'Asks for the present one. Every other session ends, that of the command line on the machine of the server too: `earshot sign-in` opens another there. Links by which another password could be set stop working.',
  body: passwordChange,
  response: passwordChanged,
  // Two passwords are hashed, for which no connection should be held.
  transaction: false,
  async run(context, { body }) {
    const { personId, sessionId } = context.person();
    const before = await findPasswordHash(context.em, personId);
    const member = await findMembership(context.em, context.person());
    if (member === null) throw wrong();
    const { vault } = context.services;
    const retryAfterSeconds = await drawTry(context, personId);
    if (retryAfterSeconds !== null) throw tooManyTries(retryAfterSeconds);
    const [right] = await matchingHashes(vault, member.email, body.currentPassword, before === null ? [] : [before]);
    if (right === undefined) throw wrong();
    const after = await hashPassword(vault, member.email, body.newPassword);
    return context.em.transactional(async (em) => {
      if (!(await replacePassword(em, personId, { before: right, after }))) throw wrong();
      const endedSessions = await revokeOtherSessions(em, { personId, sessionId });
      await context.audited(em, null);
      return context.kept(em, { changed: true as const, endedSessions });
    });
  },
});

const wrong = () =>
  new Failure('invalid_credentials', 'The present password is not right.', { param: 'currentPassword' });
