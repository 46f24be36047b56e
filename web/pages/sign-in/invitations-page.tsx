import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { enterWorkspace, sessionState, signOut } from '../../client/session.ts';
import { useStore } from '../../client/store.ts';
import { words } from '../../format.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Door } from './door.tsx';
import { useInvitations } from './use-invitations.ts';
import { WhoInvites } from './who-invites.tsx';

type Own = Schemas['OwnInvitations'];

/** What waits for the yes of somebody who is signed in: nobody joins a workspace before it. */
export function InvitationsPage() {
  const own = useInvitations();
  const navigate = useNavigate();
  const isNowhere = useStore(sessionState) === 'nowhere';
  return (
    <Door title="Invitations">
      <Loaded of={own} rows={3}>
        {(data) => (
          <div className="space-y-5">
            <p className="text-sm text-ink-2">Signed in as {data.email}.</p>
            {data.accounts.map((account) => (
              <TakeOver key={account.id} account={account} />
            ))}
            {data.invitations.map((invitation) => (
              <Answer key={invitation.id} invitation={invitation} />
            ))}
            {data.accounts.length + data.invitations.length === 0 && <Nothing of={data} />}
            <div className="flex gap-2 border-t border-line pt-4">
              {!isNowhere && (
                <Link to="/" className={buttonLook()}>
                  Back
                </Link>
              )}
              <Button kind="quiet" onClick={() => void signOut().then(() => navigate({ to: '/sign-in' }))}>
                Sign out
              </Button>
            </div>
          </div>
        )}
      </Loaded>
    </Door>
  );
}

function Nothing({ of: { isProved } }: { of: Own }) {
  return (
    <p>
      {isProved
        ? 'No invitation waits for you. Ask an admin of a workspace to invite this address.'
        : 'Open the link of an invitation to accept it: nobody vouches that this address is yours.'}
    </p>
  );
}

function Answer({ invitation }: { invitation: Schemas['Invitation'] }) {
  const queries = useQueryClient();
  const accept = api.useMutation('post', '/app/session/invitations/accept');
  const decline = api.useMutation('post', '/app/session/invitations/decline');
  const { id: invitationId, invitedBy, workspaceName, role } = invitation;
  const say = async (answering: Promise<{ id?: string }>) => {
    const answered = await answering.catch(() => null);
    if (answered?.id) enterWorkspace(answered.id);
    await queries.invalidateQueries();
  };
  return (
    <section aria-label={workspaceName} className="space-y-3">
      <WhoInvites by={invitedBy} workspaceName={workspaceName} role={role} />
      <RefusalNote error={accept.error ?? decline.error} />
      <div className="flex gap-2">
        <Button
          kind="primary"
          busy={accept.isPending}
          label={`Join ${workspaceName}`}
          onClick={() => void say(accept.mutateAsync({ body: { invitationId } }))}
        >
          Join
        </Button>
        <Button
          busy={decline.isPending}
          label={`Decline ${workspaceName}`}
          onClick={() => void say(decline.mutateAsync({ body: { invitationId } }).then(() => ({})))}
        >
          Decline
        </Button>
      </div>
    </section>
  );
}

function TakeOver({ account }: { account: Own['accounts'][number] }) {
  const queries = useQueryClient();
  const take = api.useMutation('post', '/app/session/accounts/take-over');
  const { id: accountId, workspaces, createdAt } = account;
  const run = async () => {
    const taken = await take.mutateAsync({ body: { accountId } }).catch(() => null);
    const [first] = taken?.workspaces ?? [];
    if (first) enterWorkspace(first.id);
    await queries.invalidateQueries();
  };
  return (
    <section aria-label="An account under your address" className="space-y-3">
      <p>
        An account was made under your address <Time at={createdAt} />, with a password. It belongs to{' '}
        {workspaces.map(({ name, role }, at) => (
          <span key={name}>
            {at > 0 && ', '}
            <b>{name}</b> ({words(role).toLowerCase()})
          </span>
        ))}
        .
      </p>
      <p className="text-sm text-ink-2">
        Take it over if it is yours: its password and sessions end, and you sign in with your provider from then on.
      </p>
      <RefusalNote error={take.error} />
      <Button kind="primary" busy={take.isPending} onClick={() => void run()}>
        It is mine: take it over
      </Button>
    </section>
  );
}
