import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../client/api.ts';
import { calls, count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { valueInWords } from './custom-figures.tsx';

type Trial = Schemas['CustomMetricTrial'];
type Tried = Trial['calls'][number];

/** What a metric would say of the newest calls, and which of them it would change its mind about. */
export function MetricTrial({ trial, unit }: { trial: Trial | undefined; unit: string | null }) {
  if (!trial) return null;
  if (!trial.valid) {
    return (
      <Panel className="p-4">
        <ul role="alert" className="space-y-1 text-sm text-bad">
          {trial.problems.map(({ param, message }) => (
            <li key={param}>{message}</li>
          ))}
        </ul>
      </Panel>
    );
  }
  const { compared } = trial;
  return (
    <Panel className="space-y-4 p-4">
      <p role="status" className="font-medium">
        {trial.calls.length === 0 ? 'There is no call to try it on yet.' : `On the newest ${calls(trial.calls.length)}`}
      </p>
      <Rows rows={trial.calls} unit={unit} />
      {compared && (
        <p className="text-sm text-ink-2">
          {count(compared.flips.length)} of the newest {calls(compared.calls)} would get another value.
        </p>
      )}
    </Panel>
  );
}

function Rows({ rows, unit }: { rows: readonly Tried[]; unit: string | null }) {
  const agent = useAgent();
  return (
    <ul className="text-sm">
      {rows.map((row) => (
        <li key={row.callId} className="flex flex-wrap gap-x-4 py-1">
          <span className="w-26 font-medium tabular-nums">{shown(row, unit)}</span>
          <Link
            to="/a/$agentId/calls/$callId"
            params={{ agentId: agent.id, callId: row.callId }}
            className="w-32 hover:underline"
          >
            <Time at={row.startedAt} short />
          </Link>
          <span className="min-w-0 flex-1 text-ink-2">{row.because || row.quote}</span>
        </li>
      ))}
    </ul>
  );
}

const STATES = { value: '', not_applicable: 'Not applicable', unknown: 'Unknown' } as const;

const shown = ({ state, value }: Tried, unit: string | null) =>
  state === 'value' ? valueInWords({ unit }, value) : STATES[state];
