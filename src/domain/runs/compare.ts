import type { CellChange, CellResult } from '../vocabulary.ts';
import type { Epoch } from './attempt.ts';
import { differencesOf, isSameEpoch } from './epoch.ts';
import type { DocumentCell, ResultDocument } from './result-document.ts';

/**
 * The document compared with another run's, or with none. Only `comparedTo`, each cell's `change` and the numbers of
 * newly broken and fixed cells change; the message too, where another epoch scored the other run: then nothing is
 * compared, and the message says so.
 */
export function comparedDocument(document: ResultDocument, other: ResultDocument | null): ResultDocument {
  const isCompared = other !== null && isSameEpoch(other.epoch, document.epoch);
  const results = new Map((isCompared ? other.cells : []).map((cell) => [keyOf(cell), cell.result]));
  const cells = document.cells.map((cell) => ({ ...cell, change: changeOf(results.get(keyOf(cell)), cell.result) }));
  const number = (change: CellChange) => cells.filter((cell) => cell.change === change).length;
  const isOfAnother = other !== null && !isCompared;
  return {
    ...document,
    message: isOfAnother ? withNote(document.message, notCompared(other, document.epoch)) : document.message,
    comparedTo: other === null ? null : { batchId: other.batchId, version: other.targetVersion.version },
    summary: { ...document.summary, newlyBroken: number('newly_broken'), fixed: number('fixed') },
    cells,
  };
}

/** Null where one side has no verdict about the agent. A flaky cell is neither broken nor fixed. */
function changeOf(there: CellResult | undefined, here: CellResult): CellChange | null {
  if (there === undefined || !isJudged(there) || !isJudged(here)) return null;
  if (there === 'passed' && here === 'failed') return 'newly_broken';
  return there === 'failed' && here === 'passed' ? 'fixed' : 'unchanged';
}

function isJudged(result: CellResult): boolean {
  return result === 'passed' || result === 'failed' || result === 'flaky';
}

const keyOf = ({ testId, persona }: Pick<DocumentCell, 'testId' | 'persona'>) => `${testId} ${persona}`;

/** Why a run of another epoch is not compared, in a sentence. */
export function notCompared({ batchId, epoch }: Pick<ResultDocument, 'batchId' | 'epoch'>, here: Epoch): string {
  return `Not compared with run ${batchId}, which another epoch scored: ${differencesOf(epoch, here).join('; ')}.`;
}

/** A message with one more sentence, unless it says so already. */
export function withNote(message: string | null, note: string): string {
  if (message === null || message === '') return note;
  return message.includes(note) ? message : `${message} ${note}`;
}
