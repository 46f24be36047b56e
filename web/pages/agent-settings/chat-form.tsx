import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckBox, TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { SaveRow } from './save-row.tsx';

/** Where tests talk to an agent that no platform plays: an endpoint of chat completions. */
export function ChatForm({ unless }: { unless: string | null }) {
  const agent = useAgent();
  const params = { path: { agentId: agent.id } };
  const chat = api.useQuery('get', '/app/agents/{agentId}/chat', { params });
  return (
    <Panel className="max-w-3xl p-4">
      <Loaded of={chat} rows={3}>
        {(data) => <Form chat={data} unless={unless} />}
      </Loaded>
    </Panel>
  );
}

function Form({ chat, unless }: { chat: Schemas['AgentChat']; unless: string | null }) {
  const agent = useAgent();
  const change = useChange();
  const set = api.useMutation('put', '/app/agents/{agentId}/chat');
  const [handsBack, setHandsBack] = useState(chat.url !== null);
  const params = { path: { agentId: agent.id } };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [url, model, apiKey] = ['url', 'model', 'apiKey'].map((name) => String(form.get(name)).trim());
    const body = {
      url: url ?? '',
      ...(model ? { model } : {}),
      ...(apiKey ? { apiKey } : {}),
      ...(handsBack ? { handsToolsBack: true as const } : {}),
    };
    void change(set.mutateAsync({ params, body }));
  };
  return (
    <form className="space-y-4" onSubmit={submit}>
      <TextField
        label="Chat address"
        name="url"
        type="url"
        required
        defaultValue={chat.url ?? ''}
        placeholder="https://bot.example.com/v1"
        hint="/chat/completions is added to it."
      />
      <div className="grid gap-4 @page-sm:grid-cols-2">
        <TextField
          label="Model"
          name="model"
          defaultValue={chat.model ?? ''}
          hint="Sent as “model”. Leave empty for the agent’s own id."
        />
        <TextField
          label="Key"
          name="apiKey"
          type="password"
          autoComplete="off"
          hint={chat.hasKey ? 'A key is stored. Leave empty to keep it.' : 'Leave empty if the address needs none.'}
        />
      </div>
      <CheckBox
        label="The agent there calls no tools itself: it hands each call back as tool_calls"
        checked={handsBack}
        onChange={({ target }) => setHandsBack(target.checked)}
      />
      <SaveRow
        state={{ busy: set.isPending, kept: set.isSuccess, error: set.error }}
        unless={
          unless ?? (handsBack ? null : 'Tests would call real tools. Check the box once the agent hands them back.')
        }
      >
        Save chat address
      </SaveRow>
      {chat.url !== null && (
        <Button
          kind="danger"
          unless={unless}
          busy={set.isPending}
          onClick={() => void change(set.mutateAsync({ params, body: { url: null } }))}
        >
          Remove chat address
        </Button>
      )}
    </form>
  );
}
