import { type AnsweredBy, isUnreached, TEXTS, type Voice } from '../calls/answered-by.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE } from './catalogue.ts';
import { rateCall } from './rating.ts';
import { isFriction } from './to-signal.ts';

const CONFIDENCE = 0.85;
const BAD_ENDING = 0.3;

/**
 * A reading with a model's word on who answered, where the rules had another one; what the platform says is kept. A
 * machine that the rules took for a person leaves no contact and nothing that a caller said or did; a person that they
 * took for a machine leaves the ending to whoever read the talk.
 */
export function withAnsweredBy(analysis: CallAnalysis, read: Voice): CallAnalysis {
  const { answeredBy } = analysis;
  if (answeredBy === undefined || answeredBy.basis === 'platform' || answeredBy.by === read.by) return analysis;
  const text = TEXTS[read.by];
  const now: AnsweredBy = { ...read, text, basis: 'model', before: [] };
  if (isUnreached(read)) {
    const signals = analysis.signals.filter(({ code }) => !isOfCaller(code));
    return {
      ...analysis,
      answeredBy: now,
      ...endedAs('no_contact', CONFIDENCE, text, read.turns),
      badEndingScore: BAD_ENDING,
      callerSpoke: false,
      objective: text,
      requests: [],
      signals,
      observations: analysis.observations.filter(({ rule }) => !isOfCaller(rule)),
      counts: { ...analysis.counts, callerTurns: 0, frictions: signals.filter(isFriction).length },
      rating: rateCall(signals, 'no_contact'),
      rootCause: null,
    };
  }
  if (!isUnreached(answeredBy)) return { ...analysis, answeredBy: now };
  return { ...analysis, answeredBy: now, ...endedAs(null, 0, text, read.turns), callerSpoke: read.by !== 'nobody' };
}

const endedAs = (outcome: CallAnalysis['outcome'], outcomeConfidence: number, text: string, turns: number[]) => ({
  outcome,
  outcomeConfidence,
  outcomeReason: { rule: 'answered_by_model', turns: turns.slice(0, 1), text },
});

/** What can only be said of somebody who calls or was called. */
function isOfCaller(code: string): boolean {
  const entry = CATALOGUE.get(code);
  return entry?.klass === 'behaviour' || entry?.needs.some((need) => OF_CALLER.has(need)) === true;
}

const OF_CALLER: ReadonlySet<string> = new Set(['words_of_the_talk', 'words_of_the_caller', 'word_times']);
