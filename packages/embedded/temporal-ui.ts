import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { listenFrom } from './ports.ts';

/** Where the UI itself listens. */
export interface UiPlace {
  host: string;
  port: number;
}

/** The names of this machine: a page whose own name was pointed here asks under that name. */
const NAMES = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** An address of this machine that nobody guesses, where the system has more than one: nothing asks it but the guard. */
export const hiddenLoopback = () =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';

export interface GuardedUi {
  port: number;
  close(): void;
}

/** Guards of this process by their port: a server that is started again stands behind the same one. */
const guards = new Map<number, { behind: UiPlace; server: Server }>();

/**
 * Stands in front of the UI of the dev server, which answers to any name, and lets only this machine's names through, so
 * that no page of elsewhere reads histories by a name of its own.
 * @param wanted the port to listen on; the next one that is free is taken where somebody else has it.
 */
export async function guardUi(wanted: number, behind: UiPlace): Promise<GuardedUi> {
  const before = guards.get(wanted);
  if (before) {
    before.behind = behind;
    return { port: wanted, close: () => closeGuard(wanted) };
  }
  const server = newGuard();
  const port = await listenFrom(server, wanted);
  guards.set(port, { behind, server });
  return { port, close: () => closeGuard(port) };
}

function newGuard(): Server {
  const server = createServer((asked, answer) => {
    const behind = guards.get(asked.socket.localPort ?? 0)?.behind;
    if (behind && NAMES.test(asked.headers.host ?? '')) pass(asked, answer, behind);
    else answer.writeHead(403, { 'content-type': 'text/plain' }).end('This address answers to names of its machine.\n');
  });
  server.unref();
  return server;
}

function closeGuard(port: number): void {
  const { server } = guards.get(port) ?? {};
  guards.delete(port);
  server?.close();
  server?.closeAllConnections();
}

function pass(asked: IncomingMessage, answer: ServerResponse, { host, port }: UiPlace): void {
  const { method, url, headers } = asked;
  const passed = request({ host, port, method, path: url, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  passed.on('error', () => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end();
  });
  answer.on('close', () => passed.destroy());
  asked.pipe(passed);
}
