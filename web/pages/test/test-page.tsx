import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CodeForm } from '../../ui/code-form.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { StartRun } from '../runs/start-run.tsx';
import { LastResult } from '../tests/last-result.tsx';
import { DeleteTest } from './delete-test.tsx';
import { EditTest } from './edit-test.tsx';

type Test = Schemas['Test'];
type Spec = Test['spec'];

export function TestPage() {
  const agent = useAgent();
  const [editing, setEditing] = useState(false);
  const { testId } = useParams({ from: '/inside/a/$agentId/tests/$testId' });
  const test = api.useQuery('get', '/v1/agents/{agentId}/tests/{testId}', {
    params: { path: { agentId: agent.id, testId } },
  });
  const deleted = (test.data?.archivedAt ?? null) !== null;
  return (
    <Page
      title={test.data?.title ?? 'Test'}
      above={
        <BackLink to="/a/$agentId/tests" params={{ agentId: agent.id }}>
          Tests
        </BackLink>
      }
      below={test.data && <Origin test={test.data} />}
      actions={
        <>
          <Button unless={readOnlyReason(agent)} onClick={() => setEditing(true)}>
            Edit
          </Button>
          {test.data && <DeleteTest test={test.data} />}
          <StartRun testId={testId} unless={readOnlyReason(agent) ?? (deleted ? 'This test was deleted.' : null)} />
        </>
      }
    >
      <Loaded of={test}>
        {(data) =>
          editing ? <EditTest test={data} onClose={() => setEditing(false)} /> : <ShownSpec spec={data.spec} />
        }
      </Loaded>
    </Page>
  );
}

function Origin({ test }: { test: Test }) {
  const agent = useAgent();
  const { source, sourceCallId, revision, updatedAt, gates, gateReason } = test;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Chip tone={gates ? 'accent' : 'neutral'}>{gates ? 'gates' : 'does not gate'}</Chip>
      {gateReason && <span>{gateReason}</span>}
      <LastResult test={test} />
      <span>
        <Dotted>
          {words(source)}
          {`revision ${revision}`}
          <Time at={updatedAt} />
        </Dotted>
      </span>
      {sourceCallId && (
        <Link
          to="/a/$agentId/calls/$callId"
          params={{ agentId: agent.id, callId: sourceCallId }}
          className="text-accent underline"
        >
          the call it was made from
        </Link>
      )}
    </span>
  );
}

function ShownSpec({ spec }: { spec: Spec }) {
  return (
    <div className="grid gap-8 @page-xl:grid-cols-2">
      <div className="min-w-0">
        <Caller caller={spec.caller} />
      </div>
      <div className="min-w-0">
        <Section title="What must hold">
          <ul className="space-y-2">
            {spec.criteria.map(({ id, text, required, check }) => (
              <li key={id}>
                <Panel className="p-3">
                  <p>{text}</p>
                  <p className="mt-1 text-xs text-ink-2">
                    {check ? 'Decided by code' : 'Decided by the judge model'}
                    {!required && '; reported only'}
                  </p>
                  {check && <CodeForm code={check} />}
                </Panel>
              </li>
            ))}
          </ul>
        </Section>
        {spec.fixtures.length > 0 && <Fixtures fixtures={spec.fixtures} />}
      </div>
    </div>
  );
}

function Caller({ caller }: { caller: Spec['caller'] }) {
  const { goal, opening, facts, style, script } = caller;
  return (
    <Section title="The caller" note={script ? 'speaks a script' : 'is played by a model'}>
      <Panel className="space-y-4 p-4">
        <p className="max-w-[72ch]">{goal}</p>
        {Object.keys(facts).length > 0 && (
          <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-1 text-sm">
            {Object.entries(facts).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-ink-2">{name}</dt>
                <dd className="break-words">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {style && <p className="text-sm text-ink-2">{style}</p>}
        <ol className="list-decimal space-y-1 pl-5 text-quote">
          {[opening, ...(script ?? [])].map((line, at) => (
            // The same line may be said twice; its place is its name.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at}>{line}</li>
          ))}
        </ol>
      </Panel>
    </Section>
  );
}

function Fixtures({ fixtures }: { fixtures: Spec['fixtures'] }) {
  return (
    <Section title="What the tools answer">
      <ul className="space-y-2">
        {fixtures.map(({ tool, match, respond, times }) => (
          <li key={`${tool} ${JSON.stringify(match)}`}>
            <Panel className="p-3 text-sm">
              <p>
                <code className="font-mono text-xs">{tool}</code>{' '}
                <span className="text-ink-2">
                  {match ? `called with ${JSON.stringify(match)}` : 'on any call'}
                  {times !== null && `, ${times} times`}
                </span>
              </p>
              <pre
                className="mt-1 max-h-60 overflow-auto rounded-control bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap"
                tabIndex={0}
              >
                {JSON.stringify(respond, null, 2)}
              </pre>
            </Panel>
          </li>
        ))}
      </ul>
    </Section>
  );
}
