import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSignal, turn } from '../support/analysed-calls.ts';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let cli: CommandLine;
let ids: string[];

beforeAll(async () => {
  world = await createWorld();
  cli = await commandLineFor(world, { rotates: true });
  ids = await seedCalls(
    world,
    world.agentId,
    Array.from({ length: 30 }, (_, at) => ({
      call: {
        providerCallId: `c${at}`,
        startedAt: minute(at),
        traceIds: [`trace-${at}`],
        turns: [
          turn(0, 'agent', 'Hello'),
          turn(1, 'caller', 'book a table \u001b[31mred\u001b]0;title\u0007 \u202eback'),
        ],
      },
      analysis: { signals: at < 5 ? [makeSignal({ code: 'tool_failed' })] : [], objective: 'a \u001b[2Jtable' },
    })),
  );
});
afterAll(() => world.close());

describe('reading commands', () => {
  test('show tables to people and JSON to programs', async () => {
    const agents = await cli.run(['agents']);
    expect(agents).toMatchObject({ code: 0, out: expect.stringContaining(world.agentId) });
    expect(agents.out.split('\n')[0]).toMatch(/^Name +Platform +Calls/);
    const json = await cli.run(['agents', '--json']);
    expect(JSON.parse(json.out)).toEqual([expect.objectContaining({ object: 'agent', id: world.agentId })]);
  });

  test('name issues with their place, and one of them with the words that show it', async () => {
    const issues = await cli.run(['issues', '--json']);
    const [issue] = JSON.parse(issues.out);
    expect(issue).toMatchObject({ code: 'tool_failed', volume: 5 });
    const table = await cli.run(['issues']);
    expect(table.out).toMatch(/1 +Title of tool_failed +book_table +5/);
    const one = await cli.run(['issues', issue.id]);
    expect((await cli.run(['issues', '1'])).out).toBe(one.out);
    expect(await cli.run(['issues', '2'])).toMatchObject({ code: 1, err: expect.stringContaining('1 issues') });
    expect(one.out).toContain('“book a table”');
    expect(one.out).toMatch(/5 of 30 +17 %: Affected calls/);
  });

  test('list calls by filter, to the number asked for', async () => {
    const calls = JSON.parse((await cli.run(['calls', '--json', '--limit', '28'])).out);
    expect(calls.map((call: { id: string }) => call.id)).toEqual(ids.toReversed().slice(0, 28));
    const filtered = JSON.parse((await cli.run(['calls', '--json', '--signal', 'tool_failed', '--version', '1'])).out);
    expect(filtered).toHaveLength(5);
  });

  test('find a call by its number in the list, by its id, and by the id at the platform, of whichever agent', async () => {
    const [newest] = JSON.parse((await cli.run(['calls', '--json', '--limit', '1'])).out);
    const byId = await cli.run(['calls', newest.id]);
    expect(byId.code).toBe(0);
    expect((await cli.run(['calls', '1'])).out).toBe(byId.out);
    expect((await cli.run(['calls', 'c29'])).out).toBe(byId.out);
    expect(byId.out).toContain('\nTrace trace-29\n');
    expect((await cli.run(['calls', '1', '--signal', 'tool_failed'])).out).toContain('!! tool_failed');
    expect(await cli.run(['calls', 'c99'])).toMatchObject({ code: 1, err: expect.stringContaining('No call c99') });
    expect((await cli.run(['calls', '#1'])).out).toBe(byId.out);
  });

  test('cut nothing where there is no terminal', async () => {
    for (const command of ['agents', 'issues', 'calls']) expect((await cli.run([command])).out).not.toContain('…');
  });

  test('let nothing of a call reach the terminal but its text', async () => {
    const call = await cli.run(['calls', ids[0] ?? '']);
    expect(call.out).toContain('book a table [31mred]0;title back');
    const list = await cli.run(['calls']);
    for (const { out } of [call, list]) expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    const colours = await cli.run(['agents'], { NO_COLOR: '1' });
    expect(colours.out).not.toContain('\u001b');
  });

  test('send no key over plain http to another machine unless told', async () => {
    const there = { EARSHOT_URL: 'http://earshot.invalid', EARSHOT_KEY: world.readKey };
    const refused = { code: 4, out: '', err: expect.stringMatching(/plain http.*--allow-http.*EARSHOT_ALLOW_HTTP/) };
    expect(await cli.run(['issues'], there)).toMatchObject(refused);
    const sent = { code: 4, err: expect.stringContaining('No Earshot server answers') };
    expect(await cli.run(['--allow-http', 'issues'], there)).toMatchObject(sent);
    expect(await cli.run(['issues'], { ...there, EARSHOT_ALLOW_HTTP: '1' })).toMatchObject(sent);
    expect(await cli.run(['issues'], { ...there, EARSHOT_URL: 'https://earshot.invalid' })).toMatchObject(sent);
    for (const host of ['localhost', '127.0.0.2', '[::1]', '0.0.0.0']) {
      expect(await cli.run(['issues'], { ...there, EARSHOT_URL: `http://${host}:1` })).toMatchObject(sent);
    }
  });

  test('export what the analysis says', async () => {
    const { out, code } = await cli.run(['export']);
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 30]);
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ id: 'c29', outcome: 'resolved' });
  });
});

