import { Link, useParams } from '@tanstack/react-router';
import { Activity, Hourglass, Menu as MenuIcon, MessagesSquare, Search, Settings } from 'lucide-react';
import { useState } from 'react';
import { api } from '../client/api.ts';
import { useStore } from '../client/store.ts';
import { count } from '../format.ts';
import { classes } from '../ui/classes.ts';
import { AgentSwitcher } from './agent-switcher.tsx';
import { copilotOpen, toggleCopilot } from './copilot-open.ts';
import { rememberedAgent } from './last-agent.ts';
import { PLACES } from './places.ts';
import { Profile } from './profile.tsx';

const ITEM = 'flex min-h-8 items-center gap-2.5 rounded-control px-2.5 text-sm';
const AT_REST = 'text-ink-2 hover:bg-line/40 hover:text-ink';
const ACTIVE = 'bg-accent-soft font-medium text-accent';
/** Either look, never both: which of two colours wins would be up to the order of the style sheet. */
const LOOKS = { className: ITEM, activeProps: { className: ACTIVE }, inactiveProps: { className: AT_REST } };

/** The bar at the left; on narrow screens a line at the top that unfolds. */
export function Navigation({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="border-line md:sticky md:top-0 md:h-screen md:overflow-y-auto md:border-r max-md:border-b">
      <div className="flex h-full flex-col gap-1 p-3">
        <div className="flex items-center gap-2">
          <AgentSwitcher />
          <button
            type="button"
            aria-expanded={open}
            aria-controls="places"
            aria-label="Menu"
            className="ml-auto grid size-9 place-items-center rounded-control hover:bg-sunken md:hidden"
            onClick={() => setOpen(!open)}
          >
            <MenuIcon size={18} aria-hidden />
          </button>
        </div>
        <div id="places" className={classes('flex-1 flex-col gap-1 md:flex', open ? 'flex' : 'hidden')}>
          <button
            type="button"
            className={classes(ITEM, AT_REST, 'mb-1 border border-line bg-surface')}
            onClick={onSearch}
          >
            <Search size={15} aria-hidden />
            Search
            <kbd className="ml-auto font-mono text-xs text-ink-3">/</kbd>
          </button>
          <AskCopilot onGo={() => setOpen(false)} />
          <Places onGo={() => setOpen(false)} />
          <div className="mt-auto space-y-0.5 pt-3">
            <WorkspaceLinks onGo={() => setOpen(false)} />
            <Profile />
          </div>
        </div>
      </div>
    </div>
  );
}

function AskCopilot({ onGo }: { onGo: () => void }) {
  const open = useStore(copilotOpen);
  const toggle = () => {
    toggleCopilot();
    onGo();
  };
  return (
    <button
      type="button"
      aria-pressed={open}
      className={classes(ITEM, open ? ACTIVE : AT_REST, 'mb-1')}
      onClick={toggle}
    >
      <MessagesSquare size={15} aria-hidden />
      Copilot
    </button>
  );
}

/** Of the agent that is looked at, else of the one that was looked at last. */
function Places({ onGo }: { onGo: () => void }) {
  const params = useParams({ strict: false });
  const agentId = params.agentId ?? rememberedAgent();
  if (!agentId) return null;
  return (
    <nav aria-label="Pages of the agent" className="flex flex-col gap-0.5">
      {PLACES.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} params={{ agentId }} {...LOOKS} onClick={onGo}>
          <Icon size={15} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}

const WORKSPACE = [
  { to: '/waiting', label: 'Waiting for you', icon: Hourglass },
  { to: '/settings', label: 'Workspace', icon: Settings },
  { to: '/system', label: 'System', icon: Activity },
] as const;

function WorkspaceLinks({ onGo }: { onGo: () => void }) {
  const waiting = api.useQuery('get', '/app/waiting').data?.count ?? 0;
  return (
    <nav aria-label="Pages of the workspace" className="flex flex-col gap-0.5">
      {WORKSPACE.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} {...LOOKS} onClick={onGo}>
          <Icon size={15} aria-hidden />
          {label}{' '}
          {to === '/waiting' && waiting > 0 && <span className="ml-auto text-xs tabular-nums">{count(waiting)}</span>}
        </Link>
      ))}
    </nav>
  );
}
