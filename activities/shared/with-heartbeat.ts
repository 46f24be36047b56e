import { Context } from '@temporalio/activity';

const BEAT_MS = 2_000;

/**
 * Beats while the work goes on, so that the server notices a dead process within the heartbeat's time-out. The beat
 * carries where the work stands, for whoever looks at the pending activity.
 */
export async function withHeartbeat<Result>(standing: () => unknown, work: () => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const beat = () => context.heartbeat(standing());
  beat();
  const timer = setInterval(beat, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
