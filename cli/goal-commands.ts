import { type Command, Option } from 'commander';
import { GOAL_STATUSES } from '../src/domain/vocabulary.ts';
import { openSession } from './session.ts';

/** Commands about what people want of an agent. */
export function addGoalCommands(program: Command): void {
  const goals = program.command('goals').description('what people want from an agent, and the tests that check it');
  const command = (usage: string, description: string) =>
    goals
      .command(usage)
      .description(description)
      .option('--agent <agent>', 'id or name')
      .option('--json', 'for programs');
  goals
    .command('list', { isDefault: true })
    .description('the goals of an agent')
    .option('--agent <agent>', 'id or name')
    .addOption(new Option('--status <status>', 'only of this status').choices(GOAL_STATUSES))
    .option('--json', 'for programs')
    .action(async (options) => (await import('./goals.ts')).showGoals(openSession(options), options));
  command('show <goal>', 'one goal (its number in the list, or id) with its plan and what came of it').action(
    async (goal, options) => (await import('./goals.ts')).showGoal(openSession(options), goal, options),
  );
  command('new <title>', 'open a goal; tests that fit its words are proposed')
    .option('--request <words>', 'what is wanted, where the title does not say it')
    .option('--test <id...>', 'tests of the plan, in their order')
    .action(async (title, options) => (await import('./goals.ts')).newGoal(openSession(options), title, options));
  command('approve <goal>', 'approve its plan: runs for it may start')
    .option('--test <id...>', 'these tests in the place of those proposed')
    .action(async (goal, options) => (await import('./goals.ts')).approveGoal(openSession(options), goal, options));
  command('close <goal>', 'close it')
    .option('--came-of <words>', 'what came of it')
    .action(async (goal, options) => (await import('./goals.ts')).closeGoal(openSession(options), goal, options));
}
