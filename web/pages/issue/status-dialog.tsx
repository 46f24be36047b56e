import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type Issue = Schemas['Issue'];

/** What a person can say about an issue; `rejected` is resolved for good. */
const CHOICES = ['investigating', 'fix_deployed', 'measuring', 'resolved', 'rejected'] as const;
type Choice = (typeof CHOICES)[number];

const LABELS: Partial<Record<Choice, string>> = { rejected: 'Not a problem' };
const MEANINGS: Record<Choice, string> = {
  investigating: 'Somebody works on it.',
  fix_deployed: 'The current version has the fix.',
  measuring: 'The fix is live; its calls decide.',
  resolved: 'It is gone. A later call that shows it brings it back.',
  rejected: 'It is no real problem, and stays resolved whatever comes.',
};

export function StatusDialog({ issue, unless }: { issue: Issue; unless: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} unless={unless}>
        Change status
      </Button>
      {open && <StatusForm issue={issue} onClose={() => setOpen(false)} />}
    </>
  );
}

function StatusForm({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const choices = issue.status === 'resolved' ? (['investigating'] as const) : CHOICES;
  const [choice, setChoice] = useState<Choice>(choices[0]);
  const [reason, setReason] = useState('');
  const change = api.useMutation('post', '/app/agents/{agentId}/issues/{issueId}/status');
  const submit = async () => {
    const status = choice === 'rejected' ? { status: 'resolved' as const, rejected: true } : { status: choice };
    const params = { path: { agentId: agent.id, issueId: issue.id } };
    const body = reason.trim() === '' ? status : { ...status, reason: reason.trim() };
    const changed = await change.mutateAsync({ params, body }).catch(() => null);
    if (!changed) return;
    void queries.invalidateQueries();
    onClose();
  };
  return (
    <Dialog title="Change status" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Select
          label="Status"
          hint={MEANINGS[choice]}
          value={choice}
          onChange={(event) => setChoice(CHOICES.find((each) => each === event.target.value) ?? choice)}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {LABELS[each] ?? words(each)}
            </option>
          ))}
        </Select>
        <TextArea
          label="Reason"
          hint="Kept in the history, beside your name."
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <RefusalNote error={change.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={change.isPending}>
            Change status
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
