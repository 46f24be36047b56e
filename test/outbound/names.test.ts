import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAddressJudge } from '../../src/outbound/address-judge.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const PUBLIC = '93.184.215.14';
const REFUSED = { kind: 'address_refused', message: expect.stringContaining('not a public address') };

let names: NameServer;
let server: ScriptedServer;
const opened: Outbound[] = [];

beforeEach(async () => {
  [names, server] = await Promise.all([startNameServer(), startScriptedServer()]);
  server.answerWith(() => ({ headers: { connection: 'close' }, json: { reached: true } }));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await Promise.all([names.close(), server.close()]);
});

/** @param allow what the operator opened: nothing, unless the test itself is to be reached. */
function open(allow: string[] = []): Outbound {
  const outbound = createOutbound({ allow, trustedOrigins: [], lookup: names.lookup });
  opened.push(outbound);
  return outbound;
}
const judge = (withinMs = 5_000) => createAddressJudge({ allow: [], lookup: names.lookup, withinMs });
/** The server of this test under another name. */
const under = (name: string, scheme = 'https') => `${scheme}://${name}:${new URL(server.url).port}/`;
/** As public services of such names do: the address stands in the name. */
const inTheName = (name: string) => [/^\d+\.\d+\.\d+\.\d+/.exec(name)?.[0] ?? PUBLIC];

describe('a name that leads to an address of this network', () => {
  test.each([
    '10.0.0.1.nip.example',
    '127.0.0.1.nip.example',
    '169.254.169.254.nip.example',
    '192.168.1.1.nip.example',
    '100.64.0.1.nip.example',
    '0.0.0.0.nip.example',
    '168.63.129.16.nip.example',
  ])('%s is refused when it is saved and when it is connected to', async (name) => {
    names.answerWith(inTheName);
    expect(await judge().refusal(under(name), 'a workspace')).toContain('not a public address');
    await expect(open().request({ method: 'POST', url: under(name), json: {} })).rejects.toMatchObject(REFUSED);
    await expect(open().open({ method: 'GET', url: under(name) })).rejects.toMatchObject(REFUSED);
    expect(names.asked).toEqual([name, name, name]);
    expect(server.connections()).toBe(0);
  });

  test('is refused by every platform, for its key, its agents and its calls', async () => {
    names.answerWith(inTheName);
    const platforms = createPlatforms({ outbound: open(), demoUrl: null });
    const connection = { baseUrl: under('127.0.0.1.nip.example'), apiKey: 'key' };
    for (const platform of ['retell', 'vapi', 'elevenlabs'] as const) {
      const adapter = platforms.adapter(platform);
      const list = { from: '2026-05-01T00:00:00.000Z', to: '2026-05-02T00:00:00.000Z', cursor: null, pageSize: 10 };
      const asked = [
        adapter.checkKey(connection),
        adapter.listAgents(connection),
        adapter.getCall(connection, 'call'),
        adapter.listAccountCalls(connection, { ...list, providerAgentIds: ['a', 'b'] }),
      ];
      for (const each of asked) await expect(each).rejects.toMatchObject({ kind: 'address_refused' });
    }
    expect(server.connections()).toBe(0);
  });

  test('is refused where only one of its addresses does', async () => {
    names.answerWith(() => [PUBLIC, '10.0.0.1']);
    expect(await judge().refusal(under('pair.example'), 'a workspace')).toContain('not a public address');
    await expect(open().request({ method: 'GET', url: under('pair.example') })).rejects.toMatchObject(REFUSED);
  });
});

describe('a name whose answer changes', () => {
  test('is judged at each connection, by the answer that is connected to', async () => {
    // What is opened here is this machine alone: the other answer is as private as any.
    names.answerWith((_name, nth) => [nth % 2 === 1 ? '127.0.0.1' : '10.0.0.1']);
    const outbound = open(['127.0.0.0/8']);
    for (let turn = 0; turn < 4; turn += 1) {
      const first = await outbound.request({ method: 'GET', url: under('moving.example', 'http') });
      expect(first.json).toEqual({ reached: true });
      await expect(outbound.request({ method: 'GET', url: under('moving.example', 'http') })).rejects.toMatchObject(
        REFUSED,
      );
    }
    // One question a connection: there is no second look-up that could have another answer.
    expect([names.asked.length, server.connections()]).toEqual([8, 4]);
  });

  test('gains nothing by having been public when it was saved', async () => {
    names.answerWith((_name, nth) => [nth === 1 ? PUBLIC : '127.0.0.1']);
    expect(await judge().refusal(under('moving.example'), 'a workspace')).toBeNull();
    await expect(open().request({ method: 'GET', url: under('moving.example') })).rejects.toMatchObject(REFUSED);
    expect(server.connections()).toBe(0);
  });
});

test('a name server that keeps silent holds up nobody for longer than they said', async () => {
  names.answerWith(() => null);
  expect(await judge(50).refusal(under('silent.example'), 'a workspace')).toBe(
    'silent.example was not found within 0.05 s.',
  );
  const outbound = open();
  const ask = (given: { timeoutMs?: number; signal?: AbortSignal }) =>
    outbound.request({ method: 'GET', url: under('silent.example'), ...given });
  await expect(ask({ timeoutMs: 50 })).rejects.toMatchObject({
    kind: 'timeout',
    message: expect.stringContaining('did not answer'),
  });
  const stop = new AbortController();
  const stopped = ask({ signal: stop.signal });
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(ask({ signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'unreachable' });
});
