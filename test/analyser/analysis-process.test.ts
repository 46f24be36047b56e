import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { moduleFile } from '../../src/layout.ts';
import { untilTrue } from '../support/pipeline.ts';
import { openTestFolder } from '../support/test-folder.ts';

test('a process that is killed leaves what it compiled to the next', async () => {
  const folder = openTestFolder();
  const env = { NODE_COMPILE_CACHE: folder.path };
  const child = fork(moduleFile('src/analyser/analysis-process'), { env, serialization: 'advanced' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await new Promise((resolve) => child.once('message', resolve));
    const answered = new Promise((resolve) => child.once('message', resolve));
    child.send({ work: 'analyseAndJudge', args: [] });
    expect(await answered).toMatchObject({ error: expect.stringContaining('TypeError') });
    const compiled = () => readdirSync(folder.path, { recursive: true }).length;
    await untilTrue(async () => compiled() > 100);
  } finally {
    child.kill('SIGKILL');
    await ended;
    folder.remove();
  }
});
