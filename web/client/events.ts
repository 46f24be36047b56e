import type { QueryClient } from '@tanstack/react-query';
import { BASE } from './base-path.ts';
import { eventsOf, nap } from './server-events.ts';
import { chosenWorkspace, currentToken, reach, sessionState } from './session.ts';

/** What the stream tells: kinds and ids only; whoever shows something reads it again. */
interface LiveEvent {
  kind: string;
  agentId?: string | null;
}

/** As one tab tells the others of its stream. */
interface Told {
  id: string;
  event: LiveEvent;
}

const RETRY_MS = 2_000;
const RETRY_AT_MOST_MS = 30_000;
/** Events of one agent that come together cause one reading. */
const GATHER_MS = 1_000;

/**
 * Follows the workspace's events, and has what they touch read again. A browser opens few connections to a server, so all
 * its tabs share one stream: one that is looked at holds it and tells the others, and no hidden one has any.
 */
export function followEvents(queries: QueryClient): () => void {
  const refresher = createRefresher(queries);
  const name = `earshot.events ${chosenWorkspace() ?? ''}`;
  let reading: AbortController | null = null;
  let channel: BroadcastChannel | null = null;
  let lastId: string | null = null;

  const take = ({ id, event }: Told) => {
    const missed = isMissing(lastId, id, event.kind);
    lastId = id;
    if (event.kind === 'reset' || missed) void queries.invalidateQueries();
    else if (event.kind !== 'ready') refresher.touch(event.agentId ?? null);
  };
  const tell = (told: Told) => {
    channel?.postMessage(told);
    take(told);
  };
  const update = () => {
    if (document.hidden) {
      reading?.abort();
      reading = null;
    } else if (!reading) {
      reading = new AbortController();
      const { signal } = reading;
      void inTurn(name, signal, () => keepReading(signal, () => lastId, tell));
    }
  };
  const show = () => {
    if (!channel) {
      channel = new BroadcastChannel(name);
      channel.addEventListener('message', ({ data }: MessageEvent<Told>) => take(data));
    }
    update();
  };
  /** A page that the browser keeps for going back would hold its connection all the time. */
  const leave = () => {
    reading?.abort();
    reading = null;
    channel?.close();
    channel = null;
  };
  const stopped = new AbortController();
  document.addEventListener('visibilitychange', update, stopped);
  addEventListener('pagehide', leave, stopped);
  addEventListener('pageshow', show, stopped);
  show();
  return () => {
    stopped.abort();
    leave();
  };
}

/** Numbers of events have no gaps; `ready` names the newest one that is not told any more. */
function isMissing(lastId: string | null, id: string, kind: string): boolean {
  return lastId !== null && BigInt(id) > BigInt(lastId) + (kind === 'ready' ? 0n : 1n);
}

/** Once no other tab does the same. Browsers know locks on secure addresses alone; elsewhere each visible tab does it. */
async function inTurn(name: string, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return act();
  try {
    await navigator.locks.request(name, { signal }, act);
  } catch (error) {
    // It was hidden before its turn came.
    if (!signal.aborted) throw error;
  }
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
    for (const path of ['/v1/agents', '/app/waiting']) void queries.invalidateQueries({ queryKey: ['get', path] });
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
  onEvent: (told: Told) => void,
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
async function readOnce(signal: AbortSignal, lastId: string | null, onEvent: (told: Told) => void): Promise<boolean> {
  if (sessionState.get() !== 'signed-in') return false;
  const token = await currentToken();
  if (token === null) return false;
  const headers = { authorization: `Bearer ${token}`, ...(lastId === null ? {} : { 'last-event-id': lastId }) };
  const answer = await reach(fetch(`${BASE}/app/events`, { headers, signal }));
  if (!answer.ok || !answer.body) return false;
  for await (const { id, data } of eventsOf(answer.body)) {
    if (id !== undefined) onEvent({ id, event: JSON.parse(data) as LiveEvent });
  }
  return true;
}
