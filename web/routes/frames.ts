import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { currentToken, sessionState } from '../client/session.ts';
import { AgentFrame } from '../frame/agent-frame.tsx';
import { agentQuery } from '../frame/last-agent.ts';
import { NoSuchPage } from '../frame/no-such-page.tsx';
import { PageProblem } from '../frame/page-problem.tsx';
import { Root } from '../frame/root.tsx';
import { signedInFrame } from '../frame/signed-in.tsx';

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  notFoundComponent: NoSuchPage,
  errorComponent: PageProblem,
});

/** Everything behind a sign-in; who is not signed in comes back to the same address afterwards. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: signedInFrame,
  beforeLoad: async ({ location }) => {
    if ((await currentToken()) !== null) return;
    if (sessionState.get() === 'nowhere') redirect({ to: '/invitations', throw: true });
    redirect({ to: '/sign-in', search: { next: location.href }, throw: true });
  },
});

export const agent = createRoute({
  getParentRoute: () => inside,
  path: '/a/$agentId',
  component: AgentFrame,
  loader: ({ context: { queries }, params }) => void queries.prefetchQuery(agentQuery(params.agentId)),
});
