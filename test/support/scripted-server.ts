import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The parsed body, a form of several parts as it came, or null where there was none. */
  body: unknown;
}

/** An answer of the script; `hang` never comes, `cut` breaks the connection in the middle of the body. */
export type ScriptedAnswer =
  | { status?: number; headers?: Record<string, string>; json: unknown }
  | { status?: number; headers?: Record<string, string>; text: string }
  | { status?: number; headers?: Record<string, string>; bytes: Buffer }
  | 'hang'
  | 'cut';

export interface ScriptedServer {
  url: string;
  requests: ScriptedRequest[];
  /** How many connections were opened. */
  connections(): number;
  answerWith(script: (request: ScriptedRequest) => ScriptedAnswer): void;
  close(): Promise<void>;
}

/** A real HTTP server on 127.0.0.1 whose answers a test writes. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  let script: (request: ScriptedRequest) => ScriptedAnswer = () => ({ status: 404, json: { message: 'not scripted' } });
  let connections = 0;
  const requests: ScriptedRequest[] = [];
  const server = createServer((incoming, response) => void receive(incoming, response));
  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url ?? '/', 'http://test.invalid');
    const text = Buffer.concat(chunks).toString();
    const request: ScriptedRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: text === '' ? null : incoming.headers['content-type']?.startsWith('multipart/') ? text : JSON.parse(text),
    };
    requests.push(request);
    send(response, script(request));
  }
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
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

function send(response: ServerResponse, answer: ScriptedAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"call_id":');
    setTimeout(() => response.destroy(), 10);
    return;
  }
  const body = 'json' in answer ? JSON.stringify(answer.json) : 'bytes' in answer ? answer.bytes : answer.text;
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(body);
}
