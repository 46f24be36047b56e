import type { FormEvent } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, Select, TextField } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';

type Shown = Schemas['WorkspaceModel'];

const PROTOCOLS: { value: NonNullable<Shown['own']>['protocol']; label: string }[] = [
  { value: 'openai', label: 'OpenAI-compatible' },
  { value: 'anthropic', label: 'Anthropic' },
];

/** The model that reads the calls of the workspace: its own, or that of the installation. For admins, who alone may read it. */
export function OwnModel() {
  const model = api.useQuery('get', '/app/workspace/model');
  return (
    <Section title="Model" note="reads the calls of this workspace in place of the installation's">
      <Loaded of={model}>{(data) => <ModelForm key={JSON.stringify(data.own)} shown={data} />}</Loaded>
    </Section>
  );
}

function ModelForm({ shown }: { shown: Shown }) {
  const change = useChange();
  const set = api.useMutation('put', '/app/workspace/model');
  const remove = api.useMutation('delete', '/app/workspace/model');
  const { own, operators } = shown;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void change(set.mutateAsync({ body: bodyOf(new FormData(event.currentTarget)) }));
  };
  return (
    <Panel className="max-w-3xl p-4">
      <p className="mb-4 text-sm">
        {own && `${own.model} reads the calls; what it costs is no part of the AI allowance.`}
        {own === null && operators && `The installation's ${operators.model} at ${operators.host} reads the calls.`}
        {own === null && operators === null && 'No model is configured: calls are read by rules alone.'}
      </p>
      <form className="space-y-4" onSubmit={submit}>
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <Select label="Protocol" name="protocol" defaultValue={own?.protocol ?? 'openai'}>
            {PROTOCOLS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <TextField label="Model" name="model" required maxLength={200} defaultValue={own?.model ?? ''} />
          <TextField
            label="Address"
            name="url"
            type="url"
            required
            defaultValue={own?.url ?? ''}
            hint="https, at a public address."
          />
          <TextField
            label="API key"
            name="apiKey"
            type="password"
            autoComplete="off"
            hint={own?.hasKey ? 'Stored. Empty: it stays, as long as the address does.' : 'Stored encrypted.'}
          />
          <TextField
            label="Price of input, in USD a million tokens"
            name="input"
            type="number"
            min={0}
            step="any"
            defaultValue={own?.price?.input ?? ''}
            hint="Without prices no budget can hold."
          />
          <TextField
            label="Price of output, in USD a million tokens"
            name="output"
            type="number"
            min={0}
            step="any"
            defaultValue={own?.price?.output ?? ''}
          />
        </div>
        <CheckBox label="The address takes no key" name="noKey" defaultChecked={own?.hasKey === false} />
        <RefusalNote error={set.error ?? remove.error} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" busy={set.isPending}>
            Save the model
          </Button>
          {own && (
            <Button kind="danger" busy={remove.isPending} onClick={() => void change(remove.mutateAsync({}))}>
              Remove it and its key
            </Button>
          )}
        </div>
      </form>
    </Panel>
  );
}

function bodyOf(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '');
  const apiKey =
    form.get('noKey') === 'on' ? { apiKey: null } : text('apiKey') === '' ? {} : { apiKey: text('apiKey') };
  const isPriced = text('input') !== '' && text('output') !== '';
  return {
    protocol: PROTOCOLS.find(({ value }) => value === text('protocol'))?.value ?? 'openai',
    url: text('url'),
    model: text('model'),
    ...apiKey,
    ...(isPriced && { price: { input: Number(text('input')), output: Number(text('output')) } }),
  };
}
