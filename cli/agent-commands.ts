import { Argument, type Command, Option } from 'commander';
import {
  ISSUE_SOURCES,
  MODEL_READING_MODES,
  REDACTED_KINDS,
  TOOL_VERDICTS,
  WEBHOOK_EVENTS,
} from '../src/domain/vocabulary.ts';
import { openSession } from './session.ts';
import { collect, modelShare, usdOrUnlimited, wholeNumber, yesOrNo } from './values.ts';

/** Commands about what holds for an agent, and who hears of it. */
export function addAgentCommands(program: Command): void {
  addSettings(program);
  addTools(program);
  addReading(program);
  addBudget(program);
  addChat(program);
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
    .option('--hear-recordings <yes or no>', 'whether recordings of calls are measured', yesOrNo)
    .addOption(new Option('--model-reading <mode>').choices(MODEL_READING_MODES))
    .option(
      '--model-share <share>',
      'which calls a model reads: all, suspected, or suspected and a percentage of the others',
      modelShare,
    )
    .option('--model-budget-usd <usd>', 'of reading by a model, a month, or unlimited', usdOrUnlimited)
    .option(
      '--redact <kinds>',
      `personal data that is left out of calls imported from now on: none, or some of ${REDACTED_KINDS.join(',')}`,
    )
    .option('--redact-pattern <name=pattern...>', 'own patterns to leave out, such as patient=MRN-\\d{6}; all of them')
    .option('--json', 'for programs')
    .action(
      async ({ agent, json, testBudgetUsd, modelBudgetUsd, modelShare: share, redact, redactPattern, ...change }) =>
        (await import('./settings.ts')).setSettings(
          openSession({ json }),
          { ...change, ...share, ...budgetOf(testBudgetUsd), ...budgetOf(modelBudgetUsd, 'modelBudgetUsd') },
          { agent, redact, redactPattern },
        ),
    );
}

function addTools(program: Command): void {
  const tools = program.command('tools').description("what the answers of an agent's tools mean");
  tools
    .command('show', { isDefault: true })
    .description('what was taught')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./tools.ts')).showToolRules(openSession(options), options));
  tools
    .command('teach [file]')
    .description('add a rule, or take the rules of a JSON file as the whole list; earlier calls are read again')
    .option('--agent <agent>', 'id or name')
    .option('--tool <name>', 'name of the tool, or * for every tool')
    .addOption(new Option('--means <verdict>').choices(TOOL_VERDICTS))
    .option('--field <name>', 'a field of the answer, such as booking.state; left out: the whole answer')
    .option('--value <text>', 'what stands there; again for more', collect)
    .option('--json', 'for programs')
    .addHelpText('after', TEACH_EXAMPLES)
    .action(async (file: string | undefined, options) =>
      (await import('./tools.ts')).teachTools(openSession(options), file, options),
    );
}

const TEACH_EXAMPLES = `
Examples:
  $ earshot tools teach --tool book_visit --means failed --field booking.state --value void
  $ earshot tools teach tool-rules.json         the whole list, as earshot tools --json prints it`;

function addReading(program: Command): void {
  const reading = program.command('reading').description('how a model reads the calls of an agent beside the rules');
  reading
    .command('show', { isDefault: true })
    .description('progress, money, why it pauses, and what 1,000 calls cost')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./reading.ts')).showReading(openSession(options), options));
  reading
    .command('try-now')
    .description('end its present wait')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./reading.ts')).tryReadingNow(openSession(options), options));
  reading
    .command('history')
    .description('what reading earlier calls costs; with --yes they are read')
    .option('--agent <agent>', 'id or name')
    .option('--newest <count>', 'at most so many, the newest (1,000)', wholeNumber)
    .option('--from <time>', 'began at or after, such as 2026-03-02T09:00:00Z')
    .option('--before <time>', 'began before')
    .option('--yes', 'read them')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./reading.ts')).readEarlierCalls(openSession(options), options));
}

function addChat(program: Command): void {
  const chat = program
    .command('chat')
    .description('the address at which tests are played against an agent of your own');
  chat
    .command('show', { isDefault: true })
    .description('the address')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./agent-chat.ts')).showAgentChat(openSession(options), options));
  chat
    .command('set <url>')
    .description(
      'play tests at this address, which speaks OpenAI chat completions; its key is read from EARSHOT_CHAT_KEY',
    )
    .option('--agent <agent>', 'id or name')
    .option('--model <name>', 'sent as `model`')
    .option('--hands-tools-back', 'confirms that the agent there returns its tool calls and runs none')
    .option('--json', 'for programs')
    .addHelpText('after', CHAT_EXAMPLES)
    .action(async (url: string, options) =>
      (await import('./agent-chat.ts')).setAgentChat(openSession(options), url, options),
    );
  chat
    .command('remove')
    .description('no longer play tests at it')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./agent-chat.ts')).removeAgentChat(openSession(options), options));
}

const CHAT_EXAMPLES = `
Examples:
  $ EARSHOT_CHAT_KEY=… earshot chat set https://bot.example.com/v1 --agent "Front desk" --hands-tools-back`;

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
const budgetOf = (usd: number | 'unlimited' | undefined, name: 'testBudgetUsd' | 'modelBudgetUsd' = 'testBudgetUsd') =>
  usd === undefined ? {} : { [name]: usd === 'unlimited' ? null : usd };

function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('send events to your programs as signed requests');
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
