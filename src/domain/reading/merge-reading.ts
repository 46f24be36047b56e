import { type AnsweredBy, isUnreached, type Voice, voice } from '../calls/answered.ts';
import { isUnsure } from '../calls/outcome-confidence.ts';
import type { CallAnalysis } from '../signals/call-analysis.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import { IVR_STUCK, VOICEMAIL_TALKED_TO } from '../signals/entries/flow.ts';
import { countedOutcome } from '../signals/nobodys-failure.ts';
import { rateCall } from '../signals/rating.ts';
import { heaviestSignal } from '../signals/root-cause.ts';
import type { Observation, Signal } from '../signals/signal.ts';
import { isFriction, toSignal } from '../signals/to-signal.ts';
import type { ModelReadingMode } from '../vocabulary.ts';
import { type CheckedReading, type ProvenFinding, READ_BY_MODEL, type ReadOutcomeValue } from './answer.ts';
import { isReaderCode } from './reader-codes.ts';
import { areSisters } from './sister-codes.ts';

/** What an agent's reader may do. */
export interface ReadingPolicy {
  mode: ModelReadingMode;
  /** Codes whose findings are candidates only, because people found the reader wrong on them. */
  returned: ReadonlySet<string>;
}

/** A finding whose proof holds. */
const FOUND = 0.85;
/** The same, where rules and reader say it independently of each other. */
const SHARED = 0.95;
const AGREED_OUTCOME = 0.95;
const READ_OUTCOME = 0.85;
const SCORE: Readonly<Record<ReadOutcomeValue, number>> = {
  resolved: 0.1,
  transferred: 0.3,
  unresolved: 0.8,
  abandoned: 0.85,
};
/** Two findings of one fault stand at most so many turns apart. */
const NEAR = 1;

/**
 * A reading by rules with a reader's laid beside it, under the agent's setting. Facts by code stay; what takes
 * understanding is the reader's. Whatever was laid before is taken off first, so that laying twice, or under another
 * setting, is the same as laying once.
 */
export function withReading(
  analysis: CallAnalysis,
  reading: CheckedReading | null,
  policy: ReadingPolicy,
): CallAnalysis {
  const rules = withoutReading(analysis);
  if (reading === null || policy.mode === 'off') return rules;
  if (policy.mode === 'assist') return asEvidence(rules, reading);
  const found = reading.findings.filter(({ code, holds }) => holds !== false && !policy.returned.has(code));
  const doubted = reading.findings.filter((one) => !found.includes(one));
  const { signals, observations } = mergeFindings(rules, reading, found);
  const answered = answeredOf(rules, reading);
  if (answered !== null && isUnreached(answered)) {
    const known = new Set([...signals.map(({ code }) => code), ...policy.returned]);
    const ofMachine = (reading.ofMachine ?? []).filter(({ code }) => !known.has(code));
    return withoutCaller(
      rules,
      answered,
      [...signals, ...ofMachine].toSorted((a, b) => a.turnIndex - b.turnIndex),
    );
  }
  const outcome = outcomeOf(rules, reading);
  const laid: CallAnalysis = {
    ...rules,
    ...outcome,
    ...(answered && { answeredBy: answered }),
    byRules: pick(rules),
    objective: reading.requests[0]?.sentence ?? rules.objective,
    requests:
      reading.requests.length > 0
        ? reading.requests.map(({ turn, sentence }) => ({ turn, text: sentence }))
        : rules.requests,
    ...(reading.intent !== null && { readIntent: reading.intent }),
    signals,
    observations: sorted([...observations, ...doubted.map((one) => candidate(one, 'not confirmed by a second look'))]),
    notComputable: rules.notComputable.filter(({ code, reason }) => !isReaderCode(code) || !isReadAway(code, reason)),
    counts: { ...rules.counts, frictions: signals.filter(isFriction).length },
    rootCause: outcome.outcome === 'resolved' ? null : (heaviestSignal(signals) ?? null),
  };
  return { ...laid, rating: rateCall(signals, countedOutcome(laid)) };
}

/** What the rules alone say. */
export function withoutReading(analysis: CallAnalysis): CallAnalysis {
  const { byRules, readIntent: _named, ...rest } = analysis;
  return byRules === undefined ? analysis : { ...rest, ...byRules };
}

