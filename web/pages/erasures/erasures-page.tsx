import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { calls, count, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { BackLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ErasureForm } from './erasure-form.tsx';

type Erasure = Schemas['Erasure'];

/** What was erased of an agent, with a report each. */
export function ErasuresPage() {
  const agent = useAgent();
  const { callId } = useSearch({ from: '/inside/a/$agentId/erasures' });
  const navigate = useNavigate({ from: '/a/$agentId/erasures' });
  const [asking, setAsking] = useState(callId !== undefined);
  const erasures = api.useInfiniteQuery(
    'get',
    '/app/agents/{agentId}/erasures',
    { params: { path: { agentId: agent.id }, query: { limit: 50 } } },
    byCursor,
  );
  const rows = erasures.data?.pages.flatMap(({ data }) => data);
  const unless = readOnlyReason(agent);
  const close = () => {
    setAsking(false);
    void navigate({ search: {}, replace: true });
  };
  return (
    <Page
      title="Erased calls"
      above={
        <BackLink to="/a/$agentId/settings" params={{ agentId: agent.id }}>
          Settings
        </BackLink>
      }
      below="Where somebody wants their calls forgotten. Each erasure keeps a report of what it removed, and nothing of what that was."
      actions={
        <Button kind="danger" unless={unless} onClick={() => setAsking(true)}>
          Erase calls
        </Button>
      }
    >
      <Loaded of={{ data: rows, error: erasures.error, refetch: erasures.refetch }}>
        {(loaded) =>
          loaded.length === 0 ? (
            <Empty title="Nothing was erased">
              Erase all calls of a number, of a caller, or single ones. How far it is and what was removed appears here.
            </Empty>
          ) : (
            <ul className="space-y-3">
              {loaded.map((erasure) => (
                <li key={erasure.id}>
                  <Report erasure={erasure} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <More of={erasures} />
      {asking && unless === null && <ErasureForm callId={callId} onClose={close} />}
    </Page>
  );
}

const TONES: Record<Erasure['status'], Tone> = {
  queued: 'caution',
  running: 'accent',
  complete: 'good',
  failed: 'bad',
};

function Report({ erasure }: { erasure: Erasure }) {
  const { scope, status, message, total, done, removed, reason, createdAt, finishedAt } = erasure;
  const tables = Object.entries(removed).filter(([, rows]) => rows > 0);
  return (
    <Panel className="space-y-2 p-4">
      <p className="flex flex-wrap items-center gap-2">
        <Chip tone={TONES[status]}>{status}</Chip>
        <span className="font-medium">{scope === 'caller' ? 'All calls of a caller' : calls(total)}</span>
        <span className="text-sm text-ink-2">
          asked for <Time at={createdAt} />
          {finishedAt && (
            <>
              , ended <Time at={finishedAt} />
            </>
          )}
        </span>
      </p>
      <p className="max-w-[76ch] break-words">{reason}</p>
      <p className="text-sm text-ink-2">{message}</p>
      {status === 'running' && <Done done={done} total={total} />}
      {tables.length > 0 && (
        <details className="text-sm">
          <summary className="flex w-fit items-center gap-1 text-ink-2">What was removed</summary>
          <dl className="mt-2 grid max-w-80 grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1">
            {tables.map(([table, rows]) => (
              <div key={table} className="contents">
                <dt className="text-ink-2">{words(table)}</dt>
                <dd className="text-right">{count(rows)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Panel>
  );
}

function Done({ done, total }: { done: number; total: number }) {
  const text = `${count(done)} of ${calls(total)} erased`;
  return (
    <progress
      className="block h-2 w-full max-w-80 accent-accent"
      value={done}
      max={Math.max(total, 1)}
      aria-label={text}
    />
  );
}
