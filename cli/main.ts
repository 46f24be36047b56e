import { Argument, Command, CommanderError, Option } from 'commander';
import { ISSUE_CLASSES, ISSUE_STATUSES, KEY_ACCESSES, OUTCOMES } from '../src/domain/vocabulary.ts';
import { PACKAGE } from '../src/layout.ts';
import { takeSecretFiles } from '../src/secret-files.ts';
import { messageOf } from '../src/user-facing-error.js';
import { ALLOW_HTTP } from './access.ts';
import { addAgentCommands } from './agent-commands.ts';
import { addAlarmCommands } from './alarm-commands.ts';
import { addCardCommands } from './card-commands.ts';
import { completionScript, completionsOf, SHELLS, type Shell } from './completion.ts';
import { addConnectCommands } from './connect/commands.ts';
import { addDraftCommands } from './draft-commands.ts';
import { addEraseCommands } from './erase-commands.ts';
import { addGoalCommands } from './goal-commands.ts';
import { addImportCommands } from './import-commands.ts';
import { addMetricCommands } from './metric-commands.ts';
import { addNotifyCommands } from './notify-commands.ts';
import { EXIT, Problem } from './problem.ts';
import { addRunCommands } from './run-commands.ts';
import { openSession } from './session.ts';
import { addTestCommands } from './test-commands.ts';
import { amount, collect, timeZone, wholeNumber } from './values.ts';
import { addWatchCommands } from './watch-commands.ts';
import { addWorkspaceCommands } from './workspace-commands.ts';

/** Adds commands; what an action gives to `endWith` is the exit code. */
export type AddCommands = (program: Command, endWith: (code: number) => void) => void;

/**
 * @param argv as `process.argv`.
 * @param addOwn commands of this entry alone, which come first.
 * @returns the exit code.
 */
export async function main(argv: string[], addOwn: AddCommands = () => {}): Promise<number> {
  // A reader that goes away, as in `earshot calls | head`, is no reason to fall over.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  let exitCode: number = EXIT.done;
  const program = describe(addOwn, (code) => {
    exitCode = code;
  });
  try {
    takeSecrets();
    if (argv.length <= 2) await (await import('./standing.ts')).showStanding(openSession({}));
    else await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.unusable;
    if (!(error instanceof Problem)) throw error;
    const { cleanLines } = await import('./print.ts');
    process.stderr.write(`${cleanLines(error.message)}\n`);
    return error.exitCode;
  }
}

