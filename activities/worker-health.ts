import { createServer, type Server } from 'node:http';

export interface WorkerHealth {
  close(): void;
}

/**
 * Tells whoever runs the worker how it is: `/healthz` that the process lives, `/workz` that it takes work, which it does
 * not while Temporal is away, the schema is behind or it is about to end.
 * @param waitsFor a sentence each for what keeps it from working; none while it works.
 */
export function serveHealth(address: string, waitsFor: () => readonly string[]): Promise<WorkerHealth> {
  const { hostname, port } = new URL(`http://${address}`);
  const server = createServer((asked, answer) => {
    const waits = waitsFor();
    const status = statusOf(asked.url, waits.length === 0);
    const body = JSON.stringify({
      status: status === 200 ? 'ok' : status === 503 ? 'takes no work' : 'not found',
      ...(status === 503 ? { waitsFor: waits } : {}),
    });
    answer.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), hostname.replaceAll(/[[\]]/g, ''), () => resolve({ close: () => close(server) }));
  });
}

function statusOf(url: string | undefined, takesWork: boolean): 200 | 404 | 503 {
  if (url === '/healthz') return 200;
  if (url === '/workz') return takesWork ? 200 : 503;
  return 404;
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}
