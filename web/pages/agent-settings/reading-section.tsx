import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { EarlierCalls } from '../reading/earlier-calls.tsx';
import { progressOf } from '../reading/reading-note.tsx';
import { ReadingPause } from '../reading/reading-pause.tsx';
import { type Reading, useReading } from '../reading/use-reading.ts';
import { SaveRow } from './save-row.tsx';
import { useSettings } from './use-settings.ts';

type Settings = Schemas['AgentSettings'];

const MODES: { value: Settings['modelReading']; label: string }[] = [
  { value: 'decide', label: 'Decide: what it finds counts where code can prove it' },
  { value: 'assist', label: 'Assist: adds evidence beside the rules' },
  { value: 'off', label: 'Off' },
];
const SHARES: { value: Settings['modelShare']; label: string }[] = [
  { value: 'all', label: 'All calls' },
  { value: 'suspected', label: 'Calls at which something points, and a part of the others' },
];

interface ReadingSectionProps {
  settings: Settings;
  unless: string | null;
  /** Why a member may not say what reading costs. */
  forAdmins: string | null;
}

/** What a model may read of the agent's calls and what that may cost, beside how far it is. */
export function ReadingSection({ settings, unless, forAdmins }: ReadingSectionProps) {
  const agent = useAgent();
  const reading = useReading(agent.id);
  return (
    <div id="reading" className="mt-8 scroll-mt-4">
      <Section title="Reading by a model" note="what it finds always carries words of the call">
        <div className="max-w-3xl space-y-4">
          <Loaded of={reading}>{(data) => <Standing reading={data} unless={unless} />}</Loaded>
          <ReadingForm settings={settings} unless={unless} forAdmins={forAdmins} />
        </div>
      </Section>
    </div>
  );
}

function Standing({ reading, unless }: { reading: Reading; unless: string | null }) {
  const agent = useAgent();
  const { model, notes, estimate } = reading;
  if (model === null) {
    return (
      <Panel className="p-4 text-sm">
        No model is configured, and calls are read by rules alone. The operator sets EARSHOT_MODEL_URL and
        EARSHOT_MODEL, or ANTHROPIC_API_KEY.
      </Panel>
    );
  }
  return (
    <Panel className="p-4 text-sm">
      <p>{progressOf(reading)}</p>
      {estimate && <p className="mt-1 text-ink-2">{estimate.text}.</p>}
      {notes.map((note) => (
        <p key={note} className="mt-1 text-ink-2">
          {note}
        </p>
      ))}
      <ReadingPause agentId={agent.id} reading={reading} unless={unless} />
      {reading.mode !== 'off' && <EarlierCalls agentId={agent.id} unless={unless} />}
    </Panel>
  );
}

function ReadingForm({ settings, unless, forAdmins }: ReadingSectionProps) {
  const state = useSettings();
  const [share, setShare] = useState(settings.modelShare);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const budget = form.get('modelBudgetUsd');
    void state.save({
      modelReading: MODES.find(({ value }) => value === form.get('modelReading'))?.value ?? settings.modelReading,
      modelShare: share,
      ...(share === 'suspected' && { modelSharePercent: Number(form.get('modelSharePercent')) }),
      ...(forAdmins === null && { modelBudgetUsd: budget === '' ? null : Number(budget) }),
    });
  };
  return (
    <Panel className="p-4">
      <form className="space-y-4" onSubmit={submit}>
        <Select label="What a model may do on calls" name="modelReading" defaultValue={settings.modelReading}>
          {MODES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <Select
            label="Which calls it reads"
            value={share}
            onChange={({ target }) => setShare(SHARES.find(({ value }) => value === target.value)?.value ?? share)}
          >
            {SHARES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          {share === 'suspected' && (
            <TextField
              label="Percent of the others"
              name="modelSharePercent"
              type="number"
              min={0}
              max={100}
              required
              defaultValue={settings.modelSharePercent}
            />
          )}
          <TextField
            label="Monthly reading budget, in USD"
            name="modelBudgetUsd"
            type="number"
            min={0}
            step="0.01"
            defaultValue={settings.modelBudgetUsd ?? ''}
            readOnly={forAdmins !== null}
            hint={forAdmins ?? 'Empty: unlimited.'}
          />
        </div>
        <SaveRow state={state} unless={unless}>
          Save reading settings
        </SaveRow>
      </form>
    </Panel>
  );
}
