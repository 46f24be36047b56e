import { does } from '../../acts/act.ts';
import { type SentenceRange, sentencesOf } from '../../acts/sentences.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import type { ActValue } from '../../values/value.ts';
import { talkWords } from '../../words/talk-words.ts';
import type { CallBase } from '../call-base.ts';
import type { LedgerFinding } from '../ledger/finding.ts';
import { resultLeaves } from '../use-leaves.ts';
import { isPeriod, mattersOf, numbersOf, type PromptTerm, type PromptTerms, termsOf } from './prompt-terms.ts';

/**
 * Where the agent tells an amount or a period that its prompt has otherwise: one part of the prompt alone is about the
 * thing, and neither the prompt nor a result, the talk so far or a sum of these has the figure.
 */
export function toldTerms(reading: CallBase): LedgerFinding[] {
  const known = termsOf(reading);
  if (known === null || known.terms.length === 0) return [];
  return reading.agent.flatMap((turn) => {
    for (const range of sentencesOf(turn)) {
      const finding = wrongTerm(reading, turn, range, known);
      if (finding !== null) return [finding];
    }
    return [];
  });
}

function wrongTerm(
  reading: CallBase,
  turn: SpokenTurn,
  range: SentenceRange,
  prompt: PromptTerms,
): LedgerFinding | null {
  const [start, end] = [turn.starts[range.from] ?? 0, turn.ends[range.to - 1] ?? 0];
  if (turn.turn.text[end] === '?' || does(turn, 'claims_done')) return null;
  const values = turn.values.filter((value) => value.from >= start && value.to <= end);
  const text = turn.turn.text.slice(start, end);
  let own: ReadonlySet<string> | null = null;
  for (const value of values) {
    if (value.denied || !(value.kind === 'money' || (isPeriod(value) && !isOfTheRequest(turn, value)))) continue;
    const beside = values.filter((one) => one !== value && one.kind === 'number').flatMap(numbersOf);
    const terms = prompt.terms.filter((term) => figuresOf(term, value).size > 0);
    const isAnswer = value.kind === 'money' || range.to - range.from <= WORDS_OF_A_PERIOD;
    own ??= mattersOf(text, reading.language ?? 'en');
    const term = termFor(reading, turn, { own, counts: beside, isAnswer }, terms);
    if (term === null || isSourced(reading, turn, value, term, prompt)) continue;
    return make(turn, value, term);
  }
  return null;
}

/** "For the three days", "in three months", "three years ago": time that was asked for, is to come or has passed, and no term. */
function isOfTheRequest(turn: SpokenTurn, value: ActValue): boolean {
  const first = turn.starts.findIndex((start) => start >= value.from);
  const behind = turn.starts.findIndex((start) => start >= value.to);
  if (NO_TERM_BEHIND.has(turn.words[first - 1] ?? '')) return true;
  // The unit stands behind the number.
  return behind >= 0 && turn.words.slice(behind, behind + 2).some((word) => PASSED.has(word));
}

const NO_TERM_BEHIND = talkWords('noTermBehind');
const PASSED = talkWords('passed');

/** What the part of the prompt has of the kind of the value. */
function figuresOf(term: PromptTerm, value: ActValue): ReadonlySet<number> {
  return value.kind === 'money' ? term.amounts : (term.periods.get(value.slot) ?? NONE);
}

const NONE: ReadonlySet<number> = new Set();
/** "It's good for three years": longer sentences say themselves of what. */
const WORDS_OF_A_PERIOD = 5;

/** The one part of the prompt that is about what the sentence, or else the question before it, is about. */
function termFor(
  reading: CallBase,
  turn: SpokenTurn,
  { own, counts, isAnswer }: { own: ReadonlySet<string>; counts: readonly number[]; isAnswer: boolean },
  terms: readonly PromptTerm[],
): PromptTerm | null {
  const before = reading.spoken[turn.order - 1];
  const found = best(terms, own) ?? counted(terms, own, counts);
  if (found !== null || !isAnswer || before?.role !== 'caller') return found;
  return best(terms, mattersOf(before.turn.text, reading.language ?? 'en'));
}

