import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Loose } from './world.ts';

export interface Passed {
  method: string;
  path: string;
  body: Loose;
}

/** Instead of passing a request on: an answer of its own, or a connection that breaks after the target has answered. */
export type Interference = { status: number; headers?: Record<string, string> } | 'cut after' | null;

type Rule = (request: Passed, number: number) => Interference | Promise<Interference>;

/** Stands before a real server on this machine: keeps what was asked, and interferes where a test says so. */
export interface RecordingProxy {
  url: string;
  requests: Passed[];
  interfere(rule: Rule): void;
  /** How long each answer takes, beside what the target takes. */
  delayMs: number;
  close(): Promise<void>;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const requests: Passed[] = [];
  let rule: Rule = () => null;
  const server = createServer((incoming, response) => void pass(incoming, response).catch(() => response.destroy()));
  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = incoming.url ?? '/';
    const request = { method: incoming.method ?? 'GET', path, body: text === '' ? null : JSON.parse(text) };
    requests.push(request);
    const interference = await rule(request, requests.length);
    if (proxy.delayMs > 0) await sleep(proxy.delayMs);
    if (interference !== null && interference !== 'cut after') {
      response.writeHead(interference.status, { 'content-type': 'application/json', ...interference.headers });
      response.end('{}');
      return;
    }
    const answer = await fetch(`${target}${path}`, {
      method: request.method,
      headers: {
        authorization: incoming.headers.authorization ?? '',
        ...(text === '' ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === '' ? {} : { body: text }),
    });
    const body = await answer.text();
    if (interference === 'cut after') {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(body);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: RecordingProxy = {
    delayMs: 0,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    interfere(next) {
      rule = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
