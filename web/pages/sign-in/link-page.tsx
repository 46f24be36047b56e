import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { keepToken } from '../../client/session.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusalNote, Skeleton } from '../../ui/states.tsx';
import { Door } from './door.tsx';

type OneTimeLink = Schemas['Link'];

/** Where a one-time link leads: its reader chooses a password, or proves theirs, and is in. */
export function LinkPage() {
  const { secret } = useParams({ from: '/links/$secret' });
  const link = api.useQuery(
    'get',
    '/app/links/{secret}',
    { params: { path: { secret } } },
    // Once used, it is gone; asking again would only say so.
    { staleTime: Number.POSITIVE_INFINITY },
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
      <UseLink link={link.data} secret={secret} />
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

function UseLink({ link, secret }: { link: OneTimeLink; secret: string }) {
  const navigate = useNavigate();
  const use = api.useMutation('post', '/app/links/{secret}');
  const [email, setEmail] = useState(link.choosesEmail ? '' : link.email);
  const [password, setPassword] = useState('');
  const submit = async () => {
    const body = link.choosesEmail ? { email, password } : { password };
    const signedIn = await use.mutateAsync({ params: { path: { secret } }, body }).catch(() => null);
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
        maxLength={200}
        {...(link.setsPassword ? { minLength: 10 } : {})}
        autoComplete={link.setsPassword ? 'new-password' : 'current-password'}
        hint={link.setsPassword ? 'Ten characters or more.' : 'The password that you sign in with already.'}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <RefusalNote error={use.error} />
      <Button kind="primary" type="submit" busy={use.isPending}>
        {link.setsPassword ? 'Set password and sign in' : 'Join and sign in'}
      </Button>
    </form>
  );
}
