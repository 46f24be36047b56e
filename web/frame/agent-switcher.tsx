import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { agentsQuery, rememberedAgent } from './last-agent.ts';

export function AgentSwitcher() {
  const { agentId } = useParams({ strict: false });
  const navigate = useNavigate();
  const loaded = useQuery(agentsQuery()).data?.data;
  const agents = loaded ?? [];
  // Pages of the workspace keep the agent that their bar leads back to.
  const shown = agents.find(({ id }) => id === (agentId ?? rememberedAgent()));
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-control px-2.5 text-left text-sm font-semibold hover:bg-line/40"
        >
          <span className="min-w-0 truncate">
            {shown?.name ?? (loaded?.length === 0 ? 'No agent yet' : 'Choose an agent')}
          </span>
          <ChevronsUpDown size={14} aria-hidden className="ml-auto shrink-0 text-ink-3" />
        </button>
      }
    >
      {agents.map(({ id, name, readOnly, providerAgentId }) => (
        <MenuItem
          key={id}
          chosen={id === agentId}
          onSelect={() => void navigate({ to: '/a/$agentId/issues', params: { agentId: id } })}
        >
          {name}
          {agents.some((other) => other.name === name && other.id !== id) && !readOnly && (
            <code className="ml-auto max-w-32 truncate pl-3 font-mono text-xs text-ink-2">{providerAgentId}</code>
          )}
          {readOnly && <span className="ml-auto pl-3 text-xs text-ink-3">shared, read-only</span>}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void navigate({ to: '/agents' })}>All agents</MenuItem>
      <MenuItem onSelect={() => void navigate({ to: '/agents/new' })}>Connect an agent</MenuItem>
    </Menu>
  );
}
