import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../client/api.ts';
import { callQuery, callSignalsQuery } from '../call/queries.ts';
import { evidenceQuery } from '../issue/queries.ts';
import type { IssueFilters } from './filters.ts';

const MOST = 100;

/** What the board of an agent is made of. */
export const issuesQuery = (agentId: string, { status, klass }: IssueFilters) =>
  api.queryOptions('get', '/v1/agents/{agentId}/issues', {
    params: {
      path: { agentId },
      query: { limit: MOST, ...(status ? { status: [status] } : {}), ...(klass ? { klass: [klass] } : {}) },
    },
  });

export const boardQuery = (agentId: string) =>
  api.queryOptions('get', '/v1/agents/{agentId}/board', { params: { path: { agentId } } });

export const outcomesQuery = (agentId: string) =>
  api.queryOptions('get', '/v1/agents/{agentId}/metrics', { params: { path: { agentId } } });

/** All of it, and the words that the first row shows; what fails is asked for again by the page. */
export async function readBoardAhead(queries: QueryClient, agentId: string, filters: IssueFilters): Promise<void> {
  void queries.prefetchQuery(boardQuery(agentId));
  void queries.prefetchQuery(outcomesQuery(agentId));
  const issueId = await firstIdOf(queries.fetchQuery(issuesQuery(agentId, filters)));
  const callId = issueId && (await firstIdOf(queries.fetchQuery(evidenceQuery({ agentId, issueId }))));
  if (!callId) return;
  void queries.prefetchQuery(callQuery({ agentId, callId }));
  void queries.prefetchQuery(callSignalsQuery({ agentId, callId }));
}

async function firstIdOf(list: Promise<{ data: { id: string }[] }>): Promise<string | undefined> {
  return (await list.catch(() => null))?.data[0]?.id;
}
