import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import { api } from '../client/api.ts';
import { when, words } from '../format.ts';
import { toggleCopilot } from './copilot-open.ts';
import { agentsQuery } from './last-agent.ts';
import { AGENT_PLACES, PLACES, WORKSPACE_PLACES } from './places.ts';
import { fixTheme, THEMES } from './theme.ts';
import { useViews, viewAddress } from './views.ts';

/** Everything that can be gone to or done, found by typing. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, type] = useState('');
  useEffect(() => {
    // Opening moves the focus to whatever comes first.
    dialog.current?.showModal();
    input.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onCancel={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[12vh] w-[min(36rem,calc(100vw-2rem))] rounded-panel border border-line bg-raised p-0 text-ink shadow-float"
    >
      <Command label="Search and commands" filter={rankOf} loop>
        <Command.Input
          ref={input}
          value={typed}
          onValueChange={type}
          placeholder="Search pages, issues, tests, watches, calls…"
          className="w-full border-b border-line bg-transparent px-4 py-3 outline-none placeholder:text-ink-3"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto p-2">
          <Command.Empty className="px-2 py-6 text-center text-ink-2">Nothing found.</Command.Empty>
          <Entries typed={typed.trim()} onClose={onClose} />
        </Command.List>
      </Command>
    </dialog>
  );
}

/** Every word that was typed stands in it; the name that begins with them comes first. */
function rankOf(id: string, typed: string, [name = '']: string[] = []): number {
  const text = `${name} ${id}`.toLowerCase();
  const asked = typed.trim().toLowerCase();
  if (!asked.split(/\s+/).every((word) => text.includes(word))) return 0;
  return text.startsWith(asked) ? 1 : 0.5;
}

function Entries({ typed, onClose }: { typed: string; onClose: () => void }) {
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
        <Group heading="More of this agent">
          {AGENT_PLACES.map(({ to, label }) => (
            <Entry key={to} onSelect={then(() => navigate({ to, params: { agentId } }))}>
              {label}
            </Entry>
          ))}
        </Group>
      )}
      {agentId && <ViewEntries agentId={agentId} then={then} />}
      {agentId && <IssueEntries agentId={agentId} then={then} />}
      {agentId && <TestEntries agentId={agentId} then={then} />}
      {agentId && <WatchEntries agentId={agentId} then={then} />}
      {agentId && <CallEntries agentId={agentId} typed={typed} then={then} />}
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
          id={id}
          onSelect={then(() => navigate({ to: '/a/$agentId/issues/$issueId', params: { agentId, issueId: id } }))}
        >
          {`${title}: ${place.label}`}
        </Entry>
      ))}
    </Group>
  );
}

function TestEntries({ agentId, then }: FoundProps) {
  const navigate = useNavigate();
  const tests = api.useQuery('get', '/v1/agents/{agentId}/tests', {
    params: { path: { agentId }, query: { limit: 100 } },
  }).data;
  return (
    <Group heading="Tests">
      {tests?.data.map(({ id, title }) => (
        <Entry
          key={id}
          id={id}
          onSelect={then(() => navigate({ to: '/a/$agentId/tests/$testId', params: { agentId, testId: id } }))}
        >
          {title}
        </Entry>
      ))}
    </Group>
  );
}

function WatchEntries({ agentId, then }: FoundProps) {
  const navigate = useNavigate();
  const watches = api.useQuery('get', '/v1/agents/{agentId}/watches', {
    params: { path: { agentId }, query: { limit: 100 } },
  }).data;
  return (
    <Group heading="Watches">
      {watches?.data.map(({ id, name, expectation }) => (
        <Entry
          key={id}
          id={id}
          onSelect={then(() => navigate({ to: '/a/$agentId/watches/$watchId', params: { agentId, watchId: id } }))}
        >
          {`${name}: ${expectation.text}`}
        </Entry>
      ))}
    </Group>
  );
}

/** What may be the id of a call, here or at its platform: names of things hold spaces. */
const CALL_ID = /^\S{6,200}$/;
/** Shorter ones are in nearly every call. */
const SOME_WORD = /[\p{L}\p{N}]{3}/u;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function CallEntries({ agentId, typed, then }: FoundProps & { typed: string }) {
  const navigate = useNavigate();
  const path = { agentId };
  const asked = useDeferredValue(typed);
  const enabled = CALL_ID.test(asked);
  const atPlatform = api.useQuery(
    'get',
    '/v1/agents/{agentId}/calls',
    { params: { path, query: { providerCallId: asked, limit: 5 } } },
    { enabled },
  ).data;
  const own = api.useQuery(
    'get',
    '/v1/agents/{agentId}/calls/{callId}',
    { params: { path: { agentId, callId: asked } } },
    { enabled: UUID.test(asked) },
  ).data;
  const withWords = SOME_WORD.test(asked) && !UUID.test(asked);
  const said = api.useQuery(
    'get',
    '/v1/agents/{agentId}/calls',
    { params: { path, query: { filter: `"${asked.replaceAll('"', ' ')}"`, limit: 5 } } },
    { enabled: withWords },
  ).data;
  const found = [...(enabled ? (atPlatform?.data ?? []) : []), ...(own && UUID.test(asked) ? [own] : [])];
  const others = withWords ? (said?.data.filter(({ id }) => !found.some((one) => one.id === id)) ?? []) : [];
  return (
    <Group heading="Calls">
      {others.map(({ id, startedAt, providerCallId, found: words }) => (
        <Entry
          key={id}
          id={`${typed} ${id}`}
          onSelect={then(() =>
            navigate({
              to: '/a/$agentId/calls/$callId',
              params: { agentId, callId: id },
              ...(words?.[0] ? { hash: `turn-${words[0].turn}` } : {}),
            }),
          )}
        >
          {`${words?.[0] ? `“${words[0].text}”` : providerCallId}${startedAt ? `, ${when(startedAt)}` : ''}`}
        </Entry>
      ))}
      {found.map(({ id, providerCallId, startedAt }) => (
        <Entry
          key={id}
          id={typed}
          onSelect={then(() => navigate({ to: '/a/$agentId/calls/$callId', params: { agentId, callId: id } }))}
        >
          {startedAt ? `${providerCallId}, ${when(startedAt)}` : providerCallId}
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

/** @param props.id where several may have the same name, or where it is found by something else than its name. */
function Entry({ children, id, onSelect }: { children: string; id?: string; onSelect: () => void }) {
  return (
    <Command.Item
      value={id ?? children}
      keywords={[children]}
      onSelect={onSelect}
      className="flex min-h-8 cursor-default items-center rounded-control px-2 text-sm data-[selected=true]:bg-accent-soft"
    >
      {children}
    </Command.Item>
  );
}
