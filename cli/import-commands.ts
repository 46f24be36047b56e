import type { Command } from 'commander';
import { openSession } from './session.ts';

/** Commands about imports: how far they are, what they wait for, and how to help them on. */
export function addImportCommands(program: Command): void {
  const imports = program.command('imports').description('progress of imports, and what they are waiting for');
  imports
    .command('list', { isDefault: true })
    .description('the newest imports of an agent')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./imports.ts')).showImports(openSession(options), options));
  imports
    .command('show <import>')
    .description('one of them (its number or id): what it waits for, and what failed why')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (id: string, options) =>
      (await import('./imports.ts')).showImport(openSession(options), id, options),
    );
  const message = (name: 'retry' | 'cancel' | 'pause' | 'go-on' | 'try-now', description: string) =>
    imports
      .command(`${name} <import>`)
      .description(description)
      .option('--agent <agent>', 'id or name')
      .option('--json', 'for programs')
      .action(async (id: string, options) =>
        (await import('./imports.ts')).messageImport(openSession(options), id, name, options),
      );
  message('retry', 'take up again what it kept with a reason');
  message('try-now', 'end its present wait');
  message('pause', 'stop after the page that it is on');
  message('go-on', 'let a paused one go on');
  message('cancel', 'take nothing new from the platform; what is stored is kept');
  imports
    .command('skip <import> <call>')
    .description('go on without one call, by its id at the platform')
    .requiredOption('--reason <text>', 'stands beside the call for everybody')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, call: string, options) =>
      (await import('./imports.ts')).skipCall(openSession(options), id, call, options),
    );
}

const EXAMPLES = `
Examples:
  $ earshot imports show 1                                      says which call it waits for
  $ earshot imports skip 1 call_007 --reason "never ends at the platform"`;
