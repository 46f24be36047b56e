import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Days } from '../../charts/days.tsx';
import type { Schemas } from '../../client/api.ts';
import { calls, DASH, percent } from '../../format.ts';
import { clearChange, pointsInWords } from '../metrics/figure.ts';
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
      {previous && previous.n > 0 && <dd className="text-xs text-ink-2">{changeInWords(metric, previous.n)}</dd>}
      <dd className="mt-auto pt-2 @max-page-sm:hidden">
        <Days series={series} unit="share" label={label} />
      </dd>
    </div>
  );
}

function changeInWords(metric: Metric, callsBefore: number): string {
  const difference = clearChange(metric);
  const before = `the ${calls(callsBefore)} before`;
  if (difference === null) return `no clear change from ${before}`;
  return `${pointsInWords(difference)} ${difference > 0 ? 'more' : 'less'} than in ${before}`;
}
