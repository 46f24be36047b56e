import {
  AudioLines,
  Bell,
  ChartLine,
  ClipboardCheck,
  Download,
  Eye,
  FilePen,
  FlaskConical,
  GitCompareArrows,
  Grid3x3,
  type LucideIcon,
  ScrollText,
  SlidersHorizontal,
  Target,
  TriangleAlert,
  Workflow,
} from 'lucide-react';

/** The pages of an agent, in the order of the bar; `key` follows `g`. */
export const PLACES = [
  { to: '/a/$agentId/issues', label: 'Issues', key: 'i', icon: TriangleAlert },
  { to: '/a/$agentId/calls', label: 'Calls', key: 'c', icon: AudioLines },
  { to: '/a/$agentId/metrics', label: 'Metrics', key: 'm', icon: ChartLine },
  { to: '/a/$agentId/flow', label: 'Flow', key: 'f', icon: Workflow },
  { to: '/a/$agentId/versions', label: 'Versions', key: 'v', icon: GitCompareArrows },
  { to: '/a/$agentId/tests', label: 'Tests', key: 't', icon: ClipboardCheck },
  { to: '/a/$agentId/runs', label: 'Runs', key: 'r', icon: FlaskConical },
  { to: '/a/$agentId/watches', label: 'Watches', key: 'w', icon: Eye },
  { to: '/a/$agentId/alarms', label: 'Alarms', key: 'n', icon: Bell },
  { to: '/a/$agentId/drafts', label: 'Drafts', key: 'd', icon: FilePen },
  { to: '/a/$agentId/goals', label: 'Goals', key: 'l', icon: Target },
  { to: '/a/$agentId/coverage', label: 'Coverage', key: 'o', icon: Grid3x3 },
  { to: '/a/$agentId/imports', label: 'Imports', key: 'p', icon: Download },
  { to: '/a/$agentId/audit', label: 'Audit log', key: 'a', icon: ScrollText },
  { to: '/a/$agentId/settings', label: 'Settings', key: 's', icon: SlidersHorizontal },
] as const satisfies { to: string; label: string; key: string; icon: LucideIcon }[];

/** Pages of an agent that no bar leads to. */
export const AGENT_PLACES = [
  { to: '/a/$agentId/brief', label: 'Brief' },
  { to: '/a/$agentId/intents', label: 'Intents' },
  { to: '/a/$agentId/tests/new', label: 'New test' },
  { to: '/a/$agentId/watches/new', label: 'New watch' },
  { to: '/a/$agentId/alarms/new', label: 'New alarm' },
  { to: '/a/$agentId/erasures', label: 'Erased calls' },
] as const;

/** Settings of the workspace, whatever agent is looked at. */
export const SETTINGS_PLACES = [
  { to: '/settings', label: 'Keys and members' },
  { to: '/settings/connections', label: 'Connections' },
  { to: '/settings/messages', label: 'Messages' },
  { to: '/settings/webhooks', label: 'Webhooks' },
  { to: '/settings/plan', label: 'Plan' },
  { to: '/settings/retention', label: 'Retention' },
] as const;

/** Every place of the workspace. */
export const WORKSPACE_PLACES = [
  { to: '/waiting', label: 'Waiting for you' },
  { to: '/agents/new', label: 'Connect an agent' },
  ...SETTINGS_PLACES,
  { to: '/system', label: 'System' },
] as const;