/** For all commands: what is a process of its own, and libraries, read their settings from the same environment. */
function takeSecrets(): void {
  try {
    takeSecretFiles(process.env);
  } catch (error) {
    throw new Problem(messageOf(error));
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

/** Commands load what they need when they are called: asking for help should not wait for the rest. */
function describe(addOwn: AddCommands, endWith: (code: number) => void): Command {
  const program = new Command(Object.keys(PACKAGE.bin)[0] ?? 'earshot')
    .description('Finds what goes wrong in the calls of voice agents.')
    .version(PACKAGE.version)
    .enablePositionalOptions()
    .exitOverride()
    .option('--allow-http', `send keys and passwords to other machines over plain http too (or ${ALLOW_HTTP}=1)`)
    .on('option:allow-http', () => {
      process.env[ALLOW_HTTP] = '1';
    })
    .showHelpAfterError('(earshot --help shows what there is)');

  addOwn(program, endWith);

  program
    .command('sign-in')
    .description('store a session; EARSHOT_PASSWORD is used where it is set')
    .option('--email <address>')
    .option('--link <link>', 'a one-time link: sets the password')
    .action(async (options) => (await import('./sign-in.ts')).signIn(openSession({}), options));

  program
    .command('agents')
    .description('the agents that you can reach')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./show-agents.ts')).showAgents(openSession(options)));

  program
    .command('issues [issue]')
    .description('the ranked issues of an agent, or one of them (its number or id) with the words that show it')
    .option('--agent <agent>', 'id or name')
    .addOption(new Option('--status <statuses>', `one or more of ${ISSUE_STATUSES.join(', ')}`))
    .addOption(new Option('--klass <classes>', `one or more of ${ISSUE_CLASSES.join(', ')}`))
    .option('--resolved', 'also resolved ones')
    .option('--downstream', 'also those that follow from another one')
    .option('--limit <count>', 'at most so many', wholeNumber)
    .option('--json', 'for programs')
    .addHelpText('after', ISSUE_EXAMPLES)
    .action(async (id: string | undefined, options) => {
      const { showIssue, showIssues } = await import('./show-issues.ts');
      const session = openSession(options);
      await (id === undefined ? showIssues(session, options) : showIssue(session, id, options));
    });

  program
    .command('calls [call]')
    .description(
      'the newest calls of an agent, or one of them (its number, id, or id at the platform) with its transcript',
    )
    .option('--agent <agent>', 'id or name')
    .addOption(new Option('--outcome <outcome>').choices(OUTCOMES))
    .option('--version <version>', 'version of the agent')
    .option('--signal <code>', 'calls with this code')
    .option('--issue <id>', 'calls behind this issue')
    .option('--intent <slug>')
    .option('--filter <line>', 'words and fields, such as \'said:"cancel my plan" outcome:unresolved -tag:done\'')
    .option('--from <time>', 'started at or after, such as 2026-03-02T09:00:00Z')
    .option('--before <time>', 'started before')
    .option('--limit <count>', 'at most so many (25)', wholeNumber)
    .option('--json', 'for programs')
    .addHelpText('after', CALL_EXAMPLES)
    .action(async (id: string | undefined, options) => {
      const { showCall, showCalls } = await import('./show-calls.ts');
      const session = openSession(options);
      await (id === undefined ? showCalls(session, options) : showCall(session, id, options));
    });

  program
    .command('ask <question>')
    .description('ask the copilot about an agent; the answer cites the calls and issues that it stands on')
    .option('--agent <agent>', 'id or name')
    .option('--conversation <id>', 'go on with a conversation')
    .option('--json', 'for programs: the whole answer, once it is there')
    .action(async (question: string, options) =>
      (await import('./ask-copilot.ts')).askCopilot(openSession(options), question, options),
    );

  addCardCommands(program);

  program
    .command('import <path>')
    .description(
      'import calls from a file or folder, of whatever format they are (JSON, tables, subtitles, text), and wait until they are analysed',
    )
    .option('--agent <agent>', 'id or name; made where there is none (default: named after the path)')
    .option('--agent-config <file>', "the agent's prompt and tools as JSON (docs/record.md)")
    .option(
      '--column <field=column>',
      'which column of a table holds what, such as "id=Call ID"; again for more',
      collect,
    )
    .option('--role <name=role>', 'who a speaker is, such as "Nina Vale=agent"; again for more', collect)
    .option('--time-zone <zone>', 'of times that name none, such as America/New_York', timeZone)
    .option('--dry-run', 'store nothing: say what was recognized, what would be understood, and what is missing')
    .option('--json', 'for programs')
    .action(async (path: string, options) => {
      endWith(await (await import('./import-calls.ts')).importCalls(openSession(options), path, options));
    });

  program
    .command('export')
    .description('what the analysis says, one JSON object a line and call')
    .option('--agent <agent>', 'id or name')
    .option('--since <file>', 'issues, calls and finished runs that changed since the export that wrote this file')
    .option('-o, --output <file>', 'instead of standard output')
    .option('--raw', 'leave control characters and direction marks as they are instead of writing them as \\uXXXX')
    .addHelpText('after', EXPORT_EXAMPLES)
    .action(async ({ since, ...options }) => {
      if (since === undefined) await (await import('./export/export-calls.ts')).exportCalls(openSession({}), options);
      else await (await import('./export/export-changes.ts')).exportChanges(openSession({}), { ...options, since });
    });

  addConnectCommands(program, endWith);
  addImportCommands(program);
  addRunCommands(program, endWith);
  addMetricCommands(program);
  addAlarmCommands(program);
  addWatchCommands(program);
  addDraftCommands(program, endWith);
  addEraseCommands(program);
  addGoalCommands(program);
  addNotifyCommands(program);
  addTestCommands(program, endWith);
  addKeys(program);
  addAgentCommands(program);
  addWorkspaceCommands(program);
  addCompletion(program);
  return program;
}

const ISSUE_EXAMPLES = `
Examples:
  $ earshot issues                                    the board
  $ earshot issues 1                                  the first of it, with the words that show it
  $ earshot issues --json | jq '.[].title'`;

const CALL_EXAMPLES = `
Examples:
  $ earshot calls --signal tool_failed                calls with this code
  $ earshot calls 3 --signal tool_failed              the third of them, word for word
  $ earshot calls call_8d1f02                         by the platform's own id, of whichever agent`;

const EXPORT_EXAMPLES = `
Examples:
  $ earshot export -o calls.jsonl                                     every call, with its signals
  $ earshot export --since lake.cursor -o $(date +%s).jsonl           the first time all, then what changed`;

function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print what a shell needs to complete this command')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', COMPLETION_EXAMPLES)
    .action((shell: Shell) => void process.stdout.write(`${completionScript(shell, program.name())}\n`));
  program
    .command('complete [words...]', { hidden: true })
    .allowUnknownOption()
    .passThroughOptions()
    .action((words: string[]) => {
      for (const each of completionsOf(program, words)) process.stdout.write(`${each}\n`);
    });
}

const COMPLETION_EXAMPLES = `
Examples:
  $ eval "$(earshot completion bash)"                                         in ~/.bashrc
  $ earshot completion zsh > "\${fpath[1]}/_earshot"
  $ earshot completion fish > ~/.config/fish/completions/earshot.fish`;

function addKeys(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys');
  keys
    .command('list', { isDefault: true })
    .description('the keys of the workspace')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./manage-keys.ts')).showKeys(openSession(options)));
  keys
    .command('make <name>')
    .description('make a key; it is shown this once')
    .addOption(new Option('--access <access>').choices(KEY_ACCESSES).default('read'))
    .option('--agent <agent>', 'tie it to one agent, by id or name')
    .option('--budget <usd>', 'what the runs of a write key may spend a month', amount)
    .option('--json', 'for programs')
    .action(async (name: string, options) =>
      (await import('./manage-keys.ts')).makeKey(openSession(options), name, options),
    );
  keys
    .command('revoke <id>')
    .description('revoke a key for good')
    .option('--json', 'for programs')
    .action(async (id: string, options) => (await import('./manage-keys.ts')).revokeKey(openSession(options), id));
}
