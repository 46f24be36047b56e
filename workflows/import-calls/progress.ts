import { condition, defineQuery, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import {
  IMPORT_PROGRESS,
  type ImportProgress,
  type ImportResult,
  type ImportStage,
  type ImportStanding,
} from '../../src/temporal/import-calls.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { control } from '../shared/activity-calls.ts';
import { onQuery } from '../shared/handlers.ts';
import { figures, heldMessage, importDetails } from './details.ts';
import type { ImportState } from './state.ts';

/** Shows where an import stands in four places: its row, its query, its current details and its stage attribute. */
export interface ShownProgress {
  /**
   * The record has begun the import: from now on each change is shown.
   * @param isNearlyOver only its end is to come: its row waits for that, unless it comes to a wait or a pause
   */
  begin(isNearlyOver?: boolean): void;
  stage(stage: ImportStage): void;
  /** A wait in words, or null when it is over. */
  waitsFor(words: string | null): void;
  /** The end, with its reason. Nothing is written to the row after it. */
  ended(end: Pick<ImportResult, 'status' | 'reason'>): void;
  /** Something in the state changed. */
  changed(): void;
  /** Waits until the row holds what was shown last. @returns what is to be saved with its end, where that was waited for */
  saved(): Promise<ImportStanding | undefined>;
}

export function showProgress(state: ImportState): ShownProgress {
  const { key } = state;
  let begun = false;
  let stage: ImportStage = 'listing';
  let shownStage: ImportStage = 'listing';
  let words: string | null = null;
  let end: Pick<ImportResult, 'status' | 'reason'> | null = null;
  let dirty = false;
  let saving = false;
  let isNearlyOver = false;

  const current = (): ImportProgress => {
    const { counts, pages, reasons, slice, listingEnded, heldBack: held } = state.standing;
    const readBackTo = listingEnded ? null : (slice?.before ?? null);
    const heldBack = held ? heldMessage(held) : null;
    const base = { ...counts, pages, readBackTo, reasons, waitsFor: null, heldBack, reason: null };
    if (end !== null) return { ...base, stage: end.status, reason: end.reason };
    if (words !== null) return { ...base, stage: 'waiting', waitsFor: `${words}, ${figures(base)}` };
    if (state.paused && !state.cancelled) return { ...base, stage: 'paused' };
    return { ...base, stage };
  };

  /** One write at a time, always of the newest standing: a late write can't overtake a newer one. */
  async function save(): Promise<void> {
    saving = true;
    while (dirty) {
      dirty = false;
      const now = current();
      const status = now.stage === 'paused' ? 'paused' : 'running';
      await control.saveImport({ ...key, standing: state.standing, status, waitsFor: now.waitsFor });
    }
    saving = false;
  }

  function changed(): void {
    if (!begun && end === null) return;
    const now = current();
    setCurrentDetails(importDetails(now));
    if (now.stage === 'waiting' || now.stage === 'paused') isNearlyOver = false;
    if (isNearlyOver && end === null) return;
    if (now.stage !== shownStage) {
      shownStage = now.stage;
      upsertSearchAttributes([attribute('EarshotStage', now.stage)]);
    }
    if (end !== null) return;
    dirty = true;
    // A write that is cancelled with the import is made up for by the last one, which ends it.
    if (!saving) save().catch(() => {});
  }

  onQuery(defineQuery<ImportProgress>(IMPORT_PROGRESS), 'How far the import is, and what it waits for.', current);
  return {
    begin(nearlyOver = false) {
      begun = true;
      isNearlyOver = nearlyOver;
      changed();
    },
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
    async saved() {
      await condition(() => !saving && !dirty);
      return isNearlyOver ? state.standing : undefined;
    },
  };
}
