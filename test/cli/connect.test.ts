import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { sendOutbox } from '../support/outbox.ts';
import { type PlatformState, type ScriptedPlatform, speakAs } from '../support/scripted-platforms.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { exampleSpans, otlpBytes } from '../support/spans.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('earshot connect, with everything behind it', () => {
  let worked: WorkedWorld;
  let cli: CommandLine;
  let platform: ScriptedServer;
  let starter: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    const { world, temporal } = worked;
    starter = setInterval(() => void sendOutbox({ database: world.database, temporal: temporal.gateway }), 100);
    cli = await commandLineFor(world);
    platform = await startScriptedServer();
  });
  afterAll(async () => {
    clearInterval(starter);
    await platform?.close();
    await worked?.close();
  });

  test.each(['livekit', 'pipecat', 'otel', 'file'])(
    '%s: a token, shown once, with the lines to paste',
    async (name) => {
      const { code, out, err } = await cli.run(['connect', name, '--agent', `Desk of ${name}`]);
      expect({ code, isNoted: err.includes('shown only once') }).toEqual({ code: 0, isNoted: true });
      const [token = ''] = /ing_[A-Za-z0-9_-]{32}/.exec(out) ?? [];
      const isFile = name === 'file';
      expect(out).toContain(isFile ? '/ingest/calls' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=');
      const { url } = cli.stored();
      const sent = isFile
        ? {
            body: JSON.stringify({ id: 'a', messages: [{ role: 'user', content: 'Hello.' }] }),
            type: 'application/json',
          }
        : { body: otlpBytes(exampleSpans('livekit-js-1.9')), type: 'application/x-protobuf' };
      const answer = await fetch(`${url}${isFile ? '/ingest/calls' : '/otlp/v1/traces'}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': sent.type },
        body: sent.body,
      });
      expect(answer.status).toBe(200);
      const agents = JSON.parse((await cli.run(['agents', '--json'])).out) as { name: string; provider: string }[];
      expect(agents).toContainEqual(expect.objectContaining({ name: `Desk of ${name}`, provider: name }));
    },
  );

  test('what is connected already gets another token, and what is no platform is said', async () => {
    const first = await cli.run(['connect', 'otel', '--agent', 'Twice', '--json']);
    const again = await cli.run(['connect', 'otel', '--agent', 'Twice', '--json']);
    const [one, other] = [first, again].map(({ out }) => JSON.parse(out));
    expect(other).toMatchObject({ agentId: one.agentId, connectionId: one.connectionId });
    expect(other.token).not.toBe(one.token);
    expect((await cli.run(['connect', 'otel', '--agent', 'Twice'])).err).toContain('earlier tokens stay valid');
    const listed = JSON.parse((await cli.run(['connections', '--json'])).out);
    const { tokens } = listed.find(({ id }: { id: string }) => id === one.connectionId);
    expect(tokens.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([one.id, other.id]));
    expect((await cli.run(['connections'])).out).toContain(one.prefix);
    const renewed = JSON.parse((await cli.run(['connections', 'renew', one.prefix, '--json'])).out);
    expect(renewed).toMatchObject({ agentId: one.agentId, connectionId: one.connectionId });
    expect((await cli.run(['connections', 'revoke', one.id])).err).toContain('There is no token');
    expect((await cli.run(['connections', 'revoke', other.token])).out).toContain('is refused from now on');
    expect(await cli.run(['connections', 'remove', one.connectionId])).toMatchObject({
      code: 1,
      err: expect.stringContaining('connection_in_use'),
    });
    const left = await worked.world.ask('POST', '/app/connections', {
      as: await worked.world.token(),
      body: { platform: 'pipecat' },
    });
    expect((await cli.run(['connections', 'remove', left.body.id])).out).toContain('Removed the connection');
    expect((await cli.run(['connections', 'remove', left.body.id])).err).toContain('connection_not_found');
    expect(await cli.run(['connect', 'nowhere'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('retell, vapi, elevenlabs'),
    });
  });

  test('a key is needed, and is never taken from the command line', async () => {
    expect(await cli.run(['connect', 'retell'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('EARSHOT_PLATFORM_KEY'),
    });
  });

  const state = (key: string): PlatformState => ({
    key,
    prompts: ['You help callers with booking a visit.'],
    calls: [{ id: 'call_1', version: 1, startMs: Date.now() - 3_600_000, said: 'I want to book a visit.' }],
    instead: null,
  });

  test.each<ScriptedPlatform>(['retell', 'vapi', 'elevenlabs'])(
    '%s: the agent that the key shows, its brief, and its calls',
    async (name) => {
      platform.answerWith(speakAs(name, state('key_of_the_tests')));
      const begin = ['connect', name, '--base-url', platform.url];
      // Nobody is there to approve the brief: the next try goes on where this one was cut off.
      expect((await cli.run(begin, { EARSHOT_PLATFORM_KEY: 'key_of_the_tests' })).code).not.toBe(0);
      const args = [...begin, '--yes'];
      const { code, out, err } = await cli.run(args, { EARSHOT_PLATFORM_KEY: 'key_of_the_tests' });
      expect({ code, err: err.includes('going on from there') }).toEqual({ code: 0, err: true });
      const { data } = (await worked.world.get('/app/connections', await worked.world.token())).body;
      expect(data.filter(({ platform: of }: { platform: string }) => of === name)).toHaveLength(1);
      expect(out).toContain('Read from Front desk');
      expect(out).toMatch(/1 call stored, 0 waiting, 0 failed/);
    },
  );

  test('a key that the platform refuses is said to be', async () => {
    platform.answerWith(speakAs('retell', state('another key')));
    const args = ['connect', 'retell', '--base-url', platform.url, '--yes'];
    const { code, err } = await cli.run(args, { EARSHOT_PLATFORM_KEY: 'key_of_the_tests' });
    expect(code).toBe(1);
    expect(err).toMatch(/refuse|401|key/i);
  });
});
