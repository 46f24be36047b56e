import type { NormalisedCall, Turn } from '../calls/call.ts';
import { readNodes } from '../calls/nodes.ts';
import { isUnsure } from '../calls/outcome-confidence.ts';
import type { Outcome } from '../vocabulary.ts';
import { CATALOGUE } from './catalogue.ts';
import { turnsToReader } from './model-address.ts';
import { carriesOutcome, JUDGED_OUTCOMES, type JudgedOutcome } from './model-outcome.ts';
import { otherCodeOf } from './other-code.ts';
import { AGENT } from './places.ts';
import { storedText } from './quotes.ts';
import type { Observation, Place, Signal } from './signal.ts';

/** What of the rules' reading decides which questions a model is asked. */
export interface ReadByRules {
  callerSpoke: boolean;
  observations: readonly Observation[];
  /** `cause` null: none is established. */
  signals: readonly (Pick<Signal, 'code' | 'klass' | 'turnIndex' | 'detail'> & { cause: unknown })[];
}

/** What a model is asked about a call, beyond its objective: what the rules could only suspect, and what they could not explain. */
export interface ReadingQuestions {
  /** Observations of kind `candidate`, numbered by their place. */
  candidates: { rule: string; label: string; turnIndex: number; detail: string }[];
  /** Signals without an established cause, numbered by their place. */
  unexplained: { code: string; turnIndex: number; detail: string }[];
  /** Only where the model may decide. */
  decides?: DecidingQuestions;
}

export interface DecidingQuestions {
  /** How the call ended for the rules, where they are not sure; null where they are. */
  outcome: { byRules: string } | null;
  /** Names of other problems that the agent has by now. */
  known: string[];
  /** Turns that speak to the reader, which it is not shown. */
  withheld: ReadonlySet<number>;
}

/** A model's answer, of the right shape and otherwise unchecked. */
export interface ReadingAnswer {
  objective: { sentence: string; turn: number; quote: string };
  candidates: { number: number; holds: boolean; turn: number; quote: string; because: string }[];
  causes: { number: number; turn: number; quote: string; hypothesis: string }[];
  /** Only where it may decide; null where it can't tell. */
  outcome?: { outcome: JudgedOutcome; turn: number; quote: string; because: string } | null;
  problems?: { name: string; turn: number; quote: string; because: string }[];
}

/** What of the answer stands on the words of the call. */
export interface ModelReading {
  /** Null where the model named no turn that says it. */
  objective: string | null;
  confirmed: { rule: string; turnIndex: number; turn: number; quote: string; because: string }[];
  hypotheses: { code: string; turnIndex: number; turn: number; quote: string; hypothesis: string }[];
  /** A turn of the call speaks to whoever reads it, so that the model decides nothing. Left out in readings from before. */
  addressed?: boolean;
  outcome?: ReadingAnswer['outcome'];
  problems?: { code: string; turn: number; quote: string; because: string; place: Place }[];
  /** Findings that were dropped because their quote is not in the cited turn, or they answer no question. */
  dropped: number;
}

const QUESTIONS_AT_MOST = 10;
const PROBLEMS_AT_MOST = 2;
/** Fewer words of an agent show no problem that no rule knows. */
const QUOTED_WORDS_AT_LEAST = 3;

export function questionsOf(analysis: Omit<ReadByRules, 'callerSpoke'>): ReadingQuestions {
  const candidates = analysis.observations.filter(({ kind, basis }) => kind === 'candidate' && basis !== 'model');
  const unexplained = analysis.signals.filter(({ cause, klass }) => cause === null && klass !== 'behaviour');
  return {
    candidates: candidates
      .slice(0, QUESTIONS_AT_MOST)
      .map(({ rule, label, turnIndex, detail }) => ({ rule, label, turnIndex, detail })),
    unexplained: unexplained
      .slice(0, QUESTIONS_AT_MOST)
      .map(({ code, turnIndex, detail }) => ({ code, turnIndex, detail })),
  };
}

/** What is asked beside, of a model that may decide. */
export function decidingQuestions(
  call: NormalisedCall,
  { outcome, outcomeConfidence }: { outcome: Outcome | null; outcomeConfidence: number },
  knownOthers: readonly string[],
): DecidingQuestions {
  const isOpen = outcome !== null && JUDGED.has(outcome) && isUnsure(outcomeConfidence);
  return {
    outcome: isOpen ? { byRules: outcome } : null,
    known: knownOthers.map((code) => (CATALOGUE.get(code)?.title ?? code).toLowerCase()),
    withheld: turnsToReader(call),
  };
}

const JUDGED: ReadonlySet<string> = new Set(JUDGED_OUTCOMES);

/**
 * Keeps what the words of the call bear out. A quote must be an exact part of the turn that it is said to stand in.
 * @param knownOthers codes of other problems that the agent has by now.
 */
