import { http, type Schemas } from '../../client/api.ts';
import { Refused } from '../../client/refused.ts';
import { nap } from '../../client/server-events.ts';
import type { CallFilters } from './filters.ts';

const PAGE = 100;
const TOO_MANY = 429;

/**
 * Every call of a list as it is narrowed, page by page. Where the server bids it wait, it waits. Ends early where
 * nobody wants it any longer.
 * @throws Refused
 */
export async function* readAllCalls(
  agentId: string,
  filters: CallFilters,
  signal: AbortSignal,
): AsyncGenerator<Schemas['Call'][]> {
  let cursor: string | null = null;
  while (!signal.aborted) {
    const page = await readPage(agentId, { ...filters, ...(cursor && { cursor }) }, signal);
    if (page === null) return;
    const { data, error, response } = page;
    if (response.status === TOO_MANY) {
      await nap(Number(response.headers.get('retry-after') ?? 1) * 1000, signal);
      continue;
    }
    if (error) throw new Refused(error);
    yield data.data;
    if (data.nextCursor === null) return;
    cursor = data.nextCursor;
  }
}

/** @returns null where nobody wants it any longer. */
async function readPage(agentId: string, query: CallFilters & { cursor?: string }, signal: AbortSignal) {
  const params = { path: { agentId }, query: { limit: PAGE, ...query } };
  return http.GET('/v1/agents/{agentId}/calls', { params, signal }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
}
