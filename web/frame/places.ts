import {
  AudioLines,
  ChartLine,
  ClipboardCheck,
  Download,
  FlaskConical,
  GitCompareArrows,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';

/** The pages of an agent, in the order of the bar; `key` follows `g`. */
export const PLACES = [
  { to: '/a/$agentId/issues', label: 'Issues', key: 'i', icon: TriangleAlert },
  { to: '/a/$agentId/calls', label: 'Calls', key: 'c', icon: AudioLines },
  { to: '/a/$agentId/metrics', label: 'Metrics', key: 'm', icon: ChartLine },
  { to: '/a/$agentId/versions', label: 'Versions', key: 'v', icon: GitCompareArrows },
  { to: '/a/$agentId/tests', label: 'Tests', key: 't', icon: ClipboardCheck },
  { to: '/a/$agentId/runs', label: 'Runs', key: 'r', icon: FlaskConical },
  { to: '/a/$agentId/imports', label: 'Imports', key: 'p', icon: Download },
] as const satisfies { to: string; label: string; key: string; icon: LucideIcon }[];
