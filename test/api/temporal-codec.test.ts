import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../src/operations/access/sessions.ts';
import { createVault } from '../../src/secrets.ts';
import { createPayloadCodec, type RemotePayload } from '../../src/temporal/payload-codec.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

const UI = 'http://127.0.0.1:8233';
const DECODE = '/app/session/temporal-codec/decode';
const WORDS = '{"caller":"Ada"}';
let world: World;
beforeAll(async () => {
  world = await createWorld({ temporalUi: `${UI}/namespaces/default` });
});
afterAll(() => world.close());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const PLAIN: RemotePayload = { metadata: { encoding: base64('json/plain') }, data: base64(WORDS) };

async function sealed(vault = world.services.vault): Promise<RemotePayload> {
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(WORDS) };
  const [made] = await createPayloadCodec(vault, true).encode([payload]);
  return {
    metadata: { encoding: base64(Buffer.from(made?.metadata?.['encoding'] ?? '').toString()) },
    data: Buffer.from(made?.data ?? '').toString('base64'),
  };
}

async function cookieOf(who: { workspaceId: string; personId: string }): Promise<string> {
  const { secret } = await openSession(world.database.em(), world.services, { ...who, rotates: true });
  return `earshot_session=${secret}`;
}

const decode = async (
  payloads: unknown,
  { cookie = '', origin = UI }: { cookie?: string | undefined; origin?: string } = {},
) => world.ask('POST', DECODE, { body: { payloads }, headers: { origin, 'x-namespace': 'default', cookie } });

test('payloads open for an admin of the installation in the session of the browser, and plain ones pass', async () => {
  const cookie = await cookieOf(world);
  const answer = await decode([await sealed(), PLAIN], { cookie });
  expect(answer).toMatchObject({ status: 200, body: { payloads: [PLAIN, PLAIN] } });
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': UI,
    'access-control-allow-credentials': 'true',
    'cache-control': 'no-store',
  });
  // The session of the browser is as it was.
  expect((await decode([PLAIN], { cookie })).status).toBe(200);
});

test('nobody else has them opened: no session, one that was made up, no operator, another page', async () => {
  const [payload, cookie] = [await sealed(), await cookieOf(world)];
  expectFailure(await decode([payload]), 401, 'invalid_token');
  const forged = `earshot_session=${randomBytes(40).toString('base64url')}`;
  expectFailure(await decode([payload], { cookie: forged }), 401, 'invalid_token');
  const other = await cookieOf(await world.makeWorkspace());
  expectFailure(await decode([payload], { cookie: other }), 403, 'admin_only');
  const elsewhere = await decode([payload], { cookie, origin: 'http://evil.example' });
  expectFailure(elsewhere, 403, 'origin_refused');
  expect(elsewhere.headers).not.toHaveProperty('access-control-allow-origin');
});

test('what was altered, or sealed under another secret, is said', async () => {
  const cookie = await cookieOf(world);
  const lost = await sealed(createVault('a secret that nobody has any more, 32 characters'));
  const refused = await decode([lost], { cookie });
  expectFailure(refused, 400, 'invalid_body');
  expect(refused.body.error.message).toContain('EARSHOT_SECRET_EARLIER');
  const { data = '', ...rest } = await sealed();
  expectFailure(await decode([{ ...rest, data: `${data.slice(0, -8)}AAAAAAA=` }], { cookie }), 400, 'invalid_body');
  expectFailure(await decode('nothing', { cookie }), 400, 'invalid_body');
});

test('the page may ask with its cookie and the header of its namespace', async () => {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-namespace' };
  const answer = await world.ask('OPTIONS', DECODE, { headers: { origin: UI, ...asked } });
  expect(answer.status).toBe(204);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': UI,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': expect.stringContaining('x-namespace'),
  });
});
