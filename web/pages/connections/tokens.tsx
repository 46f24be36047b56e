import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

type Token = Schemas['IngestToken'];

interface TokensProps {
  connection: Schemas['Connection'];
  unless: string | null;
}

/** What lets calls of each agent in: a new one is made before the old one is revoked. */
export function Tokens({ connection, unless }: TokensProps) {
  const params = { path: { connectionId: connection.id }, query: { limit: 100 } };
  const tokens = api.useQuery('get', '/app/connections/{connectionId}/tokens', { params });
  const agents = connection.agents.flatMap(({ agentId, name }) => (agentId === null ? [] : [{ agentId, name }]));
  const nameOf = (id: string) => agents.find(({ agentId }) => agentId === id)?.name ?? 'Deleted agent';
  return (
    <div className="mt-4 border-t border-line pt-4 text-sm">
      <h3 className="font-medium">Tokens</h3>
      <p className="text-ink-2">To renew a token, make a new one, put it in your agent, then revoke the old one.</p>
      <ul className="mt-2 divide-y divide-line/60">
        {tokens.data?.data.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <code className="font-mono text-xs">{token.prefix}…</code>
            <span>{token.name}</span>
            <span className="text-ink-2">{nameOf(token.agentId)}</span>
            <span className="text-ink-2">
              {token.lastUsedAt === null ? (
                'Never used'
              ) : (
                <>
                  Last used <Time at={token.lastUsedAt} />
                </>
              )}
            </span>
            <span className="ml-auto">
              <RevokeToken token={token} unless={unless} />
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        {agents.map((agent) => (
          <NewToken key={agent.agentId} connectionId={connection.id} agent={agent} unless={unless} />
        ))}
      </div>
    </div>
  );
}

function RevokeToken({ token, unless }: { token: Token; unless: string | null }) {
  const change = useChange();
  const revoke = api.useMutation('delete', '/app/connections/{connectionId}/tokens/{tokenId}');
  const params = { path: { connectionId: token.connectionId, tokenId: token.id } };
  return (
    <Confirm
      button="Revoke"
      label={`Revoke ${token.prefix}`}
      unless={unless}
      title={`Revoke the token ${token.prefix}…?`}
      does="Revoke token"
      error={revoke.error}
      busy={revoke.isPending}
      onConfirm={() => change(revoke.mutateAsync({ params }))}
    >
      Calls sent with it are refused from the next request on. This can’t be undone.
    </Confirm>
  );
}

interface NewTokenProps {
  connectionId: string;
  agent: { agentId: string; name: string };
  unless: string | null;
}

function NewToken({ connectionId, agent, unless }: NewTokenProps) {
  const change = useChange();
  const make = api.useMutation('post', '/app/connections/{connectionId}/tokens');
  const [shown, show] = useState<string | null>(null);
  const run = async () => {
    const params = { path: { connectionId } };
    const made = await change(make.mutateAsync({ params, body: { agentId: agent.agentId } }));
    if (made) show(made.token);
  };
  return (
    <>
      <Button unless={unless} busy={make.isPending} onClick={() => void run()}>
        New token for {agent.name}
      </Button>
      <RefusalNote error={make.error} />
      {shown !== null && (
        <ShownOnce title="Copy the token now" value={shown} onClose={() => show(null)}>
          It is stored only as a hash and never shown again.
        </ShownOnce>
      )}
    </>
  );
}
