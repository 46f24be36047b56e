import type { CellChange, CellResult } from '../vocabulary.ts';
import type { Epoch } from './attempt.ts';
import { differencesOf, isSameEpoch } from './epoch.ts';
import type { DocumentCell, ResultDocument } from './result-document-shape.ts';

/** A verdict that a test by a caller came to in an earlier run. */
export interface EarlierResult extends Judged {
  batchId: string;
  version: number;
  /** When its run ended, ISO 8601. */
  finishedAt: string;
  /** What scored it. */
  epoch: Epoch;
}

/** What was known of a cell before its run. */
export interface CellHistory extends Pick<DocumentCell, 'testId' | 'persona'> {
  /** What scored the cell now. */
  epoch: Epoch;
  /** Verdicts on this test by this caller, newest first. */
  earlier: readonly EarlierResult[];
}

/**
 * The document with each cell compared with its own last result, whichever run that was in. `comparedTo` is the newest of
 * those runs; where a cell is compared with nothing though it was played before, the message says why.
 */
export function comparedWithLast(document: ResultDocument, history: readonly CellHistory[]): ResultDocument {
  const known = new Map(history.map((cell) => [keyOf(cell), cell]));
  const notes: string[] = [];
  const others = new Map<string, number>();
  const runs: EarlierResult[] = [];
  const cells = document.cells.map((cell) => {
    const { epoch, earlier } = known.get(keyOf(cell)) ?? { epoch: document.epoch, earlier: [] };
    const last = earlier.find((one) => isSameTest(one, cell) && isSameEpoch(one.epoch, epoch));
    const [newest] = earlier;
    if (last !== undefined) runs.push(last);
    else if (newest !== undefined && isJudged(cell.result)) {
      const other = earlier.find((one) => isSameTest(one, cell));
      if (other === undefined) others.set(newest.batchId, (others.get(newest.batchId) ?? 0) + 1);
      else notes.push(notCompared(other, epoch));
    }
    return { ...cell, change: changeBetween(last, cell) };
  });
  for (const [batchId, count] of others) notes.push(testsChanged(batchId, count));
  const newest = runs.toSorted((a, b) => Date.parse(b.finishedAt) - Date.parse(a.finishedAt))[0] ?? null;
  return withChanges(document, cells, newest, [...new Set(notes)]);
}

/**
 * The document compared with another run's alone. Only `comparedTo`, each cell's `change` and the numbers of newly broken
 * and fixed cells change; the message too, where something is not compared: another epoch scored the other run, or a test
 * is no longer the one that was played there.
 */
export function comparedDocument(document: ResultDocument, other: ResultDocument): ResultDocument {
  const isCompared = isSameEpoch(other.epoch, document.epoch);
  const there = new Map((isCompared ? other.cells : []).map((cell) => [keyOf(cell), cell]));
  const isAnother = (cell: DocumentCell) => {
    const before = there.get(keyOf(cell));
    return before !== undefined && !isSameTest(before, cell);
  };
  const changed = document.cells.filter(isAnother).length;
  const cells = document.cells.map((cell) => ({ ...cell, change: changeBetween(there.get(keyOf(cell)), cell) }));
  return withChanges(document, cells, { batchId: other.batchId, version: other.targetVersion.version }, [
    ...(isCompared ? [] : [notCompared(other, document.epoch)]),
    ...(changed > 0 ? [testsChanged(other.batchId, changed)] : []),
  ]);
}

function withChanges(
  document: ResultDocument,
  cells: DocumentCell[],
  comparedTo: ResultDocument['comparedTo'],
  notes: readonly string[],
): ResultDocument {
  const number = (change: CellChange) => cells.filter((cell) => cell.change === change).length;
  return {
    ...document,
    message: notes.reduce<string | null>(withNote, document.message),
    comparedTo: comparedTo && { batchId: comparedTo.batchId, version: comparedTo.version },
    summary: { ...document.summary, newlyBroken: number('newly_broken'), fixed: number('fixed') },
    cells,
  };
}

type Judged = Pick<DocumentCell, 'testRevision' | 'expect' | 'result' | 'n'>;

/** What became of a cell since another run of the same epoch; null where nothing can be said. */
export function changeBetween(before: Judged | undefined, now: Judged): CellChange | null {
  return before === undefined || !isSameTest(before, now) ? null : changeOf(before.result, now.result);
}

/** A test that was revised, expects something else or is played another number of times asks another question. */
function isSameTest(before: Judged, now: Judged): boolean {
  const isRepeated = ({ n }: Judged) => n > ATTEMPTS_ALONE;
  return (
    before.testRevision === now.testRevision &&
    before.expect === now.expect &&
    (!isJudged(before.result) || !isJudged(now.result) || isRepeated(before) === isRepeated(now))
  );
}

/** A cell that is not repeated is played once, and once more where it failed. */
export const ATTEMPTS_ALONE = 2;

/** How many cells are not compared because their test is another one now. */
function testsChanged(batchId: string, cells: number): string {
  const which = cells === 1 ? '1 cell is' : `${cells} cells are`;
  return `${which} not compared with run ${batchId}: the test was revised, expects something else or is repeated otherwise.`;
}

/** Null where one side has no verdict about the agent. A flaky cell is neither broken nor fixed. */
function changeOf(there: CellResult, here: CellResult): CellChange | null {
  if (!isJudged(there) || !isJudged(here)) return null;
  if (there === 'passed' && here === 'failed') return 'newly_broken';
  return there === 'failed' && here === 'passed' ? 'fixed' : 'unchanged';
}

export function isJudged(result: CellResult): boolean {
  return result === 'passed' || result === 'failed' || result === 'flaky';
}

const keyOf = ({ testId, persona }: Pick<DocumentCell, 'testId' | 'persona'>) => `${testId} ${persona}`;

/** Why a run of another epoch is not compared, in a sentence. */
function notCompared({ batchId, epoch }: Pick<ResultDocument, 'batchId' | 'epoch'>, here: Epoch): string {
  return `Not compared with run ${batchId}, which another epoch scored: ${differencesOf(epoch, here).join('; ')}.`;
}

/** A message with one more sentence, unless it says so already. */
export function withNote(message: string | null, note: string): string {
  if (message === null || message === '') return note;
  return message.includes(note) ? message : `${message} ${note}`;
}
