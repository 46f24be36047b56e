import { MOVES } from '../print.ts';
import {
  attemptsOf,
  type Cell,
  callerOf,
  comparisonOf,
  costOf,
  countsOf,
  decidersOf,
  describeCriterion,
  failsAsExpected,
  type Names,
  type RunDocument,
  spaced,
  titleOf,
  whyOf,
} from './messages.ts';
import { judgeRun, type VerdictOptions } from './verdict.ts';

/** GitHub takes 65,536 characters in a comment. */
const LONGEST = 60_000;
const ROWS_SHOWN = 100;
const LONGEST_CELL = 300;

/** The first line of every summary, by which the comment of the run before is found and replaced. One an agent. */
export const markerOf = (agentId: string) => `<!-- earshot-run ${agentId} -->`;

const SIGNS: Record<Cell['result'], string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  flaky: '⚠️ flaky',
  error: '❗ error',
  drift: '↷ drift',
  not_run: '– not run',
};

/**
 * A summary for a pull request: the verdict, what broke and what got fixed, a table with those that did not pass first.
 * All text of tests and calls is shown as text: it can name nobody, load nothing and break out of no table.
 * @param url where the server is.
 */
export function markdownOf(
  document: RunDocument,
  names: Names,
  { url, ...options }: { url: string } & VerdictOptions,
): string {
  const { exitCode, says } = judgeRun(document, options);
  const { cells, targetVersion, batchId, agentId } = document;
  const api = `${url}/v1/agents/${agentId}/runs/${batchId}`;
  const head = [
    markerOf(agentId),
    `### ${exitCode === 0 ? '✅' : '❌'} Earshot: ${plain(names.agent)}, version ${targetVersion.version}`,
    '',
    `**${plain(says)}** ${countsOf(document)}. ${plain(comparisonOf(document))}`,
    ...changes(cells, names),
  ];
  const noted = cells.filter((cell) => cell.result !== 'passed' || cell.change === 'fixed' || failsAsExpected(cell));
  const others = cells.filter((cell) => !noted.includes(cell));
  const foot = [
    '',
    `<sub>Run <code>${batchId}</code>, ${costOf(document)}, judged by ${plain(epochOf(document))}. [Document](${api}/result) (with a key) · <code>earshot result ${batchId}</code></sub>`,
    '',
  ];
  const body = [
    ...table(noted, names),
    ...details(cells, names),
    ...(others.length === 0
      ? []
      : ['', `<details><summary>${others.length} passed</summary>`, ...table(others, names), '', '</details>']),
  ];
  return fitting(head, body, foot);
}

function changes(cells: Cell[], names: Names): string[] {
  const list = (what: string, change: Cell['change']) => {
    const titles = cells.filter((cell) => cell.change === change).map((cell) => plain(titleOf(cell, names)));
    const shown = titles.slice(0, 20).join('; ');
    return titles.length === 0
      ? []
      : ['', `**${what}:** ${shown}${titles.length > 20 ? `; and ${titles.length - 20} more` : ''}`];
  };
  return [...list('Newly broken', 'newly_broken'), ...list('Fixed', 'fixed')];
}

function table(cells: Cell[], names: Names): string[] {
  if (cells.length === 0) return [];
  const rows = cells.slice(0, ROWS_SHOWN).map((cell) => {
    const change = cell.change === null || cell.change === 'unchanged' ? '' : spaced(cell.change);
    const texts = [titleOf(cell, names), callerOf(cell, names)].map(plain);
    const facts = [
      failsAsExpected(cell) ? '☑ fails as expected' : SIGNS[cell.result],
      attemptsOf(cell),
      cell.gates ? 'yes' : 'no',
      change,
    ];
    return `| ${[...texts, ...facts, plain(decidersOf(cell)), plain(whyOf(cell))].join(' | ')} |`;
  });
  return [
    '',
    '| Test | Caller | Result | Passed | Gates | Change | Decided by | Why |',
    '| - | - | - | - | - | - | - | - |',
    ...rows,
    ...(cells.length > ROWS_SHOWN ? ['', `… and ${cells.length - ROWS_SHOWN} more in the document.`] : []),
  ];
}

/** Every criterion of what failed. */
function details(cells: Cell[], names: Names): string[] {
  const failed = cells.filter((cell) => cell.result === 'failed' || cell.result === 'flaky').slice(0, ROWS_SHOWN);
  if (failed.length === 0) return [];
  const listed = failed.flatMap((cell) => [
    '',
    `**${plain(titleOf(cell, names))}**, ${plain(callerOf(cell, names))}`,
    '',
    ...cell.criteria.map((criterion) => `- ${plain(describeCriterion(criterion))}`),
  ]);
  return ['', '<details><summary>Criteria of what failed</summary>', ...listed, '', '</details>'];
}

function epochOf({ epoch }: RunDocument): string {
  return epoch.judgeModel === 'none'
    ? `code (${epoch.scorerVersion})`
    : `code and ${epoch.judgeModel} (${epoch.scorerVersion})`;
}

/** Leaves out whole lines from the end, and closes what they opened. */
function fitting(head: string[], body: string[], foot: string[]): string {
  const kept = [...body];
  const text = () => [...head, ...kept, ...foot].join('\n');
  if (text().length <= LONGEST) return text();
  const note = ['', '… the rest is in the document.'];
  const room = LONGEST - [...head, ...note, ...foot].join('\n').length - 20;
  let length = 0;
  const end = kept.findIndex((line) => (length += line.length + 1) > room);
  kept.splice(end);
  const open =
    kept.filter((line) => line.startsWith('<details>')).length - kept.filter((line) => line === '</details>').length;
  if (open > 0) kept.push('', '</details>');
  kept.push(...note);
  return text();
}

/** As Markdown text on one line: every sign that could mean something is escaped. */
export function plain(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(MOVES, '').trim();
  const short = (line.length <= LONGEST_CELL ? line : `${line.slice(0, LONGEST_CELL - 1)}…`).toWellFormed();
  return (
    short
      .replaceAll(/[\\`*_{}[\]<>()!|~&:$^=+.-]/g, '\\$&')
      // Behind an invisible break, neither names a person nor an issue of the repository.
      .replaceAll(/[@#]/g, '\\$&\u2060')
  );
}