/** The part that shares most words, where no other shares as many; a word that several have tells none of them. */
function best(terms: readonly PromptTerm[], words: ReadonlySet<string>): PromptTerm | null {
  const rated = terms
    .map((term) => ({ term, shared: [...words].filter((word) => term.words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared);
  const [first, second] = rated;
  return first === undefined || first.shared === second?.shared ? null : first.term;
}

/** "The ten hour package": its words are of several parts, and what it counts of one. */
function counted(
  terms: readonly PromptTerm[],
  words: ReadonlySet<string>,
  counts: readonly number[],
): PromptTerm | null {
  const [found, ...more] = terms.filter(
    (term) => counts.some((count) => term.counts.has(count)) && [...words].some((word) => term.matters.has(word)),
  );
  return found === undefined || more.length > 0 ? null : found;
}

/** The prompt, a result or the talk holds the figure, or it can be reckoned from what is known. */
function isSourced(
  reading: CallBase,
  turn: SpokenTurn,
  value: ActValue,
  term: PromptTerm,
  prompt: PromptTerms,
): boolean {
  const told = numbersOf(value);
  const said = reading.spoken.filter(({ order }) => order < turn.order);
  const known = [...said.flatMap(({ values }) => values.flatMap(numbersOf)), ...resultNumbers(reading, turn)];
  if (told.some((one) => prompt.numbers.has(one) || known.some((other) => Math.abs(other - one) < 1))) return true;
  if (value.kind !== 'money') return false;
  const own = [...term.amounts];
  if (told.some((one) => isReduced(one, prompt))) return true;
  const amounts = [...prompt.amounts, ...known.filter((one) => one > TIMES_AT_MOST)];
  return told.some((one) => isReckoned(one, own, amounts, term.onTop || isCounted(reading, turn)));
}

/** A number that is told in a result may stand in words in a text of it. */
function resultNumbers(reading: CallBase, turn: SpokenTurn): number[] {
  return reading.tools
    .filter((use) => use.resultTurn !== null && use.resultTurn < turn.index)
    .flatMap((use) => resultLeaves(use))
    .flatMap(({ value }) => (typeof value === 'number' ? [value] : (String(value).match(FIGURES) ?? []).map(Number)));
}

const FIGURES = /\d+(?:\.\d+)?/g;

/** Several of a thing are spoken of, so that amounts are multiplied and added. */
function isCounted(reading: CallBase, turn: SpokenTurn): boolean {
  return reading.spoken.some(
    (one) => one.order <= turn.order && one.values.some((value) => value.slot.startsWith('count') && isSeveral(value)),
  );
}

function isSeveral(value: ActValue): boolean {
  return value.slot !== 'count:money' && numbersOf(value).some((number) => number > 1 && number <= TIMES_AT_MOST);
}

const TIMES_AT_MOST = 12;

/** A multiple of its own price; where several things are spoken of, also a sum with other amounts and their multiples. */
function isReckoned(told: number, own: readonly number[], amounts: readonly number[], counted: boolean): boolean {
  const multiples = own.flatMap((one) => multiplesOf(one, counted ? TIMES_AT_MOST : 2));
  if (multiples.some((one) => isNear(one, told))) return true;
  const others = counted ? amounts.flatMap((one) => multiplesOf(one, TIMES_IN_A_SUM)) : [];
  return multiples.some((one) => others.some((other) => isNear(one + other, told)));
}

const TIMES_IN_A_SUM = 4;

/** An amount of the prompt, less a share that the prompt takes off or with one that it puts on: "20 percent off". */
function isReduced(told: number, { amounts, shares }: PromptTerms): boolean {
  return [...shares].some((share) =>
    [...amounts].some((one) => isNear(one * (1 - share / 100), told) || isNear(one * (1 + share / 100), told)),
  );
}

function multiplesOf(one: number, times: number): number[] {
  return Array.from({ length: times }, (_, at) => one * (at + 1));
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.005;
}

function make(turn: SpokenTurn, value: ActValue, term: PromptTerm): LedgerFinding {
  const right = [...figuresOf(term, value)].join(', ');
  return {
    code: 'fact_contradicts_source',
    rule: 'term_differs',
    turn: turn.index,
    quote: value.text,
    detail: `The agent says "${value.text}"; its prompt has ${right} for that.`,
    use: null,
    confidence: 0.8,
    facts: { rule: 'term_differs' },
  };
}
