import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installPackages, packagesAreInstalled } from '../../packages/embedded/packages.js';
import { createSteps } from '../../packages/embedded/steps.js';

const PACKAGE = { name: 'a', version: '1.0.0', dependencies: { b: 'file:b' } };
const LOCK = {
  name: 'a',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: { '': PACKAGE, b: { version: '1.0.0' }, 'node_modules/b': { resolved: 'b', link: true } },
};
let project: string;
let said = '';
const steps = () => createSteps({ write: (text) => (said += text) });
const touch = (name: string, secondsFromNow: number) => {
  const at = Date.now() / 1000 + secondsFromNow;
  utimesSync(join(project, name), at, at);
};
beforeEach(() => {
  said = '';
  project = mkdtempSync(join(tmpdir(), 'earshot-packages-'));
  writeFileSync(join(project, 'package.json'), JSON.stringify(PACKAGE));
  mkdirSync(join(project, 'b'));
  writeFileSync(join(project, 'b', 'package.json'), JSON.stringify({ name: 'b', version: '1.0.0' }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(LOCK));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

test('packages are installed from the lock file when they are missing, and then not again', async () => {
  expect(packagesAreInstalled(project)).toBe(false);
  await installPackages(project, steps());
  expect(said).toMatch(/Installing packages from package-lock\.json/);
  said = '';
  await installPackages(project, steps());
  expect(said).toBe('');
});

test('a lock file that is newer and different wants another install; one that was only touched does not', async () => {
  await installPackages(project, steps());
  touch('package-lock.json', 60);
  expect(packagesAreInstalled(project)).toBe(true);
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ ...LOCK, version: '1.0.1' }));
  touch('package-lock.json', 60);
  expect(packagesAreInstalled(project)).toBe(false);
});

test('what npm objects to is shown with one sentence of advice', async () => {
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'a', dependencies: { zod: '4.6.7' } }));
  await expect(installPackages(project, steps())).rejects.toThrow(/zod[\s\S]*The packages could not be installed/);
});

test('while another start installs, this one waits and says for whom', async () => {
  const other = spawn(
    process.execPath,
    [
      '-e',
      LOCKER,
      new URL('../../packages/embedded/lock.js', import.meta.url).href,
      join(project, '.earshot', 'install.lock'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise((resolve) => other.stdout.once('data', resolve));
  const waiting = installPackages(project, steps());
  await new Promise((resolve) => setTimeout(resolve, 2_600));
  other.kill('SIGKILL');
  await waiting;
  expect(said).toContain(`Installing packages, by process ${other.pid}: 2 s`);
});
const LOCKER = `import(process.argv[1]).then(({ tryLock }) => { tryLock(process.argv[2], 'npm ci'); console.log('held'); setInterval(() => {}, 1000); })`;
