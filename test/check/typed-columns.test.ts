import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const ENTITIES_FILE = join('src', 'db', 'webhooks', 'entities.ts');

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'earshot-columns-'));
  cpSync(join(PROJECT, 'src'), join(copy, 'src'), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'), 'dir');
  const config = JSON.parse(readFileSync(join(PROJECT, 'tsconfig.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ ...config, include: ['src/db/webhooks'] }));
  cpSync(join(PROJECT, 'package.json'), join(copy, 'package.json'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** @returns the files with an error of types. */
function filesWithErrors(): string[] {
  const tsc = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', copy], { encoding: 'utf8' });
  return [...new Set([...stdout.matchAll(/(src\/[\w/.-]+\.ts)\(\d+,\d+\): error/g)].map(([, file = '']) => file))];
}

test('a column that is renamed is an error of types in the queries that name it', () => {
  // Without the change there is no error, as `npm run check` sees: another one would stand in the list.
  const rows = join(copy, ENTITIES_FILE);
  writeFileSync(rows, readFileSync(rows, 'utf8').replace('nextTryAt: time()', 'triedNextAt: time()'));
  expect(filesWithErrors().sort()).toEqual(
    [
      'channels/enqueue-messages',
      ...['deliveries', 'delivery-log', 'delivery-tries', 'tend-deliveries', 'webhooks'].map(
        (name) => `webhooks/${name}`,
      ),
    ].map((name) => `src/db/${name}.ts`),
  );
});
