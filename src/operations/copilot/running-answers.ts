import { COPILOT_CHANNEL } from '../../db/copilot/answers.ts';
import type { Logger } from '../../logger.ts';
import { failed, stopped } from '../../services/copilot/answer-ended.ts';
import { createEventBroadcaster, type EventBroadcaster } from '../events/event-broadcaster.ts';

/** The answers that this process makes. They go on when whoever asked has gone, who may come back to them. */
export interface RunningAnswers {
  /** Tells who follows a conversation that something was said in it, by whichever process. */
  told: EventBroadcaster;
  begin(messageId: string, work: (control: AbortController) => Promise<void>): void;
  /** Ends an answer at once where it is made here; elsewhere the record says that it is to end. */
  stop(messageId: string): void;
  close(): Promise<void>;
}

export function createRunningAnswers(databaseUrl: string, log: Logger): RunningAnswers {
  const running = new Map<string, { control: AbortController; done: Promise<void> }>();
  const told = createEventBroadcaster(databaseUrl, COPILOT_CHANNEL);
  return {
    told,
    begin(messageId, work) {
      const control = new AbortController();
      const done = work(control)
        // The record takes it for dead when no beat comes any more, and then says so to who follows.
        .catch((error: unknown) => {
          const name = error instanceof Error ? error.name : 'unknown';
          log.error({ error: name }, 'an answer of the copilot could not be kept');
        })
        .finally(() => running.delete(messageId));
      running.set(messageId, { control, done });
    },
    stop(messageId) {
      running.get(messageId)?.control.abort(stopped());
    },
    async close() {
      const all = [...running.values()];
      for (const { control } of all) control.abort(failed('interrupted', 'The server was stopped. Ask again.'));
      await Promise.allSettled(all.map(({ done }) => done));
      await told.close();
    },
  };
}