/** Everything that laying changes, as the rules have it. */
function pick(rules: CallAnalysis): NonNullable<CallAnalysis['byRules']> {
  const { outcome, outcomeConfidence, outcomeReason, badEndingScore, rootCause, rating, counts } = rules;
  const { signals, observations, notComputable, requests, objective, answeredBy, callerSpoke } = rules;
  return {
    outcome,
    outcomeConfidence,
    outcomeReason,
    badEndingScore,
    rootCause,
    rating,
    counts,
    signals,
    observations,
    notComputable,
    requests,
    objective,
    callerSpoke,
    ...(answeredBy && { answeredBy }),
  };
}

/** Who answered where code could not tell. A machine that did what the caller wanted was none. */
export function answeredOf(
  rules: CallAnalysis,
  { answeredBy = [], requests, outcome }: CheckedReading,
): AnsweredBy | null {
  if (rules.answeredBy === undefined) return null;
  const voices: Voice[] = [];
  for (const { value, turn } of answeredBy) {
    const last = voices.at(-1);
    if (last?.by === value) last.turns.push(turn);
    else voices.push({ by: value, turns: [turn] });
  }
  const reached = voices.find((one) => !isUnreached(one)) ?? voices.at(-1);
  if (reached === undefined) return null;
  const isDone = outcome?.value === 'resolved' || requests.some(({ fulfilled }) => fulfilled === 'yes');
  if (isUnreached(reached) && isDone) return null;
  const before = voices.slice(0, voices.indexOf(reached)).filter(isUnreached);
  return voice(reached.by, reached.turns, before, 'model');
}

const OF_A_CALLER: readonly string[] = ['words_of_the_talk', 'words_of_the_caller', 'turn_times'];
const OF_A_MACHINE: readonly string[] = [VOICEMAIL_TALKED_TO.code, IVR_STUCK.code];
const NO_CONTACT = { outcome: 'no_contact', outcomeConfidence: 0.9, badEndingScore: 0.3 } as const;

/** Nobody was reached: what a machine said is no request, and nothing that takes a caller was found. */
function withoutCaller(rules: CallAnalysis, answered: AnsweredBy, merged: readonly Signal[]): CallAnalysis {
  const signals = merged.filter(({ code, klass }) => {
    const { needs = [], ending = false } = CATALOGUE.get(code) ?? {};
    return (
      OF_A_MACHINE.includes(code) ||
      (!needs.some((need) => OF_A_CALLER.includes(need)) && !(ending && klass === 'behaviour'))
    );
  });
  return {
    ...rules,
    ...NO_CONTACT,
    byRules: pick(rules),
    answeredBy: answered,
    outcomeReason: { rule: READ_BY_MODEL, turns: answered.turns.slice(0, 1), text: answered.text },
    callerSpoke: false,
    objective: answered.text,
    requests: [],
    signals,
    counts: { ...rules.counts, callerTurns: 0, frictions: signals.filter(isFriction).length },
    rating: rateCall(signals, NO_CONTACT.outcome),
    rootCause: heaviestSignal(signals) ?? null,
  };
}

/** Beside the rules and below them: nothing that is counted changes. */
function asEvidence(rules: CallAnalysis, reading: CheckedReading): CallAnalysis {
  const stands = ({ code, turn }: ProvenFinding) =>
    rules.signals.some((one) => one.code === code && Math.abs(one.turnIndex - turn) <= NEAR);
  const found = reading.findings.filter((one) => one.holds !== false && !stands(one));
  return {
    ...rules,
    byRules: pick(rules),
    objective: reading.requests[0]?.sentence ?? rules.objective,
    observations: sorted([...rules.observations, ...found.map((one) => candidate(one, null))]),
  };
}

