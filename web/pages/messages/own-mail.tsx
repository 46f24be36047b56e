import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { ChannelState } from './channel-state.tsx';
import { newSubscription } from './subscription-fields.tsx';
import { describeSubscription, SubscriptionList } from './subscription-list.tsx';
import { TestNote } from './test-note.tsx';

type Notifications = Schemas['Notifications'];

/** What the reader hears of by e-mail. */
export function OwnMail() {
  const own = api.useQuery('get', '/app/me/notifications');
  return (
    <Section title="To your own address">
      <Panel className="p-4">
        <Loaded of={own} rows={2}>
          {(data) => <Standing own={data} />}
        </Loaded>
      </Panel>
    </Section>
  );
}

function Standing({ own }: { own: Notifications }) {
  const [editing, setEditing] = useState(false);
  const test = api.useMutation('post', '/app/me/notifications/test');
  const { email, subscriptions, enabled, unavailable, waitsForReader, offReason } = own;
  const isTold = subscriptions.length > 0;
  const unless =
    (waitsForReader ? null : unavailable) ?? (isTold && enabled ? null : "You haven't chosen any notifications yet.");
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium break-all">{email}</span>
        {(isTold || unavailable !== null) && <ChannelState of={own} />}
      </p>
      {subscriptions.length === 0 && <p className="text-ink-2">You haven't chosen any notifications yet.</p>}
      {subscriptions.map((subscription) => (
        <p key={JSON.stringify(subscription)} className="text-ink-2">
          {describeSubscription(subscription)}
        </p>
      ))}
      {(unavailable ?? offReason) && <p className="max-w-[76ch] text-caution">{unavailable ?? offReason}</p>}
      <RefusalNote error={test.error} />
      <TestNote of={test.data} />
      <div className="flex flex-wrap gap-2 pt-1">
        <Button onClick={() => setEditing(true)}>{isTold ? 'Change' : 'Choose what you are told of'}</Button>
        <Button busy={test.isPending} unless={unless} onClick={() => test.mutate({})}>
          Send a test
        </Button>
      </div>
      {editing && <Form own={own} onClose={() => setEditing(false)} />}
    </div>
  );
}

function Form({ own, onClose }: { own: Notifications; onClose: () => void }) {
  const change = useChange();
  const save = api.useMutation('put', '/app/me/notifications');
  const [subscriptions, setSubscriptions] = useState(
    own.subscriptions.length > 0 ? own.subscriptions : [newSubscription()],
  );
  const keep = async (kept: typeof subscriptions) => {
    if (await change(save.mutateAsync({ body: { enabled: true, subscriptions: kept } }))) onClose();
  };
  return (
    <Dialog title="What you are told of" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void keep(subscriptions);
        }}
      >
        <SubscriptionList value={subscriptions} onChange={setSubscriptions} />
        <RefusalNote error={save.error} />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={save.isPending}>
            Keep
          </Button>
          {own.subscriptions.length > 0 && (
            <Button kind="danger" busy={save.isPending} onClick={() => void keep([])}>
              Tell me nothing
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
