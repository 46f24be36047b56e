import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { currentToken } from './client/session.ts';
import { AgentFrame } from './frame/agent-frame.tsx';
import { firstPage } from './frame/last-agent.ts';
import { NoSuchPage } from './frame/no-such-page.tsx';
import { PageProblem } from './frame/page-problem.tsx';
import { Root } from './frame/root.tsx';
import { signedInFrame } from './frame/signed-in.tsx';
import { readAuditFilters } from './pages/audit/filters.ts';
import { readCallFilters } from './pages/calls/filters.ts';
import { readConnectSearch } from './pages/connect/platforms.ts';
import { readFlowFilters } from './pages/flow/filters.ts';
import { readIssueFilters } from './pages/issues/filters.ts';
import { readMetricCallFilters, readMetricFilters } from './pages/metrics/filters.ts';
import { readDeliveryFilters } from './pages/settings/delivery-filters.ts';
import { readWatchFilters } from './pages/watches/filters.ts';

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  notFoundComponent: NoSuchPage,
  errorComponent: PageProblem,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    if ((await currentToken()) === null) redirect({ to: '/sign-in', throw: true });
    redirect({ ...(await firstPage(context.queries)), throw: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { next?: string } => (isOwnPath(search['next']) ? { next: search['next'] } : {}),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const link = createRoute({
  getParentRoute: () => root,
  path: '/links/$secret',
  component: lazyRouteComponent(() => import('./pages/sign-in/link-page.tsx'), 'LinkPage'),
});

/** Everything behind a sign-in; who is not signed in comes back to the same address afterwards. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: signedInFrame,
  beforeLoad: async ({ location }) => {
    if ((await currentToken()) === null) redirect({ to: '/sign-in', search: { next: location.href }, throw: true });
  },
});

const noAgents = createRoute({
  getParentRoute: () => inside,
  path: '/agents',
  component: lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
});

const connect = createRoute({
  getParentRoute: () => inside,
  path: '/agents/new',
  validateSearch: readConnectSearch,
  component: lazyRouteComponent(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
});

const waiting = createRoute({
  getParentRoute: () => inside,
  path: '/waiting',
  component: lazyRouteComponent(() => import('./pages/waiting/waiting-page.tsx'), 'WaitingPage'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks',
  component: lazyRouteComponent(() => import('./pages/settings/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks/$webhookId',
  validateSearch: readDeliveryFilters,
  component: lazyRouteComponent(() => import('./pages/settings/webhook-page.tsx'), 'WebhookPage'),
});

const plan = createRoute({
  getParentRoute: () => inside,
  path: '/settings/plan',
  component: lazyRouteComponent(() => import('./pages/settings/plan-page.tsx'), 'PlanPage'),
});

const system = createRoute({
  getParentRoute: () => inside,
  path: '/system',
  component: lazyRouteComponent(() => import('./pages/system/system-page.tsx'), 'SystemPage'),
});

const agent = createRoute({ getParentRoute: () => inside, path: '/a/$agentId', component: AgentFrame });

const agentHome = createRoute({
  getParentRoute: () => agent,
  path: '/',
  beforeLoad: ({ params }) => {
    redirect({ to: '/a/$agentId/issues', params, throw: true });
  },
});

const issues = createRoute({
  getParentRoute: () => agent,
  path: '/issues',
  validateSearch: readIssueFilters,
  component: lazyRouteComponent(() => import('./pages/issues/issues-page.tsx'), 'IssuesPage'),
});

const issue = createRoute({
  getParentRoute: () => agent,
  path: '/issues/$issueId',
  component: lazyRouteComponent(() => import('./pages/issue/issue-page.tsx'), 'IssuePage'),
});

const calls = createRoute({
  getParentRoute: () => agent,
  path: '/calls',
  validateSearch: readCallFilters,
  component: lazyRouteComponent(() => import('./pages/calls/calls-page.tsx'), 'CallsPage'),
});

const call = createRoute({
  getParentRoute: () => agent,
  path: '/calls/$callId',
  component: lazyRouteComponent(() => import('./pages/call/call-page.tsx'), 'CallPage'),
});

const metrics = createRoute({
  getParentRoute: () => agent,
  path: '/metrics',
  validateSearch: readMetricFilters,
  component: lazyRouteComponent(() => import('./pages/metrics/metrics-page.tsx'), 'MetricsPage'),
});

const metric = createRoute({
  getParentRoute: () => agent,
  path: '/metrics/$metric',
  validateSearch: readMetricCallFilters,
  component: lazyRouteComponent(() => import('./pages/metrics/metric-calls-page.tsx'), 'MetricCallsPage'),
});

const versions = createRoute({
  getParentRoute: () => agent,
  path: '/versions',
  component: lazyRouteComponent(() => import('./pages/versions/versions-page.tsx'), 'VersionsPage'),
});

const comparison = createRoute({
  getParentRoute: () => agent,
  path: '/compare/$comparisonId',
  component: lazyRouteComponent(() => import('./pages/comparison/comparison-page.tsx'), 'ComparisonPage'),
});

const imports = createRoute({
  getParentRoute: () => agent,
  path: '/imports',
  component: lazyRouteComponent(() => import('./pages/imports/imports-page.tsx'), 'ImportsPage'),
});

const oneImport = createRoute({
  getParentRoute: () => agent,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => import('./pages/imports/import-page.tsx'), 'ImportPage'),
});

const tests = createRoute({
  getParentRoute: () => agent,
  path: '/tests',
  component: lazyRouteComponent(() => import('./pages/tests/tests-page.tsx'), 'TestsPage'),
});

const test = createRoute({
  getParentRoute: () => agent,
  path: '/tests/$testId',
  component: lazyRouteComponent(() => import('./pages/test/test-page.tsx'), 'TestPage'),
});

const runs = createRoute({
  getParentRoute: () => agent,
  path: '/runs',
  component: lazyRouteComponent(() => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => agent,
  path: '/runs/$runId',
  component: lazyRouteComponent(() => import('./pages/result/run-page.tsx'), 'RunPage'),
});

const approval = createRoute({
  getParentRoute: () => agent,
  path: '/runs/$runId/approve',
  component: lazyRouteComponent(() => import('./pages/approval/approval-page.tsx'), 'ApprovalPage'),
});

const attempt = createRoute({
  getParentRoute: () => agent,
  path: '/attempts/$attemptId',
  component: lazyRouteComponent(() => import('./pages/attempt/attempt-page.tsx'), 'AttemptPage'),
});

const watches = createRoute({
  getParentRoute: () => agent,
  path: '/watches',
  validateSearch: readWatchFilters,
  component: lazyRouteComponent(() => import('./pages/watches/watches-page.tsx'), 'WatchesPage'),
});

const newWatch = createRoute({
  getParentRoute: () => agent,
  path: '/watches/new',
  component: lazyRouteComponent(() => import('./pages/watch/edit-watch-page.tsx'), 'NewWatchPage'),
});

const watch = createRoute({
  getParentRoute: () => agent,
  path: '/watches/$watchId',
  component: lazyRouteComponent(() => import('./pages/watch/watch-page.tsx'), 'WatchPage'),
});

const editWatch = createRoute({
  getParentRoute: () => agent,
  path: '/watches/$watchId/edit',
  component: lazyRouteComponent(() => import('./pages/watch/edit-watch-page.tsx'), 'EditWatchPage'),
});

const agentSettings = createRoute({
  getParentRoute: () => agent,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/agent-settings/agent-settings-page.tsx'), 'AgentSettingsPage'),
});

const audit = createRoute({
  getParentRoute: () => agent,
  path: '/audit',
  validateSearch: readAuditFilters,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
});

const flow = createRoute({
  getParentRoute: () => agent,
  path: '/flow',
  validateSearch: readFlowFilters,
  component: lazyRouteComponent(() => import('./pages/flow/flow-page.tsx'), 'FlowPage'),
});

const coverage = createRoute({
  getParentRoute: () => agent,
  path: '/coverage',
  component: lazyRouteComponent(() => import('./pages/coverage/coverage-page.tsx'), 'CoveragePage'),
});

const brief = createRoute({
  getParentRoute: () => agent,
  path: '/brief',
  component: lazyRouteComponent(() => import('./pages/brief/brief-page.tsx'), 'BriefPage'),
});

const drafts = createRoute({
  getParentRoute: () => agent,
  path: '/drafts',
  component: lazyRouteComponent(() => import('./pages/drafts/drafts-page.tsx'), 'DraftsPage'),
});

const draft = createRoute({
  getParentRoute: () => agent,
  path: '/drafts/$draftId',
  component: lazyRouteComponent(() => import('./pages/drafts/draft-page.tsx'), 'DraftPage'),
});

const goals = createRoute({
  getParentRoute: () => agent,
  path: '/goals',
  component: lazyRouteComponent(() => import('./pages/goals/goals-page.tsx'), 'GoalsPage'),
});

const goal = createRoute({
  getParentRoute: () => agent,
  path: '/goals/$goalId',
  component: lazyRouteComponent(() => import('./pages/goals/goal-page.tsx'), 'GoalPage'),
});

const pagesOfAgent = [
  agentHome,
  issues,
  issue,
  calls,
  call,
  metrics,
  metric,
  versions,
  comparison,
  imports,
  oneImport,
  tests,
  test,
  runs,
  run,
  approval,
  attempt,
  watches,
  newWatch,
  watch,
  editWatch,
  agentSettings,
  audit,
  flow,
  coverage,
  brief,
  drafts,
  draft,
  goals,
  goal,
] as const;

const tree = root.addChildren([
  home,
  signIn,
  link,
  inside.addChildren([
    noAgents,
    connect,
    waiting,
    settings,
    webhooks,
    webhook,
    plan,
    system,
    agent.addChildren(pagesOfAgent),
  ]),
]);

function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: PageProblem,
    defaultNotFoundComponent: NoSuchPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
