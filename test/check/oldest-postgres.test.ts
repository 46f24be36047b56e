import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/layout.ts';

/** The tests run on the PostgreSQL that Earshot brings; an operator's may be as old as 15. */
const ONLY_LATER =
  /\breturning\b[^;`]*\b(?:old|new)\.|`\s*(?:old|new)\.|\b(?:uuidv7|any_value|json_table|merge_action)\(/gi;

test('no statement asks for what PostgreSQL 15 does not know', () => {
  const files = globSync(['{src,activities,api}/**/*.ts'], { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    (readFileSync(join(ROOT, file), 'utf8').match(ONLY_LATER) ?? []).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
