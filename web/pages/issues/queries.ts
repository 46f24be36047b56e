import { api } from '../../client/api.ts';
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
