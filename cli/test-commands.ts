import type { Command } from 'commander';
import { openSession } from './session.ts';

/** Commands about tests, and tests as files of a repository. */
export function addTestCommands(program: Command, endWith: (code: number) => void): void {
  const tests = program.command('tests').description('the tests of an agent, and their files');
  tests
    .command('list', { isDefault: true })
    .description('what is tested, and which tests decide about runs')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./tests/show-tests.ts')).showTests(openSession(options), options));
  tests
    .command('pull')
    .description('write a file for each test; changes of yours in a file are kept')
    .option('--agent <agent>', 'id or name')
    .option('--dir <folder>', 'where the files are (tests/earshot)')
    .option('--force', "take the server's also where a file has changes")
    .option('--json', 'for programs')
    .action(async (options) =>
      endWith(await (await import('./tests/pull.ts')).pullTests(openSession(options), options)),
    );
  tests
    .command('push')
    .description('send new and changed files; nothing is deleted at the server')
    .option('--agent <agent>', 'id or name')
    .option('--dir <folder>', 'where the files are (tests/earshot)')
    .option('--dry-run', 'only say what would be sent, and what a run of it costs')
    .option('--json', 'for programs')
    .action(async (options) =>
      endWith(await (await import('./tests/push.ts')).pushTests(openSession(options), options)),
    );

  program
    .command('packs')
    .description('ready-made tests, such as attacks, and what a run of each costs')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./tests/show-packs.ts')).showPacks(openSession(options), options));

  program
    .command('validate <files...>')
    .description('check test files (or folders of them); stores nothing and spends nothing')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (files: string[], options) =>
      endWith(await (await import('./tests/validate.ts')).validateFiles(openSession(options), files, options)),
    );
}
