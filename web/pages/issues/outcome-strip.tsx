import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Days } from '../../charts/days.tsx';
import type { Schemas } from '../../client/api.ts';
import { calls, DASH, percent, points } from '../../format.ts';
import { outcomesQuery } from './queries.ts';

type Metric = Schemas['Metric'];

/** The outcomes that the strip shows, and the calls that each of them counts. */
const OUTCOME_OF: Partial<Record<Metric['metric'], string>> = {
  got_it_done: 'resolved',
  handed_off: 'transferred',
  unresolved: 'unresolved',
  abandoned: 'abandoned',
  no_contact: 'no_contact',
};

/** On either side of a comparison: with fewer, chance alone moves a share by many points. */
const FEW_CALLS = 30;

const STRIP =
  'mb-6 grid grid-cols-2 overflow-hidden rounded-panel border border-line bg-line gap-px @page-sm:grid-cols-3 @page-lg:grid-cols-5';
/** As high as it is with everything in it, so that nothing below moves when the figures come. */
const FIGURE = 'relative flex min-h-26 flex-col bg-surface px-4 py-3 last:max-sm:col-span-2 @page-sm:min-h-40';

export function OutcomeStrip({ agentId }: { agentId: string }) {
  const metrics = useQuery(outcomesQuery(agentId));
  if (!metrics.data) return <Reserved />;
  const { from, to, metrics: all } = metrics.data;
  const bounds = { ...(from ? { startedFrom: from } : {}), ...(to ? { startedBefore: to } : {}) };
  return (
    <dl className={STRIP}>
      {all.flatMap((metric) => {
        const outcome = OUTCOME_OF[metric.metric];
        return outcome ? [<OutcomeFigure key={metric.metric} metric={metric} search={{ outcome, ...bounds }} />] : [];
      })}
    </dl>
  );
}

function Reserved() {
  return (
    <div className={STRIP}>
      {Object.keys(OUTCOME_OF).map((metric) => (
        <div key={metric} className={FIGURE} />
      ))}
    </div>
  );
}

function OutcomeFigure({ metric, search }: { metric: Metric; search: Record<string, string> }) {
  const { label, value, n, interval, previous, series } = metric;
  return (
    <div className={`${FIGURE} hover:bg-sunken`}>
      <dt className="text-sm text-ink-2">
        <Link from="/a/$agentId/issues" to="/a/$agentId/calls" search={search} className="after:absolute after:inset-0">
          {label}
        </Link>
      </dt>
      <dd className="text-figure font-medium">{value === null ? DASH : percent(value)}</dd>
      <dd className="text-xs text-ink-2">
        of {calls(n)}
        {interval && (
          <>
            {' · '}
            <span className="whitespace-nowrap">{`${percent(interval.lower)}–${percent(interval.upper)}`}</span>
          </>
        )}
      </dd>
      {previous && previous.value !== null && value !== null && previous.n >= FEW_CALLS && n >= FEW_CALLS && (
        <dd className="text-xs text-ink-2">{changeInWords(value - previous.value, previous.n)}</dd>
      )}
      <dd className="mt-auto pt-2 @max-page-sm:hidden">
        <Days series={series} unit="share" label={label} />
      </dd>
    </div>
  );
}

function changeInWords(difference: number, callsBefore: number): string {
  const moved = Math.round(difference * 100);
  if (moved === 0) return `as in the ${calls(callsBefore)} before`;
  return `${moved > 0 ? '▲' : '▼'} ${points(Math.abs(moved))} ${moved > 0 ? 'more' : 'less'} than in the ${calls(callsBefore)} before`;
}
