import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../cli/earshot.js', import.meta.url));

function earshot(...args: string[]) {
  const { stdout, status } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  return { status, lines: stdout.split('\n').filter(Boolean) };
}

test.each([
  [['iss'], ['issues']],
  [
    ['webhooks', ''],
    ['list', 'add', 'deliveries', 'send-again', 'on', 'off', 'remove'],
  ],
  [['calls', '--out'], ['--outcome']],
  [['calls', '--outcome', 'res'], ['resolved']],
  [['connect', 'ret'], ['retell']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['nonsense', 'x'], []],
])('after %j comes %j', (typed, expected) => {
  expect(earshot('complete', '--', ...typed).lines).toEqual(expected);
});

test('bash completes with what is printed for it', () => {
  const script = earshot('completion', 'bash').lines.join('\n');
  const typed = `earshot() { ${JSON.stringify(process.execPath)} ${JSON.stringify(PROGRAM)} "$@"; }
${script}
COMP_WORDS=(earshot imports sk); COMP_CWORD=2; _earshot; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', typed], { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['skip\n', '']);
});

const hasFish = spawnSync('fish', ['--version']).status === 0;

test.skipIf(!hasFish)('fish completes with what is printed for it', () => {
  const functions = `function earshot; '${process.execPath}' '${PROGRAM}' $argv; end`;
  const script = earshot('completion', 'fish').lines.join('\n');
  const typed = `${functions}\n${script}\ncomplete -C 'earshot imports sk'`;
  expect(spawnSync('fish', ['--no-config', '-c', typed], { encoding: 'utf8' }).stdout).toBe('skip\n');
});

test('zsh and fish are given the same question, and another shell is refused', () => {
  for (const shell of ['zsh', 'fish']) {
    expect(earshot('completion', shell).lines.join('\n')).toContain('earshot complete -- ');
  }
  expect(earshot('completion', 'csh').status).toBe(4);
});

test.each(['issues', 'calls', 'run', 'connect', 'completion'])('the help of %s has examples', (command) => {
  expect(earshot(command, '--help').lines).toContain('Examples:');
});
