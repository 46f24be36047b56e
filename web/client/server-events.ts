import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { nextToken, send } from './api.ts';
import { BASE } from './base-path.ts';

/** The events of a stream, as they come. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const text = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const reader = body.pipeThrough(text).pipeThrough(new EventSourceParserStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

interface StreamRequest {
  signal: AbortSignal;
  /** What is posted; without it the stream is read. */
  body?: unknown;
  lastEventId?: string | undefined;
}

/** Opens a stream as whoever is signed in. @throws the server's refusal as it stands in its answer. */
export async function openEvents(path: string, { signal, body, lastEventId }: StreamRequest) {
  const headers = new Headers({ authorization: `Bearer ${await nextToken()}` });
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await send(new Request(new URL(`${BASE}${path}`, location.origin), { ...init, headers, signal }));
  if (!answer.ok || !answer.body) throw await answer.json();
  return eventsOf(answer.body);
}

/** Waits, no longer than somebody still wants to. */
export function nap(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
