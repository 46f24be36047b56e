import { useState } from 'react';
import { api } from '../../client/api.ts';
import { keepToken } from '../../client/session.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** Password, and the organization's provider where one is set up. */
export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const methods = api.useQuery('get', '/app/sign-in-methods', {}, { staleTime: Number.POSITIVE_INFINITY });
  const signIn = api.useMutation('post', '/app/sign-in');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const provider = methods.data?.provider;
  const submit = async () => {
    const signedIn = await signIn.mutateAsync({ body: { email, password } }).catch(() => null);
    if (!signedIn) return;
    keepToken(signedIn);
    onSignedIn();
  };
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {provider && (
        <a href={provider.url} className={`${buttonLook('plain')} w-full justify-center`}>
          Sign in with {provider.name}
        </a>
      )}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <RefusalNote error={signIn.error} />
      <Button kind="primary" type="submit" busy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
