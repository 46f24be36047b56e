import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { BASE } from '../../client/base-path.ts';
import { Door } from './door.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const router = useRouter();
  return (
    <Door title="Sign in">
      <SignInForm onSignedIn={() => (next ? router.history.push(`${BASE}${next}`) : void navigate({ to: '/' }))} />
      <p className="mt-5 text-sm text-ink-2">
        The first person signs in with the link that <code className="font-mono">npm start</code> printed.
      </p>
    </Door>
  );
}
