import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  token = await world.token();
});
afterAll(() => world.close());

const send = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  world.ask('POST', '/app/keys', { as: token, payload, headers: { 'content-type': 'application/json', ...headers } });
const good = '{"name":"x","access":"read"}';

describe('a body', () => {
  test.each([
    ['that is cut', '{"name":"x"'],
    ['with a comma too many', '{"name":"x",}'],
    ['that begins with a byte order mark', `\ufeff${good}`],
    ['of nothing but blanks', '  '],
    ['that is null', 'null'],
    ['that is a list', '[]'],
    ['that is a number', '1'],
    ['that nests too deep', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['that nests a hundred thousand levels', '['.repeat(100_000)],
  ])('%s is refused', async (_name, payload) => {
    expectFailure(await send(payload), 400, 'invalid_body');
  });

  test('that is missing is asked for', async () => {
    expectFailure(await world.ask('POST', '/app/keys', { as: token }), 400, 'invalid_body');
  });

  test('in another encoding is refused', async () => {
    expectFailure(await send(Buffer.from(good, 'utf16le')), 400, 'invalid_body');
    expectFailure(await send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400, 'invalid_body');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonp',
    ';;;',
    '',
  ])('of type %j is refused', async (type) => {
    expectFailure(await send(good, { 'content-type': type }), 400, 'invalid_body');
  });

  test('that says it is compressed is refused', async () => {
    expectFailure(await send(good, { 'content-encoding': 'gzip' }), 400, 'invalid_body');
  });

  test('larger than 256 KiB is refused', async () => {
    expectFailure(await send(`{"name":"${'x'.repeat(256 * 1024)}"}`), 400, 'invalid_body');
  });

  test('that names a field twice is refused and the field is named', async () => {
    expectFailure(await send('{"name":"x","access":"read","na\\u006de":"y"}'), 400, 'invalid_body', 'name');
  });

  test('with a key that reaches for the prototype is refused', async () => {
    expectFailure(await send('{"name":"x","access":"read","__proto__":{"a":1}}'), 400, 'invalid_body', '__proto__');
    expectFailure(await send('{"name":"x","access":"read","constructor":1}'), 400, 'invalid_parameter', 'constructor');
  });

  test.each([
    ['U+0000 in a text', '{"tools":[{"name":"a","description":"b\\u0000"}]}', 'tools[0].description'],
    ['half of a surrogate pair', '{"prompt":"\\ud83d"}', 'prompt'],
    ['U+0000 in a name', '{"tools":[{"name":"a","parameters":{"\\u0000":1}}]}', 'tools[0].parameters'],
  ])('with %s, which no database text can hold, is refused with the field', async (_name, payload, param) => {
    const url = `/app/agents/${await world.makeAgent({ provider: 'file' })}/configuration`;
    const put = (text: string) =>
      world.ask('PUT', url, { as: token, payload: text, headers: { 'content-type': 'application/json' } });
    expectFailure(await put(payload), 400, 'invalid_parameter', param);
    expect((await put('{"prompt":"A whole pair: \\ud83d\\ude00"}')).status).toBe(200);
  });

  test('is refused where an operation takes none', async () => {
    const made = await send(good);
    const remove = (payload: string) =>
      world.ask('DELETE', `/app/keys/${made.body.id}`, {
        as: token,
        payload,
        headers: { 'content-type': 'application/json' },
      });
    expectFailure(await remove('{"force":true}'), 400, 'invalid_body', 'force');
    expect((await remove('{}')).status).toBe(200);
  });

  test('is not looked at before the one who sends it is known', async () => {
    const unknown = await world.ask('POST', '/app/keys', { payload: '{{{', headers: { 'content-type': 'text/plain' } });
    expectFailure(unknown, 401, 'missing_authorization');
    const key = await world.ask('POST', '/app/keys', { as: world.writeKey, payload: '{{{' });
    expectFailure(key, 403, 'people_only');
  });

  test('with a query parameter beside it names the parameter first', async () => {
    expectFailure(
      await world.ask('POST', '/app/keys?x=1', { as: token, payload: '{{{' }),
      400,
      'invalid_parameter',
      'x',
    );
  });
});
