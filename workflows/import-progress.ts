import { condition, defineQuery, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import {
  type FailureReason,
  IMPORT_PROGRESS,
  type ImportProgress,
  type ImportRequestKey,
  type ImportResult,
  type ImportStage,
  type ImportStanding,
  REASONS_MAX,
} from '../src/durable/import.ts';
import { attribute } from '../src/durable/search-attributes.ts';
import { control } from './activity-calls.ts';
import type { ImportControls } from './import-controls.ts';
import { figures, heldWords, importDetails } from './import-words.ts';

/** Shows where an import stands in four places: its row, its query, its current details and its stage attribute. */
export interface ShownProgress {
  stage(stage: ImportStage): void;
  /** A wait in words, or null when it is over. */
  waitsFor(words: string | null): void;
  /** The end, with its reason. Nothing is written to the row after it. */
  ended(end: Pick<ImportResult, 'status' | 'reason'>): void;
  /** Something in the standing or the controls changed. */
  changed(): void;
  /** Waits until the row holds what was shown last. */
  saved(): Promise<void>;
}

export function showProgress(
  key: ImportRequestKey & { workspaceId: string },
  standing: ImportStanding,
  controls: ImportControls,
): ShownProgress {
  let stage: ImportStage = 'listing';
  let shownStage: ImportStage = 'listing';
  let words: string | null = null;
  let end: Pick<ImportResult, 'status' | 'reason'> | null = null;
  let dirty = false;
  let saving = false;

  const current = (): ImportProgress => {
    const { counts, pages, reasons } = standing;
    const heldBack = standing.heldBack ? heldWords(standing.heldBack) : null;
    const base = { ...counts, pages, reasons, waitsFor: null, heldBack, reason: null };
    if (end !== null) return { ...base, stage: end.status, reason: end.reason };
    if (words !== null) return { ...base, stage: 'waiting', waitsFor: `${words}, ${figures(base)}` };
    if (controls.paused && !controls.cancelled) return { ...base, stage: 'paused' };
    return { ...base, stage };
  };

  /** One write at a time, always of the newest standing: a late write can't overtake a newer one. */
  async function save(): Promise<void> {
    saving = true;
    while (dirty) {
      dirty = false;
      const now = current();
      const status = now.stage === 'paused' ? 'paused' : 'running';
      await control.saveImport({ ...key, standing, status, waitsFor: now.waitsFor });
    }
    saving = false;
  }

  function changed(): void {
    const now = current();
    setCurrentDetails(importDetails(now));
    if (now.stage !== shownStage) {
      shownStage = now.stage;
      upsertSearchAttributes([attribute('EarshotStage', now.stage)]);
    }
    if (end !== null) return;
    dirty = true;
    // A write that is cancelled with the import is made up for by the last one, which ends it.
    if (!saving) save().catch(() => {});
  }

  setHandler(defineQuery<ImportProgress>(IMPORT_PROGRESS), current);
  return {
    stage(next) {
      stage = next;
      changed();
    },
    waitsFor(next) {
      words = next;
      changed();
    },
    ended(how) {
      end = how;
      changed();
    },
    changed,
    saved: () => condition(() => !saving && !dirty),
  };
}

/** Adds reasons up; the most frequent ones are kept. */
export function addReasons(known: FailureReason[], more: readonly FailureReason[]): FailureReason[] {
  const sums = new Map(known.map(({ reason, calls }) => [reason, calls]));
  for (const { reason, calls } of more) sums.set(reason, (sums.get(reason) ?? 0) + calls);
  return [...sums]
    .map(([reason, calls]) => ({ reason, calls }))
    .sort((a, b) => b.calls - a.calls || (a.reason < b.reason ? -1 : 1))
    .slice(0, REASONS_MAX);
}
