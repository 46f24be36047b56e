import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf } from '../../cli/export/cursor.ts';
import { sourcesOf } from '../../cli/export/sources.ts';
import { eraseCalls } from '../../src/services/erasures/erase-calls.ts';
import { makeSignal, testKnowledge, testVault } from '../support/analysed-calls.ts';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { minute, type SeededCall, seedCalls } from '../support/seed.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

let world: World;
let cli: CommandLine;
let agentId: string;
beforeAll(async () => {
  world = await createWorld();
  cli = await commandLineFor(world);
  agentId = await world.makeAgent();
});
afterAll(() => world.close());

const file = (name: string) => join(cli.folder, name);
const calls = (from: number, to: number, analysis: SeededCall['analysis'] = {}): SeededCall[] =>
  Array.from({ length: to - from }, (_, at) => ({
    call: { providerCallId: `c${from + at}`, startedAt: minute(from + at) },
    analysis,
  }));

/** What an export tells; without a name the key's own agent. */
async function changes(...args: string[]): Promise<Loose[]> {
  const { code, out, err } = await cli.run(['export', '--since', file('lake.cursor'), ...args]);
  expect({ code, err }).toMatchObject({ code: 0 });
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
const brief = (told: Loose[]) => told.map(({ kind, change, data }) => [kind, change, data?.providerCallId ?? null]);

test('the first export tells all, the next what came, changed or went, and another nothing', async () => {
  const ids = await seedCalls(world, agentId, calls(0, 105));
  const all = await changes('--agent', agentId);
  expect(all).toHaveLength(105);
  expect(all[0]).toMatchObject({ kind: 'call', change: 'new', id: ids[104], data: { object: 'call', id: ids[104] } });
  expect(await changes()).toEqual([]);

  await seedCalls(world, agentId, calls(105, 107));
  expect(brief(await changes())).toEqual([
    ['call', 'new', 'c106'],
    ['call', 'new', 'c105'],
  ]);

  // Read again, with something found: calls of other outcomes, and issues that were not there.
  await seedCalls(
    world,
    agentId,
    calls(3, 8, { outcome: 'unresolved', signals: [makeSignal({ code: 'tool_failed' })] }),
  );
  const again = await changes();
  expect(brief(again).filter(([kind]) => kind === 'call')).toEqual(
    [7, 6, 5, 4, 3].map((n) => ['call', 'changed', `c${n}`]),
  );
  expect(again[0]).toMatchObject({ kind: 'issue', change: 'new', data: { code: 'tool_failed', volume: 5 } });

  const em = world.database.within(world.workspaceId);
  const knows = { vault: testVault, catalogue: testKnowledge.catalogue };
  await em.transactional((tx) => eraseCalls(tx, knows, { workspaceId: world.workspaceId, agentId }, ids.slice(50, 52)));
  const gone = (await changes()).filter(({ kind }) => kind === 'call');
  expect(gone.map(({ change, id, data }) => [change, id, data]).sort()).toEqual(
    ids
      .slice(50, 52)
      .map((id) => ['removed', id, null])
      .sort(),
  );
  expect(await changes()).toEqual([]);
});

test('what a list did not show is told as the list would have it', async () => {
  const ask = async <T>(path: string): Promise<T> => (await world.get(path)).body;
  const sources = sourcesOf(ask, agentId);
  for (const kind of ['issue', 'call'] as const) {
    for await (const thing of sources[kind].all()) {
      expect(digestOf(await sources[kind].find(thing.id))).toBe(digestOf(thing));
    }
  }
});

const MARKS = 'a\u0085\u009b31m\u061c\u200e\u202e\u2066 ü 漢 😀';

test('control characters and direction marks are written as escapes, and as they are with --raw', async () => {
  const call = { providerCallId: 'marked', startedAt: minute(106) };
  const signals = [makeSignal({ code: 'tool_failed', quote: MARKS })];
  await seedCalls(world, agentId, [{ call, analysis: { objective: MARKS, signals } }]);
  const escaped = 'a\\u0085\\u009b31m\\u061c\\u200e\\u202e\\u2066 ü 漢 😀';
  for (const since of [[], ['--since', file('marks.cursor')]]) {
    const args = ['export', '--agent', agentId, ...since];
    expect(await cli.run([...args, '-o', file('escaped.jsonl')])).toMatchObject({ code: 0 });
    const safe = readFileSync(file('escaped.jsonl'), 'utf8');
    expect(safe).toContain(escaped);
    expect(safe).not.toMatch(/[\u0080-\u009f\u061c\u200e\u202e\u2066]/);
    if (since.length > 0) rmSync(file('marks.cursor'));
    await cli.run([...args, '--raw', '-o', file('raw.jsonl')]);
    const raw = readFileSync(file('raw.jsonl'), 'utf8');
    expect(raw).toContain(MARKS);
    const read = (text: string) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    expect(read(safe)).toEqual(read(raw));
  }
});

test('an export that did not end moves no cursor, and its lines are told again', async () => {
  await seedCalls(world, agentId, calls(107, 108));
  const before = readFileSync(file('lake.cursor'), 'utf8');
  const broken = await cli.run(['export', '--since', file('lake.cursor'), '-o', join(cli.folder, 'none', 'x')]);
  expect(broken).toMatchObject({ code: 4, err: expect.stringContaining('can not be written') });
  expect(readFileSync(file('lake.cursor'), 'utf8')).toBe(before);
  expect(brief(await changes())).toContainEqual(['call', 'new', 'c107']);
});

test('a file that is no cursor, and one of another agent, are refused and left alone', async () => {
  writeFileSync(file('notes.txt'), 'notes');
  const wrong = await cli.run(['export', '--since', file('notes.txt')]);
  expect(wrong).toMatchObject({ code: 4, out: '', err: expect.stringContaining('was not written by an export') });
  expect(readFileSync(file('notes.txt'), 'utf8')).toBe('notes');
  const other = await cli.run(['export', '--since', file('lake.cursor'), '--agent', world.agentId]);
  expect(other).toMatchObject({ code: 4, err: expect.stringContaining('another agent') });
});
