import { Link, useSearch } from '@tanstack/react-router';
import { Days } from '../../charts/days.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { CONFIDENCE, calls, count, day, lastDay } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { SavedViews } from '../../frame/saved-views.tsx';
import { PrimaryLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { CopyAsSeen } from './copy-as-seen.tsx';
import { CustomFigures } from './custom-figures.tsx';
import { changeInWords, figure, intervalInWords } from './figure.ts';
import type { MetricFilters } from './filters.ts';
import { RangeLinks } from './range-links.tsx';

type Metrics = Schemas['Metrics'];

export function MetricsPage() {
  const agent = useAgent();
  const filters = useSearch({ from: '/inside/a/$agentId/metrics' });
  const metrics = api.useQuery('get', '/v1/agents/{agentId}/metrics', {
    params: { path: { agentId: agent.id }, query: filters },
  });
  return (
    <Page
      title="Metrics"
      below={metrics.data && periodInWords(metrics.data)}
      actions={
        <>
          {metrics.data && <CopyAsSeen of={metrics.data} />}
          <SavedViews page="metrics" />
          {!agent.readOnly && (
            <PrimaryLink to="/a/$agentId/custom-metrics/new" params={{ agentId: agent.id }}>
              New metric
            </PrimaryLink>
          )}
        </>
      }
    >
      <RangeLinks shown={metrics.data?.range ?? filters.range} />
      <Loaded of={metrics} rows={11}>
        {(shown) =>
          shown.calls === 0 ? (
            <Empty title="No calls in this range">Choose a longer range. Only analyzed calls count.</Empty>
          ) : (
            <>
              <Figures shown={shown} />
              <CustomFigures range={rangeOf(shown)} />
              <CountRows rows={shown.countRows} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function periodInWords({ from, to, calls: over, previous }: Metrics): string {
  const period = from && to ? `${day(from)} to ${lastDay(to)}, ` : '';
  const before = previous && previous.calls > 0 ? `; ${calls(previous.calls)} in the period before` : '';
  return `${period}${calls(over)}${before}`;
}

/** The range of the figures, for the calls behind one of them. */
function rangeOf({ range, from, to }: Metrics): MetricFilters {
  if (range !== 'custom') return { range };
  return from !== null && to !== null ? { from, to } : {};
}

function Figures({ shown }: { shown: Metrics }) {
  const agent = useAgent();
  return (
    <Table label="Figures">
      <thead>
        <tr>
          <HeadCell>Figure</HeadCell>
          <HeadCell figure>Value</HeadCell>
          <HeadCell>{CONFIDENCE} interval</HeadCell>
          <HeadCell>Out of</HeadCell>
          <HeadCell>Period before</HeadCell>
          <HeadCell>By day</HeadCell>
        </tr>
      </thead>
      <tbody>
        {shown.metrics.map((metric) => (
          <tr key={metric.metric} className="hover:bg-sunken/60">
            <Cell>
              <Link
                to="/a/$agentId/metrics/$metric"
                params={{ agentId: agent.id, metric: metric.metric }}
                search={rangeOf(shown)}
                className="font-medium hover:underline"
              >
                {metric.label}
              </Link>
            </Cell>
            <Cell figure className="text-lg font-medium whitespace-nowrap">
              {figure(metric.value, metric.unit)}
            </Cell>
            <Cell className="whitespace-nowrap text-ink-2">{intervalInWords(metric)}</Cell>
            <Cell wide className="text-ink-2">
              {calls(metric.n)}: {metric.over}
              {metric.notRead > 0 && (
                <span className="block text-xs">{count(metric.notRead)} more could not be read</span>
              )}
            </Cell>
            <Cell className="whitespace-nowrap text-ink-2">{changeInWords(metric)}</Cell>
            <Cell>
              <Days series={metric.series} unit={metric.unit} label={metric.label} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function CountRows({ rows }: { rows: Metrics['countRows'] }) {
  const agent = useAgent();
  if (rows.length === 0) return null;
  return (
    <Section
      title="Where calls end badly without a known cause"
      note="Counts over all calls; no issue is made of them."
    >
      <Panel>
        <ul className="divide-y divide-line/70 text-sm">
          {rows.map(({ issueId, title, calls: seen }) => (
            <li key={issueId} className="flex gap-3 px-4 py-2">
              <Link
                to="/a/$agentId/issues/$issueId"
                params={{ agentId: agent.id, issueId }}
                className="min-w-0 flex-1 hover:underline"
              >
                {title}
              </Link>
              <span className="text-ink-2">{calls(seen)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}
