import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { APPROVES_FROM } from '../../../src/domain/access/roles.ts';
import { useRoleRefusal } from '../../client/admin-only.ts';
import { api, type Schemas } from '../../client/api.ts';
import { count, number, usd, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { RunStatus } from '../runs/run-status.tsx';

type Run = Schemas['Run'];

/** What would be played, what it costs, and the three answers that a person can give. */
export function ApprovalPage() {
  const agent = useAgent();
  const { runId } = useParams({ from: '/inside/a/$agentId/runs/$runId/approve' });
  const path = { agentId: agent.id, runId };
  const run = api.useQuery('get', '/v1/agents/{agentId}/runs/{runId}', { params: { path } });
  return (
    <Page
      title="Decide about a run"
      above={
        <Link to="/a/$agentId/runs/$runId" params={path} className="hover:text-ink hover:underline">
          ← Run
        </Link>
      }
    >
      <Loaded of={run}>
        {(shown) => (shown.status === 'awaiting_approval' ? <Decision run={shown} /> : <Decided run={shown} />)}
      </Loaded>
    </Page>
  );
}

function Decided({ run }: { run: Run }) {
  return (
    <Empty title="There is nothing to decide any more">
      <span className="flex flex-wrap items-center gap-2">
        <RunStatus status={run.status} /> {run.message}
      </span>
    </Empty>
  );
}

function Decision({ run }: { run: Run }) {
  const { version, trigger, cells, message, createdAt } = run;
  const left = cells.requested - cells.runnable;
  return (
    <>
      <Panel className="max-w-3xl p-5">
        <p className="max-w-[72ch] font-medium">{message}</p>
        <dl className="mt-4 grid gap-y-2 text-sm @page-sm:grid-cols-[11rem_minmax(0,1fr)] @max-page-sm:[&>dd]:mb-2">
          <dt className="text-ink-2">What started it</dt>
          <dd>
            {trigger === 'auto' ? `Version ${version} went live` : words(trigger ?? 'manual')}, <Time at={createdAt} />
          </dd>
          <dt className="text-ink-2">What would be played</dt>
          <dd>
            {count(cells.requested)} cells of {count(run.testIds.length)} tests on version {version}; a cell is one test
            played by one caller
          </dd>
          <dt className="text-ink-2">What the budget covers</dt>
          <dd>{left === 0 ? 'all of it' : `${count(cells.runnable)} cells; ${count(left)} would not run`}</dd>
          <Budget run={run} />
          <dt className="text-ink-2">If you refuse</dt>
          <dd>Version {version} stays untested by these tests. Without an answer it is refused after 7 days.</dd>
        </dl>
      </Panel>
      <Answers run={run} />
    </>
  );
}

/** The budget of the agent, within which the run would be played. */
function Budget({ run }: { run: Run }) {
  const agent = useAgent();
  const settings = api.useQuery('get', '/app/agents/{agentId}/settings', { params: { path: { agentId: agent.id } } });
  if (!settings.data) return null;
  const { testBudgetUsd, simulatedCallUsd } = settings.data;
  return (
    <>
      <dt className="text-ink-2">Budget of the agent</dt>
      <dd>{testBudgetUsd === null ? 'unlimited' : `${usd(testBudgetUsd)} a month`}</dd>
      {simulatedCallUsd !== null && (
        <>
          <dt className="text-ink-2">Price</dt>
          <dd>
            {usd(run.cells.requested * simulatedCallUsd)} and more: {number(simulatedCallUsd)} USD a simulated call,
            played up to twice
          </dd>
        </>
      )}
    </>
  );
}

function Answers({ run }: { run: Run }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const approve = api.useMutation('post', '/app/agents/{agentId}/runs/{runId}/approve');
  const refuse = api.useMutation('post', '/app/agents/{agentId}/runs/{runId}/refuse');
  const path = { agentId: agent.id, runId: run.id };
  const params = { path };
  const then = async (answering: Promise<unknown>) => {
    const answered = await answering.then(() => true).catch(() => false);
    if (answered) await navigate({ to: '/a/$agentId/runs/$runId', params: path });
    await queries.invalidateQueries();
  };
  const off = readOnlyReason(agent);
  const mayNotApprove = useRoleRefusal(APPROVES_FROM);
  const busy = approve.isPending || refuse.isPending;
  const coversNone = run.cells.runnable === 0 ? 'The budget covers no cell.' : null;
  return (
    <Section title="Your answer">
      <div className="max-w-3xl space-y-4">
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            busy={busy}
            unless={off ?? mayNotApprove}
            onClick={() => void then(approve.mutateAsync({ params, body: { mode: 'all' } }))}
          >
            Approve all {count(run.cells.requested)} cells
          </Button>
          <Button
            busy={busy}
            unless={off ?? mayNotApprove ?? coversNone}
            onClick={() => void then(approve.mutateAsync({ params, body: { mode: 'covered' } }))}
          >
            Approve the {count(run.cells.runnable)} that the budget covers
          </Button>
        </div>
        <TextArea
          label="Reason for refusing"
          hint="Shown in the message of the run."
          maxLength={300}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button
          kind="danger"
          busy={busy}
          unless={off}
          onClick={() =>
            void then(refuse.mutateAsync({ params, body: reason.trim() === '' ? {} : { reason: reason.trim() } }))
          }
        >
          Refuse
        </Button>
        <RefusalNote error={approve.error ?? refuse.error} />
      </div>
    </Section>
  );
}
