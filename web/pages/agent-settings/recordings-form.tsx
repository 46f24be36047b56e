import type { FormEvent } from 'react';
import { CheckBox } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveRow } from './save-row.tsx';
import { useSettings } from './use-settings.ts';

export function RecordingsForm({ isOn, unless }: { isOn: boolean; unless: string | null }) {
  const state = useSettings();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void state.save({ hearRecordings: new FormData(event.currentTarget).has('hearRecordings') });
  };
  return (
    <Panel className="max-w-3xl p-4">
      <form className="space-y-4" onSubmit={submit}>
        <CheckBox label="Measure the recordings of calls" name="hearRecordings" defaultChecked={isOn} />
        <SaveRow state={state} unless={unless}>
          Save
        </SaveRow>
      </form>
    </Panel>
  );
}
