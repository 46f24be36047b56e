import { useNavigate } from '@tanstack/react-router';
import { useAdminOnly } from '../../client/admin-only.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { words } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, RefusalNote } from '../../ui/states.tsx';

type Connection = Schemas['Connection'];
type Offered = Connection['agents'][number];

/** The agents that a key shows: those that are here already, and those that can be connected. */
export function ConnectionAgents({ connection }: { connection: Connection }) {
  const { platform, agents } = connection;
  if (agents.length === 0) {
    return (
      <Empty title={`This key of ${words(platform)} shows no agents`}>
        Make one at the platform, or connect with a key that shows others.
      </Empty>
    );
  }
  return (
    <Panel>
      <ul aria-label={`Agents at ${words(platform)}`} className="divide-y divide-line/70">
        {agents.map((agent) => (
          <li key={agent.providerAgentId} className="flex flex-wrap items-center gap-3 px-4 py-3">
            <span className="min-w-0 flex-1">
              <span className="font-medium break-words">{agent.name}</span>{' '}
              <code className="font-mono text-xs break-all text-ink-2">{agent.providerAgentId}</code>
            </span>
            <Connect connection={connection} agent={agent} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Connect({ connection, agent }: { connection: Connection; agent: Offered }) {
  const navigate = useNavigate();
  const change = useChange();
  const make = api.useMutation('post', '/app/agents');
  const unless = useAdminOnly();
  if (agent.agentId !== null) {
    return (
      <ButtonLink to="/a/$agentId/issues" params={{ agentId: agent.agentId }}>
        Open
      </ButtonLink>
    );
  }
  const run = async () => {
    const body = { connectionId: connection.id, providerAgentId: agent.providerAgentId, name: agent.name };
    const made = await change(make.mutateAsync({ body }));
    if (made) await navigate({ to: '/a/$agentId/brief', params: { agentId: made.id } });
  };
  return (
    <>
      <RefusalNote error={make.error} />
      <Button busy={make.isPending} unless={unless} label={`Connect ${agent.name}`} onClick={() => void run()}>
        Connect
      </Button>
    </>
  );
}
