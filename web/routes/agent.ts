import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readAuditFilters } from '../pages/audit/filters.ts';
import { callQuery, callSignalsQuery } from '../pages/call/queries.ts';
import { readCallSearch } from '../pages/call/search.ts';
import { readCallFilters } from '../pages/calls/filters.ts';
import { callsQuery, signalsQuery } from '../pages/calls/queries.ts';
import { readErasureSearch } from '../pages/erasures/search.ts';
import { readFlowFilters } from '../pages/flow/filters.ts';
import { evidenceQuery, explanationQuery, issueQuery } from '../pages/issue/queries.ts';
import { readIssueSearch } from '../pages/issue/search.ts';
import { readIssueFilters } from '../pages/issues/filters.ts';
import { readBoardAhead } from '../pages/issues/queries.ts';
import { readMetricCallFilters, readMetricFilters } from '../pages/metrics/filters.ts';
import { readResultSearch } from '../pages/result/search.ts';
import { readWatchFilters } from '../pages/watches/filters.ts';
import { agent } from './frames.ts';

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
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params: { agentId }, deps }) => void readBoardAhead(queries, agentId, deps),
  component: lazyRouteComponent(() => import('../pages/issues/issues-page.tsx'), 'IssuesPage'),
});

const issue = createRoute({
  getParentRoute: () => agent,
  path: '/issues/$issueId',
  validateSearch: readIssueSearch,
  loader: ({ context: { queries }, params }) => {
    void queries.prefetchQuery(issueQuery(params));
    void queries.prefetchQuery(explanationQuery(params));
    void queries.prefetchQuery(evidenceQuery(params));
  },
  component: lazyRouteComponent(() => import('../pages/issue/issue-page.tsx'), 'IssuePage'),
});

const calls = createRoute({
  getParentRoute: () => agent,
  path: '/calls',
  validateSearch: readCallFilters,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params, deps }) => {
    void queries.prefetchInfiniteQuery(callsQuery(params.agentId, deps));
    void queries.prefetchQuery(signalsQuery());
  },
  component: lazyRouteComponent(() => import('../pages/calls/calls-page.tsx'), 'CallsPage'),
});

const call = createRoute({
  getParentRoute: () => agent,
  path: '/calls/$callId',
  validateSearch: readCallSearch,
  loader: ({ context: { queries }, params, cause }) => {
    // Whoever goes through a list by keys passes many calls a second.
    if (cause === 'preload') return;
    void queries.prefetchQuery(callQuery(params));
    void queries.prefetchQuery(callSignalsQuery(params));
  },
  component: lazyRouteComponent(() => import('../pages/call/call-page.tsx'), 'CallPage'),
});

const metrics = createRoute({
  getParentRoute: () => agent,
  path: '/metrics',
  validateSearch: readMetricFilters,
  component: lazyRouteComponent(() => import('../pages/metrics/metrics-page.tsx'), 'MetricsPage'),
});

const metric = createRoute({
  getParentRoute: () => agent,
  path: '/metrics/$metric',
  validateSearch: readMetricCallFilters,
  component: lazyRouteComponent(() => import('../pages/metrics/metric-calls-page.tsx'), 'MetricCallsPage'),
});

const versions = createRoute({
  getParentRoute: () => agent,
  path: '/versions',
  component: lazyRouteComponent(() => import('../pages/versions/versions-page.tsx'), 'VersionsPage'),
});

const comparison = createRoute({
  getParentRoute: () => agent,
  path: '/compare/$comparisonId',
  component: lazyRouteComponent(() => import('../pages/comparison/comparison-page.tsx'), 'ComparisonPage'),
});

const imports = createRoute({
  getParentRoute: () => agent,
  path: '/imports',
  component: lazyRouteComponent(() => import('../pages/imports/imports-page.tsx'), 'ImportsPage'),
});

const oneImport = createRoute({
  getParentRoute: () => agent,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => import('../pages/imports/import-page.tsx'), 'ImportPage'),
});

const tests = createRoute({
  getParentRoute: () => agent,
  path: '/tests',
  component: lazyRouteComponent(() => import('../pages/tests/tests-page.tsx'), 'TestsPage'),
});

const test = createRoute({
  getParentRoute: () => agent,
  path: '/tests/$testId',
  component: lazyRouteComponent(() => import('../pages/test/test-page.tsx'), 'TestPage'),
});

const newTest = createRoute({
  getParentRoute: () => agent,
  path: '/tests/new',
  component: lazyRouteComponent(() => import('../pages/test/new-test-page.tsx'), 'NewTestPage'),
});