export function checkAnswer(
  call: NormalisedCall,
  questions: ReadingQuestions,
  answer: ReadingAnswer,
  knownOthers: readonly string[] = [],
): ModelReading {
  const turns = new Map(call.turns.map((turn) => [turn.index, turn]));
  const addressed = turnsToReader(call).size > 0;
  const stands = ({ turn, quote }: { turn: number; quote: string }) => isIn(turns.get(turn), quote);
  const confirmed: ModelReading['confirmed'] = [];
  const hypotheses: ModelReading['hypotheses'] = [];
  const answered = new Set<string>();
  let dropped = 0;
  /** The question that a finding answers, once; null where it answers none or its quote is not there. */
  function questionOf<T>(kind: string, of: readonly T[], found: { number: number; turn: number; quote: string }) {
    const question = of[found.number - 1];
    const id = `${kind}/${found.number}`;
    if (question !== undefined && stands(found) && !answered.has(id)) {
      answered.add(id);
      return question;
    }
    dropped += 1;
    return null;
  }
  for (const found of answer.candidates) {
    if (!found.holds) continue;
    const question = questionOf('candidate', questions.candidates, found);
    if (question === null) continue;
    const { turn, quote } = found;
    confirmed.push({
      rule: question.rule,
      turnIndex: question.turnIndex,
      turn,
      quote,
      because: sentence(found.because),
    });
  }
  for (const found of answer.causes) {
    const question = questionOf('cause', questions.unexplained, found);
    if (question === null) continue;
    const { turn, quote } = found;
    const hypothesis = sentence(found.hypothesis);
    hypotheses.push({ code: question.code, turnIndex: question.turnIndex, turn, quote, hypothesis });
  }
  const objective = sentence(answer.objective.sentence);
  const said = turns.get(answer.objective.turn)?.role === 'caller' && stands(answer.objective) && objective !== '';
  const reading = { objective: said ? objective : null, confirmed, hypotheses, addressed };
  if (!said) dropped += 1;
  if (answer.outcome === undefined && answer.problems === undefined) return { ...reading, dropped };
  const judged = answer.outcome ?? null;
  const outcome =
    judged && stands(judged) && carriesOutcome(call, judged) ? { ...judged, because: sentence(judged.because) } : null;
  const problems = problemsOf(call, answer.problems ?? [], knownOthers, stands);
  dropped += (judged && !outcome ? 1 : 0) + (answer.problems ?? []).length - problems.length;
  return { ...reading, outcome, problems, dropped };
}

/** Problems of the agent and its tools, on their own words: what a caller says of them is no evidence of a new kind. */
function problemsOf(
  call: NormalisedCall,
  named: NonNullable<ReadingAnswer['problems']>,
  known: readonly string[],
  stands: (found: { turn: number; quote: string }) => boolean,
): NonNullable<ModelReading['problems']> {
  const problems: NonNullable<ModelReading['problems']> = [];
  for (const { name, turn, quote, because } of named) {
    const cited = call.turns.find(({ index }) => index === turn);
    const isTheirs = cited?.role === 'agent' || cited?.role === 'tool';
    const code = otherCodeOf(name, [...known, ...problems.map((one) => one.code)], (slug) => CATALOGUE.has(slug));
    const isWords = quote.trim().split(/\s+/).length >= QUOTED_WORDS_AT_LEAST;
    const isNew = !problems.some((one) => one.code === code);
    if (problems.length === PROBLEMS_AT_MOST || !isTheirs || code === null || !isWords || !isNew) continue;
    if (!stands({ turn, quote })) continue;
    problems.push({ code, turn, quote, because: sentence(because), place: placeOf(call, turn) });
  }
  return problems;
}

function placeOf(call: NormalisedCall, turn: number): Place {
  const node = readNodes(call, null).findLast((entry) => entry.turn <= turn);
  return node ? { kind: 'node', id: node.nodeId, label: node.label } : AGENT;
}

/** A reading with those of its problems that the words of the agent and its tools show by themselves. */
export function withShownProblems(
  reading: ModelReading,
  shown: readonly { number: number; holds: boolean }[],
): ModelReading {
  const problems = (reading.problems ?? []).filter((_, at) =>
    shown.some(({ number, holds }) => holds && number === at + 1),
  );
  return { ...reading, problems, dropped: reading.dropped + (reading.problems ?? []).length - problems.length };
}

/**
 * What a model's reading adds to what the rules say now: a finding whose question the rules no longer ask is left out.
 * Nothing that the rules said is changed.
 */
export function additionsOf(
  reading: ModelReading,
  analysis: ReadByRules,
): { objective: string | null; observations: Observation[] } {
  const { candidates, unexplained } = questionsOf(analysis);
  const observations: Observation[] = [];
  for (const found of reading.confirmed) {
    const asked = candidates.find(({ rule, turnIndex }) => rule === found.rule && turnIndex === found.turnIndex);
    if (asked === undefined) continue;
    const detail = `A model that read the call confirms it: ${found.because}`;
    observations.push({
      rule: found.rule,
      kind: 'candidate',
      label: asked.label,
      turnIndex: found.turn,
      detail,
      basis: 'model',
    });
  }
  for (const found of reading.hypotheses) {
    if (!unexplained.some(({ code, turnIndex }) => code === found.code && turnIndex === found.turnIndex)) continue;
    const detail = `A hypothesis of a model, not an established cause: ${found.hypothesis}`;
    const label = 'Possible cause';
    observations.push({ rule: found.code, kind: 'hypothesis', label, turnIndex: found.turn, detail, basis: 'model' });
  }
  return { objective: analysis.callerSpoke ? reading.objective : null, observations };
}

function isIn(turn: Turn | undefined, quote: string): boolean {
  if (turn === undefined || quote.trim() === '') return false;
  return turn.text.includes(quote) || (turn.toolResult !== null && storedText(turn.toolResult.body).includes(quote));
}

/** One line of plain text, whatever the model wrote: controls and marks of direction are taken out. */
function sentence(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\s]+/gu, ' ').trim();
}
