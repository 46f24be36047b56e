import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { followEvents } from '../client/events.ts';
import { useStore } from '../client/store.ts';
import { classes } from '../ui/classes.ts';
import { Connection } from './connection.tsx';
import { copilotOpen } from './copilot-open.ts';
import { useKeys } from './keys.ts';
import { Navigation } from './navigation.tsx';

const Palette = lazy(() => import('./palette.tsx'));
const KeyList = lazy(() => import('./key-list.tsx'));
const CopilotPanel = lazy(() => import('../pages/copilot/copilot-panel.tsx'));

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
  const asking = useStore(copilotOpen);
  const isOpening = useRouterState({ select: ({ status }) => status === 'pending' });
  return (
    <div
      className={classes(
        'md:grid md:min-h-screen md:grid-cols-[216px_minmax(0,1fr)]',
        asking && 'xl:grid-cols-[216px_minmax(0,1fr)_25rem]',
      )}
    >
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:bg-raised focus:p-2"
      >
        Skip to the page
      </a>
      <Navigation onSearch={() => setOver('palette')} />
      <main id="page" tabIndex={-1} aria-busy={isOpening} className="@container min-w-0 outline-none">
        <Connection />
        <Outlet />
      </main>
      <Suspense>
        {asking && <CopilotPanel />}
        {over === 'palette' && <Palette onClose={close} />}
        {over === 'keys' && <KeyList onClose={close} />}
      </Suspense>
    </div>
  );
}
