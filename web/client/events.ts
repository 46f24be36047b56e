import type { QueryClient } from '@tanstack/react-query';
import { eventsOf, nap } from './server-events.ts';
import { currentToken, reach, sessionState } from './session.ts';

/** What the stream tells: kinds and ids only; whoever shows something reads it again. */
interface LiveEvent {
  kind: string;
  agentId?: string | null;
}

const RETRY_MS = 2_000;
const RETRY_AT_MOST_MS = 30_000;
const HIDDEN_FOR_MS = 60_000;
/** Events of one agent that come together cause one reading. */
const GATHER_MS = 1_000;

/** Follows the workspace's events while the tab is looked at, and has what they touch read again. */
export function followEvents(queries: QueryClient): () => void {
  const refresher = createRefresher(queries);
  let stream: AbortController | null = null;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let lastId: string | null = null;

  const open = () => {
    if (stream) return;
    stream = new AbortController();
    void keepReading(stream.signal, () => lastId, onEvent);
  };
  const close = () => {
    stream?.abort();
    stream = null;
  };
  const onEvent = (id: string, event: LiveEvent) => {
    lastId = id;
    if (event.kind === 'reset') void queries.invalidateQueries();
    else if (event.kind !== 'ready') refresher.touch(event.agentId ?? null);
  };
  const onVisibility = () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(close, HIDDEN_FOR_MS);
    else open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(hiding);
    close();
  };
}

function createRefresher(queries: QueryClient) {
  const touched = new Set<string | null>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer = undefined;
    const agents = new Set(touched);
    touched.clear();
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => [...agents].some((id) => id === null || JSON.stringify(queryKey).includes(id)),
    });
    void queries.invalidateQueries({ queryKey: ['get', '/v1/agents'] });
  };
  return {
    touch(agentId: string | null) {
      touched.add(agentId);
      timer ??= setTimeout(refresh, GATHER_MS);
    },
  };
}

async function keepReading(
  signal: AbortSignal,
  lastId: () => string | null,
  onEvent: (id: string, event: LiveEvent) => void,
): Promise<void> {
  let pause = RETRY_MS;
  while (!signal.aborted) {
    try {
      if (await readOnce(signal, lastId(), onEvent)) pause = RETRY_MS;
    } catch {
      // The line broke, or the server is away: the frame says so, and the next try follows.
    }
    await nap(pause, signal);
    pause = Math.min(pause * 2, RETRY_AT_MOST_MS);
  }
}

/** @returns whether the stream was open at all. */
async function readOnce(
  signal: AbortSignal,
  lastId: string | null,
  onEvent: (id: string, event: LiveEvent) => void,
): Promise<boolean> {
  if (sessionState.get() !== 'signed-in') return false;
  const token = await currentToken();
  if (token === null) return false;
  const headers = { authorization: `Bearer ${token}`, ...(lastId === null ? {} : { 'last-event-id': lastId }) };
  const answer = await reach(fetch('/app/events', { headers, signal }));
  if (!answer.ok || !answer.body) return false;
  for await (const { id, data } of eventsOf(answer.body)) {
    if (id !== undefined) onEvent(id, JSON.parse(data) as LiveEvent);
  }
  return true;
}
