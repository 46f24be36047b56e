import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';

interface EditReasonProps {
  draft: Schemas['Draft'];
  unless: string | null;
}

/** What the draft is called and why it is made; tests of its text stay valid. */
export function EditReason({ draft, unless }: EditReasonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" unless={unless} onClick={() => setOpen(true)}>
        Edit
      </Button>
      {open && <Form draft={draft} onClose={() => setOpen(false)} />}
    </>
  );
}

function Form({ draft, onClose }: { draft: Schemas['Draft']; onClose: () => void }) {
  const agent = useAgent();
  const change = useChange();
  const save = api.useMutation('patch', '/v1/agents/{agentId}/drafts/{draftId}');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { title: String(form.get('title')), rationale: String(form.get('rationale')) };
    const params = { path: { agentId: agent.id, draftId: draft.id } };
    if (await change(save.mutateAsync({ params, body }))) onClose();
  };
  return (
    <Dialog title="Title and reason" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Title" name="title" required maxLength={200} defaultValue={draft.title} />
        <TextArea label="Why" name="rationale" rows={6} defaultValue={draft.rationale} />
        <RefusalNote error={save.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={save.isPending}>
            Keep
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
