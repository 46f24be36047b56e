import { type Command, Option } from 'commander';
import { DIGESTS, MESSAGE_EVENTS, SEVERITIES, WEEKDAYS } from '../src/domain/vocabulary.ts';
import { openSession } from './session.ts';
import { hourOfDay, quietHours } from './values.ts';

/** Commands about what people are told of, in Slack and by e-mail. */
export function addNotifyCommands(program: Command): void {
  const notify = program
    .command('notify')
    .description('notify people in Slack, by e-mail, or by PagerDuty or Opsgenie');
  notify
    .command('list', { isDefault: true })
    .description('the channels of the workspace, and what you are told of yourself')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./notify.ts')).showChannels(openSession(options)));
  subscribing(
    notify
      .command('add <address>')
      .description(
        'tell an e-mail address, an incoming webhook (https://…), a Slack conversation (#alerts, with --token), pagerduty or opsgenie (with --token), or you (me)',
      )
      .option('--name <name>', 'what the channel is called (default: its address)')
      .option(
        '--token <token>',
        'of a Slack bot, whose updates stand in the thread of their problem; the integration key of PagerDuty or Opsgenie',
      ),
  ).action(async (address: string, options) =>
    (await import('./notify.ts')).addChannel(openSession(options), address, options),
  );
  notify
    .command('test <channel>')
    .description('send one message now to a channel (its number in the list, name or id; me), and say what came of it')
    .option('--json', 'for programs')
    .action(async (channel: string, options) =>
      (await import('./notify.ts')).testChannel(openSession(options), channel),
    );
  notify
    .command('remove <channel>')
    .description('delete a channel for good, or tell you of nothing any more (me)')
    .option('--json', 'for programs')
    .action(async (channel: string, options) =>
      (await import('./notify.ts')).removeChannel(openSession(options), channel),
    );
}

function subscribing(command: Command): Command {
  return command
    .addOption(new Option('--on <events...>', 'of which events (default: all)').choices(MESSAGE_EVENTS))
    .option('--agent <agent>', 'of one agent only, by id or name')
    .addOption(new Option('--severity <severity>', 'of issues this severe or more').choices(SEVERITIES))
    .addOption(new Option('--digest <how often>').choices(DIGESTS).default('immediate'))
    .option('--hour <hour>', 'of a digest, from 0 to 23', hourOfDay, 9)
    .addOption(new Option('--day <day>', 'of a weekly digest').choices(WEEKDAYS).default('monday'))
    .option('--quiet <hours>', 'when to wait, such as 22:00-07:00', quietHours)
    .option('--time-zone <zone>', 'of the hours, such as Europe/Berlin (default: that of this machine)')
    .option('--json', 'for programs');
}
