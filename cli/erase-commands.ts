import type { Command } from 'commander';
import { openSession } from './session.ts';

/** Commands that remove for good what calls left behind. */
export function addEraseCommands(program: Command): void {
  const erase = program.command('erase').description('remove calls, a caller or an agent for good, with a report');
  erase
    .command('calls <ids...>')
    .description('calls by their ids, with all that was derived of them')
    .option('--agent <agent>', 'id or name')
    .requiredOption('--reason <text>', 'kept with the report; name nobody in it')
    .option('--yes', 'without asking')
    .option('--json', 'for programs')
    .action(async (callIds: string[], options) =>
      (await import('./erase.ts')).eraseOfAgent(openSession(options), { callIds }, options),
    );
  erase
    .command('caller <number>')
    .description('all calls of a number, however it is written')
    .option('--agent <agent>', 'id or name')
    .requiredOption('--reason <text>', 'kept with the report; name nobody in it')
    .option('--yes', 'without asking')
    .option('--json', 'for programs')
    .action(async (callerNumber: string, options) =>
      (await import('./erase.ts')).eraseOfAgent(openSession(options), { callerNumber }, options),
    );
  erase
    .command('agent <agent>')
    .description('an agent by id or name, with all that is known of it')
    .option('--yes', 'without asking')
    .option('--json', 'for programs')
    .action(async (agent: string, options) =>
      (await import('./erase.ts')).eraseAgent(openSession(options), agent, options),
    );
}
