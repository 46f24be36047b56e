import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { BeforeAfter } from '../../charts/before-after.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { calls, count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { figure, pointsInWords } from '../metrics/figure.ts';
import { Changes } from './changes.tsx';
import { IssueMoves } from './issue-moves.tsx';
import { ConclusionChip, VerdictChip } from './verdict-chip.tsx';

type Comparison = Schemas['Comparison'];
type Metric = Schemas['ComparisonMetric'];

export function ComparisonPage() {
  const agent = useAgent();
  const { comparisonId } = useParams({ from: '/inside/a/$agentId/compare/$comparisonId' });
  const comparison = api.useQuery('get', '/v1/agents/{agentId}/comparisons/{comparisonId}', {
    params: { path: { agentId: agent.id, comparisonId } },
  });
  const above = (
    <Link to="/a/$agentId/versions" params={{ agentId: agent.id }} className="hover:text-ink hover:underline">
      ← Versions
    </Link>
  );
  if (!comparison.data) {
    return (
      <Page title="Comparison" above={above}>
        {comparison.error ? (
          <ProblemNote error={comparison.error} onRetry={() => void comparison.refetch()} />
        ) : (
          <Skeleton />
        )}
      </Page>
    );
  }
  const { fromVersion, toVersion } = comparison.data;
  return (
    <Page title={`Version ${fromVersion} against version ${toVersion}`} above={above}>
      <ShownComparison comparison={comparison.data} />
    </Page>
  );
}

function ShownComparison({ comparison }: { comparison: Comparison }) {
  const { result, fromVersion, toVersion, changes, configCaptured } = comparison;
  /** The changed place that the reader points at: its issues light up. */
  const [place, setPlace] = useState<string | null>(null);
  return (
    <>
      <Panel className="p-5">
        <div className="flex flex-wrap items-center gap-3">
          <ConclusionChip result={result} />
          <span className="text-sm text-ink-2">
            {calls(result.callsBefore)} on version {fromVersion}, {count(result.callsAfter)} on version {toVersion}
            {result.isRandomized && ', split at random by the platform'}
          </span>
        </div>
        <div className="mt-2 max-w-[76ch] space-y-2">
          {result.narrative.split('\n').map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <details className="mt-2 max-w-[80ch] text-xs text-ink-2">
          <summary className="min-h-6">How this is decided</summary>
          <p>{result.rule}</p>
        </details>
      </Panel>
      <Section title="Figures" note={<Legend from={fromVersion} to={toVersion} />}>
        <MetricTable comparison={comparison} />
      </Section>
      <div className="mt-8 grid gap-x-8 gap-y-8 @page-xl:grid-cols-2">
        <div className="min-w-0">
          <IssueMoves moves={result.issueMoves} place={place} />
        </div>
        <div className="min-w-0">
          <Changes changes={changes} captured={configCaptured} onPoint={setPlace} />
        </div>
      </div>
    </>
  );
}

function Legend({ from, to }: { from: number; to: number }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-block size-2.5 rounded-full border-[1.5px] border-ink-2" /> version {from}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-block size-2.5 rounded-full bg-accent" /> version {to}
      </span>
    </span>
  );
}

function MetricTable({ comparison }: { comparison: Comparison }) {
  const { result, fromVersion, toVersion } = comparison;
  return (
    <Table label="Figures before and after">
      <thead>
        <tr>
          <HeadCell>Figure</HeadCell>
          <HeadCell figure>Version {fromVersion}</HeadCell>
          <HeadCell figure>Version {toVersion}</HeadCell>
          <HeadCell>0 to 100 %</HeadCell>
          <HeadCell figure>Difference</HeadCell>
          <HeadCell>Verdict</HeadCell>
          <HeadCell>Minimum difference</HeadCell>
        </tr>
      </thead>
      <tbody>
        {result.metrics.map((metric) => (
          <tr key={metric.metric} className="hover:bg-sunken/60">
            <Cell>{metric.label}</Cell>
            <SideCell metric={metric} side={metric.before} />
            <SideCell metric={metric} side={metric.after} />
            <Cell>
              {metric.unit === 'share' && (
                <BeforeAfter before={metric.before} after={metric.after} label={metric.label} />
              )}
            </Cell>
            <Cell figure className="whitespace-nowrap">
              {deltaInWords(metric)}
            </Cell>
            <Cell>
              <VerdictChip verdict={metric.verdict} direction={metric.direction} />
            </Cell>
            <Cell className="whitespace-nowrap text-ink-2">{metric.minimum}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function SideCell({ metric, side }: { metric: Metric; side: Metric['before'] }) {
  return (
    <Cell figure className="whitespace-nowrap">
      {figure(side.value, metric.unit)} <span className="text-xs text-ink-2">of {count(side.n)}</span>
    </Cell>
  );
}

function deltaInWords({ delta, unit }: Metric): string {
  if (delta === null) return '–';
  if (unit === 'share') return pointsInWords(delta);
  if (Math.round(delta) === 0) return 'no change';
  return `${delta > 0 ? '+' : '−'}${figure(Math.abs(delta), unit)}`;
}
