import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { agentsQuery } from '../../frame/last-agent.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckBox, Select, TextField } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type Webhook = Schemas['Webhook'];

/** A new webhook, or one that is there. */
export function WebhookForm({ before, onClose }: { before?: Webhook; onClose: () => void }) {
  const agents = useQuery(agentsQuery()).data?.data ?? [];
  const [events, setEvents] = useState<readonly WebhookEvent[]>(before?.events ?? WEBHOOK_EVENTS);
  const save = useSave(before);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const agentId = String(form.get('agent') ?? '');
    const body = { url: String(form.get('url')), events: [...events], agentId: agentId === '' ? null : agentId };
    if ((await save.run(body)) !== null && before) onClose();
  };
  if (save.secret !== null) return <Secret value={save.secret} onClose={onClose} />;
  return (
    <Dialog title={before ? 'Change the webhook' : 'New webhook'} onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Address"
          name="url"
          type="url"
          required
          defaultValue={before?.url}
          hint="https, at a public address."
        />
        <fieldset>
          <legend className="mb-1 text-sm font-medium">Told of</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <CheckBox
              key={event}
              label={event}
              checked={events.includes(event)}
              onChange={({ target }) =>
                setEvents(target.checked ? [...events, event] : events.filter((each) => each !== event))
              }
            />
          ))}
        </fieldset>
        <Select label="Agent" name="agent" defaultValue={before?.agentId ?? ''}>
          <option value="">All agents</option>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <RefusalNote error={save.error} />
        <div className="flex gap-2">
          <Button
            kind="primary"
            type="submit"
            busy={save.busy}
            unless={events.length === 0 ? 'Choose what it is told of.' : null}
          >
            {before ? 'Save changes' : 'Create webhook'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Of a webhook that was just made, or whose secret was changed. */
export function Secret({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <ShownOnce title="Copy the secret now" value={value} onClose={onClose}>
      The receiver checks signatures with it, by Standard Webhooks. It is never shown again.
    </ShownOnce>
  );
}

interface Body {
  url: string;
  events: WebhookEvent[];
  agentId: string | null;
}

function useSave(before: Webhook | undefined) {
  const change = useChange();
  const make = api.useMutation('post', '/app/webhooks');
  const edit = api.useMutation('patch', '/app/webhooks/{webhookId}');
  const run = (body: Body) =>
    change<unknown>(
      before ? edit.mutateAsync({ params: { path: { webhookId: before.id } }, body }) : make.mutateAsync({ body }),
    );
  return {
    run,
    secret: make.data?.secret ?? null,
    busy: make.isPending || edit.isPending,
    error: make.error ?? edit.error,
  };
}
