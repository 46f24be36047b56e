import { useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { WATCH_STATES } from '../../../src/domain/vocabulary.ts';
import { Rate } from '../../charts/rate.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { count, words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { useKey } from '../../frame/keys.ts';
import { SavedViews } from '../../frame/saved-views.tsx';
import { NameLink, PrimaryLink, TabLink, TextLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { moveFocus } from '../../ui/move-focus.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import type { WatchFilters } from './filters.ts';
import { WatchStateChip, watchStateLabel } from './watch-state.tsx';

type Watch = Schemas['Watch'];

const PAGE = 100;

export function WatchesPage() {
  const agent = useAgent();
  const filters = useSearch({ from: '/inside/a/$agentId/watches' });
  const watches = api.useInfiniteQuery(
    'get',
    '/v1/agents/{agentId}/watches',
    { params: { path: { agentId: agent.id }, query: { limit: PAGE, ...filters } } },
    byCursor,
  );
  const rows = watches.data?.pages.flatMap(({ data }) => data);
  return (
    <Page
      title="Watches"
      below="What is expected of the agent, and checked on its calls: lines of its own text, and what people wrote."
      above={agent.readOnly ? readOnlyReason(agent) : undefined}
      actions={
        <>
          <SavedViews page="watches" />
          {!agent.readOnly && (
            <PrimaryLink to="/a/$agentId/watches/new" params={{ agentId: agent.id }}>
              New watch
            </PrimaryLink>
          )}
        </>
      }
    >
      <States filters={filters} />
      <Loaded of={{ data: rows, error: watches.error, refetch: watches.refetch }}>
        {(loaded) => (loaded.length === 0 ? <NoWatches filters={filters} /> : <WatchTable watches={loaded} />)}
      </Loaded>
      <More of={watches} />
    </Page>
  );
}

function States({ filters }: { filters: WatchFilters }) {
  const from = '/a/$agentId/watches';
  return (
    <nav aria-label="Narrow the watches" className="mb-3 flex flex-wrap gap-1">
      <TabLink from={from} search={{}} chosen={filters.state === undefined}>
        All
      </TabLink>
      {WATCH_STATES.map((state) => (
        <TabLink key={state} from={from} search={{ state }} chosen={filters.state === state}>
          {watchStateLabel(state)}
        </TabLink>
      ))}
    </nav>
  );
}

function NoWatches({ filters }: { filters: WatchFilters }) {
  if (filters.state) {
    return (
      <Empty
        title={`No watches are in the state “${watchStateLabel(filters.state)}”`}
        action={
          <TextLink from="/a/$agentId/watches" search={{}}>
            Show all watches
          </TextLink>
        }
      />
    );
  }
  return (
    <Empty title="No watches yet">
      They are suggested from lines of the agent’s own text that ask for something, and written by people: “call
      confirm_slot before book_slot”.
    </Empty>
  );
}

function WatchTable({ watches }: { watches: Watch[] }) {
  const list = useRef<HTMLDivElement>(null);
  useKey({ j: () => moveFocus(list.current, 1), k: () => moveFocus(list.current, -1) });
  return (
    <div ref={list}>
      <Table label="Watches">
        <thead>
          <tr>
            <HeadCell>Watch</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell>Held on</HeadCell>
            <HeadCell>Flagged rightly</HeadCell>
            <HeadCell>Lane</HeadCell>
            <HeadCell>From</HeadCell>
          </tr>
        </thead>
        <tbody>
          {watches.map((watch) => (
            <WatchRow key={watch.id} watch={watch} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function WatchRow({ watch }: { watch: Watch }) {
  const agent = useAgent();
  const { id, name, state, passRate, calls, labels, lane, source, inWords } = watch;
  return (
    <tr className="hover:bg-sunken/60">
      <Cell className="max-w-xl min-w-72">
        <NameLink data-row="" to="/a/$agentId/watches/$watchId" params={{ agentId: agent.id, watchId: id }}>
          {name}
        </NameLink>
        <p className="text-xs break-words text-ink-2">{inWords}</p>
      </Cell>
      <Cell>
        <WatchStateChip state={state} />
      </Cell>
      <Cell>
        <Rate k={Math.round((passRate ?? 0) * calls)} n={calls} />
      </Cell>
      <Cell className="whitespace-nowrap">
        {labels.labelled === 0 ? (
          <span className="text-ink-2">none labelled</span>
        ) : (
          `${count(labels.right)} of ${count(labels.labelled)} labelled`
        )}
      </Cell>
      <Cell>{words(lane)}</Cell>
      <Cell className="whitespace-nowrap text-ink-2">{source ? `line ${source.line}` : 'a person'}</Cell>
    </tr>
  );
}
