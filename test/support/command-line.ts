import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession } from '../../src/operations/access/sessions.ts';
import type { World } from './world.ts';

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface CommandLine {
  folder: string;
  run(args: string[], env?: Record<string, string>): Promise<Ran>;
  stored(): { url: string; key: string | null; session: string | null };
}

const FROM_SOURCES = [process.execPath, fileURLToPath(new URL('../../cli/earshot.js', import.meta.url))];

export interface CommandLineOptions {
  rotates?: boolean;
  /** Another Node, or another build of the command. */
  command?: string[];
}

/** The real command in a process of its own, with what `npm start` would have stored for it. */
export async function commandLineFor(world: World, options: CommandLineOptions = {}): Promise<CommandLine> {
  const [program = '', ...first] = options.command ?? FROM_SOURCES;
  if (!world.app.server.listening) await world.app.listen({ host: '127.0.0.1', port: 0 });
  const address = world.app.server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
  const who = { workspaceId: world.workspaceId, personId: world.personId, rotates: options.rotates ?? false };
  const { secret } = await openSession(world.database.em(), world.services, who);
  writeFileSync(join(folder, 'cli.json'), JSON.stringify({ url, key: world.writeKey, session: secret }));
  return {
    folder,
    stored: () => JSON.parse(readFileSync(join(folder, 'cli.json'), 'utf8')),
    run: (args, env = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(program, [...first, ...args], {
          env: { PATH: process.env.PATH, EARSHOT_DATA: folder, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const ran: Ran = { code: null, out: '', err: '' };
        child.stdout.on('data', (chunk: Buffer) => {
          ran.out += chunk.toString();
        });
        child.stderr.on('data', (chunk: Buffer) => {
          ran.err += chunk.toString();
        });
        child.on('error', reject);
        child.on('close', (code) => resolve({ ...ran, code }));
      }),
  };
}
