import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { BATCH_WAITS, type BatchInput } from '../../src/temporal/read-batch.ts';
import { control, manyQuestions, models } from '../shared/activity-calls.ts';
import { clock } from '../shared/clock.ts';
import { failureMessage, isOurEnd } from '../shared/failure-message.ts';

/**
 * Hands the first questions about many calls to the provider at once, waits for it, and takes the answers back. What it
 * does not answer is asked one by one, as are the questions that follow from an answer.
 */
export async function readBatch(input: BatchInput): Promise<void> {
  const { waits = BATCH_WAITS, ...batch } = input;
  try {
    const sent = await manyQuestions('the questions of a batch').sendBatch(batch);
    if (sent.state === 'over') return;
    const untilMs = Date.now() + waits.giveUpMs;
    for (let gapMs = waits.firstMs, answered = 0; ; gapMs = Math.min(gapMs * 2, waits.longestMs)) {
      const next = clock(Date.now() + gapMs, Date.now());
      setCurrentDetails(
        `**Waits for the provider to answer a batch**\n\n${answered} of ${sent.questions} calls answered; looks again at ${next}\n\nProviders take up to a day. Other calls are read meanwhile.`,
      );
      await sleep(gapMs, { summary: 'until the batch is looked at again' });
      const look = await models('how a batch stands').lookAtBatch(batch);
      if (look.state === 'over') return;
      if (look.state === 'ended' || Date.now() >= untilMs) break;
      answered = look.answered;
    }
    const taken = await manyQuestions('the answers of a batch').takeBatch(batch);
    setCurrentDetails(
      `**Complete**\n\n${taken.answered} calls answered, ${taken.unanswered} are asked about one by one`,
    );
  } catch (error) {
    if (isOurEnd(error)) throw error;
    await control.failBatch({ ...batch, reason: failureMessage(error) });
  }
}
