import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** A draft that begins from nothing, or with the place and the suggestion of an issue. */
export function NewDraft({ unless }: { unless: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" unless={unless} onClick={() => setOpen(true)}>
        New draft
      </Button>
      {open && <Form onClose={() => setOpen(false)} />}
    </>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const agent = useAgent();
  const navigate = useNavigate();
  const change = useChange();
  const make = api.useMutation('post', '/app/agents/{agentId}/drafts');
  const [issueId, setIssueId] = useState('');
  const issues = api.useQuery('get', '/v1/agents/{agentId}/issues', {
    params: { path: { agentId: agent.id }, query: { limit: 100 } },
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get('title')).trim();
    const body = { ...(title === '' ? {} : { title }), ...(issueId === '' ? {} : { issueId }) };
    const made = await change(make.mutateAsync({ params: { path: { agentId: agent.id } }, body }));
    if (made) await navigate({ to: '/a/$agentId/drafts/$draftId', params: { agentId: agent.id, draftId: made.id } });
  };
  return (
    <Dialog title="New draft" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <p className="text-ink-2">It lies over the live version. Nothing changes at the platform before you publish.</p>
        <Select
          label="Begins with"
          value={issueId}
          onChange={({ target }) => setIssueId(target.value)}
          hint="An issue brings its place, its suggestion and the tests that touch it."
        >
          <option value="">Nothing: I know what to change</option>
          {issues.data?.data.map(({ id, title, location: place }) => (
            <option key={id} value={id}>
              {title}: {place.label}
            </option>
          ))}
        </Select>
        <TextField
          label="Title"
          name="title"
          maxLength={200}
          required={issueId === ''}
          hint={issueId === '' ? undefined : 'Left empty: as the issue says.'}
        />
        <RefusalNote error={make.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={make.isPending}>
            Open the draft
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
