import { queryOptions, experimental_streamedQuery as streamedQuery } from '@tanstack/react-query';
import { api, http, type Schemas } from '../../client/api.ts';

interface CallPath {
  agentId: string;
  callId: string;
}
type Call = Schemas['CallWithTranscript'];

/** The call as soon as the first turns of it are there; `turnPage` is with it until the last of them are. */
export const callQuery = (path: CallPath) =>
  queryOptions({
    queryKey: ['call by pages', path],
    queryFn: streamedQuery({ streamFn: ({ signal }) => pagesOf(path, signal), refetchMode: 'replace' }),
    select: joined,
  });

async function* pagesOf(path: CallPath, signal: AbortSignal): AsyncGenerator<Call> {
  for (let next: number | null = 0; next !== null; ) {
    const page = await pageFrom(next, path, signal);
    yield page;
    next = page.turnPage?.next ?? null;
  }
}

async function pageFrom(turnsAfter: number, path: CallPath, signal: AbortSignal): Promise<Call> {
  const params = { path, query: { turnsAfter } };
  const answer = await http.GET('/v1/agents/{agentId}/calls/{callId}', { params, signal });
  const refused: unknown = answer.error;
  if (answer.data === undefined) throw refused;
  return answer.data;
}

function joined(pages: Call[]): Call {
  const { turnPage, ...call } = pages.at(-1) as Call;
  const transcript = call.transcript && pages.flatMap((page) => page.transcript ?? []);
  const isWhole = turnPage === undefined || turnPage.next === null;
  return { ...call, transcript, ...(isWhole ? {} : { turnPage }) };
}

export const callSignalsQuery = (path: CallPath) =>
  api.queryOptions('get', '/v1/agents/{agentId}/calls/{callId}/signals', { params: { path } });
