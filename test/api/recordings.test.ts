import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertAgent } from '../../src/db/agents/write-agents.ts';
import { insertConnection } from '../../src/db/connections/connections.ts';
import type { Platform } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { openRecordings } from '../../src/platforms/recordings.ts';
import { createVault } from '../../src/secrets.ts';
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from '../support/scripted-server.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

const SOUND = 'RIFF 0123456789 the sound of a call';
let server: ScriptedServer;
let source: ReturnType<typeof openRecordings>;
let world: World;
/** What the platform says of the call, by which its recording is found. */
let payload: Record<string, unknown>;
let sound: (request: ScriptedRequest) => ScriptedAnswer;

beforeAll(async () => {
  server = await startScriptedServer();
  source = openRecordings({ outboundAllow: ['127.0.0.0/8'], demoUrl: null });
  world = await createWorld({ recordings: source });
});
afterAll(async () => {
  await world.close();
  await source.close();
  await server.close();
});
beforeEach(() => {
  sound = cutOut;
  server.requests.length = 0;
  server.answerWith((request) =>
    request.path.endsWith('.wav') || request.path.endsWith('/audio') ? sound(request) : { json: payload },
  );
});

/** Speaks ranges as a file server does. */
function cutOut({ headers }: ScriptedRequest): ScriptedAnswer {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined) return { headers: { 'content-type': 'audio/wav' }, text: SOUND };
  if (Number(from) >= SOUND.length) {
    return { status: 416, headers: { 'content-range': `bytes */${SOUND.length}` }, text: '' };
  }
  const text = SOUND.slice(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + text.length - 1}/${SOUND.length}`;
  return { status: 206, headers: { 'content-type': 'audio/wav', 'content-range': range }, text };
}

/** @returns the address of the recording of a call of such an agent. */
async function callOf(platform: Platform, baseUrl = server.url, vault = world.services.vault): Promise<string> {
  const { workspaceId, database } = world;
  const em = database.em();
  const sealedKey = vault.seal('key_of_the_platform');
  const connectionId = await insertConnection(em, { workspaceId, platform, baseUrl, sealedKey });
  const named = { name: 'Recorded', provider: platform, providerAgentId: newId(), source: platform };
  const state = { setupStatus: 'approved', onboardingStep: 'done', readOnly: false } as const;
  const agentId = (await insertAgent(em, { workspaceId, connectionId, ...named, ...state })) ?? '';
  const [callId] = await seedCalls(world, agentId, [
    { call: { providerCallId: 'call_1', startedAt: minute(1) }, analysis: {} },
  ]);
  return `/app/agents/${agentId}/calls/${callId}/recording`;
}

const play = async (path: string, headers: Record<string, string> = {}) =>
  world.ask('GET', path, { as: await world.token(), headers });
const retellCall = (over: object = {}) => ({
  call_id: 'call_1',
  call_status: 'ended',
  recording_url: `${server.url}/raw.wav`,
  ...over,
});

test('the whole passes through, and so does the range that is asked for; its address is never shown', async () => {
  payload = retellCall();
  const path = await callOf('retell');
  const whole = await play(path);
  expect(whole).toMatchObject({ status: 200, text: SOUND, headers: { 'content-type': 'audio/wav' } });
  expect(whole.headers['cache-control']).toBe('no-store');
  const part = await play(path, { range: 'bytes=5-14' });
  expect(part).toMatchObject({ status: 206, text: '0123456789' });
  expect(part.headers['content-range']).toBe(`bytes 5-14/${SOUND.length}`);
  expect((await play(path, { range: 'bytes=900-999' })).status).toBe(416);
  expect(JSON.stringify([whole.headers, part.headers])).not.toContain(server.url);
});

test('of data that is scrubbed the scrubbed recording is played, and no key goes where it is kept', async () => {
  payload = retellCall({ scrubbed_recording_url: `${server.url}/scrubbed.wav` });
  await play(await callOf('retell'));
  const asked = server.requests.filter(({ path }) => path.endsWith('.wav'));
  expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/scrubbed.wav', undefined]]);
});

test('Vapi names the address beside the messages; ElevenLabs serves it itself, for its key', async () => {
  payload = { id: 'call_1', status: 'ended', artifact: { recordingUrl: `${server.url}/vapi.wav` } };
  expect((await play(await callOf('vapi'))).text).toBe(SOUND);
  payload = { conversation_id: 'call_1', status: 'done', has_audio: true };
  expect((await play(await callOf('elevenlabs'))).text).toBe(SOUND);
  const [asked] = server.requests.filter(({ path }) => path === '/v1/convai/conversations/call_1/audio');
  expect(asked?.headers['xi-api-key']).toBe('key_of_the_platform');
});

test('a key that was sealed under another secret is said in a sentence, and by events of the platform too', async () => {
  payload = retellCall();
  const lost = createVault('a secret that nobody has any more, 32 characters');
  const path = await callOf('retell', server.url, lost);
  const refused = await play(path);
  expectFailure(refused, 409, 'recording_unavailable');
  expect(refused.body.error.message).toContain('EARSHOT_SECRET_EARLIER');
  const { rows } = await sql<{ id: string }>`
    select connection_id as id from agents where id = ${path.split('/')[3]}`.execute(world.database.em().getKysely());
  const event = await world.ask('POST', `/hooks/${rows[0]?.id}`, { body: { event: 'call_ended' } });
  expectFailure(event, 401, 'invalid_signature');
  expect(event.body.error.message).toContain('EARSHOT_SECRET_EARLIER');
});

test('what the platform does not have, or has no more, is not there', async () => {
  payload = retellCall({ recording_url: undefined });
  expectFailure(await play(await callOf('retell')), 404, 'recording_not_found');
  payload = retellCall();
  sound = () => ({ status: 404, text: '' });
  expectFailure(await play(await callOf('retell')), 404, 'recording_not_found');
  payload = { conversation_id: 'call_1', status: 'done', has_audio: false };
  expectFailure(await play(await callOf('elevenlabs')), 404, 'recording_not_found');
  expectFailure(await play(await callOf('file')), 404, 'recording_not_found');
});

test.each([
  ['a private address', 'http://10.0.0.1/secret.wav', 'may not be reached'],
  ['the address of a metadata service', 'http://169.254.169.254/latest', 'may not be reached'],
  ['no web address', 'file:///etc/passwd', 'may not be reached'],
])('%s is never reached, and the refusal does not name it', async (_what, url, reason) => {
  payload = retellCall({ recording_url: url });
  const refused = await play(await callOf('retell'));
  expectFailure(refused, 409, 'recording_unavailable');
  expect(refused.body.error.message).toContain(reason);
  expect(refused.text).not.toContain(new URL(url).pathname);
});

test('a redirect is not followed, a refusal is told, and a page passes as bytes that no browser shows', async () => {
  payload = retellCall();
  const path = await callOf('retell');
  sound = () => ({ status: 302, headers: { location: `${server.url}/other.wav` }, text: '' });
  expectFailure(await play(path), 409, 'recording_unavailable');
  sound = () => ({ status: 403, text: 'expired' });
  expectFailure(await play(path), 409, 'recording_unavailable');
  sound = () => ({ headers: { 'content-type': 'text/html' }, text: '<script>alert(1)</script>' });
  expect((await play(path)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
  });
});

test('a person of another workspace finds no such call, and a key plays nothing', async () => {
  payload = retellCall();
  const path = await callOf('retell');
  const stranger = await world.token(await world.makeWorkspace());
  expectFailure(await world.ask('GET', path, { as: stranger }), 404, 'agent_not_found');
  expectFailure(await world.ask('GET', path, { as: world.readKey }), 403, 'people_only');
  expect(server.requests).toEqual([]);
});
