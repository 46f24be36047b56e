import { readHandOff } from '../calls/hand-off.ts';
import { personaOf } from '../calls/persona.ts';
import { storedText } from '../calls/quotes.ts';
import { objectiveOf, readRequests } from '../calls/requests.ts';
import { responseTimes, summariseTiming } from '../calls/timing.ts';
import { resultsOf } from '../calls/tool-uses.ts';
import { conformanceOf } from '../watches/conformance.ts';
import { type JudgedCall, judgeCall, type WatchToJudge } from '../watches/judge-call.ts';
import { ANALYSER_VERSION, OUTCOME_CODE } from './analyser-version.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE, thresholdsOf } from './catalogue.ts';
import type { CatalogueEntry, Detector } from './catalogue-entry.ts';
import { causeOf } from './causes.ts';
import type { DetectorInput, Thresholds } from './detector-input.ts';
import { monologue } from './detectors/monologue.ts';
import { DETECTORS } from './detectors.ts';
import { readEndStep } from './end-step.ts';
import { missingSides } from './needs.ts';
import { countedOutcome } from './nobodys-failure.ts';
import { readPath } from './path.ts';
import { rateCall, rateTurns } from './rating.ts';
import { type CallReading, readCall } from './reading.ts';
import { rootCauseOf } from './root-cause.ts';
import { decidesOutcome, settleOutcome } from './settle-outcome.ts';
import type { Detection, Observation, Signal } from './signal.ts';
import { costOutlier } from './structure/cost-outlier.ts';
import { isFriction, toSignal } from './to-signal.ts';
import { readVisits } from './visits.ts';

/** A code that fires on every line of a long call says nothing new after the tenth time. */
const DETECTIONS_AT_MOST = 10;

/** Everything that the rules say about one call. Pure: the same input gives the same analysis, on every machine. */
export function analyseCall(input: DetectorInput, thresholds: Thresholds): CallAnalysis {
  return analyseAndJudge(input, thresholds, []).analysis;
}

/** The same, with what watches say of the call: both stand on one reading. */
export function analyseAndJudge(
  input: DetectorInput,
  thresholds: Thresholds,
  watches: readonly WatchToJudge[],
): { analysis: CallAnalysis; judged: JudgedCall } {
  const read = readCall(input);
  const deciding = detectAll(DECIDING, read, input, thresholds);
  const outcome = settleOutcome(read, deciding.signals);
  const reading = { ...read, outcome: () => outcome };
  const others = detectAll(OTHERS, reading, input, thresholds);
  const found = {
    signals: withCostCause([...deciding.signals, ...others.signals]),
    observations: [...deciding.observations, ...others.observations],
    notComputable: [...deciding.notComputable, ...others.notComputable],
  };
  return { analysis: analysisOf(reading, found, input, thresholds), judged: judgeCall(reading, watches) };
}

function analysisOf(
  reading: CallReading,
  { signals, observations, notComputable }: Found,
  input: DetectorInput,
  thresholds: Thresholds,
): CallAnalysis {
  observations.push(...conformanceOf(reading));
  signals.sort((a, b) => a.turnIndex - b.turnIndex || rankOf(a.code) - rankOf(b.code));
  observations.sort((a, b) => a.turnIndex - b.turnIndex || rankOf(a.rule) - rankOf(b.rule));
  notComputable.sort((a, b) => rankOf(a.code) - rankOf(b.code));
  const requests = readRequests(reading);
  const outcome = reading.outcome();
  if (outcome.outcome === null) notComputable.push({ code: OUTCOME_CODE, reason: outcome.reason.text });
  return {
    analyserVersion: ANALYSER_VERSION,
    outcome: outcome.outcome,
    outcomeConfidence: outcome.confidence,
    outcomeReason: outcome.reason,
    handOff:
      outcome.outcome === 'transferred' ? readHandOff(reading, outcome.reason.turns.at(-1) ?? reading.lastIndex) : null,
    badEndingScore: outcome.badEndingScore,
    callerSpoke: reading.callerSpoke,
    answeredBy: reading.answered,
    objective: objectiveOf(requests, reading),
    requests,
    personaSlug: personaOf(reading),
    counts: {
      turns: reading.call.turns.length,
      callerTurns: reading.caller.length + reading.sides.caller.missing.length,
      agentTurns: reading.agent.length + reading.sides.agent.missing.length,
      toolFailures: reading.tools.filter((use) => use.ok === false).length,
      frictions: signals.filter((signal) => isFriction(signal)).length,
    },
    signals,
    observations,
    notComputable,
    toolResults: resultsOf(reading.tools),
    claims: [
      ...reading.claims().map(({ turn, text, kind, backedBy, verdict }) => ({ turn, text, kind, backedBy, verdict })),
      ...reading.readOut(),
    ].sort((a, b) => a.turn - b.turn),
    visits: readVisits(reading),
    endStep: readEndStep(reading),
    path: readPath(reading),
    timing: summariseTiming(reading.timing),
    responseTimes: responseTimes(reading.timing, input.call.latency?.e2eMs ?? []),
    rating: rateCall(
      signals,
      countedOutcome({
        outcome: outcome.outcome,
        outcomeReason: outcome.reason,
        answeredBy: reading.answered,
        signals,
        observations,
      }),
    ),
    turnRatings: rateTurns(reading, signals, thresholdsOf(monologue.entry, thresholds)['longestMs'] ?? 0),
    rootCause: rootCauseOf(signals, outcome.outcome),
  };
}

