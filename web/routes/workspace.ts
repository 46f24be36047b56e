import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readConnectSearch } from '../pages/connect/platforms.ts';
import { readDeliveryFilters } from '../pages/settings/delivery-filters.ts';
import { inside } from './frames.ts';

const noAgents = createRoute({
  getParentRoute: () => inside,
  path: '/agents',
  component: lazyRouteComponent(() => import('../pages/agents/agents-page.tsx'), 'AgentsPage'),
});

const connect = createRoute({
  getParentRoute: () => inside,
  path: '/agents/new',
  validateSearch: readConnectSearch,
  component: lazyRouteComponent(() => import('../pages/connect/connect-page.tsx'), 'ConnectPage'),
});

const waiting = createRoute({
  getParentRoute: () => inside,
  path: '/waiting',
  component: lazyRouteComponent(() => import('../pages/waiting/waiting-page.tsx'), 'WaitingPage'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const connections = createRoute({
  getParentRoute: () => inside,
  path: '/settings/connections',
  component: lazyRouteComponent(() => import('../pages/connections/connections-page.tsx'), 'ConnectionsPage'),
});

const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks',
  component: lazyRouteComponent(() => import('../pages/settings/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks/$webhookId',
  validateSearch: readDeliveryFilters,
  component: lazyRouteComponent(() => import('../pages/settings/webhook-page.tsx'), 'WebhookPage'),
});

const messages = createRoute({
  getParentRoute: () => inside,
  path: '/settings/messages',
  component: lazyRouteComponent(() => import('../pages/messages/messages-page.tsx'), 'MessagesPage'),
});

const channel = createRoute({
  getParentRoute: () => inside,
  path: '/settings/messages/$channelId',
  validateSearch: readDeliveryFilters,
  component: lazyRouteComponent(() => import('../pages/messages/channel-page.tsx'), 'ChannelPage'),
});

const plan = createRoute({
  getParentRoute: () => inside,
  path: '/settings/plan',
  component: lazyRouteComponent(() => import('../pages/settings/plan-page.tsx'), 'PlanPage'),
});

const retention = createRoute({
  getParentRoute: () => inside,
  path: '/settings/retention',
  component: lazyRouteComponent(() => import('../pages/retention/retention-page.tsx'), 'RetentionPage'),
});

const system = createRoute({
  getParentRoute: () => inside,
  path: '/system',
  component: lazyRouteComponent(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
});

/** Every page of the workspace, whatever agent is looked at. */
export const pagesOfWorkspace = [
  noAgents,
  connect,
  waiting,
  settings,
  connections,
  messages,
  channel,
  webhooks,
  webhook,
  plan,
  retention,
  system,
] as const;
