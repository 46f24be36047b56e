import { isUnsure } from '../calls/outcome-confidence.ts';
import { seededRandom } from '../random.ts';
import type { Outcome, SampleKind } from '../vocabulary.ts';

export const FLAGGED_SAMPLES = 20;
export const CLEARED_SAMPLES = 10;
/** The same calls give the same samples. */
const SEED = 20_261_122;

export interface DrawnFrom {
  callId: string;
  held: boolean;
  version: number;
  outcome: Outcome | null;
  outcomeConfidence: number | null;
}

export interface DrawnSample {
  callId: string;
  kind: SampleKind;
  position: number;
}

/** Calls for people to look at: flagged ones and some cleared ones, spread over versions, outcomes and how sure those are. */
export function drawSamples(calls: readonly DrawnFrom[]): DrawnSample[] {
  const flagged = spread(
    calls.filter(({ held }) => !held),
    FLAGGED_SAMPLES,
  );
  const cleared = spread(
    calls.filter(({ held }) => held),
    CLEARED_SAMPLES,
  );
  const drawn = [
    ...flagged.map(({ callId }) => ({ callId, kind: 'flagged' as const })),
    ...cleared.map(({ callId }) => ({ callId, kind: 'cleared' as const })),
  ];
  return drawn.map((sample, position) => ({ ...sample, position }));
}

/** One of each stratum in turn, so that a rare one is seen too. */
function spread(calls: readonly DrawnFrom[], wanted: number): DrawnFrom[] {
  const strata = [...Map.groupBy(shuffled(calls), stratumOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => members);
  const longest = Math.max(0, ...strata.map((members) => members.length));
  const turns = Array.from({ length: longest }, (_, at) => strata.flatMap((members) => members[at] ?? []));
  return turns.flat().slice(0, wanted);
}

function stratumOf({ version, outcome, outcomeConfidence }: DrawnFrom): string {
  return JSON.stringify([version, outcome, isUnsure(outcomeConfidence ?? 0)]);
}

/** By id first, so that the order in which the calls come makes no difference. */
function shuffled(calls: readonly DrawnFrom[]): DrawnFrom[] {
  const random = seededRandom(SEED);
  return calls
    .toSorted((a, b) => (a.callId < b.callId ? -1 : 1))
    .map((call) => ({ call, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ call }) => call);
}
