import type { FormEvent } from 'react';
import { api } from '../client/api.ts';
import { enterWorkspace } from '../client/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { RefusalNote } from '../ui/states.tsx';

/** Another workspace of one's own, which this tab then goes on in. */
export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const make = api.useMutation('post', '/app/workspaces');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    const made = await make.mutateAsync({ body: { name } }).catch(() => null);
    if (made) enterWorkspace(made.id);
  };
  return (
    <Dialog title="New workspace" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          hint="You become its admin. Agents, calls, people and the plan are its own."
        />
        <RefusalNote error={make.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={make.isPending}>
            Make the workspace
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
