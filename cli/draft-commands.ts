import { type Command, Option } from 'commander';
import { DRAFT_STATUSES } from '../src/domain/vocabulary.ts';
import { openSession } from './session.ts';
import { wholeNumber } from './values.ts';

const TEN_MINUTES_SECONDS = 600;

/** Commands about changes of an agent's text, from a file in a repository to the platform. */
export function addDraftCommands(program: Command, endWith: (code: number) => void): void {
  const drafts = program.command('drafts').description("changes of an agent's text, tested before they are published");
  const command = (usage: string, description: string) =>
    drafts
      .command(usage)
      .description(description)
      .option('--agent <agent>', 'id or name')
      .option('--json', 'for programs');
  drafts
    .command('list', { isDefault: true })
    .description('the drafts of an agent')
    .option('--agent <agent>', 'id or name')
    .addOption(new Option('--status <status>', 'only in this status').choices(DRAFT_STATUSES))
    .option('--json', 'for programs')
    .action(async (options) => (await import('./drafts.ts')).showDrafts(openSession(options), options));
  command(
    'show <draft>',
    'one draft (its number in the list, or id): what it changes, and why it is not published',
  ).action(async (draft, options) => (await import('./drafts.ts')).showDraft(openSession(options), draft, options));
  command('diff <draft>', 'what it changes, by part and line').action(async (draft, options) =>
    (await import('./drafts.ts')).showDiff(openSession(options), draft, options),
  );
  command('new', 'begin a draft with what a file says otherwise than the live version')
    .requiredOption('--from <file>', 'a file that `earshot agent pull` wrote')
    .option('--title <title>')
    .option('--issue <id>', 'the issue that it fixes')
    .action(async (options) => (await import('./drafts.ts')).newDraft(openSession(options), options));
  command('publish <draft>', 'show it, ask, write it to the platform, and wait until it is live')
    .option('--yes', 'without asking')
    .addOption(
      new Option('--timeout <seconds>', 'wait so long at most').argParser(wholeNumber).default(TEN_MINUTES_SECONDS),
    )
    .action(async (draft, options) =>
      endWith(await (await import('./drafts.ts')).publishDraft(openSession(options), draft, options)),
    );

  const agent = program.command('agent').description("an agent's text in a file");
  agent
    .command('pull <file>')
    .description('write the text of the live version to a file')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (file, options) => (await import('./agent-text.ts')).pullText(openSession(options), file, options));
  agent
    .command('push <file>')
    .description('begin a draft with what the file says otherwise; nothing is published by it')
    .requiredOption('--draft', 'as a draft')
    .option('--agent <agent>', 'id or name')
    .option('--title <title>')
    .option('--json', 'for programs')
    .action(async (file, options) =>
      (await import('./drafts.ts')).newDraft(openSession(options), { ...options, from: file }),
    );
}
