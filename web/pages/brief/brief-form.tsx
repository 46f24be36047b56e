import type { FormEvent } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { linesOf } from '../agent-settings/lines.ts';
import { SaveRow } from '../agent-settings/save-row.tsx';

interface BriefFormProps {
  brief: Schemas['Brief'];
  unless: string | null;
}

/** What a person knows better than what was read. */
export function BriefForm({ brief, unless }: BriefFormProps) {
  const agent = useAgent();
  const change = useChange();
  const edit = api.useMutation('patch', '/app/agents/{agentId}/brief');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const purpose = String(form.get('purpose')).trim();
    const body = {
      purpose: purpose === '' ? null : purpose,
      intents: linesOf(form.get('intents')),
      done: linesOf(form.get('done')),
    };
    void change(edit.mutateAsync({ params: { path: { agentId: agent.id } }, body }));
  };
  // A field that was changed elsewhere begins anew; what is being typed into the others stays.
  const [purpose, intents, done] = [brief.purpose ?? '', brief.intents.join('\n'), brief.done.join('\n')];
  return (
    <Panel className="p-4">
      <h2 className="mb-3 text-md font-semibold">Edit</h2>
      <form className="space-y-4" onSubmit={submit}>
        <TextArea key={`purpose ${purpose}`} label="Purpose" name="purpose" rows={4} defaultValue={purpose} />
        <TextArea
          key={`intents ${intents}`}
          label="What callers ask for"
          name="intents"
          rows={5}
          defaultValue={intents}
          hint="One per line."
        />
        <TextArea
          key={`done ${done}`}
          label="What counts as done"
          name="done"
          rows={5}
          defaultValue={done}
          hint="One per line."
        />
        <SaveRow state={{ busy: edit.isPending, kept: edit.isSuccess, error: edit.error }} unless={unless}>
          Save
        </SaveRow>
      </form>
    </Panel>
  );
}
