import { Link } from '@tanstack/react-router';
import { Days } from '../../charts/days.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { calls, DASH, percent } from '../../format.ts';

type Metric = Schemas['Metric'];

/** The outcomes that the strip shows, and the calls that each of them counts. */
const OUTCOME_OF: Partial<Record<Metric['metric'], string>> = {
  got_it_done: 'resolved',
  handed_off: 'transferred',
  unresolved: 'unresolved',
  abandoned: 'abandoned',
  no_contact: 'no_contact',
};

export function OutcomeStrip({ agentId }: { agentId: string }) {
  const metrics = api.useQuery('get', '/v1/agents/{agentId}/metrics', { params: { path: { agentId } } });
  if (!metrics.data) return <div className="mb-6 h-28 rounded-panel border border-line bg-surface" />;
  const { from, to, metrics: all } = metrics.data;
  const bounds = { ...(from ? { startedFrom: from } : {}), ...(to ? { startedBefore: to } : {}) };
  return (
    <dl className="mb-6 grid grid-cols-2 overflow-hidden rounded-panel border border-line bg-line gap-px @page-sm:grid-cols-3 @page-lg:grid-cols-5">
      {all.flatMap((metric) => {
        const outcome = OUTCOME_OF[metric.metric];
        return outcome ? [<OutcomeFigure key={metric.metric} metric={metric} search={{ outcome, ...bounds }} />] : [];
      })}
    </dl>
  );
}

function OutcomeFigure({ metric, search }: { metric: Metric; search: Record<string, string> }) {
  const { label, value, n, interval, previous, series } = metric;
  return (
    <div className="relative bg-surface px-4 py-3 last:max-sm:col-span-2 hover:bg-sunken">
      <dt className="text-sm text-ink-2">
        <Link from="/a/$agentId/issues" to="/a/$agentId/calls" search={search} className="after:absolute after:inset-0">
          {label}
        </Link>
      </dt>
      <dd className="text-figure font-medium">{value === null ? DASH : percent(value)}</dd>
      <dd className="text-xs text-ink-2">
        of {calls(n)}
        {interval && ` · ${percent(interval.lower)}–${percent(interval.upper)}`}
      </dd>
      {previous && previous.value !== null && value !== null && (
        <dd className="text-xs text-ink-2">{changeInWords(value - previous.value)}</dd>
      )}
      <dd className="mt-2">
        <Days series={series} unit="share" label={label} />
      </dd>
    </div>
  );
}

function changeInWords(difference: number): string {
  const points = Math.round(difference * 100);
  if (points === 0) return 'as in the period before';
  return `${points > 0 ? '▲ +' : '▼ −'}${Math.abs(points)} points against the period before`;
}
