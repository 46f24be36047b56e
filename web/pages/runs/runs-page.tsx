import { Link } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { count, DASH, percent, usd, words, ZONE } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { RunStatus } from './run-status.tsx';
import { StartRun } from './start-run.tsx';

type Run = Schemas['Run'];

export function RunsPage() {
  const agent = useAgent();
  const runs = api.useQuery('get', '/v1/agents/{agentId}/runs', {
    params: { path: { agentId: agent.id }, query: { limit: 100 } },
  });
  return (
    <Page
      title="Runs"
      below="Simulated calls against a version of the agent, newest first."
      actions={<StartRun unless={readOnlyReason(agent)} />}
    >
      <Loaded of={runs}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No runs yet">A run plays tests against a version and says which criteria were met.</Empty>
          ) : (
            <RunTable runs={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function RunTable({ runs }: { runs: Run[] }) {
  return (
    <Table label="Runs">
      <thead>
        <tr>
          <HeadCell>Started ({ZONE})</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell figure>Version</HeadCell>
          <HeadCell>Trigger</HeadCell>
          <HeadCell>Progress</HeadCell>
          <HeadCell>Passed</HeadCell>
          <HeadCell figure>Spent</HeadCell>
          <HeadCell>Where it stands</HeadCell>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </tbody>
    </Table>
  );
}

function RunRow({ run }: { run: Run }) {
  const agent = useAgent();
  const { id, status, createdAt, version, trigger, kind, progress, summary, cost, message } = run;
  return (
    <tr className="hover:bg-sunken/60">
      <Cell>
        <Link
          to="/a/$agentId/runs/$runId"
          params={{ agentId: agent.id, runId: id }}
          className="text-accent hover:underline"
        >
          <Time at={createdAt} short />
        </Link>
      </Cell>
      <Cell>
        <RunStatus status={status} />
      </Cell>
      <Cell figure>{version}</Cell>
      <Cell>
        {trigger ? words(trigger) : DASH}
        {kind === 'calibration' && <span className="text-ink-2"> calibration</span>}
      </Cell>
      <Cell className="whitespace-nowrap">
        {count(progress.completed)} of {count(progress.total)}
      </Cell>
      <Cell className="whitespace-nowrap">
        {summary === null || summary.passRate === null
          ? DASH
          : `${percent(summary.passRate)} of ${count(summary.scored)}`}
      </Cell>
      <Cell figure>{usd(cost.platformUsd + cost.serviceUsd)}</Cell>
      <Cell wide className="max-w-96 text-ink-2">
        {message}
      </Cell>
    </tr>
  );
}
