import type { Command } from 'commander';
import { wholeNumber } from './values.ts';

/** Commands about what runs on this machine; the small package has none of them. */
export function addMachineCommands(program: Command, endWith: (code: number) => void): void {
  program
    .command('up')
    .description('start everything on this machine: PostgreSQL, Temporal, the API with the web app, and a worker')
    .option('--once', 'do the job, print the result, stop')
    .option('--no-demo', 'without the demo agents')
    .option('--port <port>', 'port of the server', wholeNumber)
    .action(async (options) => endWith(await (await import('./up.ts')).up(options)));

  program
    .command('doctor')
    .description('what runs, what is missing, and how to get it')
    .option('--json', 'for programs')
    .action(async (options) => endWith(await (await import('./doctor.ts')).doctor(options)));
}
