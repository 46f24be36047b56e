import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockHolder, tryLock } from '../../packages/embedded/lock.js';
import { isStillRunning, markProcess } from '../../packages/embedded/processes.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-lock-'));
  file = join(folder, 'a.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('one process holds a lock; the next is told who and what for', () => {
  const first = tryLock(file, 'the first start');
  expect(first.taken).toBe(true);
  expect(tryLock(file, 'the second start')).toMatchObject({
    taken: false,
    holder: { pid: process.pid, note: 'the first start' },
  });
  if (first.taken) first.release();
  expect(lockHolder(file)).toBeNull();
  expect(tryLock(file, 'again').taken).toBe(true);
});

test('the lock of a process that has died is free', async () => {
  const child = spawn('sleep', ['60']);
  const mark = markProcess(child.pid ?? 0);
  writeFileSync(file, JSON.stringify({ ...mark, since: new Date().toISOString(), note: '' }));
  expect(tryLock(file, 'too early').taken).toBe(false);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(tryLock(file, 'in time').taken).toBe(true);
});

test('a lock that holds nonsense is free', () => {
  writeFileSync(file, 'half a li');
  expect(tryLock(file, 'me').taken).toBe(true);
});

test('a process number that was given to another program is not the process that was meant', () => {
  expect(isStillRunning(markProcess(process.pid))).toBe(true);
  expect(isStillRunning({ pid: process.pid, started: 'long ago' })).toBe(false);
});
