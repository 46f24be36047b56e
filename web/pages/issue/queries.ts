import { api } from '../../client/api.ts';

interface IssuePath {
  agentId: string;
  issueId: string;
}

const CALLS_READ = 100;

export const issueQuery = (path: IssuePath) =>
  api.queryOptions('get', '/v1/agents/{agentId}/issues/{issueId}', { params: { path } });

export const explanationQuery = (path: IssuePath) =>
  api.queryOptions('get', '/v1/agents/{agentId}/issues/{issueId}/explanation', { params: { path } });

/** The calls that show it, newest first. */
export const evidenceQuery = (path: IssuePath) =>
  api.queryOptions('get', '/v1/agents/{agentId}/issues/{issueId}/calls', {
    params: { path, query: { limit: CALLS_READ } },
  });
