import { condition, defineSignal, setCurrentDetails, setHandler } from '@temporalio/workflow';
import {
  type BriefReadInput,
  CONNECT_PATIENCE,
  CONNECT_SIGNALS,
  type ConnectionCheckInput,
} from '../src/durable/connect.ts';
import type { Patience } from '../src/durable/import.ts';
import { analysis, control } from './activity-calls.ts';
import { platformWaitOf, sentenceOf } from './import-patience.ts';

/** Looks at the platform with the key of a connection until it answers; what it says stands in the connection's row. */
export async function checkConnection(input: ConnectionCheckInput): Promise<void> {
  const { workspaceId, connectionId, check } = input;
  const owner = { workspaceId, connectionId, check };
  const say = (message: string) => control.noteConnection({ ...owner, status: 'checking', message });
  try {
    await patiently(input.patience, say, () => analysis('key and agents').lookAtPlatform(owner));
    setCurrentDetails('The platform answered; the connection shows what it said.');
  } catch (error) {
    const message = sentenceOf(error);
    await control.noteConnection({ ...owner, status: 'refused', message });
    setCurrentDetails(`Ended: ${message}`);
  }
}

/** Reads what an agent is told to do, and drafts its brief from that for a person to approve. */
export async function readBrief(input: BriefReadInput): Promise<void> {
  const { workspaceId, agentId, read } = input;
  const owner = { workspaceId, agentId, read };
  try {
    await patiently(
      input.patience,
      (message) => control.noteBrief({ ...owner, message }),
      () => analysis('configuration').captureVersions({ workspaceId, agentId }),
    );
    await control.draftBrief(owner);
    setCurrentDetails('The brief is drafted and waits for a person to approve it.');
  } catch (error) {
    const message = sentenceOf(error);
    await control.noteBrief({ ...owner, message });
    setCurrentDetails(`Ended without a brief: ${message}`);
  }
}

/** Tries again while the platform asks to wait, in growing gaps; `tryNow` ends a wait. @throws what no waiting mends */
export async function patiently<Result>(
  { firstGapMs, longestGapMs, giveUpAfterMs }: Patience = CONNECT_PATIENCE,
  say: (message: string) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let told = false;
  setHandler(defineSignal(CONNECT_SIGNALS.tryNow), () => {
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
      await condition(() => told, ms);
      waitedMs += ms;
      gapMs = Math.min(gapMs * 2, longestGapMs);
    }
  }
}
