import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { count } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/field.tsx';
import { NameLink } from '../../ui/link.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { SettingsFrame } from '../settings/settings-frame.tsx';
import { ChannelForm } from './channel-form.tsx';
import { ChannelState } from './channel-state.tsx';
import { OwnMail } from './own-mail.tsx';
import { describeSubscription } from './subscription-list.tsx';

type Channel = Schemas['Channel'];

/** Who is told of what: the reader by e-mail, and the channels of the workspace. */
export function MessagesPage() {
  return (
    <SettingsFrame title="Messages" at="/settings/messages">
      {(adminOnly) => (
        <>
          <OwnMail />
          {adminOnly === null ? (
            <Channels />
          ) : (
            <Section title="Channels of the workspace">
              <p className="text-ink-2">Admins of the workspace see and change them.</p>
            </Section>
          )}
          <Quotes adminOnly={adminOnly} />
        </>
      )}
    </SettingsFrame>
  );
}

function Channels() {
  const channels = api.useQuery('get', '/app/channels', { params: { query: { limit: 100 } } });
  const [making, setMaking] = useState(false);
  return (
    <Section
      title="Channels of the workspace"
      aside={
        <Button kind="primary" onClick={() => setMaking(true)}>
          New channel
        </Button>
      }
    >
      <Loaded of={channels} rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No channels yet">
              A channel is a conversation in Slack or a mailbox. It hears of new, returning and spiking problems, of
              runs that wait for approval, of failing watches and of imports that are stuck.
            </Empty>
          ) : (
            <ChannelTable channels={data} />
          )
        }
      </Loaded>
      {making && <ChannelForm onClose={() => setMaking(false)} />}
    </Section>
  );
}

function ChannelTable({ channels }: { channels: Channel[] }) {
  return (
    <Table label="Channels">
      <thead>
        <tr>
          <HeadCell>Channel</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell>Told of</HeadCell>
          <HeadCell figure>Still to be sent</HeadCell>
        </tr>
      </thead>
      <tbody>
        {channels.map((channel) => (
          <tr key={channel.id} className="hover:bg-sunken/60">
            <Cell className="break-words">
              <NameLink to="/settings/messages/$channelId" params={{ channelId: channel.id }}>
                {channel.name}
              </NameLink>
              <p className="text-xs break-all text-ink-2">{channel.address}</p>
            </Cell>
            <Cell>
              <ChannelState of={channel} />
            </Cell>
            <Cell className="text-ink-2">
              {channel.subscriptions.map((subscription) => (
                <p key={JSON.stringify(subscription)}>{describeSubscription(subscription)}</p>
              ))}
            </Cell>
            <Cell figure>{count(channel.pending)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Quotes({ adminOnly }: { adminOnly: string | null }) {
  const change = useChange();
  const settings = api.useQuery('get', '/app/message-settings');
  const save = api.useMutation('put', '/app/message-settings');
  return (
    <Section title="What messages hold">
      <Panel className="p-4">
        <Loaded of={settings} rows={1}>
          {({ quotesCalls }) => (
            <CheckBox
              label="Quote the newest call behind a problem"
              checked={quotesCalls}
              disabled={adminOnly !== null || save.isPending}
              onChange={({ target }) => void change(save.mutateAsync({ body: { quotesCalls: target.checked } }))}
            />
          )}
        </Loaded>
        <p className="mt-1 text-sm text-ink-2">
          {adminOnly ?? 'Without it no words of calls leave in messages, whichever way they go.'}
        </p>
        <RefusalNote error={save.error} />
      </Panel>
    </Section>
  );
}