/** What one finds on a call tells how it ended, and some detectors ask how it ended: the former go first. */
const DECIDING = DETECTORS.filter(({ entry }) => decidesOutcome(entry.code));
const OTHERS = DETECTORS.filter(({ entry }) => !decidesOutcome(entry.code));

const RANK = new Map(DETECTORS.map(({ entry }, at) => [entry.code, at]));

/** The place in the catalogue; what is no code of it comes last. */
function rankOf(code: string): number {
  return RANK.get(code) ?? DETECTORS.length;
}

type Found = Pick<CallAnalysis, 'signals' | 'observations' | 'notComputable'>;

function detectAll(
  detectors: readonly Detector[],
  reading: CallReading,
  input: DetectorInput,
  thresholds: Thresholds,
): Found {
  const all: Found = { signals: [], observations: [], notComputable: [] };
  for (const { entry, detect } of detectors) {
    const found = missingSides(reading, entry.needs) ?? detect(reading, input, thresholdsOf(entry, thresholds));
    if (!Array.isArray(found)) {
      all.notComputable.push({ code: entry.code, reason: found.reason });
      continue;
    }
    for (const detection of found.slice(0, DETECTIONS_AT_MOST)) {
      if (!isQuoted(reading, detection)) continue;
      const isCandidate = detection.candidate === true || entry.suspected === true;
      if (entry.observation === true || isCandidate)
        all.observations.push(toObservation(entry, detection, isCandidate));
      else all.signals.push(toSignal(entry, detection, reading));
    }
  }
  return all;
}

/** What makes a call expensive is read off the other codes that it shows, as when its cost is renewed without its talk. */
function withCostCause(signals: readonly Signal[]): Signal[] {
  const entry = CATALOGUE.get(costOutlier.entry.code);
  const codes = signals.map(({ code }) => code);
  return signals.map((signal) =>
    entry?.code === signal.code ? { ...signal, cause: causeOf(entry, { ...signal, facts: { codes } }, null) } : signal,
  );
}

/** A quote that is not an exact substring of the cited turn drops the finding, whatever made it. */
function isQuoted(reading: CallReading, detection: Detection): boolean {
  const turn = reading.turnAt.get(detection.turnIndex);
  if (turn === undefined) return detection.quote === '' && detection.turnIndex === reading.lastIndex;
  if (detection.quote === '') return true;
  if (turn.text.includes(detection.quote)) return true;
  return turn.toolResult !== null && storedText(turn.toolResult.body).includes(detection.quote);
}

function toObservation(entry: CatalogueEntry, detection: Detection, isCandidate: boolean): Observation {
  return {
    rule: entry.code,
    kind: isCandidate ? 'candidate' : 'blocked_step',
    label: entry.title,
    turnIndex: detection.turnIndex,
    detail: detection.detail,
    basis: detection.confidence >= 1 ? 'checked' : 'phrases',
    ...(isCandidate && { place: detection.place }),
  };
}
