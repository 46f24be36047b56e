import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Problem } from '../../cli/problem.ts';
import { type RefusedLine, readRecords } from '../../cli/read-records.ts';
import type { Json } from '../../src/domain/json.ts';
import { UnreadableRequest } from '../../src/inbound/otlp/read-request.ts';
import { readTraces } from '../../src/inbound/otlp/read-traces.ts';
import { EXAMPLES } from './examples.ts';
import { whatIsWrong } from './judge.ts';

const FORMATS = new URL('../platforms/formats/', import.meta.url);
const SPANS = new URL('../platforms/spans/', import.meta.url);
const TENTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const folder = mkdtempSync(join(tmpdir(), 'earshot-truncated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROLES = {
  A: 'agent',
  B: 'caller',
  0: 'agent',
  1: 'caller',
  2: 'caller',
  'Nina Vale': 'agent',
  'Tom Hart': 'caller',
};

/** What the command makes of a file: its records, and reasons for the rest. */
async function readFile(path: string): Promise<{ records: Json[]; reasons: string[] }> {
  const refused: RefusedLine[] = [];
  const records: Json[] = [];
  const reasons: string[] = [];
  try {
    const options = { columns: [], roles: ROLES, timeZone: null, refused, note: () => {} };
    for await (const { text } of readRecords([path], options)) {
      const parsed = jsonIn(text);
      if (parsed === undefined) reasons.push('The line is not JSON.');
      else records.push(parsed);
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    reasons.push(error.message);
  }
  return { records, reasons: [...reasons, ...refused.map(({ reason }) => reason)] };
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test.each(readdirSync(FORMATS))('%s, cut off at each tenth, is a call or has a reason', async (file) => {
  const bytes = readFileSync(new URL(file, FORMATS));
  for (const tenth of TENTHS) {
    const path = join(folder, file);
    writeFileSync(path, bytes.subarray(0, Math.floor((bytes.length * tenth) / 10)));
    const { records, reasons } = await readFile(path);
    expect([tenth, records.length + reasons.length]).not.toEqual([tenth, 0]);
    for (const reason of reasons) expect(reason).toMatch(/\w{3,}.*\./);
    for (const record of records) expect([tenth, whatIsWrong('document', record)]).toEqual([tenth, null]);
  }
});

test.each(readdirSync(SPANS))('%s, cut off at each tenth, is refused with a reason', (file) => {
  const bytes = readFileSync(new URL(file, SPANS));
  for (const tenth of TENTHS) {
    const read = () => readTraces(bytes.subarray(0, Math.floor((bytes.length * tenth) / 10)), 'json');
    expect(read).toThrow(UnreadableRequest);
  }
});

/** The lists of a payload, by the way that leads to each. */
function listsIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, child]) =>
    listsIn(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) && value.length > 1 ? [path, ...inner] : inner;
}

function cutAt(value: Json, [key, ...rest]: (string | number)[], tenth: number): Json {
  if (key === undefined) return Array.isArray(value) ? value.slice(0, Math.floor((value.length * tenth) / 10)) : value;
  if (Array.isArray(value)) return value.map((child, at) => (at === key ? cutAt(child, rest, tenth) : child));
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [key]: cutAt(value[key] ?? null, rest, tenth) };
}

const LISTS_CUT = 6;

test.each(EXAMPLES)('$name, its lists cut short, is a call or has a reason', ({ kind, payload }) => {
  for (const path of listsIn(payload).slice(0, LISTS_CUT)) {
    for (const tenth of [0, 3, 7]) {
      const where = `${path.join('.')} at ${tenth}`;
      expect([where, whatIsWrong(kind, cutAt(payload, path, tenth))]).toEqual([where, null]);
    }
  }
});
