import type { Command } from 'commander';
import { addMachineCommands } from '../../cli/machine-commands.ts';

/** What runs on this machine, all of it or one process at a time; each process reads its settings from the environment. */
export function addServerCommands(program: Command, endWith: (code: number) => void): void {
  addMachineCommands(program, endWith);
  program
    .command('api')
    .description('run an API process, which also serves the web app')
    .action(async () => void (await import('../../api/server.ts')));
  program
    .command('worker')
    .description('run a worker process')
    .action(async () => void (await import('../../activities/worker.ts')));
  program
    .command('migrate')
    .description("bring the database's schema up to date, and end")
    .action(async () => void (await import('../../api/migrate.ts')));
  program
    .command('seal')
    .description('seal everything under the present secret, say what is left under earlier ones, and end')
    .option('--count', 'only say what is left')
    .action(async () => void (await import('../../api/seal.ts')));
}
