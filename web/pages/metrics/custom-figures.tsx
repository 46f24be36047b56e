import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { CONFIDENCE, calls, count, DASH, percent } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { MetricFilters } from './filters.ts';

type Metric = Schemas['CustomMetric'];
type Value = Schemas['CallCustomMetrics']['values'][number]['value'];

const WORST = 10;

/** What the team defined beside the figures of the board, each with its worst calls; nothing where it defined none. */
export function CustomFigures({ range }: { range: MetricFilters }) {
  const agent = useAgent();
  const metrics = api.useQuery('get', '/v1/agents/{agentId}/custom-metrics', {
    params: { path: { agentId: agent.id }, query: range },
  });
  if (!metrics.data || metrics.data.data.length === 0) return null;
  return (
    <Section title="Custom metrics" note="Each at its version in force; choose one for its worst calls.">
      <Table label="Custom metrics">
        <thead>
          <tr>
            <HeadCell>Metric</HeadCell>
            <HeadCell figure>Value</HeadCell>
            <HeadCell>{CONFIDENCE} interval</HeadCell>
            <HeadCell>Out of</HeadCell>
            <HeadCell>Standing</HeadCell>
          </tr>
        </thead>
        <tbody>
          {metrics.data.data.map((metric) => (
            <Row key={metric.slug} metric={metric} range={range} />
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

function Row({ metric, range }: { metric: Metric; range: MetricFilters }) {
  const agent = useAgent();
  const [isOpen, setOpen] = useState(false);
  const { figure, slug, name } = metric;
  const left = [
    figure.notApplicable > 0 ? `${count(figure.notApplicable)} not applicable` : null,
    figure.unknown > 0 ? `${count(figure.unknown)} unknown` : null,
  ].filter((each) => each !== null);
  return (
    <>
      <tr className="hover:bg-sunken/60">
        <Cell>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="text-left font-medium hover:underline"
          >
            {name}
          </button>
        </Cell>
        <Cell figure className="text-lg font-medium whitespace-nowrap">
          {figureInWords(metric)}
        </Cell>
        <Cell className="whitespace-nowrap text-ink-2">
          {figure.interval
            ? `${amount(metric, figure.interval.lower)} – ${amount(metric, figure.interval.upper)}`
            : DASH}
        </Cell>
        <Cell wide className="text-ink-2">
          {calls(figure.n)}
          {left.length > 0 && <span className="block text-xs">{left.join(', ')}</span>}
        </Cell>
        <Cell className="text-ink-2">
          {standing(metric)}
          {!agent.readOnly && (
            <Link
              to="/a/$agentId/custom-metrics/$metric"
              params={{ agentId: agent.id, metric: slug }}
              className="block text-xs hover:underline"
            >
              Edit
            </Link>
          )}
        </Cell>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5} className="border-b border-line bg-sunken/40 px-3 py-2">
            <WorstCalls slug={slug} metric={metric} range={range} />
          </td>
        </tr>
      )}
    </>
  );
}

function WorstCalls({ slug, metric, range }: { slug: string; metric: Metric; range: MetricFilters }) {
  const agent = useAgent();
  const shown = api.useQuery('get', '/v1/agents/{agentId}/custom-metrics/{customMetric}/calls', {
    params: {
      path: { agentId: agent.id, customMetric: slug },
      query: { ...range, order: 'worst', state: 'value', limit: WORST },
    },
  });
  return (
    <Loaded of={shown} rows={3}>
      {({ calls: worst }) =>
        worst.length === 0 ? (
          <p className="text-sm text-ink-2">No call of this range has a value.</p>
        ) : (
          <ul className="text-sm">
            {worst.map(({ call, value, quote }) => (
              <li key={call.id} className="flex flex-wrap gap-x-4 py-1">
                <span className="w-26 font-medium whitespace-nowrap tabular-nums">{valueInWords(metric, value)}</span>
                <Link
                  to="/a/$agentId/calls/$callId"
                  params={{ agentId: agent.id, callId: call.id }}
                  className="w-32 hover:underline"
                >
                  <Time at={call.startedAt} short />
                </Link>
                <span className="min-w-0 flex-1 truncate text-ink-2">{quote ? `“${quote}”` : call.objective}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

type Told = Pick<Metric, 'answer' | 'unit'>;

/** A value of one call. */
export function valueInWords({ unit }: Pick<Metric, 'unit'>, value: Value): string {
  if (value === null) return DASH;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'number' ? inUnit(value, unit) : value;
}

const amount = ({ answer, unit }: Told, value: number) => (answer === 'yes_no' ? percent(value) : inUnit(value, unit));

function inUnit(value: number, unit: string | null): string {
  const text = String(Number(value.toPrecision(4)));
  return unit === null ? text : `${text} ${unit}`;
}

function figureInWords(metric: Metric): string {
  const { value, labels } = metric.figure;
  if (value !== null) return amount(metric, value);
  const [most] = labels;
  return most ? `${most.label} ${count(most.calls)}` : DASH;
}

function standing({ on, backfill }: Metric): string {
  if (backfill !== null && backfill.state !== 'complete') {
    return backfill.state === 'failed'
      ? 'Earlier calls could not be computed'
      : `Earlier calls: ${count(backfill.done)} of ${count(backfill.total)}`;
  }
  return on ? 'On' : 'Off';
}
