import { Link } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { Rate } from '../../charts/rate.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ConclusionChip } from '../comparison/verdict-chip.tsx';

type Version = Schemas['Version'];
type Comparison = Schemas['Comparison'];

export function VersionsPage() {
  const agent = useAgent();
  const params = { path: { agentId: agent.id }, query: { limit: 100 } };
  const versions = api.useQuery('get', '/v1/agents/{agentId}/versions', { params });
  const comparisons = api.useQuery('get', '/v1/agents/{agentId}/comparisons', { params });
  return (
    <Page title="Versions" below="Each configuration of the agent, newest first, with its results.">
      <Loaded of={versions}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No versions yet">One appears with the first call, or the first captured configuration.</Empty>
          ) : (
            <VersionTable versions={data} comparisons={comparisons.data?.data ?? []} />
          )
        }
      </Loaded>
    </Page>
  );
}

function VersionTable({ versions, comparisons }: { versions: Version[]; comparisons: Comparison[] }) {
  return (
    <Table label="Versions">
      <thead>
        <tr>
          <HeadCell>Version</HeadCell>
          <HeadCell>Seen first</HeadCell>
          <HeadCell figure>Calls</HeadCell>
          <HeadCell>Got it done</HeadCell>
          <HeadCell>Handed off</HeadCell>
          <HeadCell>Configuration</HeadCell>
          <HeadCell>vs. previous</HeadCell>
        </tr>
      </thead>
      <tbody>
        {versions.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            comparison={comparisons.find(({ toVersion }) => toVersion === version.version)}
          />
        ))}
      </tbody>
    </Table>
  );
}

function VersionRow({ version, comparison }: { version: Version; comparison: Comparison | undefined }) {
  const agent = useAgent();
  const { version: number, isCurrent, detectedAt, calls, gotItDone, handedOff, configHash } = version;
  return (
    <tr className="hover:bg-sunken/60">
      <Cell className="whitespace-nowrap">
        <span className="font-medium">Version {number}</span> {isCurrent && <Chip tone="accent">live</Chip>}
      </Cell>
      <Cell>
        <Time at={detectedAt} short />
      </Cell>
      <Cell figure>
        <Link
          to="/a/$agentId/calls"
          params={{ agentId: agent.id }}
          search={{ version: number }}
          className="text-accent hover:underline"
        >
          {count(calls)}
        </Link>
      </Cell>
      <Cell>
        <Rate k={callsOf(gotItDone)} n={gotItDone.n} />
      </Cell>
      <Cell>
        <Rate k={callsOf(handedOff)} n={handedOff.n} />
      </Cell>
      <Cell className="whitespace-nowrap text-ink-2">
        {configHash ? (
          <code className="font-mono text-xs" title={configHash}>
            {configHash.slice(7, 17)}
          </code>
        ) : (
          'No configuration captured'
        )}
      </Cell>
      <Cell>
        {comparison && (
          <Link
            to="/a/$agentId/compare/$comparisonId"
            params={{ agentId: agent.id, comparisonId: comparison.id }}
            className="inline-flex items-center gap-2 whitespace-nowrap text-accent hover:underline"
          >
            <ArrowLeftRight size={14} aria-hidden />
            {comparison.fromVersion} → {comparison.toVersion}
            <ConclusionChip result={comparison.result} />
          </Link>
        )}
      </Cell>
    </tr>
  );
}

/** The count that a rate was made of. */
const callsOf = ({ value, n }: Version['gotItDone']) => Math.round((value ?? 0) * n);
