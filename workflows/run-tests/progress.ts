import { defineQuery, defineSignal, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import {
  CELLS_DONE,
  type CellsDone,
  RUN_PROGRESS,
  type RunInput,
  type RunProgress,
  type RunStage,
} from '../../src/temporal/run-tests.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { onQuery, onSignal } from '../shared/handlers.ts';

/** Shows where a run stands: its query, its current details and its stage attribute. The row is written by activities. */
export interface ShownRun {
  stage(stage: RunStage): void;
  waitsFor(words: string): void;
  playing(completed: number, total: number): void;
  ended(status: string, message: string | null): void;
  isPlaying(): boolean;
  isOver(): boolean;
}

const HELP: Record<RunStage, string> = {
  reserving: 'Holds back what the run may cost.',
  'waiting for approval':
    'A person approves or refuses it in the app (Runs), or cancels it; after that time it is refused.',
  playing: 'Each cell is one test by one caller. Cancel it in the app: complete cells keep their results.',
  finishing: 'Settles the budget and writes the result.',
  ended: '',
};

export function showRun(input: RunInput): ShownRun {
  const parts = new Map<number, number>();
  let before = 0;
  const progress: RunProgress = { stage: 'reserving', completed: 0, total: 0, waitsFor: null };
  const of = input.retry ? 'Second try of its errors: ' : '';

  function words(): string {
    if (progress.waitsFor !== null) return progress.waitsFor;
    if (progress.stage === 'playing') return `${of}${progress.completed} of ${progress.total} cells complete`;
    return progress.stage === 'finishing' ? 'Writes the result' : 'Reserves the budget';
  }
  function changed(): void {
    setCurrentDetails(`**${plain(words())}**\n\n${HELP[progress.stage]}`);
  }
  function stage(now: RunStage): void {
    progress.stage = now;
    progress.waitsFor = null;
    upsertSearchAttributes([attribute('EarshotStage', now)]);
    changed();
  }
  onQuery(
    defineQuery<RunProgress>(RUN_PROGRESS),
    'How many cells are played, and what the run waits for.',
    () => progress,
  );
  onSignal(
    defineSignal<[CellsDone]>(CELLS_DONE),
    'Told by the parts of the run: how many of their cells are played.',
    ({ part, done }) => {
      parts.set(part, Math.max(done, parts.get(part) ?? 0));
      progress.completed = before + [...parts.values()].reduce((sum, one) => sum + one, 0);
      changed();
    },
  );
  changed();
  return {
    stage,
    waitsFor(waits) {
      stage('waiting for approval');
      progress.waitsFor = waits;
      changed();
    },
    playing(completed, total) {
      before = completed;
      Object.assign(progress, { completed, total });
      stage('playing');
    },
    ended(status, message) {
      progress.stage = 'ended';
      upsertSearchAttributes([attribute('EarshotStage', status)]);
      setCurrentDetails(`**${plain(`Ended ${status}`)}**\n\n${plain(message ?? '')}`);
    },
    isPlaying: () => progress.stage === 'playing',
    isOver: () => progress.stage === 'finishing' || progress.stage === 'ended',
  };
}

const plain = (words: string) => words.replaceAll(/[`*_[\]<>#\n]/g, ' ');
