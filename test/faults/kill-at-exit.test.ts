import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { waitForEnd } from '../../packages/embedded/processes.js';

const MODULE = fileURLToPath(new URL('../support/kill-at-exit.ts', import.meta.url));
/** Starts a child that would run for ever, stops it, and says its number. */
const PARENT = `
  const { spawn } = await import('node:child_process');
  const { killAtExit, exitWhenTold } = await import(${JSON.stringify(MODULE)});
  exitWhenTold();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  killAtExit(child);
  child.kill('SIGSTOP');
  console.log(child.pid);
  setInterval(() => {}, 1e6);
`;

test.each(['SIGINT', 'SIGTERM', 'a lost parent'])(
  'a child that is stopped ends with its parent, by %s',
  async (how) => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const [said] = await once(parent.stdout ?? parent, 'data');
    if (how === 'a lost parent') parent.disconnect();
    else parent.kill(how as NodeJS.Signals);
    await once(parent, 'exit');
    expect(await waitForEnd(Number(said), 20_000)).toBe(true);
  },
);
