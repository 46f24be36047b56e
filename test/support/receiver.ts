import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string>;
  /** The bytes as they came. */
  body: Buffer;
  path: string;
  atMs: number;
  /** The status of its answer; null where there was none. */
  answered: number | null;
}

/** A status with what goes with it, or no answer at all. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; text?: string } | 'hang';

export interface Receiver {
  url: string;
  received: Received[];
  answerWith(script: (received: Received, nth: number) => ReceiverAnswer): void;
  close(): Promise<void>;
}

/** A real HTTP server that takes webhooks; it answers 204 until a test says otherwise. */
export async function startReceiver(): Promise<Receiver> {
  let script: (received: Received, nth: number) => ReceiverAnswer = () => ({ status: 204 });
  const received: Received[] = [];
  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const body = Buffer.concat(chunks);
    const message: Received = { headers, body, path: incoming.url ?? '', atMs: Date.now(), answered: null };
    received.push(message);
    const answer = script(message, received.length);
    if (answer === 'hang') return;
    message.answered = answer.status;
    response.writeHead(answer.status, answer.headers);
    response.end(answer.text ?? '');
  }
  const server = createServer((incoming, response) => {
    receive(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith(next) {
      script = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
