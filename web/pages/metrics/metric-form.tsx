import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { FACTS } from '../../../src/domain/custom-metrics/facts.ts';
import { METRIC_DIRECTIONS } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { slugFor } from '../../slug-for.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, Select, TextArea, TextField } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { MetricTrial } from './metric-trial.tsx';
import { bodyOf, NEW_METRIC, ruleOf, type TypedEvent, type TypedMetric, typedOf } from './typed-metric.ts';

interface MetricFormProps {
  before: Schemas['CustomMetric'] | null;
  /** Slugs that a new one may not have. */
  taken: readonly string[];
  unless: string | null;
}

const KINDS = { formula: 'Formula', pattern: 'Pattern' } as const;
const BETTER = { higher: 'Higher is better', lower: 'Lower is better', neither: 'Neither is better' };
const EVENTS: Readonly<Record<TypedEvent['on'], { label: string; field: string }>> = {
  tool_called: { label: 'The agent calls a tool', field: 'Tool' },
  tool_failed: { label: 'A tool fails', field: 'Tool' },
  said_by_caller: { label: 'The caller says', field: 'Words' },
  said_by_agent: { label: 'The agent says', field: 'Words' },
  signal: { label: 'A signal is detected', field: 'Code' },
};

/** A custom metric, and what it says of past calls. */
export function MetricForm({ before, taken, unless }: MetricFormProps) {
  const agent = useAgent();
  const [typed, setTyped] = useState<TypedMetric>(before ? typedOf(before) : NEW_METRIC);
  const trial = api.useMutation('post', '/v1/agents/{agentId}/custom-metrics/try');
  const save = useSave(before?.slug ?? null, taken);
  const change = (changed: Partial<TypedMetric>) => {
    trial.reset();
    setTyped({ ...typed, ...changed });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run(bodyOf(typed));
  };
  const text = (name: 'name' | 'expression' | 'within' | 'appliesWhen' | 'unit' | 'badLabels' | 'changeReason') => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const isOtherRule = before !== null && JSON.stringify(ruleOf(typed)) !== JSON.stringify(ruleOf(typedOf(before)));
  return (
    <form className="grid gap-8 @page-xl:grid-cols-2" onSubmit={submit}>
      <div className="max-w-2xl space-y-4">
        <TextField label="Name" required maxLength={200} {...text('name')} />
        <Select
          label="Kind"
          value={typed.kind}
          onChange={({ target }) => change({ kind: target.value === 'pattern' ? 'pattern' : 'formula' })}
        >
          {Object.entries(KINDS).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </Select>
        {typed.kind === 'formula' ? (
          <TextArea
            label="Formula"
            hint="In CEL, over the facts listed below: yes or no, a number, or a text. Example: cost_usd / (duration_s / 60)"
            required
            maxLength={2_000}
            {...text('expression')}
          />
        ) : (
          <>
            <EventFields label="After" event={typed.after} onChange={(after) => change({ after })} />
            <EventFields label="Expect" event={typed.expect} onChange={(expect) => change({ expect })} />
            <div className="grid gap-4 @page-sm:grid-cols-2">
              <TextField label="Within" type="number" min={1} required {...text('within')} />
              <Select
                label="Unit of time"
                value={typed.withinUnit}
                onChange={({ target }) => change({ withinUnit: target.value === 'seconds' ? 'seconds' : 'turns' })}
              >
                <option value="turns">spoken turns</option>
                <option value="seconds">seconds</option>
              </Select>
            </div>
          </>
        )}
        <TextField
          label="Applies when"
          hint="A condition in CEL; other calls count as not applicable. Empty: all calls."
          maxLength={2_000}
          {...text('appliesWhen')}
        />
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <Select
            label="Direction"
            value={typed.better}
            onChange={({ target }) =>
              change({ better: METRIC_DIRECTIONS.find((each) => each === target.value) ?? 'neither' })
            }
          >
            {METRIC_DIRECTIONS.map((each) => (
              <option key={each} value={each}>
                {BETTER[each]}
              </option>
            ))}
          </Select>
          <TextField label="Unit" hint="Such as USD or s." maxLength={20} {...text('unit')} />
        </div>
        <TextField
          label="Bad labels"
          hint="Where it answers with texts: those that are bad, separated by commas."
          {...text('badLabels')}
        />
        {isOtherRule && (
          <TextField
            label="Reason for the change"
            hint="It makes a new version; figures never mix versions."
            required
            maxLength={1_000}
            {...text('changeReason')}
          />
        )}
        <CheckBox
          label="On: calls analyzed from now on get a value"
          checked={typed.on}
          onChange={({ target }) => change({ on: target.checked })}
        />
        <CheckBox
          label="Compute it on past calls too"
          checked={typed.backfill}
          onChange={({ target }) => change({ backfill: target.checked })}
        />
        <RefusalNote error={save.error ?? trial.error} />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={save.busy} unless={unless}>
            {before ? 'Save changes' : 'Create metric'}
          </Button>
          <Button
            busy={trial.isPending}
            onClick={() =>
              trial.mutate({
                params: { path: { agentId: agent.id } },
                body: { ...ruleOf(typed), ...(before && { compareWith: before.slug }) },
              })
            }
          >
            Try it on past calls
          </Button>
        </div>
      </div>
      <div className="space-y-6">
        <MetricTrial trial={trial.data} unit={typed.unit.trim() === '' ? null : typed.unit.trim()} />
        {typed.kind === 'formula' && <Facts />}
      </div>
    </form>
  );
}

function EventFields({
  label,
  event,
  onChange,
}: {
  label: string;
  event: TypedEvent;
  onChange: (changed: TypedEvent) => void;
}) {
  const { field } = EVENTS[event.on];
  return (
    <div className="grid gap-4 @page-sm:grid-cols-2">
      <Select
        label={label}
        value={event.on}
        onChange={({ target }) =>
          onChange({ ...event, on: EVENT_KINDS.find((kind) => kind === target.value) ?? event.on })
        }
      >
        {EVENT_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {EVENTS[kind].label}
          </option>
        ))}
      </Select>
      <TextField
        label={`${label}: ${field.toLowerCase()}`}
        required
        maxLength={500}
        value={event.text}
        onChange={({ target }) => onChange({ ...event, text: target.value })}
      />
    </div>
  );
}

const EVENT_KINDS = Object.keys(EVENTS) as TypedEvent['on'][];

/** What a formula can name. */
function Facts() {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-medium">Facts of a call</summary>
      <dl className="mt-2 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {Object.entries(FACTS).map(([name, { about }]) => (
          <div key={name} className="contents">
            <dt className="font-mono">{name}</dt>
            <dd className="text-ink-2">{about}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function useSave(slug: string | null, taken: readonly string[]) {
  const agent = useAgent();
  const change = useChange();
  const navigate = useNavigate();
  const put = api.useMutation('put', '/v1/agents/{agentId}/custom-metrics/{customMetric}');
  const run = async (body: ReturnType<typeof bodyOf>) => {
    const path = { agentId: agent.id, customMetric: slug ?? slugFor(body.name, taken, 'metric') };
    const kept = await change(put.mutateAsync({ params: { path }, body }));
    if (kept) await navigate({ to: '/a/$agentId/metrics', params: { agentId: agent.id } });
  };
  return { run, busy: put.isPending, error: put.error };
}
