import { signedOut } from '../../contract/session.ts';
import { actIn } from '../../db/system/scope.ts';
import { revokeSession } from '../../db/system/sessions.ts';
import { noteAct } from '../audit/note-act.ts';
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
    const { em, services, refreshSecret } = context;
    const sessionId = refreshSecret === null ? null : createRefreshSecrets(services.vault).sessionOf(refreshSecret);
    if (sessionId === null) throw new Failure('invalid_token', 'There is no session here to end.');
    const ended = await revokeSession(em, sessionId);
    if (ended !== null && ended.workspaceId !== null) {
      const { workspaceId, personId } = ended;
      const act = { workspaceId, personId, operation: 'signOut', targetIds: [sessionId] };
      await actIn(em, workspaceId, () => noteAct(em, services, act));
    }
    context.keepRefreshSecret(null);
    return { signedOut: true as const };
  },
});
