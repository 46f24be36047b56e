import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { plural } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { useKey } from '../../frame/keys.ts';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { inDays } from '../issue/snooze-times.ts';

interface TriageProps {
  agentId: string;
  /** The issues that are selected. */
  chosen: readonly string[];
  /** Who is signed in. */
  me: string | null;
  onDone: () => void;
}

/** What is done with all selected issues at once; each change stands in the history of its issue. */
export function Triage({ agentId, chosen, me, onDone }: TriageProps) {
  const unless = readOnlyReason(useAgent());
  const change = useChange();
  const edit = api.useMutation('patch', '/app/agents/{agentId}/issues/{issueId}');
  const [busy, setBusy] = useState(false);
  type Body = Parameters<typeof edit.mutateAsync>[0]['body'];
  const apply = async (body: Body) => {
    if (busy || unless !== null || chosen.length === 0) return;
    setBusy(true);
    // One after the other: where one is refused, those before are done and the others stay selected.
    const all = async () => {
      for (const issueId of chosen) await edit.mutateAsync({ params: { path: { agentId, issueId } }, body });
      return true;
    };
    if (await change(all())) onDone();
    setBusy(false);
  };
  const acts = {
    assign: () => void apply({ ownerId: me }),
    snooze: () => void apply({ snoozedUntil: inDays(7) }),
    investigate: () => void apply({ status: 'investigating' }),
  };
  useKey({ a: acts.assign, s: acts.snooze, i: acts.investigate, ...(chosen.length > 0 ? { Escape: onDone } : {}) });
  if (chosen.length === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label="Selected issues"
      className="sticky bottom-3 z-10 mt-4 flex flex-wrap items-center gap-2 rounded-panel border border-line bg-raised p-3 shadow-float"
    >
      <span className="mr-2 text-sm font-medium">{plural(chosen.length, 'issue')} selected</span>
      <Button unless={unless} busy={busy} onClick={acts.assign}>
        Assign to me
      </Button>
      <Button unless={unless} busy={busy} onClick={acts.snooze}>
        Snooze for a week
      </Button>
      <Button unless={unless} busy={busy} onClick={() => void apply({ snoozedUntil: 'growth' })}>
        Snooze until it grows
      </Button>
      <Button unless={unless} busy={busy} onClick={() => void apply({ snoozedUntil: null })}>
        End snooze
      </Button>
      <Button unless={unless} busy={busy} onClick={acts.investigate}>
        Investigating
      </Button>
      <Button kind="quiet" onClick={onDone}>
        Clear
      </Button>
      <RefusalNote error={edit.error} />
    </div>
  );
}
