import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { PAGED_EVENTS } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { problemOf } from '../../client/problem.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { newSubscription } from './subscription-fields.tsx';
import { SubscriptionList } from './subscription-list.tsx';

type Channel = Schemas['Channel'];
type NewChannel = Schemas['NewChannel'];
type Way = 'webhook' | 'bot' | 'email' | 'pagerduty' | 'opsgenie';

/** A new channel, or what one that is there is told of. */
export function ChannelForm({ before, onClose }: { before?: Channel; onClose: () => void }) {
  const [way, setWay] = useState<Way>('webhook');
  const [subscriptions, setSubscriptions] = useState(before?.subscriptions ?? [newSubscription()]);
  const save = useSave(before, onClose);
  const choose = (chosen: Way) => {
    setWay(chosen);
    const calls = chosen === 'pagerduty' || chosen === 'opsgenie';
    setSubscriptions([calls ? { ...newSubscription(), events: [...PAGED_EVENTS] } : newSubscription()]);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const field = (name: string) => String(form.get(name) ?? '').trim();
    void save.run({ ...addressOf(way, field), name: field('name'), subscriptions });
  };
  const unless = subscriptions.some(({ events }) => events.length === 0) ? 'Choose what it is told of.' : null;
  return (
    <Dialog title={before ? 'Change the channel' : 'New channel'} onClose={onClose}>
      <form className="space-y-4" onSubmit={submit}>
        {!before && <Address way={way} onWay={choose} error={save.error} />}
        <TextField label="Name" name="name" required maxLength={100} defaultValue={before?.name} />
        <SubscriptionList value={subscriptions} onChange={setSubscriptions} />
        <RefusalNote error={save.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={save.busy} unless={unless}>
            {before ? 'Save changes' : 'Create channel'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

interface AddressProps {
  way: Way;
  onWay: (way: Way) => void;
  error: unknown;
}

function Address({ way, onWay, error }: AddressProps) {
  const problem = error ? problemOf(error) : null;
  const at = (param: string) => (problem?.param === param ? problem.text : null);
  return (
    <>
      <Select label="Way" value={way} onChange={({ target }) => onWay(target.value as Way)}>
        <option value="webhook">Slack, incoming webhook</option>
        <option value="bot">Slack, bot</option>
        <option value="email">E-mail</option>
        <option value="pagerduty">PagerDuty</option>
        <option value="opsgenie">Opsgenie</option>
      </Select>
      {way === 'webhook' && (
        <TextField
          label="Address of the webhook"
          name="url"
          type="url"
          required
          error={at('url')}
          hint="https://hooks.slack.com/services/… It is never shown again."
        />
      )}
      {way === 'bot' && (
        <>
          <TextField
            label="Token of the bot"
            name="token"
            type="password"
            autoComplete="off"
            required
            error={at('token')}
            hint="With the scope chat:write. It is never shown again."
          />
          <TextField
            label="Conversation"
            name="conversation"
            required
            error={at('conversation')}
            hint="#alerts or its id. Updates of a problem stand in its thread."
          />
        </>
      )}
      {(way === 'pagerduty' || way === 'opsgenie') && (
        <>
          <TextField
            label={way === 'pagerduty' ? 'Integration key' : 'API key'}
            name="key"
            type="password"
            autoComplete="off"
            required
            error={at(way === 'pagerduty' ? 'routingKey' : 'apiKey')}
            hint={
              way === 'pagerduty'
                ? 'Of a service, for the Events API v2. It is never shown again.'
                : 'Of an API integration. It is never shown again.'
            }
          />
          <Select label="Region" name="apiUrl">
            <option value={PAGERS[way].us}>US</option>
            <option value={PAGERS[way].eu}>EU</option>
          </Select>
        </>
      )}
      {way === 'email' && <TextField label="Address" name="address" type="email" required error={at('address')} />}
    </>
  );
}

const SLACK = 'https://slack.com/api';
const PAGERS = {
  pagerduty: { us: 'https://events.pagerduty.com', eu: 'https://events.eu.pagerduty.com' },
  opsgenie: { us: 'https://api.opsgenie.com', eu: 'https://api.eu.opsgenie.com' },
};

function addressOf(way: Way, field: (name: string) => string) {
  if (way === 'webhook') return { kind: 'slack' as const, url: field('url') };
  if (way === 'email') return { kind: 'email' as const, address: field('address') };
  if (way === 'pagerduty') return { kind: way, routingKey: field('key'), apiUrl: field('apiUrl') };
  if (way === 'opsgenie') return { kind: way, apiKey: field('key'), apiUrl: field('apiUrl') };
  return { kind: 'slack' as const, token: field('token'), conversation: field('conversation'), apiUrl: SLACK };
}

function useSave(before: Channel | undefined, onClose: () => void) {
  const change = useChange();
  const navigate = useNavigate();
  const make = api.useMutation('post', '/app/channels');
  const edit = api.useMutation('patch', '/app/channels/{channelId}');
  const run = async (body: NewChannel) => {
    if (before) {
      const { name, subscriptions } = body;
      const params = { path: { channelId: before.id } };
      if (await change(edit.mutateAsync({ params, body: { name, subscriptions } }))) onClose();
      return;
    }
    const made = await change(make.mutateAsync({ body }));
    if (made) await navigate({ to: '/settings/messages/$channelId', params: { channelId: made.id } });
  };
  return { run, busy: make.isPending || edit.isPending, error: make.error ?? edit.error };
}
