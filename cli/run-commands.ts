import { type Command, Option } from 'commander';
import { RUN_STATUSES, RUN_TRIGGERS } from '../src/domain/vocabulary.ts';
import type { RunDecision } from './runs/decide-run.ts';
import { openSession } from './session.ts';
import { collect, idempotencyKey, repeats, version, wholeNumber } from './values.ts';

const HOUR_SECONDS = 3600;

/** Commands that play tests, show what came of it, and decide about runs. */
export function addRunCommands(program: Command, endWith: (code: number) => void): void {
  withOutcome(withChoice(program.command('run').description('run tests, wait for the result, and exit with it')))
    .option('--pack <name>', 'ready-made tests, such as attacks; earshot packs lists them')
    .option('--persona <persona>', 'id or name of a caller; again for more', collect)
    .option('--version <number>', 'version of the agent (the current one)', version)
    .option('--repeats <count>', '3: each cell is played three times', repeats)
    .option('--no-wait', 'print the id of the run and end')
    .option('--if-changed', 'play only what was not played already; else the earlier result stands')
    .option('--retry-errors', 'play cells that ended in an error once more')
    .option('--idempotency-key <key>', 'the same key starts one run only', idempotencyKey)
    .option('--watch', 'push and play tests whose files change, until Ctrl-C')
    .addHelpText('after', RUN_EXAMPLES)
    .addHelpText('after', EXIT_CODES)
    .action(async ({ watch, ...options }) => {
      const play = watch
        ? (await import('./runs/watch-tests.ts')).watchTests
        : (await import('./runs/run-tests.ts')).runTests;
      endWith(await play(openSession(options), options));
    });

  withOutcome(program.command('result <run>').description('what came of a run; ends as the run did'))
    .option('--agent <agent>', 'id or name')
    .option('--wait', 'wait until it is over')
    .addHelpText('after', EXIT_CODES)
    .action(async (run: string, options) =>
      endWith(await (await import('./runs/show-result.ts')).showResult(openSession(options), run, options)),
    );

  program
    .command('runs')
    .description('the newest runs of an agent')
    .option('--agent <agent>', 'id or name')
    .addOption(new Option('--status <status>').choices(RUN_STATUSES))
    .addOption(new Option('--trigger <trigger>').choices(RUN_TRIGGERS))
    .option('--version <number>', 'that played this version', version)
    .option('--limit <count>', 'at most so many (25)', wholeNumber)
    .option('--json', 'for programs')
    .action(async (options) => (await import('./runs/show-runs.ts')).showRuns(openSession(options), options));

  withOutcome(
    program.command('rescore <run>').description('score the stored attempts of a run again; no call is placed'),
  )
    .option('--agent <agent>', 'id or name')
    .option('--wait', 'wait for the new result, and end as it says')
    .action(async (run: string, options) =>
      endWith(await (await import('./runs/rescore.ts')).rescore(openSession(options), run, options)),
    );

  withChoice(
    program
      .command('calibrate')
      .description('play each test three times; the stable ones gate from then on (people only)'),
  )
    .option('--version <number>', 'version of the agent (the current one)', version)
    .option('--no-wait', 'print the id of the run and end')
    .addOption(timeout())
    .option('--json', 'for programs')
    .action(async (options) =>
      endWith(await (await import('./runs/calibrate.ts')).calibrate(openSession(options), options)),
    );

  addDecisions(program, endWith);
}

function addDecisions(program: Command, endWith: (code: number) => void): void {
  const decision = (name: RunDecision, description: string) =>
    program
      .command(`${name} <run>`)
      .description(`${description} (people only)`)
      .option('--agent <agent>', 'id or name')
      .option('--json', 'for programs')
      .action(async (run: string, options) =>
        endWith(await (await import('./runs/decide-run.ts')).decideRun(openSession(options), name, run, options)),
      );
  decision('approve', 'let an automatic run play that is over its budget').option(
    '--covered',
    'only the cells that the budget covers',
  );
  decision('refuse', 'refuse an automatic run that is over its budget').option('--reason <text>');
  decision('try-now', 'end the present wait of a run for its platform');
  decision('cancel', 'stop a run; cells that have their result keep it').option('--reason <text>');
}

const RUN_EXAMPLES = `
Examples:
  $ earshot run --all --junit report.xml
  $ earshot run --test "Books a table" --version 4 --repeats 3
  $ earshot run --pack attacks                       attacks, most of them judged by code
  $ earshot run --all --watch                         while you write tests`;

const EXIT_CODES = `
Exit codes: 0 passed, 1 not passed (a gating test failed or was not decided, or nothing was judged), 2 refused by
budget or quota, 3 not finished in time, 4 wrong use, no access or no server.`;

function withChoice(command: Command): Command {
  return command
    .option('--agent <agent>', 'id or name')
    .option('--test <test>', 'id or title of a test; again for more', collect)
    .option('--set <set>', 'id or name of a test set')
    .option('--all', 'every test of the agent');
}

function withOutcome(command: Command): Command {
  return command
    .addOption(timeout())
    .option('--junit <file>', 'write JUnit XML; - is standard output')
    .option('--document <file>', 'write the result document, byte for byte')
    .option('--markdown <file>', 'write a summary for a pull request')
    .option('--sarif <file>', 'write what did not pass as SARIF, on the lines of the test files')
    .option('--dir <folder>', 'where the test files are (tests/earshot)')
    .option('--compare-to <run>', 'compare with this run instead of the one before')
    .option('--strict', 'a flaky test that gates fails the run too')
    .option('--json', 'for programs');
}

const timeout = () =>
  new Option('--timeout <seconds>', 'wait so long at most').argParser(wholeNumber).default(HOUR_SECONDS);
