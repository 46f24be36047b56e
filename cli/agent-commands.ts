import { Argument, type Command, Option } from 'commander';
import { ISSUE_SOURCES, MODEL_READING_MODES, WEBHOOK_EVENTS } from '../src/domain/vocabulary.ts';
import { openSession } from './session.ts';
import { usdOrUnlimited, wholeNumber, yesOrNo } from './values.ts';

/** Commands about what holds for an agent, and who hears of it. */
export function addAgentCommands(program: Command): void {
  addSettings(program);
  addBudget(program);
  addWebhooks(program);
}

function addSettings(program: Command): void {
  const settings = program.command('settings').description('what holds for an agent');
  settings
    .command('show', { isDefault: true })
    .description('its settings')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./settings.ts')).showSettings(openSession(options), options));
  settings
    .command('set')
    .description('change some of them')
    .option('--agent <agent>', 'id or name')
    .option('--name <name>')
    .option('--grace-days <days>', 'an issue is resolved after so many days without it', wholeNumber)
    .addOption(new Option('--board-source <source>').choices(ISSUE_SOURCES))
    .option('--test-budget-usd <usd>', 'a month, or unlimited', usdOrUnlimited)
    .option('--auto-runs <yes or no>', 'whether a new version is tested by itself', yesOrNo)
    .addOption(new Option('--model-reading <mode>').choices(MODEL_READING_MODES))
    .option('--json', 'for programs')
    .action(async ({ agent, json, testBudgetUsd, ...change }) =>
      (await import('./settings.ts')).setSettings(
        openSession({ json }),
        { ...change, ...budgetOf(testBudgetUsd) },
        { agent },
      ),
    );
}

function addBudget(program: Command): void {
  const budget = program.command('budget').description('what simulated calls of an agent may cost in a month');
  budget
    .command('show', { isDefault: true })
    .description('the budget of the agent and of the keys that start its tests')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./settings.ts')).showBudget(openSession(options), options));
  budget
    .command('set')
    .description('change the budget of the agent')
    .addArgument(new Argument('<usd>', 'such as 25 or 12.50, or unlimited').argParser(usdOrUnlimited))
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (usd: number | 'unlimited', options) =>
      (await import('./settings.ts')).setSettings(openSession(options), budgetOf(usd), options),
    );
}

/** Commander makes an empty text of null, so it stays a word until it is sent. */
const budgetOf = (usd: number | 'unlimited' | undefined) =>
  usd === undefined ? {} : { testBudgetUsd: usd === 'unlimited' ? null : usd };

function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('programs that are told of events, by signed requests');
  webhooks
    .command('list', { isDefault: true })
    .description('the webhooks of the workspace')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./webhooks.ts')).showWebhooks(openSession(options)));
  webhooks
    .command('add <url>')
    .description('tell an https address; its secret is shown this once')
    .addOption(new Option('--on <events...>', 'of which events (default: all)').choices(WEBHOOK_EVENTS))
    .option('--agent <agent>', 'of one agent only, by id or name')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      '\nExample:\n  $ earshot webhooks add https://ci.example.com/earshot --on run.completed issue.opened',
    )
    .action(async (url: string, options) =>
      (await import('./webhooks.ts')).addWebhook(openSession(options), url, options),
    );
  webhooks
    .command('deliveries <webhook>')
    .description('what was sent to a webhook (its number, id or address), and what came of it')
    .option('--json', 'for programs')
    .action(async (webhook: string, options) =>
      (await import('./webhooks.ts')).showDeliveries(openSession(options), webhook),
    );
  webhooks
    .command('send-again <webhook> <delivery>')
    .description('send a delivery once more')
    .option('--json', 'for programs')
    .action(async (webhook: string, delivery: string, options) =>
      (await import('./webhooks.ts')).sendAgain(openSession(options), webhook, delivery),
    );
  const change = (name: 'on' | 'off' | 'remove', description: string) =>
    webhooks
      .command(`${name} <webhook>`)
      .description(description)
      .option('--json', 'for programs')
      .action(async (webhook: string, options) =>
        (await import('./webhooks.ts')).changeWebhook(
          openSession(options),
          webhook,
          name === 'remove' ? null : { enabled: name === 'on' },
        ),
      );
  change('on', 'switch it on, with no record of failure');
  change('off', 'switch it off');
  change('remove', 'delete it');
}
