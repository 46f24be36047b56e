import { z } from 'zod';
import { uuid } from '../../contract/common.ts';
import { signedIn } from '../../contract/session.ts';
import { email } from '../../contract/text.ts';
import { findPersonByEmail, type MemberView } from '../../db/system/people.ts';
import { noteAct } from '../audit/note-act.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { checkPassword } from './passwords.ts';
import { signIn as openSignedIn } from './sessions.ts';
import { rememberDevice, withinTries } from './sign-in-tries.ts';

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
    const person = await findPersonByEmail(context.em, body.email);
    const right = await withinTries(context, body.email, () =>
      checkPassword(body.password, person?.passwordHash ?? null),
    );
    const wanted = body.workspaceId?.toLowerCase();
    const member = person?.memberships.find(({ workspaceId }) => wanted === undefined || workspaceId === wanted);
    if (!right || !member) {
      if (member) noteRefused(context, member);
      throw new Failure('invalid_credentials', 'The e-mail address or the password is not right.');
    }
    rememberDevice(context, body.email);
    return openSignedIn(context, member, 'signIn');
  },
});

/** In the workspace's audit log. Nobody waits for it: the time of the answer would tell which addresses there are. */
function noteRefused({ services }: Context, { workspaceId, personId }: MemberView): void {
  const act = { workspaceId, personId, operation: 'signIn', targetIds: [], status: 401 };
  noteAct(services.database.within(workspaceId), services, act).catch((error: unknown) => {
    services.log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'a refused sign-in was not noted');
  });
}
