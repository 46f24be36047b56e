import { parseArgs } from 'node:util';
import { openDataFolder } from '../packages/embedded/data-folder.ts';
import { watchImports } from '../packages/embedded/demo-imports.ts';
import { createInstance, type Instance } from '../packages/embedded/instance.ts';
import { lockFolder, type StartSettings, startSettings } from '../packages/embedded/settings.ts';
import { createSteps, type Steps, seconds } from '../packages/embedded/steps.js';
import { START } from '../src/layout.ts';
import { UserFacingError } from '../src/user-facing-error.js';
import { EndAsked, type Ending, listenForEnd } from './ending.ts';
import { describeResult } from './up-result.ts';

export interface UpOptions {
  /** Does the job, prints the result, stops everything. */
  once?: boolean;
  demo?: boolean;
  port?: number;
}

const INTERRUPTED = 130;
const WIDTH = 100;
const LONGEST_LINE = 120;

/**
 * `npm start`: brings everything up, shows what was found in the calls of the demo agents, and stays until it is stopped.
 * @returns the exit code.
 */
export async function up(options: UpOptions = {}): Promise<number> {
  const steps = createSteps(process.stdout);
  let instance: Instance | undefined;
  let unlock = () => {};
  const ending = listenForEnd(() => {
    steps.say('Stopped at once; the next start recovers everything that was stored.');
    instance?.kill();
    setTimeout(() => process.exit(INTERRUPTED), 300);
  });
  let failure: unknown;
  try {
    const settings = startSettings(options.port);
    openDataFolder(settings.dataFolder, settings.version);
    unlock = lockFolder(settings);
    instance = createInstance({ settings, withDemo: options.demo !== false, steps });
    await run(instance, settings, options, ending, steps);
  } catch (error) {
    failure = error;
  }
  await instance?.stop();
  unlock();
  if (failure === undefined) return 0;
  if (failure instanceof EndAsked) return INTERRUPTED;
  const said =
    failure instanceof UserFacingError ? failure.message : failure instanceof Error ? failure.stack : String(failure);
  steps.say(`\n${said}`);
  return 1;
}

async function run(
  instance: Instance,
  settings: StartSettings,
  options: UpOptions,
  ending: Ending,
  steps: Steps,
): Promise<void> {
  const beganAt = Date.now();
  const { dataFolder, url } = settings;
  steps.say(`Earshot ${settings.version}, data in ${dataFolder}`);
  const started = await ending.orSooner(instance.start());
  // Nobody has to wait for the last call to look at the first.
  if (!options.once) steps.say(`  Open it now        ${started.signInLink ?? url}`);
  await ending.orSooner(watchImports(started.database, started.demoAgents, steps, ending.signal));
  const result = await ending.orSooner(
    describeResult({
      url,
      key: started.access.key,
      signInLink: started.signInLink,
      temporalUi: started.temporalUi,
      agentIds: started.demoAgents.map((agent) => agent.agentId),
      once: options.once === true,
      width: Math.min(process.stdout.columns || WIDTH, LONGEST_LINE),
    }),
  );
  steps.say(`\nReady after ${seconds(Date.now() - beganAt)}.\n\n${result}`);
  if (options.once) return;
  steps.say(`Earshot runs until Ctrl-C; everything is kept for the next \`${START}\`.`);
  await ending.asked;
}

/** @throws UserFacingError that names the switches. */
function parseSwitches(args: string[]): UpOptions {
  try {
    const { values } = parseArgs({
      args,
      options: { once: { type: 'boolean' }, 'no-demo': { type: 'boolean' }, port: { type: 'string' } },
    });
    return {
      once: values.once === true,
      demo: values['no-demo'] !== true,
      ...(values.port === undefined ? {} : { port: Number(values.port) }),
    };
  } catch (error) {
    throw new UserFacingError(
      `${error instanceof Error ? error.message.split('.')[0] : String(error)}: \`npm start\` knows --once, --no-demo and --port N (after \`--\`, as in \`npm start -- --once\`).`,
    );
  }
}

if (import.meta.main) {
  // A reader that goes away, as in `npm start | head`, is no reason to fall over.
  process.stdout.on('error', () => {});
  try {
    process.exitCode = await up(parseSwitches(process.argv.slice(2)));
  } catch (error) {
    process.stderr.write(
      `${error instanceof UserFacingError ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exitCode = error instanceof UserFacingError ? 4 : 1;
  }
  process.exit();
}
