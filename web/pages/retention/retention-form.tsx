import { type FormEvent, useState } from 'react';
import { CheckBox } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveRow } from '../agent-settings/save-row.tsx';
import { type Kept, keptOf, ofEach, type Retention, type RetentionName, removesMore, sentOf } from './kept.ts';
import { RetentionFields } from './retention-fields.tsx';

export type ChosenRetention = Record<RetentionName, number | null | 'workspace'>;

interface RetentionFormProps {
  inForce: Retention;
  /** What the agent follows where it has nothing of its own, and for which of the three it has nothing. */
  workspace?: { retention: Retention; followed: Record<RetentionName, boolean> };
  state: { busy: boolean; kept: boolean; error: unknown };
  unless: string | null;
  /** @param then what would be in force. */
  onSave: (chosen: ChosenRetention, then: Retention) => void;
}

/** How long calls are kept. A shorter time removes at once what is older, so that it is ticked first. */
export function RetentionForm({ inForce, workspace, state, unless, onSave }: RetentionFormProps) {
  const [kept, setKept] = useState(() => ofEach((name) => keptOf(inForce[name], workspace?.followed[name])));
  const [sure, setSure] = useState(false);
  const change = (name: RetentionName, how: Kept) => {
    setKept({ ...kept, [name]: how });
    setSure(false);
  };
  const chosen = ofEach((name) => sentOf(kept[name]));
  const then = ofEach((name) => {
    const days = chosen[name];
    return days === 'workspace' ? (workspace?.retention[name] ?? null) : days;
  });
  const removes = removesMore(inForce, then);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(chosen, then);
  };
  return (
    <Panel className="max-w-3xl p-4">
      <form className="space-y-4" onSubmit={submit}>
        <RetentionFields kept={kept} workspace={workspace?.retention ?? null} onChange={change} />
        <p className="text-sm text-ink-2">Counted from the day on which a call came in.</p>
        {removes && (
          <Panel tone="caution" className="p-3">
            <p className="mb-1 text-sm">
              This is shorter than now: what is older is removed as soon as it is kept, not with the next daily pass.
            </p>
            <CheckBox
              label="I know that nothing brings it back"
              checked={sure}
              onChange={({ target }) => setSure(target.checked)}
            />
          </Panel>
        )}
        <SaveRow state={state} unless={unless ?? (removes && !sure ? 'Tick that nothing brings it back.' : null)}>
          Save
        </SaveRow>
      </form>
    </Panel>
  );
}
