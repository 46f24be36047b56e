import { Outlet } from '@tanstack/react-router';
import { sessionState } from '../client/session.ts';
import { useStore } from '../client/store.ts';
import { SignInAgain } from './sign-in-again.tsx';

export function Root() {
  const session = useStore(sessionState);
  return (
    <>
      <Outlet />
      {session === 'expired' && <SignInAgain />}
    </>
  );
}