const runs = createRoute({
  getParentRoute: () => agent,
  path: '/runs',
  component: lazyRouteComponent(() => import('../pages/runs/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => agent,
  path: '/runs/$runId',
  validateSearch: readResultSearch,
  component: lazyRouteComponent(() => import('../pages/result/run-page.tsx'), 'RunPage'),
});

const approval = createRoute({
  getParentRoute: () => agent,
  path: '/runs/$runId/approve',
  component: lazyRouteComponent(() => import('../pages/approval/approval-page.tsx'), 'ApprovalPage'),
});

const attempt = createRoute({
  getParentRoute: () => agent,
  path: '/attempts/$attemptId',
  component: lazyRouteComponent(() => import('../pages/attempt/attempt-page.tsx'), 'AttemptPage'),
});

const watches = createRoute({
  getParentRoute: () => agent,
  path: '/watches',
  validateSearch: readWatchFilters,
  component: lazyRouteComponent(() => import('../pages/watches/watches-page.tsx'), 'WatchesPage'),
});

const newWatch = createRoute({
  getParentRoute: () => agent,
  path: '/watches/new',
  component: lazyRouteComponent(() => import('../pages/watch/edit-watch-page.tsx'), 'NewWatchPage'),
});

const watch = createRoute({
  getParentRoute: () => agent,
  path: '/watches/$watchId',
  component: lazyRouteComponent(() => import('../pages/watch/watch-page.tsx'), 'WatchPage'),
});

const editWatch = createRoute({
  getParentRoute: () => agent,
  path: '/watches/$watchId/edit',
  component: lazyRouteComponent(() => import('../pages/watch/edit-watch-page.tsx'), 'EditWatchPage'),
});

const newMetric = createRoute({
  getParentRoute: () => agent,
  path: '/custom-metrics/new',
  component: lazyRouteComponent(() => import('../pages/metrics/edit-metric-page.tsx'), 'NewMetricPage'),
});

const editMetric = createRoute({
  getParentRoute: () => agent,
  path: '/custom-metrics/$metric',
  component: lazyRouteComponent(() => import('../pages/metrics/edit-metric-page.tsx'), 'EditMetricPage'),
});

const alarms = createRoute({
  getParentRoute: () => agent,
  path: '/alarms',
  component: lazyRouteComponent(() => import('../pages/alarms/alarms-page.tsx'), 'AlarmsPage'),
});

const newAlarm = createRoute({
  getParentRoute: () => agent,
  path: '/alarms/new',
  component: lazyRouteComponent(() => import('../pages/alarms/edit-alarm-page.tsx'), 'NewAlarmPage'),
});

const alarm = createRoute({
  getParentRoute: () => agent,
  path: '/alarms/$alarm',
  component: lazyRouteComponent(() => import('../pages/alarms/alarm-page.tsx'), 'AlarmPage'),
});

const editAlarm = createRoute({
  getParentRoute: () => agent,
  path: '/alarms/$alarm/edit',
  component: lazyRouteComponent(() => import('../pages/alarms/edit-alarm-page.tsx'), 'EditAlarmPage'),
});

const agentSettings = createRoute({
  getParentRoute: () => agent,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/agent-settings/agent-settings-page.tsx'), 'AgentSettingsPage'),
});

const audit = createRoute({
  getParentRoute: () => agent,
  path: '/audit',
  validateSearch: readAuditFilters,
  component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});

const flow = createRoute({
  getParentRoute: () => agent,
  path: '/flow',
  validateSearch: readFlowFilters,
  component: lazyRouteComponent(() => import('../pages/flow/flow-page.tsx'), 'FlowPage'),
});

const coverage = createRoute({
  getParentRoute: () => agent,
  path: '/coverage',
  component: lazyRouteComponent(() => import('../pages/coverage/coverage-page.tsx'), 'CoveragePage'),
});

const intents = createRoute({
  getParentRoute: () => agent,
  path: '/intents',
  component: lazyRouteComponent(() => import('../pages/intents/intents-page.tsx'), 'IntentsPage'),
});

const erasures = createRoute({
  getParentRoute: () => agent,
  path: '/erasures',
  validateSearch: readErasureSearch,
  component: lazyRouteComponent(() => import('../pages/erasures/erasures-page.tsx'), 'ErasuresPage'),
});

const brief = createRoute({
  getParentRoute: () => agent,
  path: '/brief',
  component: lazyRouteComponent(() => import('../pages/brief/brief-page.tsx'), 'BriefPage'),
});

const drafts = createRoute({
  getParentRoute: () => agent,
  path: '/drafts',
  component: lazyRouteComponent(() => import('../pages/drafts/drafts-page.tsx'), 'DraftsPage'),
});

const draft = createRoute({
  getParentRoute: () => agent,
  path: '/drafts/$draftId',
  component: lazyRouteComponent(() => import('../pages/drafts/draft-page.tsx'), 'DraftPage'),
});

const goals = createRoute({
  getParentRoute: () => agent,
  path: '/goals',
  component: lazyRouteComponent(() => import('../pages/goals/goals-page.tsx'), 'GoalsPage'),
});

const goal = createRoute({
  getParentRoute: () => agent,
  path: '/goals/$goalId',
  component: lazyRouteComponent(() => import('../pages/goals/goal-page.tsx'), 'GoalPage'),
});

/** Every page of an agent. */
export const pagesOfAgent = [
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
  newTest,
  test,
  runs,
  run,
  approval,
  attempt,
  watches,
  newWatch,
  watch,
  editWatch,
  newMetric,
  editMetric,
  alarms,
  newAlarm,
  alarm,
  editAlarm,
  agentSettings,
  audit,
  flow,
  coverage,
  intents,
  erasures,
  brief,
  drafts,
  draft,
  goals,
  goal,
] as const;