function mergeFindings(
  rules: CallAnalysis,
  reading: CheckedReading,
  found: readonly ProvenFinding[],
): Pick<CallAnalysis, 'signals' | 'observations'> {
  const left = new Set(found);
  const signals: Signal[] = [];
  const observations: Observation[] = [];
  for (const signal of rules.signals) {
    const { code, klass, turnIndex } = signal;
    const same = found.find((one) => one.code === code && Math.abs(one.turn - turnIndex) <= NEAR);
    if (same) {
      left.delete(same);
      signals.push({ ...signal, confidence: Math.max(signal.confidence, SHARED), proof: same.proof });
      continue;
    }
    const isFact = CATALOGUE.get(code)?.meaning !== true || klass === 'behaviour';
    if (isFact || reading.addressed) {
      signals.push(signal);
      continue;
    }
    // The reader has the same fault under the code of a neighbor: one fault is one signal.
    if (found.some((one) => areSisters(one.code, code) && Math.abs(one.turn - turnIndex) <= NEAR)) continue;
    observations.push(suspicion(signal));
  }
  for (const one of left) {
    const isFact = signals.some(
      ({ code, turnIndex, basis }) =>
        basis !== 'model' &&
        areSisters(code, one.code) &&
        turnIndex === one.turn &&
        CATALOGUE.get(code)?.meaning === false,
    );
    if (!isFact) signals.push(...signalOf(one));
  }
  signals.sort((a, b) => a.turnIndex - b.turnIndex);
  return { signals, observations: sorted([...rules.observations, ...observations]) };
}

function signalOf(finding: ProvenFinding): Signal[] {
  const { code, turn, quote, because, place, proof } = finding;
  const entry = CATALOGUE.get(code);
  if (entry === undefined) return [];
  const facts = factsOf(finding);
  const detection = { turnIndex: turn, quote, detail: because, place, confidence: FOUND, facts };
  return [{ ...toSignal(entry, detection, null), basis: 'model', proof }];
}

/** What the proof says to the table of causes. */
function factsOf({ code, proof, place }: ProvenFinding): Record<string, string | boolean> {
  if (code !== 'claimed_without_tool') return {};
  return place.kind === 'tool' ? { hasTool: true, tool: place.label } : proof.length > 0 ? { hasTool: false } : {};
}

function suspicion({ code, turnIndex, detail, place }: Signal): Observation {
  const label = CATALOGUE.get(code)?.title ?? code;
  return {
    rule: code,
    kind: 'candidate',
    label,
    turnIndex,
    detail: `Suspected by a rule, not found by the model that read the call: ${detail}`,
    basis: 'phrases',
    place,
  };
}

function candidate({ code, turn, because, place }: ProvenFinding, why: string | null): Observation {
  return {
    rule: code,
    kind: 'candidate',
    label: CATALOGUE.get(code)?.title ?? code,
    turnIndex: turn,
    detail: `Found by a model that read the call${why === null ? '' : `, ${why}`}: ${because}`,
    basis: 'model',
    place,
  };
}

const sorted = (observations: readonly Observation[]): Observation[] =>
  observations.toSorted((a, b) => a.turnIndex - b.turnIndex);

/** That nobody could be reached is code's alone; of a call that speaks to its reader the rules judge where they are sure. */
function outcomeOf(
  rules: CallAnalysis,
  { outcome: read, addressed }: CheckedReading,
): Pick<CallAnalysis, 'outcome' | 'outcomeConfidence' | 'outcomeReason' | 'badEndingScore'> {
  const { outcome, outcomeConfidence, outcomeReason, badEndingScore } = rules;
  const own = { outcome, outcomeConfidence, outcomeReason, badEndingScore };
  const isKept = outcome === 'no_contact' || (addressed && !isUnsure(outcomeConfidence));
  if (read === null || isKept) return own;
  const agree = read.value === outcome;
  return {
    outcome: read.value,
    outcomeConfidence: agree ? Math.max(outcomeConfidence, AGREED_OUTCOME) : READ_OUTCOME,
    outcomeReason: { rule: READ_BY_MODEL, turns: [read.turn], text: read.because },
    badEndingScore: SCORE[read.value],
  };
}

/** Whether a reader's reading makes a code computable that the rules could not compute. */
function isReadAway(code: string, reason: string): boolean {
  const needs = CATALOGUE.get(code)?.needs ?? [];
  // What needs the agent's text, or tools, needs them of a reader too.
  const isMissing = /configuration of the version|no tool calls|tools of the agent are not known|wording is/.test(
    reason,
  );
  return !isMissing || !(needs.includes('prompt') || needs.includes('tool_results'));
}
