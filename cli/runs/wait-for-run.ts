import { setTimeout as sleep } from 'node:timers/promises';
import type { RunResource } from '../../src/contract/run.ts';
import { PROGRAM } from '../../src/layout.ts';
import { withPatience } from '../patiently.ts';
import { EXIT } from '../problem.ts';
import type { Session } from '../session.ts';

const FIRST_GAP_MS = 500;
const LONGEST_GAP_MS = 10_000;

export const isOver = ({ status }: RunResource) => status === 'complete' || status === 'refused' || status === 'failed';

/**
 * Looks at a run until it is over, in growing gaps, also across restarts of the server, and says how far it is and what
 * it waits for. Ctrl-C ends the looking, not the run.
 * @param untilMs on the clock of `performance.now()`.
 * @param onInterrupt is waited for before Ctrl-C ends the command.
 * @returns the run as it was seen last: over, or not yet when the time was.
 */
export async function waitForRun(
  session: Session,
  agentId: string,
  runId: string,
  untilMs: number,
  onInterrupt: () => Promise<void> = async () => {},
): Promise<{ run: RunResource; over: boolean }> {
  const { client, print } = withPatience(session, untilMs);
  const stop = () => {
    print.note(`The run continues on the server. To see how it ends: ${PROGRAM} result ${runId} --wait`);
    void onInterrupt().finally(() => process.exit(EXIT.interrupted));
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    for (let gapMs = FIRST_GAP_MS; ; gapMs = Math.min(gapMs * 1.5, LONGEST_GAP_MS)) {
      const run = await client.read<RunResource>(`/v1/agents/${agentId}/runs/${runId}`);
      if (isOver(run)) return { run, over: true };
      print.progress(...describe(run));
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return { run, over: false };
      await sleep(Math.min(gapMs, leftMs));
    }
  } finally {
    for (const signal of signals) process.off(signal, stop);
    print.endProgress();
  }
}

/** Stage and counts, for people. */
export function describe({ id, status, message, progress }: RunResource): [stage: string, counts: string] {
  const counts = `${progress.completed} of ${progress.total} cells`;
  if (status === 'awaiting_approval') {
    const waits = message ?? 'It waits for a person, because its budget does not cover it.';
    return [`${waits} To decide: ${PROGRAM} approve ${id}, or refuse`, ''];
  }
  const stage = status === 'queued' ? 'Queued' : 'Playing';
  return [message === null ? stage : `${stage} (${message})`, counts];
}

/** @returns the exit code of a run that was not over in time. */
export function tooLate({ print, json }: Session, run: RunResource, timeoutSeconds: number): number {
  const { completed, total } = run.progress;
  const waits = run.status === 'awaiting_approval' ? 'waits for approval' : `has ${completed} of ${total} cells`;
  if (json) print.json(run);
  print.note(
    `Not finished within ${timeoutSeconds} seconds: the run ${waits} and goes on. To see how it ends: ${PROGRAM} result ${run.id} --wait`,
  );
  return EXIT.notFinished;
}
