import { type Command, Option } from 'commander';
import { WATCH_STATES } from '../src/domain/vocabulary.ts';
import { openSession } from './session.ts';

/** Commands about expectations that are checked on production calls. */
export function addWatchCommands(program: Command): void {
  const watches = program.command('watches').description('expectations checked on every call');
  const named = (name: string, description: string) =>
    watches.command(`${name} <watch>`).description(description).option('--agent <agent>', 'id or name');
  watches
    .command('list', { isDefault: true })
    .description('the watches of an agent: those that people wrote, and those that its own text asks for')
    .option('--agent <agent>', 'id or name')
    .addOption(new Option('--state <state>', 'only in this state').choices(WATCH_STATES))
    .option('--json', 'for programs')
    .action(async (options) => (await import('./watches.ts')).showWatches(openSession(options), options));
  named('show', 'one watch (its number in the list, or id) with its samples and why it is not live')
    .option('--json', 'for programs')
    .action(async (watch, options) => (await import('./watches.ts')).showWatch(openSession(options), watch, options));
  named('backtest', 'hold it against the last calls in its scope, and wait for the samples')
    .option('--json', 'for programs')
    .action(async (watch, options) =>
      (await import('./watches.ts')).backtestWatch(openSession(options), watch, options),
    );
  watches
    .command('label <watch> <call> <label>')
    .description('say whether a flagged sample (its number or call id) is right or wrong')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (watch, call, label, options) =>
      (await import('./watches.ts')).labelSample(openSession(options), watch, { call, label }, options),
    );
  named('on', 'turn it on: each newly analysed call is judged')
    .option('--json', 'for programs')
    .action(async (watch, options) =>
      (await import('./watches.ts')).decideWatch(openSession(options), watch, 'turn-on', options),
    );
  watches
    .command('limit <watch> [calls]')
    .description('tell of it from so many broken calls on; without a number only when it grows over its own past')
    .option('--days <days>', 'over so many days', '1')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (watch, calls, options) =>
      (await import('./watches.ts')).limitWatch(openSession(options), watch, calls, options),
    );
  named('pause', 'stop judging new calls')
    .option('--json', 'for programs')
    .action(async (watch, options) =>
      (await import('./watches.ts')).decideWatch(openSession(options), watch, 'pause', options),
    );
}
