import type { Command } from 'commander';
import { openSession } from './session.ts';

/** Commands that decide what the copilot proposed. */
export function addCardCommands(program: Command): void {
  const cards = program.command('cards').description('what the copilot proposed, and a person decides');
  const decide = (decision: 'confirm' | 'dismiss', description: string) =>
    cards
      .command(`${decision} <digest>`)
      .description(description)
      .requiredOption('--conversation <id>', 'where it was proposed')
      .option('--agent <agent>', 'id or name')
      .option('--json', 'for programs')
      .action(async (digest: string, options) =>
        (await import('./cards.ts')).decideCard(openSession(options), decision, { ...options, digest }),
      );
  decide('confirm', 'do it, as your own request; the digest, as it was shown, says what you saw');
  decide('dismiss', 'nothing comes of it');
}
