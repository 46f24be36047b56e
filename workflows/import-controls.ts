import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { IMPORT_SIGNALS, type ImportCarried, type SkippedItem } from '../src/durable/import.ts';

/** The wishes of people about an import. Each may come twice, or late, without harm. */
export interface ImportControls {
  paused: boolean;
  cancelled: boolean;
  retryWanted: boolean;
  /** Parks a call in the record; set once the import knows whose it is. */
  park(item: SkippedItem): Promise<void>;
  /** Called after each message. */
  onChange(): void;
  /** Waits until the import may go on: at once unless it is paused; a cancelled import always goes on, to its end. */
  mayGoOn(): Promise<void>;
  /** @returns false when the time passed, true when somebody ended the wait. */
  waitAtMost(ms: number): Promise<boolean>;
}

export function listenForControls(carried: ImportCarried | undefined): ImportControls {
  let hurried = 0;
  const controls: ImportControls = {
    paused: carried?.paused ?? false,
    cancelled: carried?.cancelled ?? false,
    retryWanted: carried?.retryWanted ?? false,
    park: async () => {},
    onChange: () => {},
    mayGoOn: () => condition(() => !controls.paused || controls.cancelled),
    async waitAtMost(ms) {
      const before = hurried;
      return condition(() => hurried > before || controls.cancelled, ms);
    },
  };
  const on = (signal: string, change: () => void) =>
    setHandler(defineSignal(signal), () => {
      change();
      controls.onChange();
    });
  on(IMPORT_SIGNALS.pause, () => {
    controls.paused = true;
  });
  on(IMPORT_SIGNALS.goOn, () => {
    controls.paused = false;
  });
  on(IMPORT_SIGNALS.cancel, () => {
    controls.cancelled = true;
  });
  on(IMPORT_SIGNALS.retryFailed, () => {
    controls.retryWanted = true;
  });
  on(IMPORT_SIGNALS.tryNow, () => {
    hurried += 1;
  });
  setHandler(defineSignal<[SkippedItem?]>(IMPORT_SIGNALS.skipItem), async (item) => {
    // A signal without the call's id names nothing to park; failing here would stop the import.
    if (typeof item?.providerCallId !== 'string' || item.providerCallId === '') return;
    await controls.park(item);
    hurried += 1;
    controls.onChange();
  });
  return controls;
}
