import { condition, defineSignal, setCurrentDetails } from '@temporalio/workflow';
import { CONNECT_PATIENCE, CONNECT_SIGNALS } from '../../src/temporal/check-connection.ts';
import type { Patience } from '../../src/temporal/import-calls.ts';
import { platformWaitOf } from './failure-message.ts';
import { onSignal } from './handlers.ts';

/** Tries again while the platform asks to wait, in growing gaps; `tryNow` ends a wait. @throws what no waiting fixes */
export async function patiently<Result>(
  { firstGapMs, longestGapMs, giveUpAfterMs }: Patience = CONNECT_PATIENCE,
  say: (message: string) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let told = false;
  onSignal(defineSignal(CONNECT_SIGNALS.tryNow), 'Ends the present wait and tries again at once.', () => {
    told = true;
  });
  let gapMs = firstGapMs;
  for (let waitedMs = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      const wait = platformWaitOf(error);
      const ms = wait?.retryAfterMs ?? gapMs;
      if (wait === null || waitedMs + ms > giveUpAfterMs) throw error;
      const message = `${wait.message} Next try in ${Math.ceil(ms / 1000)} s.`;
      setCurrentDetails(`waits for the platform: ${message} Signal: \`tryNow\` ends the wait.`);
      await say(message);
      told = false;
      await condition(() => told, ms, { summary: 'until the platform is asked again' });
      waitedMs += ms;
      gapMs = Math.min(gapMs * 2, longestGapMs);
    }
  }
}
