import { Argument, type Command } from 'commander';
import { SENDING_PLATFORMS } from '../../src/domain/vocabulary.ts';
import { openSession } from '../session.ts';

const FETCHED = ['retell', 'vapi', 'elevenlabs'] as const;

/** Commands that let calls of an agent come in. */
export function addConnectCommands(program: Command, endWith: (code: number) => void): void {
  addConnectionCommands(program);
  program
    .command('connect')
    .description(
      'connect an agent: fetch its calls with a key of its platform, or make a token with which it sends them',
    )
    .addArgument(new Argument('<platform>').choices([...FETCHED, ...SENDING_PLATFORMS]))
    .option('--agent <agent>', "the platform's agent, by name or id; or the name of one that sends its calls")
    .option('--base-url <url>', 'where the platform listens, when not at its usual address')
    .option('--yes', 'approve the brief without asking, which starts the import')
    .option('--json', 'for programs')
    .addHelpText('after', EXAMPLES)
    .action(async (platform: string, options) => {
      const session = openSession(options);
      if (SENDING_PLATFORMS.some((name) => name === platform)) {
        await (await import('./connect-sender.ts')).connectSender(session, platform, options);
      } else endWith(await (await import('./connect-platform.ts')).connectPlatform(session, platform, options));
    });
}

/** What `connect` has made: listed, with tokens that are renewed, and removed. */
function addConnectionCommands(program: Command): void {
  const connections = program.command('connections').description('connections of the workspace, and their tokens');
  connections
    .command('list', { isDefault: true })
    .description('each with its agents and tokens')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./manage.ts')).showConnections(openSession(options)));
  connections
    .command('renew <token>')
    .description('make a new token in the place of one, named by its id or its beginning, which is then refused')
    .option('--json', 'for programs')
    .action(async (token: string, options) => (await import('./manage.ts')).renewToken(openSession(options), token));
  connections
    .command('revoke <token>')
    .description('refuse a token from now on')
    .option('--json', 'for programs')
    .action(async (token: string, options) => (await import('./manage.ts')).revokeToken(openSession(options), token));
  connections
    .command('remove <connection>')
    .description('remove a connection that no agent uses, with its key and tokens')
    .option('--json', 'for programs')
    .action(async (id: string, options) => (await import('./manage.ts')).removeConnection(openSession(options), id));
}

const EXAMPLES = `
Examples:
  $ earshot connect retell                         asks for the key, lists the agents, shows the brief, imports
  $ EARSHOT_PLATFORM_KEY=… earshot connect vapi --agent "Front desk" --yes
  $ earshot connect livekit --agent "Front desk"   prints a token, and the lines to paste`;
