import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { IMPORT_SIGNALS, type SkippedItem } from '../../src/temporal/import-calls.ts';
import type { ImportState } from './state.ts';

/** Waits that people can end or prolong. */
export interface ImportControls {
  isCancelled(): boolean;
  /** Waits until the import may go on: at once unless it is paused; a cancelled import always goes on, to its end. */
  mayGoOn(): Promise<void>;
  /** @returns false when the time passed, true when somebody ended the wait. */
  waitAtMost(ms: number): Promise<boolean>;
}

/** Takes the wishes of people about an import into its state. Each may come twice, or late, without harm. */
export function listenForControls(
  state: ImportState,
  { park, onChange }: { park(item: SkippedItem): Promise<void>; onChange(): void },
): ImportControls {
  let hurried = 0;
  const on = (signal: string, change: () => void) =>
    setHandler(defineSignal(signal), () => {
      change();
      onChange();
    });
  on(IMPORT_SIGNALS.pause, () => {
    state.paused = true;
  });
  on(IMPORT_SIGNALS.goOn, () => {
    state.paused = false;
  });
  on(IMPORT_SIGNALS.cancel, () => {
    state.cancelled = true;
  });
  on(IMPORT_SIGNALS.retryFailed, () => {
    state.retryWanted = true;
  });
  on(IMPORT_SIGNALS.tryNow, () => {
    hurried += 1;
  });
  setHandler(defineSignal<[SkippedItem?]>(IMPORT_SIGNALS.skipItem), async (item) => {
    // A signal without the call's id names nothing to park; failing here would stop the import.
    if (typeof item?.providerCallId !== 'string' || item.providerCallId === '') return;
    await park(item);
    hurried += 1;
    onChange();
  });
  return {
    isCancelled: () => state.cancelled,
    mayGoOn: () => condition(() => !state.paused || state.cancelled),
    async waitAtMost(ms) {
      const before = hurried;
      return condition(() => hurried > before || state.cancelled, ms);
    },
  };
}
