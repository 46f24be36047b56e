import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let port: number;
beforeAll(async () => {
  world = await createWorld();
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const address = world.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => world.close());

/** Sends bytes as they are and reads until the server closes, or says nothing more for a moment. */
function speak(bytes: string, quietMs = 1_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const done = () => {
      socket.destroy();
      resolve(heard);
    };
    let timer = setTimeout(done, 15_000);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
    });
    socket.on('close', done);
    socket.on('error', reject);
    socket.write(bytes);
  });
}

function envelopeOf(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const { error } = JSON.parse(body);
  expect(head.toLowerCase()).toContain(`request-id: ${error.requestId}`);
  for (const name of ['limit', 'remaining', 'reset']) expect(head.toLowerCase()).toMatch(`ratelimit-${name}: `);
  return { status: Number(head.split(' ')[1]), code: error.code };
}

const auth = () => `Authorization: Bearer ${world.readKey}\r\n`;

describe('what is no proper request is answered with the envelope', () => {
  test.each([
    ['garbage', 'nonsense\r\n\r\n'],
    ['a version that does not exist', 'GET / HTTP/9.9\r\n\r\n'],
    ['a method that does not exist', 'BREW /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', 'POST /app/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'POST /app/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['headers without end', `GET /v1/me HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['an address without end', `GET /v1/${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a length that is none', 'POST /app/keys HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\nab'],
    ['a length in other digits', 'POST /app/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 0x2\r\n\r\nab'],
    [
      'a coding that is hidden by a space',
      'POST /app/keys HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header that goes on in the next line', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n'],
    ['lines that end in a carriage return alone', 'GET /v1/me HTTP/1.1\rHost: x\r\r'],
    ['thousands of headers', `GET /v1/me HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(5_000)}\r\n`],
    ['two hosts', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['a header with a NUL', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    expect(envelopeOf(await speak(bytes))).toEqual({ status: 400, code: 'invalid_parameter' });
  });

  test('an expectation that nobody knows', async () => {
    const answer = await speak(`GET /v1/me HTTP/1.1\r\nHost: x\r\n${auth()}Expect: miracles\r\n\r\n`);
    expect(envelopeOf(answer)).toEqual({ status: 400, code: 'invalid_parameter' });
  });

  test('a request without a host is a request', async () => {
    expect(await speak(`GET /v1/me HTTP/1.1\r\n${auth()}\r\n`)).toContain('HTTP/1.1 200');
  });

  test('a broken escape in the address comes after the key', async () => {
    expect(envelopeOf(await speak('GET /v1/agents/%zz HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatchObject({ status: 401 });
    const known = await speak(`GET /v1/agents/%zz HTTP/1.1\r\nHost: x\r\n${auth()}\r\n`);
    expect(envelopeOf(known)).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });
});

test('answers to pipelined requests keep to their callers', async () => {
  const one = `GET /v1/me HTTP/1.1\r\nHost: x\r\n${auth()}\r\n`;
  const answers = await speak(`${one}GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n${one}`);
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '401', '200']);
});

test('answers to pipelined requests of several workspaces keep to their workspaces', async () => {
  const others = await Promise.all(
    [0, 1, 2].map(async () => {
      const { workspaceId } = await world.makeWorkspace();
      return { workspaceId, key: await world.makeKey({ workspaceId }) };
    }),
  );
  const asked = Array.from({ length: 30 }, (_, at) => others[at % others.length] ?? others[0]);
  const requests = asked.map((one) => `GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${one?.key}\r\n\r\n`);
  const answers = await speak(requests.join(''), 5_000);
  const told = [...answers.matchAll(/"organizationId":"([0-9a-f-]{36})"/g)].map((match) => match[1]);
  expect(told).toEqual(asked.map((one) => one?.workspaceId));
});

test('nothing behind a body in a coding that nobody knows, or with a chunk that lies, is answered', async () => {
  const token = await world.token();
  const inner = `GET /v1/me HTTP/1.1\r\nHost: x\r\n${auth()}\r\n`;
  const unknown = await speak(`POST /app/keys HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n${inner}`);
  expect(unknown).toContain('connection: close');
  expect(unknown).not.toContain('HTTP/1.1 200');
  const answers = await speak(
    `POST /app/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}extra\r\n0\r\n\r\n${inner}`,
  );
  expect(answers).not.toContain('HTTP/1.1 200');
});

test('what follows an unread body is never taken for a request', async () => {
  const inner = `GET /v1/me HTTP/1.1\r\nHost: x\r\n${auth()}\r\n`;
  const answers = await speak(
    `POST /app/keys HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length + 10}\r\n\r\n${inner}`,
  );
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['401']);
});

test('a body that announces more than is allowed is refused without being read', async () => {
  const token = await world.token();
  const answer = await speak(
    `POST /app/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n{`,
  );
  expect(envelopeOf(answer)).toEqual({ status: 400, code: 'invalid_body' });
});

test('no answer carries a header that would open it to other sites', async () => {
  const answer = await speak(`GET /v1/me HTTP/1.1\r\nHost: x\r\nOrigin: https://elsewhere.test\r\n${auth()}\r\n`);
  expect(answer.toLowerCase()).not.toContain('access-control');
  expect(answer.toLowerCase()).toContain('cache-control: no-store');
});

test('a request that does not arrive in time is answered with 408, so that whoever sent it may send it again', async () => {
  const connected = once(world.app.server, 'connection');
  const heard = speak('GET /v1/me HTTP/1.1\r\n');
  const [socket] = await connected;
  // As Node does after twenty seconds, or when this process was held up for as long.
  const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  world.app.server.emit('clientError', late, socket);
  expect(envelopeOf(await heard)).toEqual({ status: 408, code: 'request_timeout' });
});
