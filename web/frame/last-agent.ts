import type { QueryClient } from '@tanstack/react-query';
import { api } from '../client/api.ts';

const KEY = 'earshot.agent';

/** For this tab, which may be in another workspace than the next, and for tabs that are opened later. */
export function rememberAgent(agentId: string): void {
  sessionStorage.setItem(KEY, agentId);
  localStorage.setItem(KEY, agentId);
}

export const rememberedAgent = () => sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);

/** Every agent there is to choose from. */
export const agentsQuery = () => api.queryOptions('get', '/v1/agents', { params: { query: { limit: 100 } } });

export const agentQuery = (agentId: string) =>
  api.queryOptions('get', '/v1/agents/{agentId}', { params: { path: { agentId } } });

/** The agent that was looked at last, else the first that is the workspace's own; without any, the list of agents. */
export async function firstPage(queries: QueryClient) {
  const { data: agents } = await queries.ensureQueryData(agentsQuery());
  const chosen =
    agents.find(({ id }) => id === rememberedAgent()) ?? agents.find(({ readOnly }) => !readOnly) ?? agents[0];
  if (!chosen) return { to: '/agents' } as const;
  return { to: '/a/$agentId/issues', params: { agentId: chosen.id } } as const;
}
