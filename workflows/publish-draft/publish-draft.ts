import { patched, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { Live } from '../../src/domain/drafts/what-is-live.ts';
import type { Patience } from '../../src/temporal/import-calls.ts';
import { CONFIRM_PATIENCE, type PublishInput, WRITE_PATIENCE } from '../../src/temporal/publish-draft.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage, isPlatformRefusal } from '../shared/failure-message.ts';
import { patiently } from '../shared/patiently.ts';

const UNDOS_AT_MOST = 5;

interface Terms {
  patience: Patience;
  /** Looks at a platform that shows nothing, ten minutes apart in the end. */
  looks: number;
  /** Of them one after the other that the platform refused. */
  refusedLooks: number;
}

/** A day of looks. A publish that began while that was more goes on as it began, because its history has to replay. */
function termsOf({ patience }: PublishInput): Terms {
  return patched('publish-within-days')
    ? { patience: patience ?? WRITE_PATIENCE, looks: 150, refusedLooks: 5 }
    : { patience: patience ?? { ...WRITE_PATIENCE, giveUpAfterMs: 2_592_000_000 }, looks: 1_500, refusedLooks: 1_500 };
}

/**
 * Makes the text of a draft live, or the text from before again. Once something may have been written, it looks for what
 * is live before it ends: the new text, or the old one.
 */
export async function publishDraft(input: PublishInput): Promise<void> {
  const refusal = await confirm(input);
  if (refusal !== null) return refusal === '' ? undefined : end(input, refusal);
  const terms = termsOf(input);
  const problem = await attempt('writes the text', terms.patience, () =>
    analysis('writes the text').writePublish(input),
  );
  const live = await settle(input, terms);
  switch (live) {
    case 'target':
      return say('published', 'Published: the platform says what the draft says.');
    case 'before':
      await attempt('clears up', CONFIRM_PATIENCE, () => analysis('clears up').clearPublish(input));
      return end(input, problem ?? 'The platform still says what it said before.');
    case 'other':
      return end(input, sentences(problem, NEITHER));
    case 'unseen':
      return end(input, sentences(problem, UNSEEN));
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

const sentences = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(' ');

/** What was live when it was looked at; `unseen` where the platform does not show it. */
type Seen = Live | 'unseen';

/** What is live in the end. What is neither is written back to what was before. */
async function settle(input: PublishInput, terms: Terms): Promise<Seen> {
  let live = await look(input, terms);
  for (let undos = 0; live === 'other' && undos < UNDOS_AT_MOST; undos += 1) {
    await attempt('writes back what was there before', terms.patience, () =>
      analysis('writes back').undoPublish(input),
    );
    live = await look(input, terms);
  }
  return live;
}

const NEITHER =
  'The platform says neither the text of the draft nor the one from before, and could not be brought to either. Look at the agent there.';
const UNSEEN = 'What is live could not be seen. Look at the agent at the platform.';

async function look(input: PublishInput, { patience, looks, refusedLooks }: Terms): Promise<Seen> {
  const { firstGapMs, longestGapMs } = patience;
  let refused = 0;
  for (let nth = 1; nth < looks; nth += 1) {
    try {
      return (await analysis('reads back what is live').settlePublish(input)).live;
    } catch (error) {
      refused = isPlatformRefusal(error) ? refused + 1 : 0;
      if (refused === refusedLooks) break;
      say('looking', `Can't see what is live: ${failureMessage(error)} It is looked at again.`);
      await sleep(Math.min(firstGapMs * 2 ** Math.min(nth, 20), longestGapMs), {
        summary: 'until the platform is asked again',
      });
    }
  }
  return 'unseen';
}

async function end(input: PublishInput, reason: string): Promise<void> {
  await control.failPublish({ input, reason });
  say('ended', `Not published: ${reason}`);
}

function say(stage: string, words: string): void {
  upsertSearchAttributes([attribute('EarshotStage', stage)]);
  setCurrentDetails(words.replaceAll(/[`*_[\]<>#\n]/g, ' '));
}
