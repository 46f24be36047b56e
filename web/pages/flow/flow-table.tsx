import { Fragment } from 'react';
import { Rate } from '../../charts/rate.tsx';
import type { Schemas } from '../../client/api.ts';
import { count, DASH, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';

type Flow = Schemas['Flow'];
type Step = Flow['steps'][number];

/** The same figures as the map, and those of another version beside them. */
export function FlowTable({ flow, against }: { flow: Flow; against: Flow | undefined }) {
  const agent = useAgent();
  return (
    <Table label="Flow">
      <thead>
        <tr>
          <HeadCell>Step</HeadCell>
          <HeadCell figure>Calls</HeadCell>
          <HeadCell>Ended badly here</HeadCell>
          {against && <HeadCell>On version {against.version}</HeadCell>}
          <HeadCell figure>Came back</HeadCell>
          <HeadCell>Goes on to</HeadCell>
        </tr>
      </thead>
      <tbody>
        {flow.steps.map((step) => (
          <tr key={step.id} className="hover:bg-sunken/60">
            <Cell>
              <TextLink
                to="/a/$agentId/calls"
                params={{ agentId: agent.id }}
                search={{ version: flow.version, step: step.id }}
              >
                {step.label}
              </TextLink>{' '}
              <span className="text-xs text-ink-2">{words(step.kind).toLowerCase()}</span>
            </Cell>
            <Cell figure>{count(step.calls)}</Cell>
            <Cell>
              <Drops step={step} />
            </Cell>
            {against && (
              <Cell>
                <Before step={against.steps.find(({ id }) => id === step.id)} />
              </Cell>
            )}
            <Cell figure>{count(step.loops)}</Cell>
            <Cell wide className="text-ink-2">
              <Next flow={flow} stepId={step.id} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Drops({ step }: { step: Step }) {
  const agent = useAgent();
  const rate = <Rate k={step.drops} n={step.calls} />;
  if (step.issueId === null) return rate;
  return (
    <TextLink to="/a/$agentId/issues/$issueId" params={{ agentId: agent.id, issueId: step.issueId }}>
      {rate}
    </TextLink>
  );
}

function Before({ step }: { step: Step | undefined }) {
  return step ? <Rate k={step.drops} n={step.calls} /> : DASH;
}

const NEXT_SHOWN = 4;

/** The calls that went on from a step, by where they went. */
function Next({ flow: { version, steps, transitions }, stepId }: { flow: Flow; stepId: string }) {
  const agent = useAgent();
  const most = transitions
    .filter(({ from, to }) => from === stepId && to !== stepId)
    .toSorted((a, b) => b.calls - a.calls)
    .slice(0, NEXT_SHOWN);
  return most.map(({ to, calls }, at) => (
    <Fragment key={to}>
      {at > 0 && ', '}
      <TextLink
        to="/a/$agentId/calls"
        params={{ agentId: agent.id }}
        search={{ version, step: stepId, nextStep: to }}
        className="underline"
      >
        {steps.find(({ id }) => id === to)?.label ?? to} ({count(calls)})
      </TextLink>
    </Fragment>
  ));
}
