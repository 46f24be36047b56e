import type { Turn } from '../calls/call.ts';
import type { Criterion } from '../tests/spec.ts';
import type { CriterionAnswer, CriterionVerdict } from './attempt.ts';
import { addressesJudge, textsOf } from './judge-address.ts';

/** What the judge says about one criterion, as it came. */
export interface JudgeVerdict {
  /** The criterion's id. */
  criterion: string;
  verdict: 'met' | 'not_met' | 'undecided';
  turn: number | null;
  quote: string | null;
  because: string;
}
export interface JudgeAnswer {
  verdicts: JudgeVerdict[];
}

/** One answer of the judge, held against the call: for each criterion asked about, by its id. */
export type ReadAnswer = Map<string, CriterionAnswer>;

const BECAUSE_AT_MOST = 300;

/**
 * Takes of an answer what the call bears out. Criteria that nobody asked about are dropped, those left out or answered
 * twice in different ways are undecided, and so is every verdict whose evidence does not hold.
 */
export function readJudgeAnswer(
  criteria: readonly Criterion[],
  turns: readonly Turn[],
  answer: JudgeAnswer,
): ReadAnswer {
  return new Map(
    criteria.map(({ id }) => {
      const given = answer.verdicts.filter(({ criterion }) => criterion === id);
      const [first] = given;
      if (first === undefined) return [id, undecided('The judge left this criterion out.')];
      if (given.some(({ verdict }) => verdict !== first.verdict)) {
        return [id, undecided('The judge answered this criterion twice, in different ways.')];
      }
      return [id, heldAgainst(turns, first)];
    }),
  );
}

/** Evidence that something was met is what the agent or a tool said; what the caller says proves nothing about the agent. */
function heldAgainst(turns: readonly Turn[], { verdict, turn, quote, because }: JudgeVerdict): CriterionAnswer {
  const why = because.replaceAll(/\s+/g, ' ').trim().slice(0, BECAUSE_AT_MOST);
  if (verdict === 'undecided') return undecided(why === '' ? 'The judge could not tell.' : why);
  const words = quote === null || quote.trim() === '' ? null : quote;
  if (verdict === 'not_met' && turn === null && words === null)
    return { met: false, turn: null, quote: null, because: why };
  const cited = turns.find(({ index }) => index === turn);
  if (cited === undefined) return undecided('The judge cited no turn of the call.');
  if (words === null || !/[\p{L}\p{N}]/u.test(words))
    return undecided('The judge quoted nothing from the turn that it cited.');
  if (!textsOf(cited).some((text) => text.includes(words))) {
    return undecided('The judge quoted words that are not in the turn that it cited.');
  }
  if (addressesJudge(cited)) return undecided('The judge cited words that were spoken to the judge.');
  if (verdict === 'met' && cited.role !== 'agent' && cited.role !== 'tool') {
    return undecided('The judge cited a turn in which neither the agent nor a tool spoke.');
  }
  return { met: verdict === 'met', turn: cited.index, quote: words, because: why };
}

function undecided(because: string): CriterionAnswer {
  return { met: null, turn: null, quote: null, because };
}

/**
 * Whether nothing is gained by asking again: the first answer finds every required criterion met, or what the answers
 * so far say can't be outvoted by those that may still come.
 */
export function isSettled(criteria: readonly Criterion[], answers: readonly ReadAnswer[], asksLeft: number): boolean {
  const [first] = answers;
  if (first === undefined) return false;
  if (asksLeft <= 0) return true;
  const required = criteria.filter((criterion) => criterion.required);
  if (answers.length === 1 && required.every(({ id }) => first.get(id)?.met === true)) return true;
  const atMost = answers.length + asksLeft;
  return required.every(({ id }) => {
    const votes = answers.map((answer) => answer.get(id)?.met ?? null);
    const count = (side: boolean) => votes.filter((vote) => vote === side).length;
    const [met, notMet] = [count(true), count(false)];
    const isHeld = met * 2 > atMost || notMet * 2 > atMost;
    return isHeld || (Math.max(met, notMet) + asksLeft) * 2 <= atMost;
  });
}

/** The verdict of the answers: what more than half of them say; where no side has so many, undecided. All are kept. */
export function verdictsOf(
  criteria: readonly Criterion[],
  answers: readonly ReadAnswer[],
  judge: { model: string | null; trouble: string | null },
): CriterionVerdict[] {
  return criteria.map(({ id, text, required }): CriterionVerdict => {
    const given = answers.map((answer) => answer.get(id) ?? undecided('The judge left this criterion out.'));
    const held = [true, false].find((met) => given.filter((one) => one.met === met).length * 2 > given.length);
    if (held === undefined) {
      return undecidedVerdict({ id, text, required }, whyUndecided(given, judge.trouble), given);
    }
    const telling = given.find(({ met }) => met === held);
    return {
      criterionId: id,
      text,
      required,
      met: held,
      because: telling?.because ?? '',
      decidedBy: { kind: 'judge', model: judge.model, answers: given },
      evidenceTurn: telling?.turn ?? null,
      quote: telling?.quote ?? null,
    };
  });
}

function whyUndecided(given: readonly CriterionAnswer[], trouble: string | null): string {
  const [first] = given;
  if (first === undefined) return trouble ?? 'The judge gave no usable answer.';
  const differ = given.some(({ met }) => met !== first.met);
  return differ ? `The judge’s ${given.length} answers differ.` : first.because;
}

export function undecidedVerdict(
  { id, text, required }: Pick<Criterion, 'id' | 'text' | 'required'>,
  because: string,
  answers: CriterionAnswer[] = [],
): CriterionVerdict {
  return {
    criterionId: id,
    text,
    required,
    met: null,
    because,
    decidedBy: { kind: 'undecided', model: null, answers },
    evidenceTurn: null,
    quote: null,
  };
}
