import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { whyClosed } from './draft-actions.tsx';

interface EditTextProps {
  draft: Schemas['Draft'];
  unless: string | null;
}

/** One change more: words that stand there once, and what takes their place. */
export function EditText({ draft, unless }: EditTextProps) {
  const agent = useAgent();
  const change = useChange();
  const edit = api.useMutation('patch', '/v1/agents/{agentId}/drafts/{draftId}');
  const [path, setPath] = useState(draft.target?.path ?? draft.diff[0]?.path ?? '/prompt');
  const [find, setFind] = useState('');
  const [replace, setReplace] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const params = { path: { agentId: agent.id, draftId: draft.id } };
    void change(edit.mutateAsync({ params, body: { revision: draft.revision, changes: [{ path, find, replace }] } }));
  };
  return (
    <Section title="Change the text" note="runs on the text before count no more afterwards">
      <Panel className="p-4">
        <form className="space-y-4" onSubmit={submit}>
          <TextField
            label="Place"
            required
            value={path}
            onChange={({ target }) => setPath(target.value)}
            hint="/prompt, /firstMessage, or /nodes/<id>/text"
          />
          <TextArea
            label="Words that stand there once"
            required
            value={find}
            onChange={({ target }) => setFind(target.value)}
          />
          <TextArea
            label="What takes their place"
            value={replace}
            onChange={({ target }) => setReplace(target.value)}
          />
          <RefusalNote error={edit.error} />
          <Button type="submit" busy={edit.isPending} unless={unless ?? whyClosed(draft)}>
            Make the change
          </Button>
        </form>
      </Panel>
    </Section>
  );
}
