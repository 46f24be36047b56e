import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { IMPORT_SIGNALS, type ImportCarried } from '../src/durable/import.ts';

/** The wishes of people about an import. Each may come twice, or late, without harm. */
export interface ImportControls {
  paused: boolean;
  cancelled: boolean;
  retryWanted: boolean;
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
  return controls;
}
