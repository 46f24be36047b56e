import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { number } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { SaveRow } from './save-row.tsx';
import { ThresholdPreview } from './threshold-preview.tsx';
import { thresholdWords } from './threshold-words.ts';
import { useSettings } from './use-settings.ts';

type Settings = Schemas['AgentSettings'];
type Signal = Schemas['AgentSignals']['signals'][number];
type Thresholds = Settings['thresholds'];

interface ThresholdFormProps {
  settings: Settings;
  signals: Signal[];
  unless: string | null;
}

/** Thresholds by code; what they would change is shown on the newest calls before they hold. */
export function ThresholdForm({ settings, signals, unless }: ThresholdFormProps) {
  const agent = useAgent();
  const [thresholds, setThresholds] = useState<Thresholds>(settings.thresholds);
  const state = useSettings();
  const preview = api.useMutation('post', '/app/agents/{agentId}/thresholds/preview');
  const show = () => preview.mutate({ params: { path: { agentId: agent.id } }, body: { thresholds } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void state.save({ thresholds });
  };
  const set = (code: string, name: string, value: number | null) => {
    preview.reset();
    setThresholds(withThreshold(thresholds, code, name, value));
  };
  const adjustable = signals.filter((signal) => signal.thresholds.length > 0);
  return (
    <form className="space-y-4" onSubmit={submit}>
      <Panel>
        <ul className="divide-y divide-line/70">
          {adjustable.map((signal) => (
            <SignalThresholds
              key={signal.code}
              signal={signal}
              given={thresholds[signal.code] ?? {}}
              onSet={(name, value) => set(signal.code, name, value)}
            />
          ))}
        </ul>
      </Panel>
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={preview.isPending} onClick={show}>
          See what would change
        </Button>
        <SaveRow state={state} unless={unless}>
          Save thresholds
        </SaveRow>
      </div>
      <RefusalNote error={preview.error} />
      {preview.data && <ThresholdPreview preview={preview.data} />}
    </form>
  );
}

/** Without what is empty: it keeps its default. */
function withThreshold(before: Thresholds, code: string, name: string, value: number | null): Thresholds {
  const { [name]: _was, ...others } = before[code] ?? {};
  const values = value === null ? others : { ...others, [name]: value };
  const { [code]: _before, ...codes } = before;
  return Object.keys(values).length === 0 ? codes : { ...codes, [code]: values };
}

interface SignalThresholdsProps {
  signal: Signal;
  given: Record<string, number>;
  onSet: (name: string, value: number | null) => void;
}

function SignalThresholds({ signal, given, onSet }: SignalThresholdsProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2 text-sm">
      <span className="min-w-0 flex-1 basis-64">
        {signal.title} <code className="font-mono text-xs text-ink-2">{signal.code}</code>{' '}
        {Object.keys(given).length > 0 && <Chip tone="accent">changed</Chip>}
      </span>
      <span className="flex flex-wrap gap-3">
        {signal.thresholds.map(({ name, usual }) => (
          <label key={name} className="flex items-center gap-2 text-xs text-ink-2">
            {thresholdWords(name)}
            <input
              type="number"
              step="any"
              aria-label={`${thresholdWords(name)}: ${signal.title}`}
              className="w-24 rounded-control border border-control bg-surface px-2 py-1 text-right text-sm text-ink placeholder:text-ink-3"
              placeholder={number(usual)}
              value={given[name] ?? ''}
              onChange={({ target }) => onSet(name, target.value === '' ? null : Number(target.value))}
            />
          </label>
        ))}
      </span>
    </li>
  );
}
