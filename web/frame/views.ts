import { api, type Schemas } from '../client/api.ts';

type SavedView = Schemas['SavedView'];

export function useViews(agentId: string): SavedView[] {
  return api.useQuery('get', '/app/agents/{agentId}/views', { params: { path: { agentId } } }).data?.data ?? [];
}

/** The page reads of its query what it knows, as of any address. */
export const viewAddress = (agentId: string, { page, query }: SavedView) => `/a/${agentId}/${page}?${query}`;
