import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  READER_PROGRESS,
  READER_SIGNALS,
  READER_WAITS,
  type ReaderCounts,
  type ReaderInput,
  type ReaderProgress,
  type ReadOutcome,
} from '../../src/temporal/model-reader.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { control, models } from '../shared/activity-calls.ts';
import { clock } from '../shared/clock.ts';
import { failureMessage, isOurEnd } from '../shared/failure-message.ts';
import { onQuery, onSignal } from '../shared/handlers.ts';

const CALLS_OF_ONE_ROUND = 200;
const ROUNDS_OF_ONE_RUN = 10;
const WORDINGS_AT_ONCE = 100;
/** More than the slots of one worker, so that a second one has work too. */
const IN_FLIGHT = 8;

type Stop = Exclude<ReadOutcome, { state: 'read' }>;

/**
 * Reads the calls of an agent that wait for a model, newest first, and ends when none is left. What the rules said is
 * there long before, and nothing waits for this.
 */
export async function modelReader(input: ReaderInput): Promise<void> {
  const { workspaceId, agentId } = input;
  const waits = input.waits ?? READER_WAITS;
  const counts: ReaderCounts = { ...(input.carried ?? { read: 0, givenUp: 0 }) };
  const shown = showReader(counts);
  let woken = false;
  /** Who wants a wait to end, and how many of those were heard. */
  let hurried = 0;
  let heeded = 0;
  onSignal(defineSignal(READER_SIGNALS.wake), 'More calls wait to be read.', () => {
    woken = true;
  });
  onSignal(defineSignal(READER_SIGNALS.tryNow), 'Ends the present wait and tries again at once.', () => {
    hurried += 1;
  });

  let gapMs = waits.firstMs;
  for (let round = 0; round < ROUNDS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; round += 1) {
    woken = false;
    const request = { workspaceId, agentId, limit: CALLS_OF_ONE_ROUND, isPressed: hurried > heeded };
    heeded = hurried;
    const { callIds, groups, open, wait } = await control.openModelReadings(request);
    shown.open(open);
    if (callIds.length === 0 && wait) {
      const ms = untilThen(wait.until, waits.longestMs);
      shown.waits(`waits for the model: ${bare(wait.reason)}; next try at ${clock(Date.now() + ms, Date.now())}`);
      await condition(() => hurried > heeded, ms, { summary: 'until the model is asked again' });
      shown.waits(null);
      continue;
    }
    if (callIds.length === 0) {
      await wordAll({ workspaceId, agentId });
      if (woken) continue;
      return shown.ended();
    }
    const stop = await readRound(input, groups ?? [callIds], counts, {
      isWarmed: groups !== undefined,
      changed: shown.changed,
    });
    if (stop === null) {
      gapMs = waits.firstMs;
      continue;
    }
    // Until when is in the record, and told with the calls of the next round.
    if (stop.state === 'held') continue;
    const ms = stop.state === 'paused' ? untilFree(stop.freeAt, waits.longestMs) : gapMs;
    shown.waits(waitMessage(stop, Date.now() + ms));
    const before = hurried;
    await condition(() => hurried > before, ms, { summary: 'until the model is asked again' });
    shown.waits(null);
    gapMs = Math.min(gapMs * 2, waits.longestMs);
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof modelReader>({ ...input, carried: counts });
}

/** @returns what stopped the round before its end, or null. */
async function readRound(
  { workspaceId, agentId }: ReaderInput,
  groups: readonly (readonly string[])[],
  counts: ReaderCounts,
  { isWarmed, changed }: { isWarmed: boolean; changed: () => void },
): Promise<Stop | null> {
  let stop: Stop | null = null;
  for (const callIds of groups) {
    // What questions about one version have in common is in the provider's cache once one was answered.
    const begins = isWarmed && callIds.length > 1 ? 1 : 0;
    if (begins > 0 && stop === null) await lane(callIds.slice(0, begins));
    const left = callIds.slice(begins);
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, left.length) }, () => lane(left)));
  }
  return stop;

  async function lane(left: string[]): Promise<void> {
    for (let callId = left.shift(); callId !== undefined && stop === null; callId = left.shift()) {
      const outcome = await readOne({ workspaceId, agentId, callId });
      if (outcome.state === 'read') counts.read += 1;
      if (outcome.state === 'given up') counts.givenUp += 1;
      if (isStop(outcome)) stop = outcome;
      changed();
    }
  }
}

