import { signedOut } from '../../contract/session.ts';
import { revokeSession } from '../../db/system/sessions.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { createRefreshSecrets } from './refresh-secrets.ts';

export const signOut = defineOperation({
  id: 'signOut',
  surface: 'app',
  method: 'DELETE',
  path: '/app/session',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'Sign out',
  description: 'Ends the session of the cookie: its refresh secret and its tokens are refused from then on.',
  response: signedOut,
  async run(context) {
    const secret = context.refreshSecret;
    const sessionId = secret === null ? null : createRefreshSecrets(context.services.vault).sessionOf(secret);
    if (sessionId === null) throw new Failure('invalid_token', 'There is no session here to end.');
    await revokeSession(context.em, sessionId);
    context.keepRefreshSecret(null);
    return { signedOut: true as const };
  },
});
