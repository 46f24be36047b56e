const LONGEST_POLL_GAP_SECONDS = 3_600;

/** Polls that fail come at growing gaps, so that a revoked key is not knocked on every minute. */
export function timeOfNextPoll(pollSeconds: number | null, failedPolls: number, lastPollMs: number): number | null {
  if (pollSeconds === null) return null;
  const gapSeconds = Math.max(
    pollSeconds,
    Math.min(pollSeconds * 2 ** Math.min(failedPolls, 12), LONGEST_POLL_GAP_SECONDS),
  );
  return lastPollMs + gapSeconds * 1000;
}
