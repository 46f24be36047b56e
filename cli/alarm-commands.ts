import type { Command } from 'commander';
import { openSession } from './session.ts';

/** Commands about alarms on the figures of an agent, and alarms as files of a repository. */
export function addAlarmCommands(program: Command): void {
  const alarms = program.command('alarms').description('alarms on the figures of an agent, and their files');
  alarms
    .command('list', { isDefault: true })
    .description('the alarms of an agent, and how each stands')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./alarms/show-alarms.ts')).showAlarms(openSession(options), options));
  alarms
    .command('show <alarm>')
    .description('one alarm by its slug, with its history')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (alarm, options) =>
      (await import('./alarms/show-alarms.ts')).showAlarm(openSession(options), alarm, options),
    );
  alarms
    .command('acknowledge <alarm>')
    .description('say that somebody is at it: no reminder comes until it gets worse')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (alarm, options) =>
      (await import('./alarms/show-alarms.ts')).acknowledgeAlarm(openSession(options), alarm, options),
    );
  alarms
    .command('silence <alarm>')
    .description('tell people nothing of it for some hours but that it is over')
    .requiredOption('--hours <hours>', 'from now on; 0 ends the silence')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (alarm, options) =>
      (await import('./alarms/show-alarms.ts')).silenceAlarm(openSession(options), alarm, options),
    );
  alarms
    .command('pull')
    .description('write a file for each alarm; changes of yours in a file are kept')
    .option('--agent <agent>', 'id or name')
    .option('--dir <folder>', 'where the files are (alarms/earshot)')
    .option('--force', "take the server's also where a file has changes")
    .option('--json', 'for programs')
    .action(async (options) => (await import('./alarms/files.ts')).pullAlarms(openSession(options), options));
  alarms
    .command('push')
    .description('send new and changed files, and say how often each would have rung; nothing is deleted at the server')
    .option('--agent <agent>', 'id or name')
    .option('--dir <folder>', 'where the files are (alarms/earshot)')
    .option('--dry-run', 'only say how often what would be sent would have rung')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./alarms/files.ts')).pushAlarms(openSession(options), options));
}
