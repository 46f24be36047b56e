import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';

export function RenameIntent({ intent, unless }: { intent: Schemas['Intent']; unless: string | null }) {
  const agent = useAgent();
  const change = useChange();
  const [open, setOpen] = useState(false);
  const rename = api.useMutation('patch', '/app/agents/{agentId}/intents/{intentId}');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { label: String(new FormData(event.currentTarget).get('label')) };
    const params = { path: { agentId: agent.id, intentId: intent.id } };
    if (await change(rename.mutateAsync({ params, body }))) setOpen(false);
  };
  return (
    <>
      <Button kind="quiet" unless={unless} label={`Rename ${intent.label}`} onClick={() => setOpen(true)}>
        Rename
      </Button>
      {open && (
        <Dialog title={`Rename “${intent.label}”`} onClose={() => setOpen(false)}>
          <form className="space-y-4" onSubmit={(event) => void submit(event)}>
            <TextField
              label="Name"
              name="label"
              required
              maxLength={80}
              defaultValue={intent.label}
              hint="Later analyses keep this name, and keep its calls in it."
            />
            <RefusalNote error={rename.error} />
            <div className="flex gap-2">
              <Button kind="primary" type="submit" busy={rename.isPending}>
                Rename
              </Button>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
