import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { sendOutbox } from '../support/outbox.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { World } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('earshot import, with everything behind it', () => {
  let world: World;
  let worked: WorkedWorld;
  let cli: CommandLine;
  let starter: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    world = worked.world;
    starter = setInterval(() => void sendOutbox({ database: world.database, temporal: worked.temporal.gateway }), 100);
    cli = await commandLineFor(world);
  });
  afterAll(async () => {
    clearInterval(starter);
    await worked?.close();
  });

  const record = (id: string, text: string) => ({
    id,
    startedAt: '2026-03-01T10:00:00.000Z',
    endedAt: null,
    direction: 'inbound',
    turns: [
      { role: 'agent', text: 'Hello, how can I help?', startMs: null, endMs: null },
      { role: 'caller', text, startMs: null, endMs: null },
    ],
    labels: { outcome: 'resolved' },
  });
  const file = (name: string, text: string) => {
    const path = join(cli.folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('a file becomes calls of an agent that is named after it', async () => {
    const lines = Array.from({ length: 12 }, (_, at) => JSON.stringify(record(`r${at}`, 'I want to book a table.')));
    const path = file('desk.jsonl', `${lines.join('\n')}\n`);
    const first = await cli.run(['import', path, '--json']);
    expect({ code: first.code, err: first.err }).toMatchObject({ code: 0 });
    const result = JSON.parse(first.out);
    const [importId] = result.importIds;
    expect(JSON.parse((await cli.run(['imports', 'show', importId, '--json'])).out)).toMatchObject({ stored: 12 });
    expect((await cli.run(['imports', '--agent', result.agentId])).out).toMatch(/1 +\d{4}-.* 12 +12 +12 +0 +0/);
    expect(await cli.run(['imports', 'cancel', '1', '--agent', result.agentId])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has ended'),
    });
    expect(result).toMatchObject({ stored: 12, unchanged: 0, waiting: 0, failed: 0, badLines: [] });
    expect(result.importIds).toHaveLength(1);
    const agents = JSON.parse((await cli.run(['agents', '--json'])).out);
    expect(agents.find((agent: { id: string }) => agent.id === result.agentId)).toMatchObject({
      name: 'desk',
      provider: 'file',
      counts: { calls: 12 },
    });
    const again = JSON.parse((await cli.run(['import', path, '--json'])).out);
    expect(again).toMatchObject({ agentId: result.agentId, stored: 0, unchanged: 12, failed: 0 });
  });

  test('a table becomes calls too, what of it is no call is named, and the exit code says so', async () => {
    const path = file('table.csv', 'Nr,role,text,start\na,agent,Hello.,0\na,caller,A table.,1\nb,agent,Hi.,soon\n');
    const { code, out } = await cli.run(['import', path, '--column', 'id=Nr', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      stored: 1,
      failed: 0,
      badLines: [{ file: path, line: 4, field: 'start', reason: expect.stringContaining('is no time') }],
    });
    const dry = await cli.run(['import', path, '--column', 'id=Nr', '--dry-run']);
    expect(dry.out).toContain('1 of 1 record can be read');
    expect(dry.err).toContain(`${path}, line 4, start: "soon" is no time`);
  });

  test('bad lines are listed with their numbers in the file, the rest is imported, and the exit code says so', async () => {
    const lines = [
      JSON.stringify(record('a', 'Hi')),
      '',
      '{broken',
      JSON.stringify({ id: 'no turns' }),
      JSON.stringify(record('b', 'Hi')),
    ];
    const { code, out, err } = await cli.run(['import', file('mixed.jsonl', lines.join('\n'))]);
    expect(code).toBe(1);
    expect(out).toContain('2 calls stored, 0 waiting, 2 failed');
    expect(out).toMatch(/\d+ codes can't be computed on any of these calls:\n  \d+: .*(no tool calls|no times)/s);
    expect(err).toMatch(/mixed\.jsonl, line 3: The line is not JSON\./);
    expect(err).toMatch(/mixed\.jsonl, line 4: /);
  });

  test('a line that is no UTF-8 is refused, not mended', async () => {
    const [good, bad] = [JSON.stringify(record('utf', 'Grüß Gott')), JSON.stringify(record('not', 'caf?'))];
    const path = file('bytes.jsonl', '');
    writeFileSync(path, Buffer.concat([Buffer.from(`${good}\n`), Buffer.from(bad.replace('?', '\u00e9'), 'latin1')]));
    const { code, out, err } = await cli.run(['import', path]);
    expect(code).toBe(1);
    expect(out).toContain('1 call stored');
    expect(err).toContain('bytes.jsonl, line 2: The line is not valid UTF-8.');
  });

  test('a long file is sent in parts of 1,000 records', async () => {
    const lines = Array.from({ length: 1201 }, (_, at) => JSON.stringify(record(`l${at}`, 'Where is my parcel?')));
    lines[1100] = 'not a record';
    const { out, code } = await cli.run(['import', file('long.jsonl', lines.join('\n')), '--json', '--agent', 'Long']);
    expect(code).toBe(1);
    const result = JSON.parse(out);
    expect(result).toMatchObject({ stored: 1200, failed: 1 });
    expect(result.importIds).toHaveLength(2);
    expect(result.badLines).toEqual([expect.objectContaining({ line: 1101 })]);
  });

  test('prompt and tools go with the calls', async () => {
    const path = file('one.json', JSON.stringify([record('x', 'Hi'), record('y', 'Hi')], null, 1));
    const config = file('agent.json.txt', JSON.stringify({ prompt: 'Be kind.', tools: [{ name: 'find' }] }));
    const { out } = await cli.run(['import', path, '--agent-config', config, '--json']);
    const { agentId, stored } = JSON.parse(out);
    const versions = await world.get(`/v1/agents/${agentId}/versions`);
    expect([stored, versions.body.data[0].configCaptured]).toEqual([2, true]);
  });

  test('what the answers of a tool mean is declared with it, or taught', async () => {
    const answered = (id: string, body: object) => {
      const { turns, ...rest } = record(id, 'Book me a table.');
      const toolCall = { id: 'b1', name: 'book_table', args: {} };
      const toolResult = { id: 'b1', name: 'book_table', body };
      return JSON.stringify({ ...rest, turns: [...turns, { role: 'agent', toolCall }, { role: 'tool', toolResult }] });
    };
    const results = [{ means: 'failed', field: 'rc', values: ['7'] }];
    const config = file('declares.json.txt', JSON.stringify({ tools: [{ name: 'book_table', results }] }));
    const failures = async () => {
      const { out } = await cli.run(['calls', '--agent', 'Taught', '--json']);
      const calls: { providerCallId: string; counts: { toolFailures: number } }[] = JSON.parse(out);
      return Object.fromEntries(calls.map((call) => [call.providerCallId, call.counts.toolFailures]));
    };
    const first = file(
      'taught.jsonl',
      [answered('declared', { rc: 7 }), answered('other', { state: 'void' })].join('\n'),
    );
    await cli.run(['import', first, '--agent', 'Taught', '--agent-config', config]);
    expect(await failures()).toEqual({ declared: 1, other: 0 });

    const teach = ['tools', 'teach', '--agent', 'Taught', '--tool', 'book_table', '--means', 'failed'];
    expect(await cli.run(teach)).toMatchObject({ code: 4, err: expect.stringContaining('--value') });
    const taught = await cli.run([...teach, '--field', 'state', '--value', 'void']);
    expect(taught).toMatchObject({ code: 0, out: 'book_table: failed where state is "void"\n' });
    const shown = await cli.run(['tools', '--agent', 'Taught', '--json']);
    expect(JSON.parse(shown.out)).toEqual([{ tool: 'book_table', means: 'failed', field: 'state', values: ['void'] }]);
    // What was read before is read again under the rule.
    await expect.poll(failures, { timeout: 60_000 }).toEqual({ declared: 1, other: 1 });
    await cli.run(['import', file('more.jsonl', answered('later', { state: 'void' })), '--agent', 'Taught']);
    expect(await failures()).toEqual({ declared: 1, other: 1, later: 1 });

    const rules = file('rules.json.txt', '{"tool": "x"}');
    expect(await cli.run(['tools', 'teach', rules, '--agent', 'Taught'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('not a JSON list of rules'),
    });
  });

  test('what was noted as calls were read is said after the import, on each call, and in coverage', async () => {
    const noted = 'The start time is no ISO 8601 time with a zone and was left out.';
    const path = file(
      'noted.jsonl',
      ['n1', 'n2'].map((id) => JSON.stringify({ ...record(id, 'Hi'), startedAt: '11/10/2026 3:30 PM' })).join('\n'),
    );
    const { out } = await cli.run(['import', path, '--agent', 'Noted']);
    expect(out).toContain(`Noted on 2 calls: ${noted}`);
    expect((await cli.run(['imports', 'show', '1', '--agent', 'Noted'])).out).toContain(`Noted on 2 calls: ${noted}`);
    expect((await cli.run(['calls', 'n1', '--agent', 'Noted'])).out).toContain(`Noted: ${noted}`);
    const agents: { id: string; name: string }[] = JSON.parse((await cli.run(['agents', '--json'])).out);
    const agent = agents.find(({ name }) => name === 'Noted');
    const { body } = await world.get(`/v1/agents/${agent?.id}/coverage`);
    expect(body.warnings).toEqual([{ warning: expect.stringContaining(noted), calls: 2 }]);
  });

  test('a dry run says what would be understood, and stores nothing', async () => {
    const path = file('dry.jsonl', `${JSON.stringify(record('d', 'Hi'))}\n{"id":"x","turns":[{"role":"wizard"}]}\n`);
    const { code, out, err } = await cli.run(['import', path, '--dry-run']);
    expect(code).toBe(1);
    expect(out).toContain('1 of 2 records can be read. Nothing was stored.');
    expect(out).toContain('Missing from 1: startMs and endMs of turns; silences');
    expect(err).toMatch(/dry\.jsonl, line 2, turns\[0\]\.role: /);
    const agents = JSON.parse((await cli.run(['agents', '--json'])).out) as { name: string }[];
    expect(agents.map(({ name }) => name)).not.toContain('dry');
  });

  test('what is no file, or holds nothing, is said', async () => {
    expect(await cli.run(['import', '/nowhere.jsonl'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('/nowhere.jsonl'),
    });
    expect(await cli.run(['import', file('empty.jsonl', '\n\n')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no records'),
    });
  });
});
