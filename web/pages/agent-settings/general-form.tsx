import type { FormEvent } from 'react';
import type { Schemas } from '../../client/api.ts';
import { CheckBox, Select, TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveRow } from './save-row.tsx';
import { useSettings } from './use-settings.ts';

type Settings = Schemas['AgentSettings'];

const SOURCES: { value: Settings['boardSource']; label: string }[] = [
  { value: 'detector', label: 'Signals of the detectors' },
  { value: 'outcome', label: 'Outcomes alone' },
];

/** A number, or nothing where the field is empty. */
const amount = (form: FormData, name: string) => (form.get(name) === '' ? null : Number(form.get(name)));

function bodyOf(form: FormData, isAdmin: boolean) {
  const costs = { testBudgetUsd: amount(form, 'testBudgetUsd'), simulatedCallUsd: amount(form, 'simulatedCallUsd') };
  return {
    ...(isAdmin ? costs : {}),
    name: String(form.get('name')),
    graceDays: Number(form.get('graceDays')),
    boardSource: SOURCES.find(({ value }) => value === form.get('boardSource'))?.value ?? 'detector',
    autoRuns: form.get('autoRuns') === 'on',
  };
}

interface GeneralFormProps {
  settings: Settings;
  unless: string | null;
  /** Why a member may not say what tests cost. */
  forAdmins: string | null;
}

export function GeneralForm({ settings, unless, forAdmins }: GeneralFormProps) {
  const state = useSettings();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void state.save(bodyOf(new FormData(event.currentTarget), forAdmins === null));
  };
  return (
    <Panel className="max-w-3xl p-4">
      <form className="space-y-4" onSubmit={submit}>
        <TextField label="Name" name="name" required maxLength={200} defaultValue={settings.name} />
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <TextField
            label="Grace days"
            name="graceDays"
            type="number"
            min={1}
            max={90}
            required
            defaultValue={settings.graceDays}
            hint="After so many days of calls without it, an issue counts as resolved."
          />
          <Select label="The board shows" name="boardSource" defaultValue={settings.boardSource}>
            {SOURCES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <TextField
            label="Monthly test budget, in USD"
            name="testBudgetUsd"
            type="number"
            min={0}
            step="0.01"
            defaultValue={settings.testBudgetUsd ?? ''}
            readOnly={forAdmins !== null}
            hint={forAdmins ?? 'Empty: unlimited.'}
          />
          <TextField
            label="Price of a simulated call, in USD"
            name="simulatedCallUsd"
            type="number"
            min={0}
            step="0.0001"
            defaultValue={settings.simulatedCallUsd ?? ''}
            readOnly={forAdmins !== null}
            hint={forAdmins ?? 'Empty: the usual rate of the platform.'}
          />
        </div>
        <CheckBox
          label="Test a version by itself when it goes live"
          name="autoRuns"
          defaultChecked={settings.autoRuns}
        />
        <SaveRow state={state} unless={unless}>
          Save settings
        </SaveRow>
      </form>
    </Panel>
  );
}
