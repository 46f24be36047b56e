import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { senderLines } from '../../../src/domain/connect/sender-lines.ts';
import { SENDING_PLATFORMS, type SendingPlatform } from '../../../src/domain/vocabulary.ts';
import { useAdminOnly } from '../../client/admin-only.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { PrimaryLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { platformName } from './platforms.ts';

type Made = { agent: Schemas['Agent']; token: Schemas['NewIngestToken'] };

/** Agents that send their calls: a name and where they run make the lines to paste there. */
export function ConnectSender() {
  const [platform, setPlatform] = useState<SendingPlatform>('livekit');
  const { made, make, error, busy } = useSender();
  const unless = useAdminOnly();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void make(platform, String(new FormData(event.currentTarget).get('name')).trim());
  };
  if (made) return <Lines platform={platform} made={made} />;
  return (
    <form className="max-w-xl space-y-4" onSubmit={submit}>
      <Select
        label="Runs on"
        value={platform}
        onChange={({ target }) => setPlatform(SENDING_PLATFORMS.find((one) => one === target.value) ?? platform)}
      >
        {SENDING_PLATFORMS.map((one) => (
          <option key={one} value={one}>
            {one === 'file' ? 'Something else: files of calls' : platformName(one)}
          </option>
        ))}
      </Select>
      <TextField label="Name of the agent" name="name" required maxLength={200} />
      <RefusalNote error={error} />
      <Button kind="primary" type="submit" busy={busy} unless={unless}>
        {platform === 'file' ? 'Create the agent' : 'Create the agent and its token'}
      </Button>
    </form>
  );
}

/** A connection of the platform holds no key, so one serves all agents; an agent and a token of its own go with it. */
function useSender() {
  const change = useChange();
  const [made, setMade] = useState<Made | null>(null);
  const connections = api.useQuery('get', '/app/connections', { params: { query: { limit: 100 } } });
  const connect = api.useMutation('post', '/app/connections');
  const makeAgent = api.useMutation('post', '/app/agents');
  const makeToken = api.useMutation('post', '/app/connections/{connectionId}/tokens');
  const all = async (platform: SendingPlatform, name: string): Promise<Made> => {
    const known = connections.data?.data.find((one) => one.platform === platform);
    const connection = known ?? (await connect.mutateAsync({ body: { platform } }));
    const agent = await makeAgent.mutateAsync({
      body: { connectionId: connection.id, providerAgentId: name, name },
    });
    const params = { path: { connectionId: connection.id } };
    return { agent, token: await makeToken.mutateAsync({ params, body: { agentId: agent.id } }) };
  };
  return {
    made,
    make: async (platform: SendingPlatform, name: string) => setMade(await change(all(platform, name))),
    error: connect.error ?? makeAgent.error ?? makeToken.error,
    busy: connect.isPending || makeAgent.isPending || makeToken.isPending,
  };
}

function Lines({ platform, made: { agent, token } }: { platform: SendingPlatform; made: Made }) {
  const lines = senderLines(platform, token).join('\n');
  return (
    <Panel className="space-y-3 p-4">
      <p role="status">
        <span className="font-medium">{agent.name} was created.</span>{' '}
        {platform === 'file'
          ? 'Upload files of calls to it, or send each call when it is over:'
          : 'Paste these lines where it runs. Its calls appear minutes after they end.'}{' '}
        The token is shown only now.
      </p>
      <pre className="overflow-x-auto rounded-control bg-sunken p-3 font-mono text-sm" tabIndex={0}>
        {lines}
      </pre>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={lines}>Copy</CopyButton>
        <PrimaryLink to="/a/$agentId/imports" params={{ agentId: agent.id }}>
          {platform === 'file' ? 'Upload calls' : 'Watch for its calls'}
        </PrimaryLink>
        <Link to="/settings/connections" className="self-center text-sm text-accent hover:underline">
          All connections
        </Link>
      </div>
    </Panel>
  );
}
