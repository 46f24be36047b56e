import { Argument, type Command, Option } from 'commander';
import { PLANS, ROLES } from '../src/domain/vocabulary.ts';
import { openSession } from './session.ts';
import { allowance, allowedUsd, amount } from './values.ts';

/** Commands about the workspace: who belongs to it, and what its plan includes. */
export function addWorkspaceCommands(program: Command): void {
  addMembers(program);
  addPlan(program);
  addModel(program);
}

function addModel(program: Command): void {
  const model = program.command('model').description("the workspace's own model, which reads its calls");
  model
    .command('show', { isDefault: true })
    .description('which model reads the calls of the workspace')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./own-model.ts')).showOwnModel(openSession(options)));
  model
    .command('set')
    .description('ask a model of your own; its key is read from EARSHOT_MODEL_KEY')
    .requiredOption('--url <url>', 'https, at a public address; with its /v1')
    .requiredOption('--model <name>')
    .option('--anthropic', 'the address speaks the protocol of Anthropic')
    .option('--no-key', 'the address takes none')
    .option('--input-usd <usd>', 'a million tokens of input', amount)
    .option('--output-usd <usd>', 'a million tokens of output', amount)
    .option('--cached-input-usd <usd>', 'a million tokens that the cache held', amount)
    .option('--json', 'for programs')
    .action(async (options) => (await import('./own-model.ts')).setOwnModel(openSession(options), options));
  model
    .command('remove')
    .description('with its key')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./own-model.ts')).removeOwnModel(openSession(options)));
}

function addMembers(program: Command): void {
  const members = program.command('members').description('list, invite and remove members of the workspace');
  members
    .command('list', { isDefault: true })
    .description('members and open invitations')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./manage-members.ts')).showMembers(openSession(options)));
  members
    .command('invite <email>')
    .description('make a one-time link for somebody; it is shown this once')
    .option('--name <name>')
    .addOption(new Option('--role <role>').choices(ROLES).default('member'))
    .option('--json', 'for programs')
    .action(async (email: string, options) =>
      (await import('./manage-members.ts')).inviteMember(openSession(options), email, options),
    );
  members
    .command('role <member>')
    .description('change the role of a member, named by e-mail or id')
    .addOption(new Option('--role <role>').choices(ROLES).makeOptionMandatory())
    .option('--revoke-keys', 'end the keys and ingest tokens that they made too')
    .option('--json', 'for programs')
    .action(async (who: string, options) =>
      (await import('./manage-members.ts')).changeRole(openSession(options), who, options),
    );
  members
    .command('password <member>')
    .description('make a one-time link by which a member sets a new password')
    .option('--json', 'for programs')
    .action(async (who: string, options) =>
      (await import('./manage-members.ts')).makePasswordLink(openSession(options), who),
    );
  members
    .command('remove <member>')
    .description('remove a member, or take an invitation back, by e-mail or id')
    .option('--revoke-keys', 'end the keys and ingest tokens that they made too')
    .option('--json', 'for programs')
    .action(async (who: string, options) =>
      (await import('./manage-members.ts')).removeMember(openSession(options), who, options),
    );
}

function addPlan(program: Command): void {
  const plan = program.command('plan').description('what the workspace may use, and what it has used');
  plan
    .command('show', { isDefault: true })
    .description('the plan with its allowances')
    .option('--workspace <id>', 'another one of the installation, which its admins alone see')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./show-plan.ts')).showPlan(openSession(options), options.workspace));
  plan
    .command('list')
    .description('all workspaces of the installation with their plans, for its admins')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./show-plan.ts')).listPlans(openSession(options)));
  plan
    .command('set')
    .description('change the plan; allowances hold in place of its own, "default" takes one back')
    .addArgument(new Argument('<plan>').choices(PLANS))
    .option('--analysed-calls <count>', 'a period', allowance)
    .option('--agents <count>', 'in total', allowance)
    .option('--copilot-messages <count>', 'a period', allowance)
    .option('--test-calls <count>', 'a period', allowance)
    .option('--seats <count>', 'in total', allowance)
    .option('--ai-allowance <usd>', 'over 30 days', allowedUsd)
    .option('--storage-mib <count>', 'how much of its calls the workspace keeps at most', allowance)
    .option('--workspace <id>', 'another one of the installation')
    .option('--json', 'for programs')
    .action(async (name: string, { json, aiAllowance, storageMib, workspace, ...allowances }) =>
      (await import('./show-plan.ts')).setPlan(
        openSession({ json }),
        name,
        { ...allowances, ...(aiAllowance === undefined ? {} : { aiAllowanceUsd: aiAllowance }) },
        { storage: storageMib, workspace },
      ),
    );
}
