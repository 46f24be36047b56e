import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { words } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { ChannelForm } from './channel-form.tsx';
import { ChannelState } from './channel-state.tsx';
import { MessageLog } from './message-log.tsx';
import { describeSubscription } from './subscription-list.tsx';
import { TestNote } from './test-note.tsx';

type Channel = Schemas['Channel'];

export function ChannelPage() {
  const { channelId } = useParams({ from: '/inside/settings/messages/$channelId' });
  const channel = api.useQuery('get', '/app/channels/{channelId}', { params: { path: { channelId } } });
  return (
    <Page
      title={channel.data?.name ?? 'Channel'}
      above={<BackLink to="/settings/messages">Messages</BackLink>}
      below={channel.data && <Head channel={channel.data} />}
      actions={channel.data && <Actions channel={channel.data} />}
    >
      <Loaded of={channel}>
        {(data) => (
          <>
            {(data.unavailable ?? data.offReason) && (
              <Panel tone="caution" className="mb-6 p-4">
                <p className="max-w-[76ch]">{data.unavailable ?? data.offReason}</p>
              </Panel>
            )}
            <MessageLog channel={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Head({ channel }: { channel: Channel }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <ChannelState of={channel} /> {words(channel.kind)} · {channel.address} ·{' '}
      {channel.subscriptions.map(describeSubscription).join('; ')}
    </span>
  );
}

function Actions({ channel }: { channel: Channel }) {
  const [changing, setChanging] = useState(false);
  const change = useChange();
  const edit = api.useMutation('patch', '/app/channels/{channelId}');
  const test = api.useMutation('post', '/app/channels/{channelId}/test');
  const params = { path: { channelId: channel.id } };
  const off = channel.waitsForReader ? null : channel.unavailable;
  const unless = off ?? (channel.enabled ? null : 'It is switched off.');
  return (
    <>
      <RefusalNote error={edit.error ?? test.error} />
      <TestNote of={test.data} />
      <Button busy={test.isPending} unless={unless} onClick={() => void change(test.mutateAsync({ params }))}>
        Send a test
      </Button>
      <Button onClick={() => setChanging(true)}>Change</Button>
      <Button
        busy={edit.isPending}
        onClick={() => void change(edit.mutateAsync({ params, body: { enabled: !channel.enabled } }))}
      >
        {channel.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <Delete channel={channel} />
      {changing && <ChannelForm before={channel} onClose={() => setChanging(false)} />}
    </>
  );
}

function Delete({ channel }: { channel: Channel }) {
  const change = useChange();
  const navigate = useNavigate();
  const remove = api.useMutation('delete', '/app/channels/{channelId}');
  const run = async () => {
    const removed = await change(remove.mutateAsync({ params: { path: { channelId: channel.id } } }));
    if (removed) await navigate({ to: '/settings/messages' });
    return removed;
  };
  return (
    <Confirm
      button="Delete"
      kind="danger"
      title="Delete this channel?"
      does="Delete the channel"
      error={remove.error}
      busy={remove.isPending}
      onConfirm={run}
    >
      At once and for good, with its address and its log. What still waits for it is dropped.
    </Confirm>
  );
}
