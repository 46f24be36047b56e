import type { Turn } from '../calls/call.ts';
import { storedText } from '../calls/quotes.ts';
import { cutWords } from '../text.ts';
import type { AttemptResult } from '../vocabulary.ts';
import type { CriterionVerdict, PlayedCall } from './attempt.ts';

/** One attempt of a cell, with what it was judged by. */
export interface JudgedAttempt {
  result: AttemptResult;
  played: PlayedCall;
  verdicts: readonly CriterionVerdict[];
}

/** How much of the difference between the attempts came from whom; together 1. */
export interface NoiseShares {
  agent: number;
  caller: number;
  judge: number;
}

/**
 * Who made attempts of one cell end differently, over all pairs of one that passed and one that did not. A caller that
 * drifted made its difference alone. The judge made as much of it as its answers about one call differ: all of it where
 * they are split in halves, and where the calls are word for word the same. The rest is whose turn is the first that
 * differs between the two calls. A pair whose other attempt is an error says nothing: it was not played or not judged.
 * @returns null where no pair says anything.
 */
export function noiseShares(attempts: readonly JudgedAttempt[]): NoiseShares | null {
  const passed = attempts.filter(({ result }) => result === 'passed');
  const others = attempts.filter(({ result }) => result !== 'passed');
  const shares = passed.flatMap((one) => others.flatMap((other) => sharesOf(one, other) ?? []));
  if (shares.length === 0) return null;
  const mean = (of: keyof NoiseShares) => shares.reduce((sum, share) => sum + share[of], 0) / shares.length;
  const [caller, judge] = [mean('caller'), mean('judge')];
  return { agent: Math.max(0, 1 - caller - judge), caller, judge };
}

function sharesOf(passed: JudgedAttempt, other: JudgedAttempt): NoiseShares | null {
  if (other.result === 'drift') return { agent: 0, caller: 1, judge: 0 };
  if (other.result === 'error') return null;
  const first = firstToDiffer(passed.played, other.played);
  if (first === null) return { agent: 0, caller: 0, judge: 1 };
  const judge = judgesPart(passed, other);
  return { agent: first === 'agent' ? 1 - judge : 0, caller: first === 'caller' ? 1 - judge : 0, judge };
}

/** Of the required criteria that are told differently, how far apart the judge's answers about one call are: 0 to 1. */
function judgesPart(passed: JudgedAttempt, other: JudgedAttempt): number {
  const parts = other.verdicts.flatMap((verdict) => {
    const before = passed.verdicts.find(({ criterionId }) => criterionId === verdict.criterionId);
    if (!verdict.required || before?.met === verdict.met) return [];
    return [splitOf(verdict), before ? splitOf(before) : 0];
  });
  return Math.max(0, ...parts);
}

function splitOf({ decidedBy: { answers } }: CriterionVerdict): number {
  if (answers.length < 2) return 0;
  const counts = [true, false, null].map((met) => answers.filter((answer) => answer.met === met).length);
  return Math.min(1, (2 * (answers.length - Math.max(...counts))) / answers.length);
}

/** Whose turn is the first that differs; where one call goes on where the other ends, who ended that. Null: no difference. */

function firstToDiffer(a: PlayedCall, b: PlayedCall): 'agent' | 'caller' | null {
  const length = Math.min(a.turns.length, b.turns.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.turns[at], b.turns[at]];
    if (one === undefined || other === undefined || likenessOf(one) === likenessOf(other)) continue;
    return one.role === 'caller' || other.role === 'caller' ? 'caller' : 'agent';
  }
  if (a.turns.length === b.turns.length) return a.endedBy === b.endedBy ? null : whoEnded(a, b);
  const [shorter, longer] = a.turns.length < b.turns.length ? [a, b] : [b, a];
  return longer.turns[length]?.role === 'caller' || shorter.endedBy === 'caller' ? 'caller' : 'agent';
}

function whoEnded(a: PlayedCall, b: PlayedCall): 'agent' | 'caller' {
  return a.endedBy === 'caller' || b.endedBy === 'caller' ? 'caller' : 'agent';
}

/** What a turn says and does; how its words are set does not count. */
function likenessOf({ role, text, toolCall, toolResult }: Turn): string {
  const called = toolCall ? `${toolCall.name} ${storedText(toolCall.args)}` : '';
  return [role, cutWords(text).words.join(' '), called, toolResult ? storedText(toolResult.body) : ''].join('\n');
}

/** "of the difference the agent made 67 % and the judge 33 %", whole percents that add to 100. */
export function noiseInWords(shares: NoiseShares | null): string {
  if (shares === null)
    return 'the other attempt could not be played or judged, so nothing shows who made the difference';
  const parts = [
    { who: 'the agent', share: shares.agent },
    { who: 'the simulated caller', share: shares.caller },
    { who: 'the judge', share: shares.judge },
  ].sort((a, b) => b.share - a.share);
  const percents = parts.map(({ share }) => Math.round(share * 100));
  percents[0] = 100 - percents.slice(1).reduce((sum, percent) => sum + percent, 0);
  const made = parts.flatMap(({ who }, at) => ((percents[at] ?? 0) > 0 ? [{ who, percent: percents[at] }] : []));
  const [first, ...more] = made.map(({ who, percent }, at) => `${who} ${at === 0 ? 'made ' : ''}${percent} %`);
  return `of the difference ${[first, ...more].join(more.length > 1 ? ', ' : ' and ')}`;
}
