import { CircleCheck, Hourglass, KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { sendsCalls } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ButtonLink, PrimaryLink, TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Looks, StateChip } from '../../ui/state-chip.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { platformName } from '../connect/platforms.ts';
import { SettingsFrame } from '../settings/settings-frame.tsx';
import { Tokens } from './tokens.tsx';

type Connection = Schemas['Connection'];

/** The accounts and ways in that calls come by: their keys, the address of their events, their tokens. */
export function ConnectionsPage() {
  const connections = api.useQuery('get', '/app/connections', { params: { query: { limit: 100 } } });
  return (
    <SettingsFrame
      title="Connections"
      at="/settings/connections"
      actions={<PrimaryLink to="/agents/new">Connect an agent</PrimaryLink>}
    >
      {(adminOnly) => (
        <Loaded of={connections}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No connections yet">
                A connection is a platform account with its key, or a way for your agents to send their calls.
              </Empty>
            ) : (
              <div className="space-y-4">
                {data.map((connection) => (
                  <ConnectionPanel key={connection.id} connection={connection} unless={adminOnly} />
                ))}
              </div>
            )
          }
        </Loaded>
      )}
    </SettingsFrame>
  );
}

const LOOKS: Looks<Connection['status']> = {
  ok: { tone: 'good', icon: CircleCheck, label: 'Key works' },
  checking: { tone: 'caution', icon: Hourglass, label: 'Checking the key' },
  refused: { tone: 'bad', icon: KeyRound, label: 'Key refused' },
};

interface PanelProps {
  connection: Connection;
  unless: string | null;
}

function ConnectionPanel({ connection, unless }: PanelProps) {
  const { id, platform, baseUrl, status, message, agents, webhook } = connection;
  const connected = agents.filter(({ agentId }) => agentId !== null);
  const isSender = sendsCalls(platform);
  return (
    <Panel className="p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{platformName(platform)}</h2>
        {!isSender && <StateChip state={status} looks={LOOKS} />}
        {baseUrl && <code className="font-mono text-xs break-all text-ink-2">{baseUrl}</code>}
        <span className="ml-auto flex flex-wrap gap-2">
          {!isSender && (
            <ButtonLink to="/agents/new" search={{ connection: id }}>
              Agents of this account
            </ButtonLink>
          )}
          {!isSender && <ChangeKey connection={connection} unless={unless} />}
          <Remove connection={connection} unless={unless} />
        </span>
      </div>
      {message && <p className="mt-2 text-sm text-bad">{message}</p>}
      {connected.length > 0 && (
        <p className="mt-2 text-sm text-ink-2">
          Used by{' '}
          {connected.map(({ agentId, name }, at) => (
            <span key={agentId}>
              {at > 0 && ', '}
              <TextLink to="/a/$agentId/issues" params={{ agentId: agentId ?? '' }}>
                {name}
              </TextLink>
            </span>
          ))}
        </p>
      )}
      {webhook && <Events connection={connection} webhook={webhook} unless={unless} />}
      {isSender && <Tokens connection={connection} unless={unless} />}
    </Panel>
  );
}

function ChangeKey({ connection, unless }: PanelProps) {
  const [open, setOpen] = useState(false);
  const change = useChange();
  const edit = api.useMutation('patch', '/app/connections/{connectionId}');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const baseUrl = String(form.get('baseUrl')).trim();
    const body = { apiKey: String(form.get('apiKey')), baseUrl: baseUrl === '' ? null : baseUrl };
    const params = { path: { connectionId: connection.id } };
    if (await change(edit.mutateAsync({ params, body }))) setOpen(false);
  };
  return (
    <>
      <Button unless={unless} onClick={() => setOpen(true)}>
        Change key
      </Button>
      {open && (
        <Dialog title={`New key for ${platformName(connection.platform)}`} onClose={() => setOpen(false)}>
          <form className="space-y-4" onSubmit={(event) => void submit(event)}>
            <TextField
              label="Platform key"
              name="apiKey"
              type="password"
              autoComplete="off"
              required
              hint="Checked with the platform right away. Stored encrypted and never shown again."
            />
            <TextField
              label="API address"
              name="baseUrl"
              type="url"
              defaultValue={connection.baseUrl ?? ''}
              hint="Leave empty for the platform’s usual address."
            />
            <RefusalNote error={edit.error} />
            <div className="flex gap-2">
              <Button kind="primary" type="submit" busy={edit.isPending}>
                Save and check
              </Button>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

function Remove({ connection, unless }: PanelProps) {
  const change = useChange();
  const remove = api.useMutation('delete', '/app/connections/{connectionId}');
  return (
    <Confirm
      button="Remove"
      label={`Remove ${platformName(connection.platform)}`}
      unless={unless}
      title={`Remove the connection to ${platformName(connection.platform)}?`}
      does="Remove connection"
      error={remove.error}
      busy={remove.isPending}
      onConfirm={() => change(remove.mutateAsync({ params: { path: { connectionId: connection.id } } }))}
    >
      Its key and secrets are deleted. A connection that agents use can’t be removed; delete those agents first.
    </Confirm>
  );
}

interface EventsProps extends PanelProps {
  webhook: NonNullable<Connection['webhook']>;
}

/** Where the platform sends its events, and what they are checked by. */
function Events({ connection, webhook, unless }: EventsProps) {
  const change = useChange();
  const edit = api.useMutation('patch', '/app/connections/{connectionId}');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const webhookSecret = String(new FormData(form).get('webhookSecret'));
    const params = { path: { connectionId: connection.id } };
    void change(edit.mutateAsync({ params, body: { webhookSecret } })).then((made) => made && form.reset());
  };
  return (
    <div className="mt-4 border-t border-line pt-4 text-sm">
      <h3 className="font-medium">Event address</h3>
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <code className="rounded-control bg-sunken px-2 py-1 font-mono text-xs break-all">{webhook.address}</code>
        <CopyButton text={webhook.address}>Copy</CopyButton>
      </div>
      <p className="mt-2 max-w-[80ch] text-ink-2">
        {webhook.setUp} {!webhook.isOpen && 'Events are refused until a secret is set.'}
      </p>
      <form className="mt-3 flex max-w-xl flex-wrap items-end gap-2" onSubmit={submit}>
        <div className="min-w-56 flex-1">
          <TextField
            label={webhook.hasSecret ? 'Replace the webhook secret' : 'Webhook secret'}
            name="webhookSecret"
            type="password"
            autoComplete="off"
            required
          />
        </div>
        <Button type="submit" busy={edit.isPending} unless={unless}>
          Save secret
        </Button>
      </form>
      <RefusalNote error={edit.error} />
    </div>
  );
}
