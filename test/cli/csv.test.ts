import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvRows } from '../../cli/tables/csv-rows.ts';
import { readTable } from '../../cli/tables/read-table.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'csv-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(text: string, columns: string[] = []) {
  const file = join(folder, 'calls.csv');
  writeFileSync(file, text);
  const records: { line: number; record: Record<string, unknown> }[] = [];
  const faults: { line: number; field: string | null; reason: string }[] = [];
  for await (const call of readTable(file, csvRows(file, 'utf-8'), { columns, roles: {}, timeZone: null })) {
    if ('reason' in call) faults.push(call);
    else records.push({ line: call.line, record: JSON.parse(call.text) });
  }
  return { records, faults };
}
const lines = (...rows: string[]) => `${rows.join('\n')}\n`;
const normalised = (record: unknown) => createFileReader(() => Date.UTC(2030, 0, 1)).normalise(record as never);

describe('a table with a row a turn', () => {
  const table = lines(
    '\ufeffCall ID,Speaker,Message,Start,End,Interrupted,Agent version,Created at',
    'c1,Agent,"Hello, how can I help?",0:00,1.5,no,3,2026-03-01T10:00:00Z',
    'c1,user,"A table,\nplease.",2.0,0:03.5,,3,2026-03-01T10:00:00Z',
    'c2,agent,Hi.,,,,,',
    'c2,caller,Bye.,,,,,',
  );

  test('is read by the names of its columns, each call at the line of its first row', async () => {
    const { records, faults } = await read(table);
    expect(faults).toEqual([]);
    expect(records.map(({ line }) => line)).toEqual([2, 5]);
    expect(records[0]?.record).toEqual({
      id: 'c1',
      startedAt: '2026-03-01T10:00:00Z',
      version: 3,
      turns: [
        { role: 'Agent', text: 'Hello, how can I help?', startSeconds: 0, endSeconds: 1.5, interrupted: false },
        { role: 'user', text: 'A table,\nplease.', startSeconds: 2, endSeconds: 3.5 },
      ],
    });
    expect(normalised(records[0]?.record).turns).toMatchObject([
      { role: 'agent', startMs: 0, endMs: 1500 },
      { role: 'caller', startMs: 2000, endMs: 3500 },
    ]);
  });

  test('is read as somebody says, with another separator', async () => {
    const odd = lines('Nr;Wer;Was;Wann', 'c1;bot;"Hallo; guten Tag";0', 'c1;kunde;Hallo;1200');
    const { records } = await read(odd, ['id=Nr', 'role=Wer', 'text = Was', 'startMs=Wann']);
    expect(records[0]?.record).toEqual({
      id: 'c1',
      turns: [
        { role: 'bot', text: 'Hallo; guten Tag', startMs: 0 },
        { role: 'kunde', text: 'Hallo', startMs: 1200 },
      ],
    });
  });

  test('holds tools, and clock times of its own in each row', async () => {
    const { records } = await read(
      lines(
        'id,timestamp,role,text,tool,arguments,tool result',
        'c1,2026-03-01T10:00:00Z,agent,One moment.,,,',
        'c1,2026-03-01T10:00:02Z,agent,,find_table,"{""seats"": 2}",',
        'c1,2026-03-01T10:00:03Z,,,find_table,,"{""free"": true}"',
      ),
    );
    expect(normalised(records[0]?.record)).toMatchObject({
      startedAt: '2026-03-01T10:00:00.000Z',
      turns: [
        { startMs: 0 },
        { startMs: 2000, toolCall: { name: 'find_table', args: { seats: 2 } } },
        { role: 'tool', startMs: 3000, toolResult: { name: 'find_table', body: { free: true } } },
      ],
    });
  });
});

describe('a table with a row a call', () => {
  test('has the talk in one cell, as lines or as a list', async () => {
    const talk = '"Agent: Hello.\n[00:04] User: A table\nfor two, please.\nAgent: Gladly."';
    const list = '"[{""role"":""agent"",""content"":""Hi.""}]"';
    const { records } = await read(lines('id,transcript,from', `c1,${talk},+15550100`, `c2,${list},`));
    expect(records.map(({ record }) => record)).toEqual([
      {
        id: 'c1',
        callerNumber: '+15550100',
        turns: 'Agent: Hello.\n[00:04] User: A table\nfor two, please.\nAgent: Gladly.',
      },
      { id: 'c2', turns: [{ role: 'agent', content: 'Hi.' }] },
    ]);
    expect(records.map(({ record }) => normalised(record).turns.map(({ role, text }) => [role, text]))).toEqual([
      [
        ['agent', 'Hello.'],
        ['caller', 'A table for two, please.'],
        ['agent', 'Gladly.'],
      ],
      [['agent', 'Hi.']],
    ]);
  });
});

describe('what is odd is named with its line and column, and the rest is read', () => {
  const good = 'good,agent,Hello.,1';
  test.each<[string, string[], { line: number; field: string | null; reason: RegExp }]>([
    ['a time that is none', ['c1,agent,Hi.,soon', good], { line: 2, field: 'start', reason: /"soon" is no time/ }],
    ['a row with fewer cells', ['c1,agent', good], { line: 2, field: null, reason: /2 cells, and the first line 4/ }],
    ['a row without an id', [',agent,Hi.,1', good], { line: 2, field: null, reason: /no id/ }],
    [
      'rows of a call that do not stand together',
      ['c1,agent,Hi.,1', good, 'c1,caller,Bye.,2', 'c1,caller,Bye.,3'],
      { line: 4, field: null, reason: /Rows of call c1 stand apart/ },
    ],
    ['a quote that nothing closes', [good, 'c1,agent,"Hi.,1'], { line: 3, field: null, reason: /from here on/ }],
  ])('%s', async (_what, rows, { reason, ...place }) => {
    const { records, faults } = await read(lines('id,role,text,start', ...rows));
    expect(records.map(({ record }) => record.id)).toContain('good');
    expect(faults).toEqual([{ ...place, reason: expect.stringMatching(reason) }]);
  });

  test('a cell of talk in which nobody speaks', async () => {
    const { records } = await read(lines('id,transcript', 'c1,Hello there'));
    expect(() => normalised(records[0]?.record)).toThrow('does not begin with who speaks');
  });

  test.each<[string, string, string[], RegExp]>([
    [
      'no column of ids',
      'a,role,text',
      [],
      /the id of a call. Its columns are a, role, text. Say which one it is with --column "id=…"/,
    ],
    [
      'that several columns are missing',
      'a,b',
      [],
      /the id of a call, who speaks, and what is said. .*--column "id=…" --column "role=…" --column "text=…"/,
    ],
    ['no column of words', 'id,role', [], /what is said/],
    ['a column that is not there', 'id,role,text', ['id=Nr'], /no such column. It has id, role, text/],
    ['a field that nobody knows', 'id,role,text', ['who=role'], /the field is one of id, /],
  ])('%s is told before anything is read', async (_what, header, columns, message) => {
    await expect(read(lines(header, 'x,y,z'), columns)).rejects.toThrow(message);
  });
});

test('a file without a table is told', async () => {
  await expect(read('')).rejects.toThrow(/holds no table/);
});
