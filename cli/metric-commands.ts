import type { Command } from 'commander';
import { openSession } from './session.ts';

/** Commands about metrics that people define, and metrics as files of a repository. */
export function addMetricCommands(program: Command): void {
  const metrics = program
    .command('metrics')
    .description('what a team measures on each call of an agent, and its files');
  metrics
    .command('list', { isDefault: true })
    .description('the custom metrics of an agent with their figures')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./metrics/show-metrics.ts')).showMetrics(openSession(options), options));
  metrics
    .command('show <metric>')
    .description('one metric by its slug: by version of the agent, its worst calls, and what it was before')
    .option('--agent <agent>', 'id or name')
    .option('--json', 'for programs')
    .action(async (metric, options) =>
      (await import('./metrics/show-metrics.ts')).showMetric(openSession(options), metric, options),
    );
  metrics
    .command('pull')
    .description('write a file for each metric; changes of yours in a file are kept')
    .option('--agent <agent>', 'id or name')
    .option('--dir <folder>', 'where the files are (metrics/earshot)')
    .option('--force', "take the server's also where a file has changes")
    .option('--json', 'for programs')
    .action(async (options) => (await import('./metrics/files.ts')).pullMetrics(openSession(options), options));
  metrics
    .command('push')
    .description('send new and changed files; nothing is deleted at the server')
    .option('--agent <agent>', 'id or name')
    .option('--dir <folder>', 'where the files are (metrics/earshot)')
    .option('--reason <why>', 'why they come by their values in another way now')
    .option('--backfill', 'have what is sent computed on earlier calls too')
    .option('--dry-run', 'only try what would be sent on past calls')
    .option('--json', 'for programs')
    .action(async (options) => (await import('./metrics/files.ts')).pushMetrics(openSession(options), options));
}
