import { useId } from 'react';
import { Rate } from '../../charts/rate.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { calls, count, percent, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Warnings } from '../../ui/warnings.tsx';

type Coverage = Schemas['Coverage'];
type Signal = Coverage['signals'][number];

export function CoveragePage() {
  const agent = useAgent();
  const coverage = api.useQuery('get', '/v1/agents/{agentId}/coverage', { params: { path: { agentId: agent.id } } });
  return (
    <Page
      title="Coverage"
      below="On how many calls each signal could be computed, what would enable it on the others, and what is tested."
    >
      <Loaded of={coverage} rows={10}>
        {({ signals, tests, warnings }) => (
          <>
            <Tested tests={tests} />
            {warnings.length > 0 && <Warnings warnings={warnings} note="of the newest 1,000 at most" />}
            <Section title="Signals" note="those that could be computed on the fewest calls first">
              <SignalTable signals={signals.toSorted((a, b) => shareOf(a) - shareOf(b))} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const shareOf = ({ computable, calls: all }: Signal) => (all === 0 ? 0 : computable / all);

function SignalTable({ signals }: { signals: Signal[] }) {
  return (
    <Table label="Signals">
      <thead>
        <tr>
          <HeadCell>Signal</HeadCell>
          <HeadCell>Could be computed</HeadCell>
          <HeadCell>Why not on the others</HeadCell>
          <HeadCell>Labelled right</HeadCell>
        </tr>
      </thead>
      <tbody>
        {signals.map((signal) => (
          <SignalRow key={signal.code} signal={signal} />
        ))}
      </tbody>
    </Table>
  );
}

function SignalRow({ signal }: { signal: Signal }) {
  const agent = useAgent();
  const { code, title, computable, calls: all, notComputable, precision, model } = signal;
  return (
    <tr className="align-top hover:bg-sunken/60">
      <Cell>
        <TextLink to="/a/$agentId/calls" params={{ agentId: agent.id }} search={{ signal: code }}>
          {title}
        </TextLink>{' '}
        {model && !model.decides && <Chip>model only assists</Chip>}
      </Cell>
      <Cell className="whitespace-nowrap">
        <Share k={computable} n={all} />
      </Cell>
      <Cell className="max-w-xl">
        {notComputable.map(({ reason, calls: without, remedy }) => (
          <p key={reason} className="break-words">
            {reason} <span className="text-ink-2">{calls(without)}.</span>{' '}
            {remedy && <span className="text-ink-2">{remedy}</span>}
          </p>
        ))}
      </Cell>
      <Cell>{precision && <Rate k={precision.right} n={precision.right + precision.wrong} />}</Cell>
    </tr>
  );
}

const WIDTH = 80;

/** Hatched is what could not be computed: neither good nor bad. */
function Share({ k, n }: { k: number; n: number }) {
  const share = n === 0 ? 0 : k / n;
  const name = `${percent(share)} of ${calls(n)}`;
  const hatch = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <svg role="img" aria-label={name} width={WIDTH} height={10}>
        <title>{name}</title>
        <pattern id={hatch} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width={1.5} height={5} className="fill-control" />
        </pattern>
        <rect width={WIDTH} height={10} fill={`url(#${hatch})`} className="stroke-line" />
        <rect width={share * WIDTH} height={10} className="fill-ink-2" />
      </svg>
      <span>{percent(share)}</span>
    </span>
  );
}

const KINDS = ['issue', 'intent', 'node', 'tool'] as const;

function Tested({ tests }: { tests: Coverage['tests'] }) {
  return (
    <Section title="What is tested">
      {tests.length === 0 ? (
        <Empty title="Nothing to test is known yet">
          Intents, steps, tools and open issues appear here once the first calls are analyzed.
        </Empty>
      ) : (
        <div className="grid items-start gap-4 @page-lg:grid-cols-2">
          {KINDS.map((kind) => (
            <TestedKind key={kind} kind={kind} tests={tests.filter((each) => each.kind === kind)} />
          ))}
        </div>
      )}
    </Section>
  );
}

function TestedKind({ kind, tests }: { kind: (typeof KINDS)[number]; tests: Coverage['tests'] }) {
  const agent = useAgent();
  const covered = tests.filter(({ testIds }) => testIds.length > 0).length;
  if (tests.length === 0) return null;
  return (
    <Table label={`Tested: ${words(kind)}`}>
      <thead>
        <tr>
          <HeadCell>
            {kind === 'intent' ? (
              <TextLink to="/a/$agentId/intents" params={{ agentId: agent.id }}>
                Intent
              </TextLink>
            ) : (
              words(kind === 'node' ? 'step' : kind)
            )}
          </HeadCell>
          <HeadCell figure>Calls</HeadCell>
          <HeadCell>{`${count(covered)} of ${count(tests.length)} tested`}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {tests.map(({ id, label, calls: concerned, testIds }) => (
          <tr key={id} className="hover:bg-sunken/60">
            <Cell className="break-words">
              <Concerned kind={kind} id={id} label={label} />
            </Cell>
            <Cell figure>{concerned === null ? '–' : count(concerned)}</Cell>
            <Cell>
              {testIds[0] ? (
                <TextLink to="/a/$agentId/tests/$testId" params={{ agentId: agent.id, testId: testIds[0] }}>
                  {count(testIds.length)} {testIds.length === 1 ? 'test' : 'tests'}
                </TextLink>
              ) : (
                <Chip tone="caution">no test</Chip>
              )}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Several issues may have one title: their places tell them apart. */
function ConcernedIssue({ id, title }: { id: string; title: string }) {
  const { id: agentId } = useAgent();
  const params = { path: { agentId }, query: { limit: 100 } };
  const issues = api.useQuery('get', '/v1/agents/{agentId}/issues', { params }).data?.data ?? [];
  const place = issues.find((issue) => issue.id === id)?.location.label;
  return (
    <>
      <TextLink to="/a/$agentId/issues/$issueId" params={{ agentId, issueId: id }} className="underline">
        {title}
      </TextLink>
      {place && <span className="text-ink-2"> at {place}</span>}
    </>
  );
}

/** Calls of an intent, the page of an issue; steps and tools have no list of their own. */
function Concerned({ kind, id, label }: Pick<Coverage['tests'][number], 'kind' | 'id' | 'label'>) {
  const agent = useAgent();
  if (kind === 'issue') return <ConcernedIssue id={id} title={label} />;
  if (kind !== 'intent') return label;
  return (
    <TextLink to="/a/$agentId/calls" params={{ agentId: agent.id }} search={{ intent: id }}>
      {label}
    </TextLink>
  );
}
