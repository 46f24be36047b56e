import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sendsCalls } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { agentsQuery } from '../../frame/last-agent.ts';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

type Agent = Schemas['Agent'];

/** What goes on only when a person answers, over all agents of the workspace. */
export function WaitingPage() {
  const agents = useQuery(agentsQuery());
  return (
    <Page
      title="Waiting for you"
      below="Runs and plans to approve, watches to label, briefs to read, and imports that are stuck."
    >
      <Loaded of={agents}>
        {({ data }) => {
          const own = data.filter(({ readOnly }) => !readOnly);
          if (own.length === 0) return <NoAgentsOfYourOwn />;
          return (
            <div className="flex flex-col gap-8">
              {own.map((agent) => (
                <WaitingOf key={agent.id} agent={agent} />
              ))}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function NoAgentsOfYourOwn() {
  return (
    <Empty
      title="No agents of your own yet"
      action={
        <TextLink to="/agents" className="underline">
          Go to the agents
        </TextLink>
      }
    >
      What waits for a person stands here once there is one.
    </Empty>
  );
}

const AT_MOST = 100;

function WaitingOf({ agent }: { agent: Agent }) {
  const path = { agentId: agent.id };
  const runs = api.useQuery('get', '/v1/agents/{agentId}/runs', {
    params: { path, query: { status: 'awaiting_approval', limit: AT_MOST } },
  });
  const watches = api.useQuery('get', '/v1/agents/{agentId}/watches', {
    params: { path, query: { state: 'review', limit: AT_MOST } },
  });
  // Kept in pages, as the list of goals keeps it.
  const goals = api.useInfiniteQuery(
    'get',
    '/v1/agents/{agentId}/goals',
    { params: { path, query: { limit: AT_MOST } } },
    byCursor,
  );
  const plans = goals.data?.pages.flatMap(({ data }) => data.filter(hasPlanToApprove));
  const imports = api.useQuery('get', '/app/agents/{agentId}/imports', { params: { path, query: { limit: AT_MOST } } });
  const isSent = sendsCalls(agent.provider);
  const isPending = agent.setupStatus === 'pending' && (!isSent || agent.counts.calls > 0);
  const nothing = !isPending && isNothing(runs.data, watches.data, plans, imports.data);
  return (
    <div className={nothing ? 'order-last' : ''}>
      <Section title={agent.name}>
        <Panel className="divide-y divide-line/70">
          {isPending && (
            <BriefToRead agentId={agent.id}>
              {isSent ? 'Drafted from its text and its calls.' : 'Calls are imported once it is approved.'}
            </BriefToRead>
          )}
          <Loaded of={runs} rows={1}>
            {({ data }) => data.map((run) => <RunToApprove key={run.id} run={run} agentId={agent.id} />)}
          </Loaded>
          <Loaded of={watches} rows={1}>
            {({ data }) => data.map((watch) => <WatchToLabel key={watch.id} watch={watch} agentId={agent.id} />)}
          </Loaded>
          <Loaded of={{ data: plans, error: goals.error, refetch: goals.refetch }} rows={1}>
            {(shown) => shown.map((goal) => <PlanToApprove key={goal.id} goal={goal} />)}
          </Loaded>
          <Loaded of={imports} rows={1}>
            {({ data }) => data.filter(isStuck).map((stuck) => <StuckImport key={stuck.id} stuck={stuck} />)}
          </Loaded>
          {nothing && <p className="px-4 py-3 text-ink-2">Nothing waits for you here.</p>}
        </Panel>
      </Section>
    </div>
  );
}

const hasPlanToApprove = ({ status, plan }: Schemas['Goal']) =>
  status === 'open' && !plan.approved && plan.testCaseIds.length > 0;

const isStuck = ({ status, waitsFor }: Schemas['Import']) =>
  status === 'paused' || (waitsFor !== null && (status === 'running' || status === 'queued'));

interface List<T> {
  data: T[];
}

function isNothing(
  runs: List<unknown> | undefined,
  watches: List<unknown> | undefined,
  plans: unknown[] | undefined,
  imports: List<Schemas['Import']> | undefined,
): boolean {
  const lists = [runs?.data, watches?.data, plans, imports?.data.filter(isStuck)];
  return lists.every((list) => list?.length === 0);
}

interface ItemProps {
  what: string;
  children: ReactNode;
  link: ReactNode;
  at: string | null;
}

function Item({ what, children, link, at }: ItemProps) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3">
      <span className="w-36 text-sm text-ink-2">{what}</span>
      <span className="min-w-0 flex-1 basis-72 break-words">{children}</span>
      {at && (
        <span className="text-sm text-ink-2">
          <Time at={at} short />
        </span>
      )}
      {link}
    </div>
  );
}

function BriefToRead({ agentId, children }: { agentId: string; children: string }) {
  const link = (
    <TextLink to="/a/$agentId/brief" params={{ agentId }}>
      Read the brief
    </TextLink>
  );
  return (
    <Item what="Brief to approve" at={null} link={link}>
      {children}
    </Item>
  );
}

function RunToApprove({ run, agentId }: { run: Schemas['Run']; agentId: string }) {
  const link = (
    <TextLink to="/a/$agentId/runs/$runId/approve" params={{ agentId, runId: run.id }}>
      Decide
    </TextLink>
  );
  return (
    <Item what="Run to approve" at={run.createdAt} link={link}>
      {run.message ?? `Of version ${run.version}`}
    </Item>
  );
}

function WatchToLabel({ watch, agentId }: { watch: Schemas['Watch']; agentId: string }) {
  const link = (
    <TextLink to="/a/$agentId/watches/$watchId" params={{ agentId, watchId: watch.id }}>
      {watch.goLiveBlock === null ? 'Turn it on' : 'Label its samples'}
    </TextLink>
  );
  return (
    <Item what="Watch to review" at={watch.updatedAt} link={link}>
      {watch.name}
    </Item>
  );
}

function PlanToApprove({ goal }: { goal: Schemas['Goal'] }) {
  const link = (
    <TextLink to="/a/$agentId/goals/$goalId" params={{ agentId: goal.agentId, goalId: goal.id }}>
      Read the plan
    </TextLink>
  );
  return (
    <Item what="Plan to approve" at={goal.updatedAt} link={link}>
      {goal.title}
    </Item>
  );
}

function StuckImport({ stuck }: { stuck: Schemas['Import'] }) {
  const link = (
    <TextLink to="/a/$agentId/imports/$importId" params={{ agentId: stuck.agentId, importId: stuck.id }}>
      Open the import
    </TextLink>
  );
  return (
    <Item what="Stuck import" at={stuck.updatedAt} link={link}>
      {stuck.waitsFor ?? 'It is paused.'}
    </Item>
  );
}
