import { setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { Live } from '../../src/domain/drafts/what-is-live.ts';
import type { Patience } from '../../src/temporal/import-calls.ts';
import { CONFIRM_PATIENCE, type PublishInput, WRITE_PATIENCE } from '../../src/temporal/publish-draft.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { patiently } from '../shared/patiently.ts';

/** Looks at a platform that shows nothing, ten minutes apart in the end: more than a week. */
const LOOKS_AT_MOST = 1_500;
const UNDOS_AT_MOST = 5;

/**
 * Makes the text of a draft live, or the text from before again. Once something may have been written, it ends with what
 * is live and nothing else: the new text, or the old one.
 */
export async function publishDraft(input: PublishInput): Promise<void> {
  const refusal = await confirm(input);
  if (refusal !== null) return refusal === '' ? undefined : end(input, refusal);
  const patience = input.patience ?? WRITE_PATIENCE;
  const problem = await attempt('writes the text', patience, () => analysis('writes the text').writePublish(input));
  const live = await settle(input, patience);
  switch (live) {
    case 'target':
      return say('published', 'Published: the platform says what the draft says.');
    case 'before':
      await attempt('clears up', CONFIRM_PATIENCE, () => analysis('clears up').clearPublish(input));
      return end(input, problem ?? 'The platform still says what it said before.');
    case 'other':
      return end(input, [problem, NEITHER].filter((part) => part !== null).join(' '));
    default:
      return live satisfies never;
  }
}

/** @returns why nothing is to be written; empty where it is over already, null where it may go on. */
async function confirm(input: PublishInput): Promise<string | null> {
  say('confirming', 'Looks at text, tests and platform once more before it writes.');
  try {
    const confirmed = await patiently(
      input.patience ?? CONFIRM_PATIENCE,
      async () => {},
      () => analysis('confirms what is live').confirmPublish(input),
    );
    return confirmed.go ? null : (confirmed.reason ?? '');
  } catch (error) {
    return `${failureMessage(error)} Nothing was written.`;
  }
}

/** @returns what kept it from being done, however patiently it was tried; null where it was done. */
async function attempt(doing: string, patience: Patience, work: () => Promise<void>): Promise<string | null> {
  say('writing', `It ${doing}. What is live is found out before it ends, whatever happens.`);
  try {
    await patiently(patience, async () => {}, work);
    return null;
  } catch (error) {
    return failureMessage(error);
  }
}

/** What is live in the end. What is neither is written back to what was before. */
async function settle(input: PublishInput, patience: Patience): Promise<Live> {
  let live = await look(input, patience);
  for (let undos = 0; live === 'other' && undos < UNDOS_AT_MOST; undos += 1) {
    await attempt('writes back what was there before', patience, () => analysis('writes back').undoPublish(input));
    live = await look(input, patience);
  }
  return live;
}

const NEITHER =
  'The platform says neither the text of the draft nor the one from before, and could not be brought to either. Look at the agent there.';

async function look(input: PublishInput, { firstGapMs, longestGapMs }: Patience): Promise<Live> {
  for (let looks = 1; looks < LOOKS_AT_MOST; looks += 1) {
    try {
      return (await analysis('reads back what is live').settlePublish(input)).live;
    } catch (error) {
      say('looking', `Can't see what is live: ${failureMessage(error)} It is looked at again.`);
      await sleep(Math.min(firstGapMs * 2 ** Math.min(looks, 20), longestGapMs));
    }
  }
  return 'other';
}

async function end(input: PublishInput, reason: string): Promise<void> {
  await control.failPublish({ input, reason });
  say('ended', `Not published: ${reason}`);
}

function say(stage: string, words: string): void {
  upsertSearchAttributes([attribute('EarshotStage', stage)]);
  setCurrentDetails(words.replaceAll(/[`*_[\]<>#\n]/g, ' '));
}
