import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactNode, useEffect, useRef } from 'react';
import { api } from '../client/api.ts';
import { words } from '../format.ts';
import { toggleCopilot } from './copilot-open.ts';
import { agentsQuery } from './last-agent.ts';
import { AGENT_PLACES, PLACES, WORKSPACE_PLACES } from './places.ts';
import { fixTheme, THEMES } from './theme.ts';
import { useViews, viewAddress } from './views.ts';

/** Everything that can be gone to or done, found by typing. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onCancel={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[12vh] w-[min(36rem,calc(100vw-2rem))] rounded-panel border border-line bg-raised p-0 text-ink shadow-float"
    >
      <Command label="Search and commands" loop>
        <Command.Input
          autoFocus
          placeholder="Go to, open, change…"
          className="w-full border-b border-line bg-transparent px-4 py-3 outline-none placeholder:text-ink-3"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto p-2">
          <Command.Empty className="px-2 py-6 text-center text-ink-2">Nothing of that name.</Command.Empty>
          <Entries onClose={onClose} />
        </Command.List>
      </Command>
    </dialog>
  );
}

function Entries({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { agentId } = useParams({ strict: false });
  const agents = useQuery(agentsQuery()).data?.data ?? [];
  const then = (action: () => unknown) => () => {
    onClose();
    action();
  };
  return (
    <>
      {agentId && (
        <Group heading="Go to">
          {PLACES.map(({ to, label }) => (
            <Entry key={to} onSelect={then(() => navigate({ to, params: { agentId } }))}>
              {label}
            </Entry>
          ))}
        </Group>
      )}
      {agentId && (
        <Group heading="Of the agent">
          {AGENT_PLACES.map(({ to, label }) => (
            <Entry key={to} onSelect={then(() => navigate({ to, params: { agentId } }))}>
              {label}
            </Entry>
          ))}
        </Group>
      )}
      {agentId && <ViewEntries agentId={agentId} then={then} />}
      {agentId && <IssueEntries agentId={agentId} then={then} />}
      <Group heading="Agents">
        {agents.map(({ id, name }) => (
          <Entry key={id} onSelect={then(() => navigate({ to: '/a/$agentId/issues', params: { agentId: id } }))}>
            {name}
          </Entry>
        ))}
      </Group>
      <Group heading="Commands">
        {WORKSPACE_PLACES.map(({ to, label }) => (
          <Entry key={to} onSelect={then(() => navigate({ to }))}>
            {label}
          </Entry>
        ))}
        <Entry onSelect={then(toggleCopilot)}>Copilot: ask about the agent</Entry>
        <Entry onSelect={then(() => navigator.clipboard.writeText(location.href))}>Copy the link to this page</Entry>
        {THEMES.map(({ id, label }) => (
          <Entry key={id} onSelect={then(() => fixTheme(id))}>{`Theme: ${label}`}</Entry>
        ))}
      </Group>
    </>
  );
}

interface FoundProps {
  agentId: string;
  then: (action: () => unknown) => () => void;
}

function ViewEntries({ agentId, then }: FoundProps) {
  const navigate = useNavigate();
  const views = useViews(agentId);
  if (views.length === 0) return null;
  return (
    <Group heading="Your views">
      {views.map((view) => (
        <Entry
          key={`${view.page} ${view.name}`}
          onSelect={then(() => navigate({ href: viewAddress(agentId, view) }))}
        >{`${view.name}: ${words(view.page)}`}</Entry>
      ))}
    </Group>
  );
}

function IssueEntries({ agentId, then }: FoundProps) {
  const navigate = useNavigate();
  const issues = api.useQuery('get', '/v1/agents/{agentId}/issues', {
    params: { path: { agentId }, query: { limit: 100 } },
  }).data;
  return (
    <Group heading="Issues">
      {issues?.data.map(({ id, title, location: place }) => (
        <Entry
          key={id}
          onSelect={then(() => navigate({ to: '/a/$agentId/issues/$issueId', params: { agentId, issueId: id } }))}
        >
          {`${title}: ${place.label}`}
        </Entry>
      ))}
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="**:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:text-ink-2"
    >
      {children}
    </Command.Group>
  );
}

function Entry({ children, onSelect }: { children: string; onSelect: () => void }) {
  return (
    <Command.Item
      value={children}
      onSelect={onSelect}
      className="flex min-h-8 cursor-default items-center rounded-control px-2 text-sm data-[selected=true]:bg-accent-soft"
    >
      {children}
    </Command.Item>
  );
}
