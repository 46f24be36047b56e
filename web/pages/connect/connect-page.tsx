import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { sendsCalls } from '../../../src/domain/vocabulary.ts';
import { useAdminOnly } from '../../client/admin-only.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { BackLink, ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { ConnectSender } from './connect-sender.tsx';
import { ConnectionAgents } from './connection-agents.tsx';
import { PLATFORMS, type Platform, platformName } from './platforms.ts';
import { SentSpans } from './sent-spans.tsx';

/** From a platform and its key to the agents that the key shows; the connection stands in the address. */
export function ConnectPage() {
  const { connection } = useSearch({ from: '/inside/agents/new' });
  return (
    <Page
      title="Connect an agent"
      above={<BackLink to="/agents">Agents</BackLink>}
      below="Platforms that keep calls need a key: it is checked at once and stored encrypted. Other agents send their calls here."
    >
      {connection === undefined ? <ConnectionForm /> : <ConnectionOf connectionId={connection} />}
      {connection === undefined && (
        <Section
          title="An agent that sends its calls"
          note="LiveKit, Pipecat, anything with OpenTelemetry, or files of calls"
        >
          <ConnectSender />
        </Section>
      )}
    </Page>
  );
}

function ConnectionForm() {
  const navigate = useNavigate();
  const change = useChange();
  const [platform, setPlatform] = useState<Platform>('retell');
  const make = api.useMutation('post', '/app/connections');
  const unless = useAdminOnly();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const baseUrl = String(form.get('baseUrl') ?? '').trim();
    const body = { platform, apiKey: String(form.get('apiKey')), ...(baseUrl === '' ? {} : { baseUrl }) };
    const made = await change(make.mutateAsync({ body }));
    if (made) await navigate({ to: '/agents/new', search: { connection: made.id } });
  };
  return (
    <div className="grid gap-8 @page-lg:grid-cols-2">
      <form className="max-w-xl space-y-4" onSubmit={(event) => void submit(event)}>
        <Select
          label="Platform"
          value={platform}
          onChange={({ target }) => setPlatform(PLATFORMS.find(({ id }) => id === target.value)?.id ?? platform)}
        >
          {PLATFORMS.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </Select>
        <TextField
          label="Key of the platform"
          name="apiKey"
          type="password"
          autoComplete="off"
          required
          hint={platform === 'demo' ? 'Its key is “demo”.' : undefined}
        />
        <TextField
          label="Address"
          name="baseUrl"
          type="url"
          hint="Empty: the platform’s usual address. Another region, or one of your own."
        />
        <RefusalNote error={make.error} />
        <Button kind="primary" type="submit" busy={make.isPending} unless={unless}>
          Check the key
        </Button>
      </form>
      <Earlier />
    </div>
  );
}

/** Connections that were made before: their keys show further agents. */
function Earlier() {
  const connections = api.useQuery('get', '/app/connections', { params: { query: { limit: 100 } } });
  const all = connections.data?.data ?? [];
  const own = all.filter(({ status, agents }) => status === 'ok' && agents.length > 0);
  const senders = all.filter(({ spans }) => spans !== null);
  if (own.length + senders.length === 0) return null;
  return (
    <div>
      {own.length > 0 && (
        <Section title="Connected before">
          {own.map((connection) => (
            <ConnectionAgents key={connection.id} connection={connection} />
          ))}
        </Section>
      )}
      {senders.length > 0 && (
        <Section title="Agents that send spans">
          <div className="space-y-3">
            {senders.map((connection) => (
              <SentSpans key={connection.id} connection={connection} />
            ))}
          </div>
        </Section>
      )}
    </div>
  );
}

const CHECK_MS = 1_500;

function ConnectionOf({ connectionId }: { connectionId: string }) {
  const connection = api.useQuery(
    'get',
    '/app/connections/{connectionId}',
    { params: { path: { connectionId } } },
    { refetchInterval: ({ state }) => (isChecking(state.data) ? CHECK_MS : false) },
  );
  return (
    <Loaded of={connection} rows={3}>
      {(data) => (
        <>
          {data.status === 'checking' && <Checking connection={data} />}
          {data.status === 'refused' && <Refused connection={data} />}
          {data.status === 'ok' && sendsCalls(data.platform) && <SentSpans connection={data} />}
          {data.status === 'ok' && !sendsCalls(data.platform) && <ConnectionAgents connection={data} />}
        </>
      )}
    </Loaded>
  );
}

const isChecking = (connection: Schemas['Connection'] | undefined) => connection?.status === 'checking';

function Checking({ connection }: { connection: Schemas['Connection'] }) {
  return (
    <Panel className="p-5">
      <p role="status">Checking the key with {platformName(connection.platform)}…</p>
      {connection.message && <p className="mt-1 text-ink-2">{connection.message}</p>}
      <div className="mt-3">
        <ButtonLink to="/agents/new" search={{}}>
          Cancel
        </ButtonLink>
      </div>
    </Panel>
  );
}

/** The reason in the place of the key, and a field for another one. */
function Refused({ connection }: { connection: Schemas['Connection'] }) {
  const change = useChange();
  const edit = api.useMutation('patch', '/app/connections/{connectionId}');
  const unless = useAdminOnly();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const apiKey = String(new FormData(event.currentTarget).get('apiKey'));
    void change(edit.mutateAsync({ params: { path: { connectionId: connection.id } }, body: { apiKey } }));
  };
  return (
    <form className="max-w-xl space-y-4" onSubmit={submit}>
      <TextField
        label="Key of the platform"
        name="apiKey"
        type="password"
        autoComplete="off"
        required
        error={connection.message ?? 'The platform refused this key.'}
      />
      <RefusalNote error={edit.error} />
      <Button kind="primary" type="submit" busy={edit.isPending} unless={unless}>
        Check this key
      </Button>
    </form>
  );
}
