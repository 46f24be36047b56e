import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { followEvents } from '../client/events.ts';
import { Connection } from './connection.tsx';
import { useKeys } from './keys.ts';
import { Navigation } from './navigation.tsx';

const Palette = lazy(() => import('./palette.tsx'));
const KeyList = lazy(() => import('./key-list.tsx'));

type Over = 'palette' | 'keys' | null;

/** What stands around every page of somebody who is signed in. */
export function signedInFrame() {
  return <SignedIn />;
}

function SignedIn() {
  const queries = useQueryClient();
  const [over, setOver] = useState<Over>(null);
  useEffect(() => followEvents(queries), [queries]);
  useKeys({ openPalette: () => setOver('palette'), openKeys: () => setOver('keys') });
  const close = () => setOver(null);
  return (
    <div className="md:grid md:min-h-screen md:grid-cols-[216px_minmax(0,1fr)]">
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:bg-raised focus:p-2"
      >
        Skip to the page
      </a>
      <Navigation onSearch={() => setOver('palette')} />
      <main id="page" tabIndex={-1} className="min-w-0 outline-none">
        <Connection />
        <Outlet />
      </main>
      <Suspense>
        {over === 'palette' && <Palette onClose={close} />}
        {over === 'keys' && <KeyList onClose={close} />}
      </Suspense>
    </div>
  );
}
