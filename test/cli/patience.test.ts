import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../cli/client.ts';
import { openClock, stamp } from '../../cli/times.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Seen {
  method: string;
  path: string;
  body: string;
}

/** A server that is asked too much for its first requests, each with what it asks to wait. */
async function busyServer(waits: number[], early = false): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const answer = (body: string) => {
      seen.push({ method: request.method ?? '', path: request.url ?? '', body });
      const wait = waits.shift();
      const error = { code: 'rate_limited', message: 'Too many requests.', param: null, requestId: null };
      response.writeHead(wait === undefined ? 200 : 429, wait === undefined ? {} : { 'retry-after': String(wait) });
      response.end(JSON.stringify(wait === undefined ? { token: 't' } : { error }));
    };
    if (early && waits.length > 0) {
      answer('');
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => answer(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, seen };
}

const access = (url: string) => ({ url, key: 'svc_key', session: 'secret', keepSession: () => undefined });

describe('a rate limit', () => {
  test('is waited for by reads and writes of keys and people, and told once', async () => {
    const { url, seen } = await busyServer([0, 0, 0]);
    const said: string[] = [];
    const client = createClient(access(url), (text) => void said.push(text));
    await client.read('/v1/agents');
    await client.write('POST', '/v1/agents/a/runs', { all: true });
    await client.person('DELETE', '/app/connections/c');
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'GET /v1/agents'),
      'POST /v1/agents/a/runs',
      'POST /app/session',
      'DELETE /app/connections/c',
    ]);
    expect(said).toEqual(['Too many requests. (rate_limited) Waiting.']);
  });

  test('is waited for by an upload, whose lines are sent once more, each read once', async () => {
    for (const early of [false, true]) {
      const waits: number[] = [];
      const { url, seen } = await busyServer(waits, early);
      const client = createClient(access(url));
      await client.person('GET', '/app/me');
      waits.push(0, 0);
      let read = 0;
      const lines = async function* () {
        for (; read < 3; read += 1) yield `line ${read}\n`;
      };
      await client.upload('/app/a', lines());
      expect(seen.filter(({ path }) => path === '/app/a')).toHaveLength(3);
      expect(seen.at(-1)?.body).toBe('line 0\nline 1\nline 2\n');
      expect(read).toBe(3);
    }
  });

  test('is not waited for longer than a minute', async () => {
    const { url, seen } = await busyServer([61]);
    await expect(createClient(access(url)).read('/v1/agents')).rejects.toThrow('Too many requests.');
    expect(seen).toHaveLength(1);
  });
});

describe('times', () => {
  const at = '2026-07-02T22:15:04.120Z';

  test('stand in one zone, which is named', () => {
    expect(openClock({}).head('Start')).toBe('Start (UTC)');
    expect(openClock({}).minute(at)).toBe('2026-07-02 22:15');
    const berlin = openClock({ EARSHOT_TIME_ZONE: 'Europe/Berlin' });
    expect([berlin.head('Start'), berlin.minute(at)]).toEqual(['Start (Europe/Berlin)', '2026-07-03 00:15']);
    expect(openClock({ EARSHOT_TIME_ZONE: 'local' }).zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(stamp(at)).toMatch(/^2026-07-0\d \d\d:\d\d \S+$/);
  });

  test('a zone that is none is named', () => {
    expect(() => openClock({ EARSHOT_TIME_ZONE: 'Mars/Base' })).toThrow(/EARSHOT_TIME_ZONE is Mars\/Base/);
  });
});
