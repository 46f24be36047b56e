import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { CheckResult } from './check.ts';

/** Runs a checker of node_modules; what it prints is shown when it objects. */
export function program(project: string, name: string, args: string[], text: string): Promise<CheckResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(project, 'node_modules', '.bin', name), args, {
      cwd: project,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let details = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        details += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, text, details: details.trimEnd() }));
  });
}
