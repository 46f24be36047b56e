import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { calls, date, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Figures } from '../../ui/figures.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Warnings } from '../../ui/warnings.tsx';
import { ImportStatus } from './import-status.tsx';

type Import = Schemas['ImportWithFailures'];

export function ImportPage() {
  const agent = useAgent();
  const { importId } = useParams({ from: '/inside/a/$agentId/imports/$importId' });
  const shown = api.useQuery('get', '/app/agents/{agentId}/imports/{importId}', {
    params: { path: { agentId: agent.id, importId } },
  });
  return (
    <Page
      title={shown.data ? `Import: ${words(shown.data.kind).toLowerCase()}` : 'Import'}
      above={
        <Link to="/a/$agentId/imports" params={{ agentId: agent.id }} className="hover:text-ink hover:underline">
          ← Imports
        </Link>
      }
      below={
        shown.data && (
          <span className="flex flex-wrap items-center gap-2">
            <ImportStatus status={shown.data.status} />
            <span>
              <Time at={shown.data.startedAt ?? shown.data.createdAt} />
              {shown.data.finishedAt && (
                <>
                  {' '}
                  to <Time at={shown.data.finishedAt} />
                </>
              )}
            </span>
          </span>
        )
      }
      actions={shown.data && <Actions shown={shown.data} />}
    >
      <Loaded of={shown}>{(data) => <ShownImport shown={data} />}</Loaded>
    </Page>
  );
}

function ShownImport({ shown }: { shown: Import }) {
  const { waitsFor, reason, reasons, warnings } = shown;
  return (
    <>
      {(waitsFor ?? reason) && (
        <Panel tone="caution" className="mb-6 p-4">
          <p className="max-w-[76ch]">{waitsFor ?? reason}</p>
        </Panel>
      )}
      <Counters shown={shown} />
      {shown.readBackTo !== null && shown.finishedAt === null && (
        <p className="mt-3 text-sm text-ink-2">Calls are read newest first, back to {date(shown.readBackTo)} so far.</p>
      )}
      {shown.status === 'complete' && (
        <p className="mt-3 text-sm text-ink-2">
          {shown.stored > 0 ? 'Its calls are read.' : 'It brought nothing new.'}{' '}
          <TextLink from="/a/$agentId" to="/a/$agentId/issues" className="underline">
            See the issues
          </TextLink>
        </p>
      )}
      {reasons.length > 0 && (
        <Section title="Why records failed">
          <Panel>
            <ul className="divide-y divide-line/70 text-sm">
              {reasons.map(({ reason: why, calls: failed }) => (
                <li key={why} className="flex gap-3 px-4 py-2">
                  <span className="min-w-0 flex-1 break-words">{why}</span>
                  <span className="whitespace-nowrap text-ink-2">{calls(failed)}</span>
                </li>
              ))}
            </ul>
          </Panel>
        </Section>
      )}
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      {shown.notComputable.length > 0 && (
        <Section title="What can’t be computed" note="on any of these calls">
          <Panel>
            <ul className="divide-y divide-line/70 text-sm">
              {shown.notComputable.map(({ reason: why, codes, remedy }) => (
                <li key={why} className="flex gap-3 px-4 py-2">
                  <span className="min-w-0 flex-1 break-words">
                    {why} {remedy && <span className="text-ink-2">{remedy}</span>}
                  </span>
                  <span className="whitespace-nowrap text-ink-2">
                    {codes} {codes === 1 ? 'code' : 'codes'}
                  </span>
                </li>
              ))}
            </ul>
          </Panel>
        </Section>
      )}
      {shown.failures.length > 0 && <Failures shown={shown} />}
    </>
  );
}

function Counters({ shown }: { shown: Import }) {
  const counters = [
    ['Found', shown.listed],
    ['Stored', shown.stored],
    ['Unchanged', shown.unchanged],
    ['Analyzed', shown.analysed],
    ['Waiting', shown.waiting],
    ['Not over yet', shown.ongoing],
    ['Deleted there', shown.gone],
    ['Failed', shown.failed],
    ['Failed before', shown.stillFailed],
  ] as const;
  return <Figures figures={counters} columns="grid-cols-3" />;
}

function Failures({ shown }: { shown: Import }) {
  return (
    <Section title="Failed records" note="at most 100 are listed">
      <Table label="Failed records">
        <thead>
          <tr>
            <HeadCell>Record</HeadCell>
            <HeadCell>Why</HeadCell>
          </tr>
        </thead>
        <tbody>
          {shown.failures.map(({ ref, reason }) => (
            <tr key={ref}>
              <Cell className="font-mono text-xs break-all">{ref}</Cell>
              <Cell className="break-words">{reason}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

/** Each action, and the states in which it can be taken. */
const ACTIONS = {
  'try-now': { label: 'Try now', states: ['queued', 'running', 'paused'] },
  pause: { label: 'Pause', states: ['queued', 'running'] },
  'go-on': { label: 'Go on', states: ['paused'] },
  cancel: { label: 'Cancel', states: ['queued', 'running', 'paused'] },
  retry: { label: 'Try failed records again', states: ['complete', 'failed', 'cancelled'] },
} as const satisfies Record<string, { label: string; states: readonly Import['status'][] }>;
type Action = keyof typeof ACTIONS;

function Actions({ shown }: { shown: Import }) {
  const agent = useAgent();
  const offered = (Object.keys(ACTIONS) as Action[]).filter((action) => isOffered(action, shown));
  return offered.map((action) => (
    <ActionButton key={action} action={action} shown={shown} unless={readOnlyReason(agent)} />
  ));
}

function isOffered(action: Action, { status, failed }: Import): boolean {
  const states: readonly Import['status'][] = ACTIONS[action].states;
  return states.includes(status) && (action !== 'retry' || failed > 0);
}

function ActionButton({ action, shown, unless }: { action: Action; shown: Import; unless: string | null }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const act = api.useMutation('post', `/app/agents/{agentId}/imports/{importId}/${action}`);
  const run = async () => {
    await act.mutateAsync({ params: { path: { agentId: agent.id, importId: shown.id } } }).catch(() => null);
    void queries.invalidateQueries();
  };
  return (
    <>
      <RefusalNote error={act.error} />
      <Button
        kind={action === 'cancel' ? 'danger' : 'plain'}
        busy={act.isPending}
        unless={unless}
        onClick={() => void run()}
      >
        {ACTIONS[action].label}
      </Button>
    </>
  );
}
