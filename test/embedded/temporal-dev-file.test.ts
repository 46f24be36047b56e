import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readTemporalDevFile } from '../../packages/embedded/temporal-dev-file.ts';
import { SEARCH_ATTRIBUTES } from '../../src/temporal/search-attributes.ts';

test('the file of the project says what the local server is started with', () => {
  expect(readTemporalDevFile()).toEqual({
    namespace: 'default',
    pragmas: ['journal_mode=wal', 'synchronous=normal'],
    searchAttributes: SEARCH_ATTRIBUTES,
    retentionDays: 90,
  });
});

test('as a Compose file it has one service, which is published on this machine only', () => {
  const compose = parse(readFileSync(new URL('../../temporal-dev.yaml', import.meta.url), 'utf8'));
  expect(Object.keys(compose.services)).toEqual(['temporal']);
  for (const port of compose.services.temporal.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test.each([
  ['services: {}\nx-earshot: {retention: 90d}', /services\.temporal/],
  ['services: {temporal: {command: [server]}}\nx-earshot: {retention: 3 months}', /number of days/],
  ['services: {temporal: {command: [--search-attribute, Agent]}}\nx-earshot: {retention: 1d}', /NAME=TYPE/],
])('a file that cannot be used is named with its fault', (text, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-yaml-'));
  try {
    writeFileSync(join(folder, 'temporal-dev.yaml'), text);
    expect(() => readTemporalDevFile(join(folder, 'temporal-dev.yaml'))).toThrow(message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
