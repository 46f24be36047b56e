import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stageCommandLine } from '../../release/command-line.ts';
import { pack } from '../../release/pack.ts';
import { commandLineFor } from '../support/command-line.ts';
import { nodesHere } from '../support/nodes.ts';
import { createWorld, type World } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-release-'));
const installed = join(folder, 'installed');
const program = join(installed, 'node_modules', '.bin', 'earshot');
let tarball: string;
let world: World;

beforeAll(async () => {
  world = await createWorld();
  tarball = pack(await stageCommandLine('@acme'), join(folder, 'first'));
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{"private": true}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: installed,
    stdio: 'ignore',
  });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

test('the same sources give the same bytes, and the list beside them names each file', async () => {
  const again = pack(await stageCommandLine('@acme'), join(folder, 'second'));
  expect(readFileSync(again).equals(readFileSync(tarball))).toBe(true);
  const list = JSON.parse(readFileSync(tarball.replace('.tgz', '.contents.json'), 'utf8'));
  const own = join(installed, 'node_modules', '@acme', 'earshot');
  const present = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(own, path)).isFile(),
  );
  expect(list.files.map(({ path }: { path: string }) => path)).toEqual(present.sort());
  expect(list.bundled.map(({ name }: { name: string }) => name)).toEqual([
    'ansi-regex',
    'commander',
    'csv-parse',
    'eventsource-parser',
    'fflate',
    'get-east-asian-width',
    'read-excel-file',
    'string-width',
    'strip-ansi',
    'yaml',
  ]);
});

test('it is small, and nothing comes along with it', () => {
  const packages = readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages).toEqual(['@acme']);
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((path) => join(installed, path));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(3_000_000);
});

test.each(nodesHere())('on Node %s it reads, writes tests as files and takes them again', async (_version, node) => {
  const cli = await commandLineFor(world, { command: [node, program] });
  expect(await cli.run(['--version'])).toMatchObject({ code: 0, out: '0.1.0\n' });
  expect(JSON.parse((await cli.run(['agents', '--json'])).out)).toMatchObject([{ id: world.agentId }]);
  const tests = join(cli.folder, 'tests');
  expect(await cli.run(['tests', 'pull', '--dir', tests])).toMatchObject({ code: 0 });
  expect(await cli.run(['tests', 'push', '--dry-run', '--dir', tests])).toMatchObject({ code: 0 });
  expect(await cli.run(['result', randomUUID()])).toMatchObject({
    code: 4,
    err: expect.stringContaining('earshot runs'),
  });
  const away = await cli.run(['agents'], { EARSHOT_URL: 'http://127.0.0.1:9' });
  expect(away.err).toContain('npx @acme/earshot-server');
  expect((await cli.run(['up'])).err).toContain("unknown command 'up'");
});

test('without a name for the server it takes one that runs from this folder, unless a key of the environment would go there', async () => {
  const [[, node] = []] = nodesHere();
  const cli = await commandLineFor(world, { command: [node ?? '', program] });
  const { url, key } = cli.stored();
  const here = join(folder, 'here');
  mkdirSync(join(here, '.earshot'), { recursive: true });
  const store = (at: string) => writeFileSync(join(here, '.earshot', 'cli.json'), JSON.stringify({ url: at, key }));
  const asked = (env: Record<string, string>) =>
    ask(node ?? '', [program, 'agents'], { cwd: here, env: { HOME: join(folder, 'home'), ...env } });
  store(url);
  expect(await asked({})).toMatchObject({ status: 0 });
  expect(await asked({ EARSHOT_KEY: key ?? '', EARSHOT_URL: url })).toMatchObject({ status: 0 });
  expect(await asked({ EARSHOT_KEY: '' })).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('is set and empty'),
  });
  store('http://earshot.invalid');
  expect((await asked({})).stderr).toContain('http://127.0.0.1:4100');
  expect((await asked({ EARSHOT_KEY: 'svc_x' })).stderr).not.toContain('earshot.invalid');
});

/** The API answers from this process, which therefore must not wait for the other one. */
const ask = (file: string, args: string[], options: ExecFileOptions) =>
  new Promise<{ status: number | null; stderr: string }>((resolve) => {
    const child = execFile(file, args, { ...options, encoding: 'utf8' }, (_error, _stdout, stderr) =>
      resolve({ status: child.exitCode, stderr }),
    );
  });
