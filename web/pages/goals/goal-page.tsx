import { useNavigate, useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { count, usd } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Quote } from '../../ui/quote.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { GoalProgress } from './goal-progress.tsx';

type Goal = Schemas['Goal'];
type Plan = Schemas['GoalPlan'];

/** A goal: the words, the plan of tests with its price, and what came of it. */
export function GoalPage() {
  const agent = useAgent();
  const { goalId } = useParams({ from: '/inside/a/$agentId/goals/$goalId' });
  const params = { path: { agentId: agent.id, goalId } };
  const goal = api.useQuery('get', '/v1/agents/{agentId}/goals/{goalId}', { params });
  const plan = api.useQuery('get', '/v1/agents/{agentId}/goals/{goalId}/plan', { params });
  const unless = readOnlyReason(agent) ?? (goal.data?.status === 'closed' ? 'It is closed.' : null);
  return (
    <Page
      title={goal.data?.title ?? 'Goal'}
      above={
        <BackLink to="/a/$agentId/goals" params={{ agentId: agent.id }}>
          Goals
        </BackLink>
      }
      actions={goal.data && <Actions goal={goal.data} unless={unless} />}
    >
      <Loaded of={goal} rows={2}>
        {(data) => <Quote by={<Time at={data.createdAt} />}>{data.request}</Quote>}
      </Loaded>
      <Section
        title="Plan"
        note={goal.data && (goal.data.plan.approved ? 'approved' : 'a proposal until it is approved')}
      >
        <Loaded of={plan} rows={3}>
          {(data) => (
            <>
              <PlanOf plan={data} goal={goal.data} unless={unless} />
              {data.unmatched.length > 0 && (
                <p className="mt-2 text-sm text-ink-2">
                  No test or part of the agent matches: {data.unmatched.join(', ')}.
                </p>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <GoalProgress goalId={goalId} />
    </Page>
  );
}

function PlanOf({ plan, goal, unless }: { plan: Plan; goal: Goal | undefined; unless: string | null }) {
  const agent = useAgent();
  const { tests, price } = plan;
  if (tests.length === 0) {
    return (
      <Empty title="No test fits this goal yet" action={<DraftTests plan={plan} unless={unless} />}>
        Tests can be drafted from real calls of the agent.
      </Empty>
    );
  }
  return (
    <>
      <Panel>
        <ol className="divide-y divide-line/70 text-sm">
          {tests.map(({ testId, title, reason }) => (
            <li key={testId} className="px-4 py-2">
              <TextLink to="/a/$agentId/tests/$testId" params={{ agentId: agent.id, testId }}>
                {title}
              </TextLink>
              {reason && <p className="text-ink-2">{reason}</p>}
            </li>
          ))}
        </ol>
      </Panel>
      <p className="mt-2 text-sm text-ink-2">
        {count(price.testCalls)} simulated {price.testCalls === 1 ? 'call' : 'calls'}, about{' '}
        {usd(price.cost.platformUsd + price.cost.serviceUsd)}.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {goal?.plan.approved ? <Chip tone="good">approved</Chip> : <Approve plan={plan} unless={unless} />}
        <DraftTests plan={plan} unless={unless} />
      </div>
    </>
  );
}

function Approve({ plan, unless }: { plan: Plan; unless: string | null }) {
  const agent = useAgent();
  const change = useChange();
  const approve = api.useMutation('post', '/v1/agents/{agentId}/goals/{goalId}/approve-plan');
  const params = { path: { agentId: agent.id, goalId: plan.goalId } };
  const body = { testCaseIds: plan.tests.map(({ testId }) => testId) };
  return (
    <>
      <RefusalNote error={approve.error} />
      <Button
        kind="primary"
        unless={unless}
        busy={approve.isPending}
        onClick={() => void change(approve.mutateAsync({ params, body }))}
      >
        Approve the plan
      </Button>
    </>
  );
}

function DraftTests({ plan, unless }: { plan: Plan; unless: string | null }) {
  const agent = useAgent();
  const change = useChange();
  const draft = api.useMutation('post', '/app/agents/{agentId}/goals/{goalId}/draft-tests');
  const params = { path: { agentId: agent.id, goalId: plan.goalId } };
  return (
    <>
      <RefusalNote error={draft.error} />
      <Button unless={unless} busy={draft.isPending} onClick={() => void change(draft.mutateAsync({ params }))}>
        Draft tests from calls
      </Button>
      {draft.data && <span className="text-sm text-ink-2">{count(draft.data.tests.length)} were drafted.</span>}
    </>
  );
}

function Actions({ goal, unless }: { goal: Goal; unless: string | null }) {
  const agent = useAgent();
  const change = useChange();
  const navigate = useNavigate();
  const close = api.useMutation('post', '/app/agents/{agentId}/goals/{goalId}/close');
  const start = api.useMutation('post', '/v1/agents/{agentId}/runs');
  const path = { agentId: agent.id, goalId: goal.id };
  const run = async () => {
    const body = { testIds: goal.plan.testCaseIds, goalId: goal.id };
    const started = await change(start.mutateAsync({ params: { path: { agentId: agent.id } }, body }));
    if (started) await navigate({ to: '/a/$agentId/runs/$runId', params: { agentId: agent.id, runId: started.id } });
  };
  return (
    <>
      <RefusalNote error={start.error} />
      <Confirm
        button="Close"
        kind="plain"
        unless={unless}
        title="Close this goal?"
        does="Close the goal"
        error={close.error}
        busy={close.isPending}
        onConfirm={() => change(close.mutateAsync({ params: { path }, body: {} }))}
      >
        What came of it stays readable; no further run is started for it.
      </Confirm>
      <Button
        unless={unless ?? (goal.plan.approved ? null : 'Its plan has to be approved first.')}
        busy={start.isPending}
        onClick={() => void run()}
      >
        Run its tests
      </Button>
    </>
  );
}
