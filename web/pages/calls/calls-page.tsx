import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { calls as callsInWords } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { SavedViews } from '../../frame/saved-views.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { DropCalls } from '../imports/drop-calls.tsx';
import { CallList } from './call-list.tsx';
import { DownloadCalls } from './download-calls.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NoCalls } from './no-calls.tsx';
import { callsQuery, signalsQuery } from './queries.ts';

export function CallsPage() {
  const agent = useAgent();
  const filters = useSearch({ from: '/inside/a/$agentId/calls' });
  const calls = useInfiniteQuery(callsQuery(agent.id, filters));
  const rows = useMemo(() => calls.data?.pages.flatMap(({ data }) => data), [calls.data]);
  const named = !useQuery(signalsQuery()).isPending;
  const total = Object.keys(filters).length === 0 ? callsInWords(agent.counts.calls) : null;
  return (
    <Page
      title="Calls"
      actions={
        <>
          <DropCalls />
          <DownloadCalls key={JSON.stringify(filters)} filters={filters} />
          <SavedViews page="calls" />
        </>
      }
      above={agent.readOnly ? readOnlyReason(agent) : undefined}
      below={
        total ?? (rows && `${callsInWords(rows.length)}${calls.hasNextPage ? ' and more' : ''} with these filters`)
      }
    >
      <FilterBar filters={filters} />
      {/* The rows show signals by their names, which would change under the reader's eyes. */}
      <Loaded of={{ data: named ? rows : undefined, error: calls.error, refetch: calls.refetch }} rows={12}>
        {(loaded) =>
          loaded.length === 0 ? (
            <NoCalls filters={filters} />
          ) : (
            <CallList
              calls={loaded}
              filters={filters}
              hasMore={calls.hasNextPage}
              onNearEnd={() => {
                if (calls.hasNextPage && !calls.isFetchingNextPage) void calls.fetchNextPage();
              }}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