/** What is better left alone for a while; the others are faults of one call. */
const isStop = (outcome: ReadOutcome): outcome is Stop =>
  outcome.state === 'paused' || outcome.state === 'held' || (outcome.state === 'given up' && outcome.trouble);

/** Names and recommendations, once the calls are read. What a model can't word now keeps the words of the rules. */
async function wordAll(owner: { workspaceId: string; agentId: string }): Promise<void> {
  try {
    for (let asked = 0; asked < WORDINGS_AT_ONCE; asked += 1) {
      const { state } = await models('a name or a recommendation').wordNext(owner);
      if (state === 'none' || state === 'paused') return;
    }
  } catch (error) {
    if (isOurEnd(error)) throw error;
  }
}

/** A fault of ours about one call ends the reading of that call, and of no other. */
async function readOne(request: { workspaceId: string; agentId: string; callId: string }): Promise<ReadOutcome> {
  try {
    return await models('one call').readCallByModel(request);
  } catch (error) {
    if (isOurEnd(error)) throw error;
    const reason = failureMessage(error);
    await control.dropModelReading({ ...request, reason });
    return { state: 'given up', reason, trouble: false };
  }
}

const untilFree = (freeAt: string | null, longestMs: number): number =>
  freeAt === null ? longestMs : untilThen(freeAt, longestMs);

const untilThen = (time: string, longestMs: number): number =>
  Math.min(Math.max(1_000, Date.parse(time) - Date.now()), longestMs);

const bare = (sentence: string): string => sentence.replace(/\.$/, '');

function waitMessage(stop: Exclude<Stop, { state: 'held' }>, nextAtMs: number): string {
  const next = clock(nextAtMs, Date.now());
  if (stop.state === 'given up') return `waits for the model: ${bare(stop.reason)}; next try at ${next}`;
  const free = stop.freeAt === null ? 'until it grows' : `until ${clock(Date.parse(stop.freeAt), Date.now())}`;
  const what = stop.bound === 'agent' ? "the month's budget of this agent" : 'the AI allowance';
  return `waits for ${what} ${free}; looks again at ${next}`;
}

function showReader(counts: ReaderCounts) {
  let open = 0;
  let waitsFor: string | null = null;
  const figures = () => `${counts.read} calls read by the model, ${open} open, ${counts.givenUp} given up`;
  function changed(): void {
    const headline = waitsFor ?? 'Reads calls with the model';
    const help = 'Nothing needs to be done; what rules read is complete. The signal `tryNow` ends a wait at once.';
    setCurrentDetails(`**${headline.replaceAll(/[`*_[\]<>#\n]/g, ' ')}**\n\n${figures()}\n\n${help}`);
  }
  onQuery(
    defineQuery(READER_PROGRESS),
    'How many calls the model has read, and what it waits for.',
    (): ReaderProgress => ({ ...counts, open, waitsFor }),
  );
  return {
    changed,
    open(calls: number) {
      open = calls;
      changed();
    },
    waits(words: string | null) {
      waitsFor = words;
      upsertSearchAttributes([attribute('EarshotStage', words === null ? 'reading' : 'waiting')]);
      changed();
    },
    ended() {
      upsertSearchAttributes([attribute('EarshotStage', 'complete')]);
      setCurrentDetails(`**Complete**\n\n${figures()}`);
    },
  };
}
