import type { CallReading } from '../signals/reading.ts';
import { type CallVerdict, isAbout, type WatchToJudge } from '../watches/judge-call.ts';
import type { ReaderAnswer } from './answer.ts';

/** Expectations that one question carries, and verdicts that are kept of an answer. */
export const EXPECTATIONS_AT_MOST = 20;

/** A watch that only a model can judge, as a question carries it: numbered from 1 by its place. */
export interface AskedExpectation extends WatchToJudge {
  revision: number;
  /** In words: on which calls, and what is expected. */
  text: string;
}

/** What a model said of a watch, at the revision that it was asked about. */
export type ReadVerdict = CallVerdict & Pick<AskedExpectation, 'revision'>;

export function expectationInWords({ scopeText, form }: { scopeText: string; form: WatchToJudge['form'] }): string {
  const { scope, expectation, polarity } = form;
  const text = expectation.kind === 'judged' ? expectation.text : '';
  const when = scope.kind === 'all_calls' ? '' : `On calls where ${scopeText}: `;
  return polarity === 'must' ? `${when}${text}` : `${when}this must not happen: ${text}`;
}

/**
 * What an answer says of the expectations that its question carried, on calls that they are about. A long call is
 * answered in parts: what must happen may happen in any of them, and what must not happen, in none.
 */
export function verdictsOfReading(
  asked: readonly AskedExpectation[],
  answered: ReaderAnswer['expectations'],
  reading: () => CallReading,
): ReadVerdict[] {
  return asked.flatMap(({ watchId, revision, form }, at) => {
    const told = answered.filter(({ number }) => number === at + 1);
    const held = told.find(({ verdict }) => verdict === 'held');
    const broken = told.find(({ verdict }) => verdict === 'broken');
    const decides = form.polarity === 'must' ? (held ?? broken) : (broken ?? held);
    if (decides === undefined || !isAbout(form, reading())) return [];
    const { turn, quote, because, verdict } = decides;
    return [{ watchId, revision, held: verdict === 'held', byOutcome: false, turn, quote, because }];
  });
}
