import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { readDemoConfig } from '../../src/config.ts';
import { parseJson } from '../../src/domain/parse-json.ts';
import { type DemoAccounts, openDemoAccounts } from './accounts.ts';
import { readFirstStart } from './first-start.ts';
import { createLiveTools, type LiveTools } from './playground/tools.ts';
import { answerSound } from './recordings.ts';
import { answer } from './routes.ts';

/** A whole conversation with the mocks of all tools is sent with each question. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface DemoPlatform {
  url: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Starts the demo platform on 127.0.0.1.
 * @param now the moment that all planned calls lie before; the same moment gives the same calls.
 * @param folder where it is kept which versions were published later; without one they go with the process.
 */
export async function startDemoPlatform({
  port,
  now,
  folder = null,
}: {
  port: number;
  now: Date;
  folder?: string | null;
}): Promise<DemoPlatform> {
  const accounts = await openDemoAccounts({ endMs: now.getTime(), folder, clock: Date.now });
  const live = createLiveTools();
  const server = createServer((request, response) => {
    handle({ accounts, live }, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Served {
  accounts: DemoAccounts;
  live: LiveTools;
}

async function handle({ accounts, live }: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const { authorization, range } = request.headers;
  const sound = answerSound(accounts, { path: request.url ?? '/', authorization, range });
  if (sound) {
    response.writeHead(sound.status, { ...sound.headers, 'content-length': sound.body.length });
    response.end(sound.body);
    return;
  }
  const result =
    body === null
      ? { status: 413, body: { status: 'error', message: 'The body is too large.' } }
      : await answer(accounts, live, {
          method: request.method ?? 'GET',
          url: new URL(request.url ?? '/', 'http://demo.invalid'),
          authorization,
          body: parseJson(body) ?? null,
        });
  response.writeHead(result.status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(result.body));
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The process: says on one line when it is ready, and goes with the process that started it. */
async function main(): Promise<void> {
  const { port, dataFolder } = readDemoConfig();
  const now = await readFirstStart(dataFolder, new Date());
  const platform = await startDemoPlatform({ port, now, folder: dataFolder });
  const stop = () => void platform.close().finally(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  process.stdout.write(`${JSON.stringify({ ready: true, port: platform.port })}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The demo platform could not start: ${reason}\n`);
    process.exit(1);
  });
}
