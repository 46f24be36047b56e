import { Link } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { count, DASH, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { StartRun } from '../runs/start-run.tsx';
import { Calibrate } from './calibrate.tsx';
import { Generate } from './generate.tsx';
import { LastResult } from './last-result.tsx';
import { Packs } from './packs.tsx';

type Test = Schemas['Test'];

export function TestsPage() {
  const agent = useAgent();
  const tests = api.useQuery('get', '/v1/agents/{agentId}/tests', {
    params: { path: { agentId: agent.id }, query: { limit: 100 } },
  });
  return (
    <Page
      title="Tests"
      below="Simulated calls: a caller, what the tools answer, and what must hold."
      actions={
        <>
          <Generate unless={readOnlyReason(agent)} />
          <Calibrate unless={readOnlyReason(agent)} />
          <ButtonLink to="/a/$agentId/tests/new" params={{ agentId: agent.id }}>
            New test
          </ButtonLink>
          <StartRun unless={readOnlyReason(agent)} />
        </>
      }
    >
      <Loaded of={tests}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No tests yet">
              Open a call that shows something worth keeping, and press “Make a test”: its caller, facts and tool
              answers become the test. Or generate some from the issues that are open.
            </Empty>
          ) : (
            <TestTable tests={data} />
          )
        }
      </Loaded>
      <Packs />
    </Page>
  );
}

function TestTable({ tests }: { tests: Test[] }) {
  return (
    <Table label="Tests">
      <thead>
        <tr>
          <HeadCell>Test</HeadCell>
          <HeadCell>Last result</HeadCell>
          <HeadCell>From</HeadCell>
          <HeadCell>Lane</HeadCell>
          <HeadCell>Expects</HeadCell>
          <HeadCell>Criteria</HeadCell>
          <HeadCell>Gates</HeadCell>
        </tr>
      </thead>
      <tbody>
        {tests.map((test) => (
          <TestRow key={test.id} test={test} />
        ))}
      </tbody>
    </Table>
  );
}

function TestRow({ test }: { test: Test }) {
  const agent = useAgent();
  const { id, title, source, lane, expect, guard, gates, gateReason, spec } = test;
  const byCode = spec.criteria.filter(({ check }) => check !== null).length;
  return (
    <tr className="hover:bg-sunken/60">
      <Cell>
        <Link
          to="/a/$agentId/tests/$testId"
          params={{ agentId: agent.id, testId: id }}
          className="font-medium hover:underline"
        >
          {title}
        </Link>
      </Cell>
      <Cell>
        <LastResult test={test} />
      </Cell>
      <Cell>{words(source)}</Cell>
      <Cell>{lane ? words(lane) : DASH}</Cell>
      <Cell className="whitespace-nowrap">
        {expect === 'fail' ? 'to fail' : 'to pass'} {guard && <Chip>guard</Chip>}
      </Cell>
      <Cell className="whitespace-nowrap text-ink-2">{decidersInWords(byCode, spec.criteria.length - byCode)}</Cell>
      <Cell wide>
        {gates ? <Chip tone="accent">gates</Chip> : <span className="text-ink-2">{gateReason ?? 'no'}</span>}
      </Cell>
    </tr>
  );
}

/** How many criteria are decided by what, without those that decide none. */
function decidersInWords(byCode: number, byJudge: number): string {
  const parts = [byCode > 0 && `${count(byCode)} by code`, byJudge > 0 && `${count(byJudge)} by the judge`];
  return parts.filter(Boolean).join(', ') || DASH;
}
