import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CHANGES_FROM } from '../../../src/domain/access/roles.ts';
import { useRoleRefusal } from '../../client/admin-only.ts';
import { api, type Schemas } from '../../client/api.ts';
import { calls, plural } from '../../format.ts';
import { agentsQuery } from '../../frame/last-agent.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { PrimaryLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { platformName } from '../connect/platforms.ts';

type Agent = Schemas['Agent'];

export function AgentsPage() {
  const agents = useQuery(agentsQuery());
  return (
    <Page
      title="Agents"
      below="The voice agents whose calls this workspace can read."
      actions={agents.data?.data.length !== 0 && <PrimaryLink to="/agents/new">Connect an agent</PrimaryLink>}
    >
      <Loaded of={agents}>
        {({ data }) =>
          data.length === 0 ? (
            <NoAgents />
          ) : (
            <ul className="space-y-2">
              {data.map((agent) => (
                <AgentRow
                  key={agent.id}
                  agent={agent}
                  hasNamesake={data.some(({ id, name }) => id !== agent.id && name === agent.name)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Three ways to the first call. */
function NoAgents() {
  return (
    <Empty
      title="No agents yet. An agent comes with its calls, in one of three ways:"
      action={<PrimaryLink to="/agents/new">Connect an agent</PrimaryLink>}
    >
      <ul className="list-disc space-y-1 pl-5">
        <li>Retell, Vapi and ElevenLabs: paste a key of the platform.</li>
        <li>LiveKit, Pipecat and anything with OpenTelemetry: paste a few lines where the agent runs.</li>
        <li>Files of calls: drop them on the page of an agent that you name.</li>
      </ul>
      <p className="mt-2">What goes wrong on the calls appears under Issues minutes after the first ones are in.</p>
    </Empty>
  );
}

function AgentRow({ agent, hasNamesake }: { agent: Agent; hasNamesake: boolean }) {
  const { id, name, source, provider, providerAgentId, readOnly, counts, currentVersion } = agent;
  return (
    <li>
      <Panel className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
        <div className="min-w-64 flex-1">
          <Link to="/a/$agentId/issues" params={{ agentId: id }} className="font-medium hover:underline">
            {name}
          </Link>
          <p className="text-sm text-ink-2">
            {source === 'demo' ? 'Demo' : platformName(provider)} · version {currentVersion} · {calls(counts.calls)} ·{' '}
            {plural(counts.openIssues, 'open issue')}
            {hasNamesake && (
              <>
                {' '}
                · <code className="font-mono text-xs break-all">{providerAgentId}</code>
              </>
            )}
          </p>
        </div>
        {readOnly && <Chip>shared, read-only</Chip>}
        {readOnly && <CopyDemo agentId={id} />}
      </Panel>
    </li>
  );
}

function CopyDemo({ agentId }: { agentId: string }) {
  const copy = api.useMutation('post', '/app/agents/copy-demo');
  const unless = useRoleRefusal(CHANGES_FROM);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const run = async () => {
    const made = await copy.mutateAsync({ body: { agentId } }).catch(() => null);
    if (!made) return;
    await queries.invalidateQueries();
    await navigate({ to: '/a/$agentId/issues', params: { agentId: made.id } });
  };
  return (
    <>
      <RefusalNote error={copy.error} />
      <Button busy={copy.isPending} unless={unless} onClick={() => void run()}>
        Copy to this workspace
      </Button>
    </>
  );
}
