import { type FormEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { problemOf } from '../../client/problem.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckBox, Select, TextArea, TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type By = 'callerNumber' | 'callerKey' | 'callIds';

/** What is erased and why; nothing brings it back, so that it is said before and ticked. */
export function ErasureForm({ callId, onClose }: { callId: string | undefined; onClose: () => void }) {
  const agent = useAgent();
  const change = useChange();
  const erase = api.useMutation('post', '/app/agents/{agentId}/erasures');
  const [by, setBy] = useState<By>(callId ? 'callIds' : 'callerNumber');
  const [sure, setSure] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = String(form.get('what')).trim();
    const what = by === 'callIds' ? { callIds: given.split(/[\s,]+/) } : { [by]: given };
    const body = { ...what, reason: String(form.get('reason')) };
    if (await change(erase.mutateAsync({ params: { path: { agentId: agent.id } }, body }))) onClose();
  };
  return (
    <Dialog title="Erase calls" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Select label="What" value={by} onChange={({ target }) => setBy(target.value as By)}>
          <option value="callerNumber">All calls of a number</option>
          <option value="callerKey">All calls of a caller, by its key in the export</option>
          <option value="callIds">Single calls</option>
        </Select>
        <What key={by} by={by} callId={callId} error={erase.error} />
        <TextField
          label="Reason"
          name="reason"
          required
          maxLength={500}
          hint="Kept with the report. Name nobody in it."
        />
        <p className="text-sm text-ink-2">
          Transcripts, recording addresses, signals, quotes, tests made from them, and copilot answers that name them
          are deleted, figures are recounted, and the calls are not imported again. The platform keeps its own records;
          backups keep what they hold.
        </p>
        <CheckBox
          label="I know that nothing brings it back"
          checked={sure}
          onChange={({ target }) => setSure(target.checked)}
        />
        {problemParam(erase.error) === null && <RefusalNote error={erase.error} />}
        <div className="flex gap-2">
          <Button
            kind="danger"
            type="submit"
            busy={erase.isPending}
            unless={sure ? null : 'Tick that nothing brings it back.'}
          >
            Erase for good
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

const FIELDS = {
  callerNumber: { label: 'Number', hint: 'However it is written: +49 30 1234 and 0049301234 are one.' },
  callerKey: { label: 'Key of the caller', hint: 'caller.key of the export of calls.' },
} as const;

interface WhatProps {
  by: By;
  callId: string | undefined;
  error: unknown;
}

function What({ by, callId, error }: WhatProps) {
  const refusal = problemParam(error) === by && error ? problemOf(error).text : null;
  if (by === 'callIds') {
    return (
      <TextArea
        label="Ids of calls"
        name="what"
        required
        defaultValue={callId}
        error={refusal}
        hint="As they stand in the address of a call, one per line, 1,000 at most."
      />
    );
  }
  const { label, hint } = FIELDS[by];
  return <TextField label={label} name="what" required autoComplete="off" error={refusal} hint={hint} />;
}

/** `callIds[2]` is at fault in the field of the ids. */
const problemParam = (error: unknown): string | null =>
  error ? (problemOf(error).param?.split('[', 1)[0] ?? null) : null;
