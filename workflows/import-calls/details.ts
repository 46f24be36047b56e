import { allowanceWait } from '../../src/domain/limits/plans.ts';
import { dateInWords } from '../../src/domain/words.ts';
import type { HeldBack, ImportProgress } from '../../src/temporal/import-calls.ts';

/** What an operator reads on the page of an import: what it does or waits for, how far it is, why records failed, what helps. */
export function importDetails(progress: ImportProgress): string {
  const paragraphs = [`**${headline(progress)}**`];
  if (progress.waitsFor === null) paragraphs.push(figures(progress));
  if (progress.heldBack !== null) paragraphs.push(`${progress.heldBack}. ${ALLOWANCE_HELP}`);
  if (progress.reasons.length > 0)
    paragraphs.push(`Kept with a reason:\n${progress.reasons.map(reasonLine).join('\n')}`);
  const help = HELP[progress.stage];
  if (help) paragraphs.push(help);
  return paragraphs.join('\n\n');
}

function headline({ stage, waitsFor, reason, pages }: ImportProgress): string {
  if (waitsFor !== null) return waitsFor;
  switch (stage) {
    case 'listing':
      return `Reads page ${pages + 1} from the platform`;
    case 'analysing':
      return 'Everything is read; analyses what is stored';
    case 'grouping':
      return 'Groups the signals into issues';
    case 'paused':
      return 'Paused by a person';
    case 'waiting':
      return 'Waits';
    case 'complete':
      return reason === null ? 'Complete' : `Complete. ${reason}`;
    case 'failed':
      return `Failed: ${reason ?? 'no reason was given'}`;
    case 'cancelled':
      return reason === null ? 'Cancelled; what was stored is analysed' : `Cancelled. ${reason}`;
    default:
      return stage satisfies never;
  }
}

const ALLOWANCE_HELP =
  'They are analysed then, or as soon as the plan grows, oldest first; the import does not wait for them.';

/** Such as `Waits for the analysed-call allowance until 1 December: 212 calls`. */
export const heldMessage = ({ calls, until }: HeldBack) => allowanceWait(calls, new Date(until)).replace(/^w/, 'W');

/** For example `page 7, back to 12 March 2026, 640 stored, 3 failed`; what is zero is left out, but the stored calls. */
export function figures(
  progress: Omit<ImportProgress, 'stage' | 'reasons' | 'waitsFor' | 'heldBack' | 'reason'>,
): string {
  const {
    pages,
    readBackTo,
    listed,
    stored,
    unchanged,
    stillFailed = 0,
    analysed,
    waiting,
    failed,
    ongoing,
    gone,
  } = progress;
  const parts: [number, string][] = [
    [listed, 'listed'],
    [unchanged, 'unchanged'],
    [analysed, 'analysed'],
    [waiting, 'waiting for analysis'],
    [failed, 'failed'],
    [stillFailed, 'failed before'],
    [ongoing, 'still going on (left for the next poll)'],
    [gone, 'deleted at the platform'],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const page = pages === 0 ? [] : [`page ${pages}`];
  const back = readBackTo ? [`back to ${dateInWords(new Date(readBackTo))}`] : [];
  return [...page, ...back, `${stored} stored`, ...shown].join(', ');
}

const reasonLine = ({ reason, calls }: { reason: string; calls: number }) =>
  `- ${calls} × ${reason.replaceAll('`', "'").replaceAll(/[\n\r*_[\]<>#]/g, ' ')}`;

const HELP: Partial<Record<ImportProgress['stage'], string>> = {
  listing: 'Signals: `pause` stops before the next page, `cancel` stops the import and keeps what is stored.',
  waiting: 'Nothing needs to be done. Signals: `tryNow` ends the wait at once, `cancel` keeps what is stored and ends.',
  paused: 'Send the signal `goOn` to go on, or `cancel` to end with what is stored.',
};
