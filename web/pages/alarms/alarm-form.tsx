import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import {
  ALARM_COMPARISONS,
  ALARM_NO_DATA,
  ALARM_SIDES,
  ALARM_WINDOWS,
  FILTER_AT_MOST,
} from '../../../src/domain/vocabulary.ts';
import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { slugFor } from '../../slug-for.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, Select, TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { AlarmPreview } from './alarm-preview.tsx';
import type { Alarm } from './alarm-state.tsx';
import { type AlarmUnit, bodyOf, limitUnit, NEW_ALARM, type TypedAlarm, typedOf } from './typed-alarm.ts';

/** What an alarm can be about. */
export interface Figure {
  /** As the form names it: `metric abandoned`. */
  measure: string;
  label: string;
  unit: AlarmUnit;
  /** What else has to be said of it: a code, or a label. */
  detail: 'Code' | 'Label' | null;
}

interface AlarmFormProps {
  before: Alarm | null;
  /** Slugs that a new one may not have. */
  taken: readonly string[];
  figures: readonly Figure[];
  unless: string | null;
}

const WINDOW_LABELS = { '15m': '15 minutes', '1h': '1 hour', '4h': '4 hours', '1d': '24 hours', '7d': '7 days' };
const AGAINST_LABELS = { limit: 'A limit', usual: 'The same hours of the 4 weeks before' };
const NO_DATA_LABELS = { keep: 'Keep the current level', ok: 'OK', warning: 'Warning', critical: 'Critical' };

/** An alarm, and how often it would have rung. */
export function AlarmForm({ before, taken, figures, unless }: AlarmFormProps) {
  const agent = useAgent();
  const [typed, setTyped] = useState<TypedAlarm>(before ? typedOf(before) : NEW_ALARM);
  const preview = api.useMutation('post', '/v1/agents/{agentId}/alarms/preview');
  const save = useSave(before?.slug ?? null, taken);
  const change = (changed: Partial<TypedAlarm>) => {
    preview.reset();
    setTyped({ ...typed, ...changed });
  };
  const figure = figures.find(({ measure }) => measure === typed.measure);
  const unit = figure?.unit ?? before?.unit ?? 'number';
  const body = bodyOf(typed, unit);
  const { words } = limitUnit(typed, unit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run({ name: typed.name, on: typed.on, ...body });
  };
  const text = (
    name: 'name' | 'detail' | 'filter' | 'leastCalls' | 'warning' | 'critical' | 'breaches' | 'remindAfterMinutes',
  ) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <form className="grid gap-8 @page-xl:grid-cols-2" onSubmit={submit}>
      <div className="max-w-2xl space-y-4">
        <TextField label="Name" required maxLength={200} {...text('name')} />
        <Select
          label="Figure"
          value={typed.measure}
          onChange={({ target }) => change({ measure: target.value, detail: '' })}
        >
          {figures.map(({ measure, label }) => (
            <option key={measure} value={measure}>
              {label}
            </option>
          ))}
        </Select>
        {figure?.detail && (
          <TextField
            label={figure.detail}
            hint={figure.detail === 'Code' ? 'Of the catalogue, such as dead_air.' : 'The one whose share is meant.'}
            required
            maxLength={200}
            {...text('detail')}
          />
        )}
        <TextField
          label="Calls"
          hint="Empty: all calls. The same filters as in the list of calls, such as version:5 tier:gold -intent:wrong_number."
          maxLength={FILTER_AT_MOST}
          {...text('filter')}
        />
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <Select
            label="Compared with"
            value={typed.against}
            onChange={({ target }) =>
              change({ against: ALARM_COMPARISONS.find((each) => each === target.value) ?? 'limit' })
            }
          >
            {ALARM_COMPARISONS.map((each) => (
              <option key={each} value={each}>
                {AGAINST_LABELS[each]}
              </option>
            ))}
          </Select>
          <Select
            label="Bad where it is"
            value={typed.is}
            onChange={({ target }) => change({ is: ALARM_SIDES.find((each) => each === target.value) ?? 'above' })}
          >
            {ALARM_SIDES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
          <TextField label={`Warning (${words})`} type="number" step="any" {...text('warning')} />
          <TextField label={`Critical (${words})`} type="number" step="any" {...text('critical')} />
          <Select
            label="Window"
            value={typed.window}
            onChange={({ target }) => change({ window: ALARM_WINDOWS.find((each) => each === target.value) ?? '1h' })}
          >
            {ALARM_WINDOWS.map((each) => (
              <option key={each} value={each}>
                {WINDOW_LABELS[each]}
              </option>
            ))}
          </Select>
          <TextField label="Windows in a row" type="number" min={1} max={10} required {...text('breaches')} />
          <TextField label="Minimum calls per window" type="number" min={1} required {...text('leastCalls')} />
          <Select
            label="With fewer calls"
            value={typed.noData}
            onChange={({ target }) => change({ noData: ALARM_NO_DATA.find((each) => each === target.value) ?? 'keep' })}
          >
            {ALARM_NO_DATA.map((each) => (
              <option key={each} value={each}>
                {NO_DATA_LABELS[each]}
              </option>
            ))}
          </Select>
          <TextField
            label="Repeat after (minutes)"
            hint="Empty: notify once. Repeats stop when somebody acknowledges the alarm."
            type="number"
            min={15}
            max={10_080}
            {...text('remindAfterMinutes')}
          />
        </div>
        <CheckBox label="On" checked={typed.on} onChange={({ target }) => change({ on: target.checked })} />
        <RefusalNote error={save.error ?? preview.error} />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={save.busy} unless={unless}>
            {before ? 'Save changes' : 'Create alarm'}
          </Button>
          <Button
            busy={preview.isPending}
            onClick={() => preview.mutate({ params: { path: { agentId: agent.id } }, body })}
          >
            See how often it would have rung
          </Button>
        </div>
      </div>
      <AlarmPreview preview={preview.data} />
    </form>
  );
}

function useSave(slug: string | null, taken: readonly string[]) {
  const agent = useAgent();
  const change = useChange();
  const navigate = useNavigate();
  const put = api.useMutation('put', '/v1/agents/{agentId}/alarms/{alarm}');
  const run = async (body: { name: string; on: boolean } & ReturnType<typeof bodyOf>) => {
    const path = { agentId: agent.id, alarm: slug ?? slugFor(body.name, taken, 'alarm') };
    const kept = await change(put.mutateAsync({ params: { path }, body }));
    if (kept) await navigate({ to: '/a/$agentId/alarms/$alarm', params: { agentId: agent.id, alarm: kept.slug } });
  };
  return { run, busy: put.isPending, error: put.error };
}
