import { Link, useParams, useSearch } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { count, usd, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { Figures } from '../../ui/figures.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { RunStatus } from '../runs/run-status.tsx';
import { Cells } from './cells.tsx';
import { CompareWith } from './compare-with.tsx';
import { Download } from './download.tsx';
import { RunActs } from './run-acts.tsx';

type Run = Schemas['Run'];
type Result = Schemas['RunResult'];

const ENDED: readonly Run['status'][] = ['complete', 'refused', 'failed'];
const GOING_ON: readonly Run['status'][] = ['queued', 'running'];

export function RunPage() {
  const agent = useAgent();
  const { runId } = useParams({ from: '/inside/a/$agentId/runs/$runId' });
  const path = { agentId: agent.id, runId };
  const run = api.useQuery('get', '/v1/agents/{agentId}/runs/{runId}', { params: { path } });
  const above = (
    <Link to="/a/$agentId/runs" params={{ agentId: agent.id }} className="hover:text-ink hover:underline">
      ← Runs
    </Link>
  );
  if (!run.data) {
    return (
      <Page title="Run" above={above}>
        {run.error ? <ProblemNote error={run.error} onRetry={() => void run.refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  return (
    <Page
      title={`${words(run.data.kind)} of version ${run.data.version}`}
      above={above}
      below={<Head run={run.data} />}
      actions={<Actions run={run.data} />}
    >
      <Progress run={run.data} />
      {ENDED.includes(run.data.status) && <ResultOf path={path} />}
    </Page>
  );
}

function Head({ run }: { run: Run }) {
  return (
    <>
      <RunStatus status={run.status} />{' '}
      <Dotted>
        <Time at={run.createdAt} />
        {run.status !== 'awaiting_approval' && `${usd(run.cost.platformUsd + run.cost.serviceUsd)} spent`}
        {run.message}
      </Dotted>
    </>
  );
}

function Actions({ run }: { run: Run }) {
  const agent = useAgent();
  if (run.status === 'awaiting_approval') {
    return (
      <Link
        to="/a/$agentId/runs/$runId/approve"
        params={{ agentId: agent.id, runId: run.id }}
        className={buttonLook('primary')}
      >
        Decide
      </Link>
    );
  }
  if (GOING_ON.includes(run.status)) return <RunActs run={run} unless={readOnlyReason(agent)} />;
  return <Download agentId={agent.id} runId={run.id} />;
}

/** How far it is, while it goes on; the event stream moves it. */
function Progress({ run }: { run: Run }) {
  const { completed, total } = run.progress;
  if (!GOING_ON.includes(run.status)) return null;
  const text = `${count(completed)} of ${count(total)} cells played`;
  return (
    <Panel className="p-5">
      <label className="text-sm font-medium" htmlFor="progress">
        {text}
      </label>
      <progress
        id="progress"
        value={completed}
        max={total}
        aria-valuetext={text}
        className="mt-2 block h-2 w-full max-w-md accent-accent"
      />
      <p className="mt-2 text-sm text-ink-2">{run.message ?? 'It goes on by itself; this page follows.'}</p>
    </Panel>
  );
}

function ResultOf({ path }: { path: { agentId: string; runId: string } }) {
  const query = useSearch({ from: '/inside/a/$agentId/runs/$runId' });
  const result = api.useQuery('get', '/v1/agents/{agentId}/runs/{runId}/result', { params: { path, query } });
  return <Loaded of={result}>{(document) => <Document result={document} path={path} />}</Loaded>;
}

interface DocumentProps {
  result: Result;
  path: { agentId: string; runId: string };
}

function Document({ result, path }: DocumentProps) {
  return (
    <>
      <Summary result={result} />
      <CompareWith {...path} />
      <Cells cells={result.cells} />
      <Epoch result={result} />
    </>
  );
}

const COUNTS = [
  ['newlyBroken', 'Newly broken'],
  ['fixed', 'Fixed'],
  ['passed', 'Passed'],
  ['failed', 'Failed'],
  ['flaky', 'Flaky'],
  ['error', 'Error'],
  ['drift', 'Drift'],
  ['notRun', 'Not run'],
] as const;

function Summary({ result }: { result: Result }) {
  const { summary, comparedTo } = result;
  return (
    <>
      <Figures
        figures={COUNTS.map(([name, label]) => [label, summary[name]] as const)}
        columns="grid-cols-2 @page-sm:grid-cols-4 @page-lg:grid-cols-8"
      />
      <p className="mt-2 text-sm text-ink-2">
        {count(summary.cells)} cells, {count(summary.gating)} of them gate.{' '}
        {comparedTo
          ? `Compared with earlier results, the newest of version ${comparedTo.version}.`
          : 'There is no earlier run to compare with.'}
      </p>
    </>
  );
}

/** What scored it: results of different epochs are not compared. */
function Epoch({ result }: { result: Result }) {
  const { simulatorModel, judgeModel, judgePromptHash, scorerVersion } = result.epoch;
  return (
    <p className="mt-6 text-xs break-all text-ink-2">
      Caller: {simulatorModel}. Judge: {judgeModel}, prompt {judgePromptHash}. Scorer {scorerVersion}. The same
      document: <code className="font-mono">{`GET /v1/agents/${result.agentId}/runs/${result.batchId}/result`}</code>
    </p>
  );
}
