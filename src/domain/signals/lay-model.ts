import { isUnsure } from '../calls/outcome-confidence.ts';
import type { ModelReadingMode } from '../vocabulary.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE } from './catalogue.ts';
import { additionsOf, type ModelReading } from './model-reading.ts';
import { AGENT } from './places.ts';
import { rateCall } from './rating.ts';
import type { Signal } from './signal.ts';
import { isFriction, toSignal } from './to-signal.ts';

/** What an agent's model may do. */
export interface ModelPolicy {
  mode: ModelReadingMode;
  /** Codes that went back to assist, because people found the model wrong on them. */
  returned: ReadonlySet<string>;
}

/** A model's finding counts less than a rule's threshold and more than a list of phrases. */
const MODEL_CONFIDENCE = 0.7;
/** Words that show what a rule suspects stand near the place where it suspects it. */
const TURNS_NEAR = 4;

/**
 * A reading by rules with what a model adds to it under the agent's setting. Whatever a model had added before is taken
 * off first, so that laying twice, or under another setting, is the same as laying once.
 */
export function withModel(analysis: CallAnalysis, reading: ModelReading | null, policy: ModelPolicy): CallAnalysis {
  const rules = withoutModel(analysis);
  if (reading === null || policy.mode === 'off') return rules;
  const decides = policy.mode === 'decide' && reading.addressed === false;
  const { observations } = additionsOf(reading, { ...rules, signals: rules.signals });
  const judged = decides ? withJudgedOutcome(rules, reading) : rules;
  const found = decides ? signalsOf(rules, reading, policy) : [];
  const isFound = (rule: string, turn: number) =>
    found.some(({ code, turnIndex }) => code === rule && turnIndex === turn);
  const signals = [...rules.signals, ...found].sort((a, b) => a.turnIndex - b.turnIndex);
  return counted({
    ...judged,
    signals,
    observations: [
      ...rules.observations,
      ...observations.filter(({ kind, rule, turnIndex }) => kind !== 'candidate' || !isFound(rule, turnIndex)),
    ].sort((a, b) => a.turnIndex - b.turnIndex),
  });
}

/** What the rules alone say. */
export function withoutModel(analysis: CallAnalysis): CallAnalysis {
  const isLaid =
    analysis.byRules !== undefined ||
    analysis.signals.some(({ basis }) => basis === 'model') ||
    analysis.observations.some(({ basis }) => basis === 'model');
  if (!isLaid) return analysis;
  const { byRules, ...rest } = analysis;
  return counted({
    ...rest,
    ...byRules,
    signals: analysis.signals.filter(({ basis }) => basis !== 'model'),
    observations: analysis.observations.filter(({ basis }) => basis !== 'model'),
  });
}

/** A model's signals change how often the caller met friction and the rating; turns and root cause stay what rules found. */
function counted(analysis: CallAnalysis): CallAnalysis {
  const { signals, counts, outcome } = analysis;
  return {
    ...analysis,
    counts: { ...counts, frictions: signals.filter(isFriction).length },
    rating: rateCall(signals, outcome),
  };
}

/** Suspicions of the rules that the model confirmed near their place, and problems that no code of the catalogue names. */
function signalsOf(rules: CallAnalysis, reading: ModelReading, { returned }: ModelPolicy): Signal[] {
  const stands = (code: string, turn: number) =>
    rules.signals.some((one) => one.code === code && Math.abs(one.turnIndex - turn) <= 1);
  const confirmed = reading.confirmed.flatMap(({ rule, turnIndex, turn, quote, because }): Signal[] => {
    const candidate = rules.observations.find(
      (one) => one.kind === 'candidate' && one.rule === rule && one.turnIndex === turnIndex,
    );
    const isNear = Math.abs(turn - turnIndex) <= TURNS_NEAR;
    if (!candidate || !isNear || stands(rule, turn)) return [];
    const detail = `A model that read the call confirms it: ${because}`;
    return signal(rule, { turn, quote, detail, place: candidate.place ?? AGENT });
  });
  const others = (reading.problems ?? []).flatMap(({ code, turn, quote, because, place }) =>
    signal(code, { turn, quote, detail: `Named by a model that read the call: ${because}`, place }),
  );
  const once = new Map([...confirmed, ...others].map((one) => [`${one.code} ${one.turnIndex}`, one]));
  return [...once.values()].filter(({ code }) => !returned.has(code));
}

function signal(
  code: string,
  { turn, quote, detail, place }: { turn: number; quote: string; detail: string; place: Signal['place'] },
): Signal[] {
  const entry = CATALOGUE.get(code);
  if (entry === undefined) return [];
  const made = toSignal(entry, { turnIndex: turn, quote, detail, place, confidence: MODEL_CONFIDENCE }, null);
  return [{ ...made, cause: null, basis: 'model' }];
}

/** How badly a call ended that a model judged: a judgement, so nearer to the middle than what rules are sure of. */
const SCORE = { resolved: 0.2, unresolved: 0.7, abandoned: 0.75 } as const;

/** What the rules are sure of, and what only a record can prove (a hand-over, that nobody spoke), stays. */
function withJudgedOutcome(rules: CallAnalysis, { outcome: judged }: ModelReading): CallAnalysis {
  const { outcome, outcomeConfidence, outcomeReason, badEndingScore, rootCause } = rules;
  const isOpen = (outcome === null || outcome in SCORE) && isUnsure(outcomeConfidence);
  if (!judged || !isOpen || judged.outcome === outcome) return rules;
  return {
    ...rules,
    byRules: { outcome, outcomeConfidence, outcomeReason, badEndingScore, rootCause },
    outcome: judged.outcome,
    outcomeConfidence: MODEL_CONFIDENCE,
    outcomeReason: {
      rule: 'judged_by_model',
      turns: [judged.turn],
      text: `A model that read the call judged it: ${judged.because}`,
    },
    badEndingScore: SCORE[judged.outcome],
    rootCause: judged.outcome === 'resolved' ? null : rootCause,
  };
}
