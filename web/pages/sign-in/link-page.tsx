import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { currentToken, enterWorkspace, keepToken, sessionState, signOut } from '../../client/session.ts';
import { useStore } from '../../client/store.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusalNote, Skeleton } from '../../ui/states.tsx';
import { Door } from './door.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useInvitations } from './use-invitations.ts';
import { WhoInvites } from './who-invites.tsx';

type OneTimeLink = Schemas['Link'];

/** Where a one-time link leads: its reader chooses a password, or says yes to an invitation, and is in. */
export function LinkPage() {
  const shown = useRouterState({ select: ({ location }) => location.hash });
  const [secret, keep] = useState(shown);
  // Whoever is let in goes on to an address without one while this page still stands.
  if (shown !== '' && shown !== secret) keep(shown);
  const link = api.useQuery(
    'post',
    '/app/links/read',
    { body: { secret } },
    // Once used, it is gone; asking again would only say so.
    { staleTime: Number.POSITIVE_INFINITY, retry: false },
  );
  if (link.error) return <UsedUp />;
  if (!link.data) {
    return (
      <Door title="One moment">
        <Skeleton rows={3} />
      </Door>
    );
  }
  return (
    <Door title={titleOf(link.data)}>
      {link.data.purpose === 'invitation' ? (
        <Invited link={link.data} secret={secret} />
      ) : (
        <ChoosePassword link={link.data} secret={secret} does="Set password and sign in" />
      )}
    </Door>
  );
}

function titleOf({ purpose, workspaceName }: OneTimeLink): string {
  if (purpose === 'first_admin') return 'Welcome to Earshot';
  return purpose === 'invitation' ? `You are invited to ${workspaceName}` : 'Choose a new password';
}

function UsedUp() {
  return (
    <Door title="This link no longer works">
      <p className="mb-4 text-ink-2">It was used already, has expired, or never was one. Ask for a new one.</p>
      <Link to="/sign-in" className={buttonLook('primary')}>
        Sign in
      </Link>
    </Door>
  );
}

interface LinkProps {
  link: OneTimeLink;
  secret: string;
}

function Invited({ link, secret }: LinkProps) {
  const session = useStore(sessionState);
  const [hasAccount, setHasAccount] = useState(false);
  useEffect(() => void currentToken(), []);
  const isSignedIn = session === 'signed-in' || session === 'nowhere';
  return (
    <div className="space-y-5">
      <WhoInvites by={link.madeBy} workspaceName={link.workspaceName} role={link.role ?? 'member'} />
      {session === 'unknown' && <Skeleton rows={2} />}
      {isSignedIn && <SayYes link={link} secret={secret} />}
      {!isSignedIn && session !== 'unknown' && (
        <>
          {hasAccount ? (
            <SignInForm onSignedIn={() => {}} />
          ) : (
            <ChoosePassword link={link} secret={secret} does="Create account and join" />
          )}
          <Button kind="quiet" onClick={() => setHasAccount(!hasAccount)}>
            {hasAccount ? 'I am new here' : 'I have an account here already'}
          </Button>
        </>
      )}
    </div>
  );
}

/** For somebody who is signed in: the account that joins is shown. */
function SayYes({ link, secret }: LinkProps) {
  const navigate = useNavigate();
  const own = useInvitations();
  const accept = api.useMutation('post', '/app/session/invitations/accept');
  const decline = api.useMutation('post', '/app/session/invitations/decline');
  if (!own.data) return <Skeleton rows={2} />;
  const { email } = own.data;
  if (email !== link.email) {
    return (
      <>
        <p>
          The invitation is to {link.email}, and you are signed in as {email}.
        </p>
        <Button kind="primary" onClick={() => void signOut()}>
          Sign out and go on as {link.email}
        </Button>
      </>
    );
  }
  const join = async () => {
    const joined = await accept.mutateAsync({ body: { secret } }).catch(() => null);
    if (joined) enterWorkspace(joined.id);
  };
  const refuse = async () => {
    const declined = await decline.mutateAsync({ body: { secret } }).catch(() => null);
    if (declined) await navigate({ to: '/', replace: true });
  };
  return (
    <>
      <p className="text-sm text-ink-2">You are signed in as {email}.</p>
      <RefusalNote error={accept.error ?? decline.error} />
      <div className="flex gap-2">
        <Button kind="primary" busy={accept.isPending} onClick={() => void join()}>
          Join
        </Button>
        <Button busy={decline.isPending} onClick={() => void refuse()}>
          Decline
        </Button>
      </div>
    </>
  );
}

function ChoosePassword({ link, secret, does }: LinkProps & { does: string }) {
  const navigate = useNavigate();
  const use = api.useMutation('post', '/app/links/use');
  const [email, setEmail] = useState(link.choosesEmail ? '' : link.email);
  const [password, setPassword] = useState('');
  const submit = async () => {
    const body = { secret, password, ...(link.choosesEmail ? { email } : {}) };
    const signedIn = await use.mutateAsync({ body }).catch(() => null);
    if (!signedIn) return;
    keepToken(signedIn);
    // The way back does not lead to a link that is used up.
    await navigate({ to: '/', replace: true });
  };
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        readOnly={!link.choosesEmail}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        required
        minLength={10}
        maxLength={200}
        autoComplete="new-password"
        hint="Ten characters or more."
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <RefusalNote error={use.error} />
      <Button kind="primary" type="submit" busy={use.isPending}>
        {does}
      </Button>
    </form>
  );
}
