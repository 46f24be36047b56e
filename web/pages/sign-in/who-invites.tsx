import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';

type Inviter = Schemas['Invitation']['invitedBy'];

interface InvitedProps {
  by: Inviter;
  workspaceName: string;
  role: string;
}

/** The sentence that is said yes or no to. */
export function WhoInvites({ by, workspaceName, role }: InvitedProps) {
  return (
    <p>
      {by === null ? (
        'A group of your sign-in provider'
      ) : (
        <>
          <b>{by.name}</b> ({by.email}
          {by.emailVerified ? '' : ', address not verified'})
        </>
      )}{' '}
      invited you to join <b>{workspaceName}</b> as {role.startsWith('a') ? 'an' : 'a'} {words(role).toLowerCase()}.
    </p>
  );
}
