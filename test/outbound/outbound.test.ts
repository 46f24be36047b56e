import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAddressJudge } from '../../src/outbound/address-judge.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

let server: ScriptedServer;
let outbound: Outbound;
const opened: Outbound[] = [];

beforeEach(async () => {
  server = await startScriptedServer();
  outbound = open({ allow: ['127.0.0.0/8'] });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await server.close();
});

function open(options: { allow?: string[]; trustedOrigins?: string[]; lookup?: LookupFunction }): Outbound {
  const made = createOutbound({ allow: [], trustedOrigins: [], ...options });
  opened.push(made);
  return made;
}

const judge = (lookup?: LookupFunction) => createAddressJudge({ allow: [], ...(lookup ? { lookup } : {}) });

test('a name that nobody answers for is given up on, and others wait for no thread that it holds', async () => {
  const silent = createAddressJudge({ allow: [], lookup: () => {}, withinMs: 5 });
  const refusals = await Promise.all(
    ['a', 'b', 'c'].map((name) => silent.refusal(`https://${name}.example.com`, name)),
  );
  expect(refusals.slice(0, 2)).toEqual([
    'a.example.com was not found within 0.005 s.',
    'b.example.com was not found within 0.005 s.',
  ]);
  expect(refusals[2]).toContain('try again in a moment');
  const other = createAddressJudge({ allow: [], lookup: () => {}, withinMs: 5 });
  const asked = ['a', 'a', 'b'].map((asker) => other.refusal('https://silent.example.com', asker));
  // Nobody takes the places of all.
  expect((await Promise.all(asked)).map((refusal) => refusal?.includes('try again'))).toEqual([false, true, false]);
  const answered = judge(answering(['93.184.216.34']));
  for (const _ of [1, 2, 3]) expect(await answered.refusal('https://example.com', 'a workspace')).toBeNull();
});

/** A name server that answers with the given addresses, one list a question. */
function answering(...answers: string[][]): LookupFunction {
  return (_hostname, _options, callback) => {
    const list = answers.length > 1 ? answers.shift() : answers[0];
    callback(
      null,
      (list ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

describe('requests', () => {
  test('JSON goes out and comes back', async () => {
    server.answerWith((request) => ({ json: { method: request.method, sent: request.body } }));
    const answer = await outbound.request({ method: 'POST', url: `${server.url}/x`, json: { a: 1 } });
    expect(answer).toMatchObject({ status: 200, json: { method: 'POST', sent: { a: 1 } } });
    expect(answer.headers['content-type']).toContain('application/json');
  });

  test('a body that is no JSON comes back as text', async () => {
    server.answerWith(() => ({ status: 502, text: '<html>Bad gateway</html>' }));
    const answer = await outbound.request({ method: 'GET', url: server.url });
    expect(answer).toMatchObject({ status: 502, text: '<html>Bad gateway</html>', json: undefined });
  });

  test('JSON nested beyond reason counts as no JSON', async () => {
    server.answerWith(() => ({ text: '['.repeat(5_000) + ']'.repeat(5_000) }));
    expect((await outbound.request({ method: 'GET', url: server.url })).json).toBeUndefined();
  });

  test('connections are used again', async () => {
    server.answerWith(() => ({ json: {} }));
    for (let nth = 0; nth < 10; nth += 1) await outbound.request({ method: 'GET', url: server.url });
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('an answer above the ceiling is refused', async () => {
    server.answerWith(() => ({ text: 'x'.repeat(3_000) }));
    await expect(outbound.request({ method: 'GET', url: server.url, maxBytes: 2_048 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('2 KiB'),
    });
  });

  test('a server that never answers runs into the ceiling of time', async () => {
    server.answerWith(() => 'hang');
    await expect(outbound.request({ method: 'GET', url: server.url, timeoutMs: 150 })).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  test('a connection that breaks in the middle is unreachable, not an answer', async () => {
    server.answerWith(() => 'cut');
    await expect(outbound.request({ method: 'GET', url: server.url })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('a redirect is not followed', async () => {
    server.answerWith(() => ({ status: 302, headers: { location: `${server.url}/elsewhere` }, text: '' }));
    await expect(outbound.request({ method: 'GET', url: server.url })).rejects.toMatchObject({ kind: 'redirected' });
    await expect(outbound.open({ method: 'GET', url: server.url })).rejects.toMatchObject({ kind: 'redirected' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/', '/']);
  });
});

describe('addresses', () => {
  test('nothing listens: the message names the host and no more', async () => {
    await expect(outbound.request({ method: 'GET', url: 'http://127.0.0.1:1/secret-path' })).rejects.toMatchObject({
      kind: 'unreachable',
      message: '127.0.0.1:1 could not be reached, or broke the connection.',
    });
  });

  test.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
  ])('a private address is refused without a request (%s)', async (url) => {
    const strict = open({});
    await expect(strict.request({ method: 'GET', url })).rejects.toMatchObject({ kind: 'address_refused' });
    expect(await judge().refusal(url, 'a workspace')).toContain('not a public address');
  });

  test.each([
    ['no URL', 'not a url'],
    ['a file', 'file:///etc/passwd'],
    ['another scheme', 'gopher://example.com/'],
    ['a user name', 'https://user@example.com/'],
    ['a password', 'https://user:pass@example.com/'],
  ])('%s is refused', async (_what, url) => {
    await expect(outbound.request({ method: 'GET', url })).rejects.toMatchObject({ kind: 'address_refused' });
  });

  test('plain http is for opened networks only', async () => {
    const strict = judge(answering(['93.184.216.34']));
    expect(await strict.refusal('http://api.example.com/', 'a workspace')).toContain('https');
    expect(await strict.refusal('https://api.example.com/', 'a workspace')).toBeNull();
  });

  test('one private address among several refuses the name', async () => {
    const strict = judge(answering(['93.184.216.34', '10.0.0.5']));
    expect(await strict.refusal('https://api.example.com/', 'a workspace')).toContain('not a public address');
  });

  test('a name that was public when it was saved is judged again when it is connected to', async () => {
    const lookup = answering(['93.184.216.34'], ['127.0.0.1']);
    expect(await judge(lookup).refusal('https://api.example.com/', 'a workspace')).toBeNull();
    const strict = open({ lookup });
    await expect(strict.request({ method: 'GET', url: 'https://api.example.com/' })).rejects.toMatchObject({
      kind: 'address_refused',
    });
  });

  test('a name without an address is unreachable', async () => {
    expect(await judge(answering([])).refusal('https://api.example.com/', 'a workspace')).toContain('no address');
  });

  test('a trusted origin is reached as it is, and only that origin', async () => {
    server.answerWith(() => ({ json: { ok: true } }));
    const trusting = open({ trustedOrigins: [server.url] });
    expect((await trusting.request({ method: 'GET', url: `${server.url}/x` })).json).toEqual({ ok: true });
    const other = new URL(server.url);
    other.port = '1';
    await expect(trusting.request({ method: 'GET', url: other.href })).rejects.toMatchObject({
      kind: 'address_refused',
    });
  });
});