describe('keys', () => {
  test('are made, shown once, listed and revoked', async () => {
    const made = await cli.run(['keys', 'make', 'for CI', '--agent', world.agentId]);
    expect(made.out).toMatch(/^svc_\S{32}\n$/);
    const [key] = JSON.parse((await cli.run(['keys', '--json'])).out);
    expect(key).toMatchObject({
      name: 'for CI',
      access: 'read',
      agentId: world.agentId,
      prefix: made.out.slice(0, 10),
    });
    const env = { EARSHOT_KEY: made.out.trim() };
    expect((await cli.run(['agents'], env)).code).toBe(0);
    expect((await cli.run(['keys', 'revoke', key.id])).out).toContain('Revoked for CI');
    const refused = await cli.run(['agents'], env);
    expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('invalid_api_key') });
  });

  test('the refresh secret that the server replaces is kept for the next command', async () => {
    const before = cli.stored().session;
    expect((await cli.run(['keys'])).code).toBe(0);
    expect(cli.stored().session).not.toBe(before);
    expect((await cli.run(['keys'])).code).toBe(0);
  });
});

describe('when something is in the way', () => {
  test('no server is said in one sentence that names npm start', async () => {
    const { code, err } = await cli.run(['agents'], { EARSHOT_URL: 'http://127.0.0.1:9' });
    expect([code, err.trim().split('\n').length]).toEqual([4, 1]);
    expect(err).toContain('npm start');
  });

  test('a key stored for one server is not sent to another', async () => {
    const { code, err } = await cli.run(['agents'], {
      EARSHOT_URL: cli.stored().url.replace('127.0.0.1', 'localhost'),
    });
    expect([code, err]).toEqual([4, expect.stringContaining('sign-in')]);
  });

  test('without a session, what only people do says how to sign in', async () => {
    const { code, err } = await cli.run(['keys'], { EARSHOT_DATA: '/nowhere', EARSHOT_URL: cli.stored().url });
    expect([code, err]).toEqual([4, expect.stringContaining('npx earshot sign-in')]);
  });

  test.each([[['nonsense']], [['calls', '--outcome', 'splendid']], [['issues', '--limit', '0']], [['import']]])(
    '%j is wrong use',
    async (args) => {
      expect((await cli.run(args)).code).toBe(4);
    },
  );

  test('an agent or issue that is not there is named', async () => {
    expect(await cli.run(['issues', '--agent', 'Nobody'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('No agent is called Nobody'),
    });
    expect(await cli.run(['issues', 'x'])).toMatchObject({ code: 1, err: expect.stringContaining('issueId') });
  });

  test('help and version need no server', async () => {
    expect((await cli.run(['--help'])).out).toContain('import');
    expect((await cli.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a list of another agent', () => {
  test('find a call by an id that looks like a number, before its place in the list', async () => {
    const agent = await world.makeAgent();
    const [seventeen] = await seedCalls(world, agent, [
      { call: { providerCallId: '17', startedAt: minute(60) }, analysis: {} },
      { call: { providerCallId: '2', startedAt: minute(61) }, analysis: {} },
      { call: { providerCallId: '1', startedAt: minute(62) }, analysis: {} },
    ]);
    const json = async (wanted: string) =>
      JSON.parse((await cli.run(['calls', wanted, '--agent', agent, '--json'])).out);
    expect((await json('17')).call).toMatchObject({ id: seventeen, providerCallId: '17' });
    expect((await json('2')).call.providerCallId).toBe('2');
    expect((await json('3')).call.providerCallId).toBe('17');
    expect((await json('#3')).call.providerCallId).toBe('17');
    const list = await cli.run(['calls', '--agent', agent]);
    expect(list.out.split('\n')[0]).toContain('Start (UTC)');
    expect(list.err).toContain("calls '#1'");
    const there = await cli.run(['calls', '--agent', agent], { EARSHOT_TIME_ZONE: 'America/New_York' });
    expect(there.out.split('\n')[0]).toContain('Start (America/New_York)');
  });
});
