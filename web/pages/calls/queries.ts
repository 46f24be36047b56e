import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, http } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { Refused } from '../../client/refused.ts';
import type { CallFilters } from './filters.ts';

const PAGE = 100;
const PATH = '/v1/agents/{agentId}/calls';

/** The catalogue of what can be noticed on a call. */
export const signalsQuery = () => api.queryOptions('get', '/v1/signals', { params: { query: { limit: PAGE } } });

/** The calls of an agent, newest first. */
export function callsQuery(agentId: string, filters: CallFilters) {
  return infiniteQueryOptions({
    queryKey: ['get', PATH, { params: { path: { agentId }, query: { limit: PAGE, ...filters } } }],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { data, error } = await http.GET(PATH, { params: { path: { agentId }, query }, signal });
      if (error) throw new Refused(error);
      return data;
    },
    initialPageParam: byCursor.initialPageParam,
    getNextPageParam: byCursor.getNextPageParam,
    // Thousands of rows that came before would be gone through again for every page that comes.
    structuralSharing: false,
  });
}
