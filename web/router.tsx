import type { QueryClient } from '@tanstack/react-query';
import { createHashHistory, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { BASE } from './client/base-path.ts';
import { currentToken, doorFor, sessionState } from './client/session.ts';
import { firstPage } from './frame/last-agent.ts';
import { NoSuchPage } from './frame/no-such-page.tsx';
import { PageProblem } from './frame/page-problem.tsx';
import { pagesOfAgent } from './routes/agent.ts';
import { agent, inside, root } from './routes/frames.ts';
import { pagesOfWorkspace } from './routes/workspace.ts';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    if ((await currentToken()) === null) redirect({ to: doorFor(sessionState.get()), throw: true });
    redirect({ ...(await firstPage(context.queries)), throw: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { next?: string } => (isOwnPath(search['next']) ? { next: search['next'] } : {}),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** The secret of the link stands behind the #, which no server is told. */
const link = createRoute({
  getParentRoute: () => root,
  path: '/links',
  component: lazyRouteComponent(() => import('./pages/sign-in/link-page.tsx'), 'LinkPage'),
});

/** Signed in or not: who reads an address need not have an account. */
const agreement = createRoute({
  getParentRoute: () => root,
  path: '/agree',
  component: lazyRouteComponent(() => import('./pages/sign-in/agreement-page.tsx'), 'AgreementPage'),
});

const invitations = createRoute({
  getParentRoute: () => root,
  path: '/invitations',
  beforeLoad: async () => {
    if ((await currentToken()) === null && sessionState.get() !== 'nowhere') redirect({ to: '/sign-in', throw: true });
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/invitations-page.tsx'), 'InvitationsPage'),
});

const tree = root.addChildren([
  home,
  signIn,
  link,
  agreement,
  invitations,
  inside.addChildren([...pagesOfWorkspace, agent.addChildren(pagesOfAgent)]),
]);

function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    ...(BASE === '' ? {} : { basepath: BASE }),
    // Files alone know no addresses of pages.
    ...('recorded' in document.documentElement.dataset ? { history: createHashHistory() } : {}),
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    // What no page reads is no part of its address, and of no request.
    search: { strict: true },
    defaultErrorComponent: PageProblem,
    defaultNotFoundComponent: NoSuchPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
