import { condition, defineSignal } from '@temporalio/workflow';
import { type HoldOff, IMPORT_SIGNALS, type SkippedItem } from '../../src/temporal/import-calls.ts';
import { onSignal } from '../shared/handlers.ts';
import type { ImportState } from './state.ts';

/** What Temporal's UI says of the signals. */
const MEANINGS = {
  pause: 'Stops after the page that it is on.',
  goOn: 'Lets a paused import go on.',
  cancel: 'Takes nothing new from the platform; what is stored is kept and analysed.',
  retryFailed: 'Takes up again what was kept with a reason, once the listing has ended.',
  tryNow: 'Ends the present wait and asks the platform at once.',
  holdOff: 'Asks the platform nothing before a time: {"untilMs": <milliseconds since 1970>}.',
  skipItem: 'Goes on without one call: {"providerCallId": "…", "reason": "…"}.',
} as const satisfies Record<keyof typeof IMPORT_SIGNALS, string>;

/** Waits that people can end or prolong. */
export interface ImportControls {
  isCancelled(): boolean;
  /** Waits until the import may go on: at once unless it is paused; a cancelled import always goes on, to its end. */
  mayGoOn(): Promise<void>;
  /** Until when the platform is not to be asked, in milliseconds since 1970; 0 where nobody said so, or it was waited for. */
  heldOffUntilMs(): number;
  /** @returns false when the time passed, true when somebody ended the wait. */
  waitAtMost(ms: number): Promise<boolean>;
}

/** Takes the wishes of people about an import into its state. Each may come twice, or late, without harm. */
export function listenForControls(
  state: ImportState,
  { park, onChange }: { park(item: SkippedItem): Promise<void>; onChange(): void },
): ImportControls {
  let hurried = 0;
  let heldOffUntilMs = 0;
  const on = (signal: keyof typeof MEANINGS, change: () => void) =>
    onSignal(defineSignal(IMPORT_SIGNALS[signal]), MEANINGS[signal], () => {
      change();
      onChange();
    });
  on('pause', () => {
    state.paused = true;
  });
  on('goOn', () => {
    state.paused = false;
  });
  on('cancel', () => {
    state.cancelled = true;
  });
  on('retryFailed', () => {
    state.retryWanted = true;
  });
  on('tryNow', () => {
    hurried += 1;
  });
  onSignal<[HoldOff]>(defineSignal(IMPORT_SIGNALS.holdOff), MEANINGS.holdOff, ({ untilMs }) => {
    heldOffUntilMs = untilMs;
  });
  onSignal<[SkippedItem?]>(defineSignal(IMPORT_SIGNALS.skipItem), MEANINGS.skipItem, async (item) => {
    // A signal without the call's id names nothing to park; failing here would stop the import.
    if (typeof item?.providerCallId !== 'string' || item.providerCallId === '') return;
    await park(item);
    hurried += 1;
    onChange();
  });
  return {
    isCancelled: () => state.cancelled,
    heldOffUntilMs: () => heldOffUntilMs,
    mayGoOn: () => condition(() => !state.paused || state.cancelled),
    async waitAtMost(ms) {
      const before = hurried;
      const isCalled = () => hurried > before || state.cancelled;
      const wasCalled = await condition(isCalled, ms, { summary: 'until the platform is asked again' });
      if (wasCalled) heldOffUntilMs = 0;
      return wasCalled;
    },
  };
}
