import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const SCRIPT = readFileSync(new URL('../../web/recorded.js', import.meta.url), 'utf8');
const ORIGIN = 'https://files.example';

/** The page's `fetch` once the script has run, over a web server that has these files and nothing else. */
function siteWith(files: Record<string, string>): typeof fetch {
  const served = async (input: URL | Request) => {
    const { href } = input instanceof URL ? input : new URL(input.url);
    const text = files[href];
    return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
  };
  const window = { fetch: served };
  const page = { window, location: { origin: ORIGIN }, document: { baseURI: `${ORIGIN}/deep/down/` } };
  runInNewContext(SCRIPT, { ...page, URL, Request, Response, ReadableStream });
  return window.fetch as typeof fetch;
}

const site = siteWith({
  [`${ORIGIN}/deep/down/answers/index.json`]: JSON.stringify({
    '/v1/agents?limit=5': ['a1.json', 'application/json; charset=utf-8'],
    '/app/session': ['b2.json', 'application/json'],
  }),
  [`${ORIGIN}/deep/down/answers/a1.json`]: '{"data":[]}',
  [`${ORIGIN}/deep/down/answers/b2.json`]: '{"token":"recorded"}',
});

test('what was recorded is answered below any path, and signing in too', async () => {
  const answer = await site(`${ORIGIN}/v1/agents?limit=5`);
  expect([answer.headers.get('content-type'), await answer.json()]).toEqual([
    'application/json; charset=utf-8',
    { data: [] },
  ]);
  expect(await (await site(`${ORIGIN}/app/session`, { method: 'POST' })).json()).toEqual({ token: 'recorded' });
});

test('what was not recorded, and every change, is refused in the envelope of the API', async () => {
  const missing = await site(`${ORIGIN}/v1/agents?limit=6`);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { type: 'not_found_error', code: 'not_recorded' } });
  const change = await site(`${ORIGIN}/v1/agents?limit=5`, { method: 'PATCH' });
  expect(change.status).toBe(403);
  expect(await change.json()).toMatchObject({ error: { type: 'permission_error', code: 'recorded' } });
});

test('the stream of events stays open and says nothing', async () => {
  const stream = await site(`${ORIGIN}/app/events`);
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const first = stream.body?.getReader().read();
  expect(await Promise.race([first, Promise.resolve('nothing')])).toBe('nothing');
});
