import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { useChange } from '../../client/use-change.ts';
import { count, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { NameLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export function GoalsPage() {
  const agent = useAgent();
  const [making, setMaking] = useState(false);
  const goals = api.useInfiniteQuery(
    'get',
    '/v1/agents/{agentId}/goals',
    { params: { path: { agentId: agent.id }, query: { limit: 100 } } },
    byCursor,
  );
  const rows = goals.data?.pages.flatMap(({ data }) => data);
  return (
    <Page
      title="Goals"
      below="What people want of the agent, in their own words, and the tests that show whether it is reached."
      actions={
        <Button kind="primary" unless={readOnlyReason(agent)} onClick={() => setMaking(true)}>
          New goal
        </Button>
      }
    >
      <Loaded of={{ data: rows, error: goals.error, refetch: goals.refetch }}>
        {(loaded) =>
          loaded.length === 0 ? (
            <Empty title="No goals yet">
              Say what you want: “callers who ask for a person reach one”. Tests that fit are proposed as its plan.
            </Empty>
          ) : (
            <GoalTable goals={loaded} />
          )
        }
      </Loaded>
      <More of={goals} />
      {making && <NewGoal onClose={() => setMaking(false)} />}
    </Page>
  );
}

function GoalTable({ goals }: { goals: Schemas['Goal'][] }) {
  const agent = useAgent();
  return (
    <Table label="Goals">
      <thead>
        <tr>
          <HeadCell>Goal</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell>Plan</HeadCell>
          <HeadCell figure>Tests</HeadCell>
          <HeadCell>Since</HeadCell>
        </tr>
      </thead>
      <tbody>
        {goals.map(({ id, title, status, plan, createdAt }) => (
          <tr key={id} className="hover:bg-sunken/60">
            <Cell>
              <NameLink to="/a/$agentId/goals/$goalId" params={{ agentId: agent.id, goalId: id }}>
                {title}
              </NameLink>
            </Cell>
            <Cell>{words(status)}</Cell>
            <Cell>{plan.approved ? <Chip tone="good">Approved</Chip> : <Chip tone="caution">To approve</Chip>}</Cell>
            <Cell figure>{count(plan.testCaseIds.length)}</Cell>
            <Cell>
              <Time at={createdAt} short />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function NewGoal({ onClose }: { onClose: () => void }) {
  const agent = useAgent();
  const navigate = useNavigate();
  const change = useChange();
  const make = api.useMutation('post', '/app/agents/{agentId}/goals');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { title: String(form.get('title')), request: String(form.get('request')) };
    const made = await change(make.mutateAsync({ params: { path: { agentId: agent.id } }, body }));
    if (made) await navigate({ to: '/a/$agentId/goals/$goalId', params: { agentId: agent.id, goalId: made.id } });
  };
  return (
    <Dialog title="New goal" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Title" name="title" required maxLength={200} />
        <TextArea label="What you want" name="request" required maxLength={4000} hint="In your own words." />
        <RefusalNote error={make.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={make.isPending}>
            Make the goal
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
