import type { CriterionAnswer } from '../runs/attempt.ts';
import type { CallReading } from '../signals/reading.ts';
import { evaluate, shownOf } from './evaluate.ts';
import { beginningOf, type WatchedCall } from './scope.ts';
import type { WatchForm } from './watch.ts';

export interface WatchToJudge {
  watchId: string;
  form: WatchForm;
}

/** Whether a watch held on a call. `byOutcome`: what is stored of the call decides, its outcome or its signals. */
export interface CallVerdict {
  watchId: string;
  held: boolean;
  byOutcome: boolean;
  turn: number;
  quote: string;
  because: string;
}

/** What watches say of one call; `notComputable`: those whose scope it is in, and which it can't show. */
export interface JudgedCall {
  verdicts: CallVerdict[];
  notComputable: string[];
}

/** The words could not tell how the call ended: it counts once something else has settled that. */
const LEFT_TO_OUTCOME = {
  held: false,
  byOutcome: true,
  turn: 0,
  quote: '',
  because: 'How the call ended is not settled.',
};

/** What the analysis finds is stored beside the verdicts, and a reader may find more later. */
const LEFT_TO_SIGNALS = { held: false, byOutcome: true, because: 'The analysis did not find it.' };

/**
 * Holds a call against watches. A scope of an intent or an outcome is taken as met: both are settled when the call is
 * stored, and may change later, so that storing decides by them.
 */
export function judgeCall(reading: CallReading, watches: readonly WatchToJudge[]): JudgedCall {
  const judged: JudgedCall = { verdicts: [], notComputable: [] };
  for (const { watchId, form } of watches) {
    if (form.expectation.kind === 'signal') {
      const turn = reading.lastIndex;
      const quote = shownOf(reading, turn);
      if (isAbout(form, reading)) judged.verdicts.push({ watchId, ...LEFT_TO_SIGNALS, turn, quote });
      continue;
    }
    const verdict = evaluate(form, watchedCall(form, reading));
    if (verdict.state === 'not_computable' && form.expectation.kind === 'outcome' && !reading.call.partial) {
      judged.verdicts.push({ watchId, ...LEFT_TO_OUTCOME });
      continue;
    }
    if (verdict.state === 'not_computable') judged.notComputable.push(watchId);
    if (verdict.state !== 'held' && verdict.state !== 'broken') continue;
    const { turn, quote, because } = verdict;
    const held = verdict.state === 'held';
    judged.verdicts.push({ watchId, held, byOutcome: verdict.byOutcome === true, turn, quote, because });
  }
  return judged;
}

function watchedCall({ scope }: WatchForm, reading: CallReading): WatchedCall {
  return {
    reading,
    intent: scope.kind === 'intent' ? scope.intent : null,
    outcome: scope.kind === 'outcome' ? scope.outcome : null,
  };
}

/** Whether a call is one of those that a watch is about, so that a model is asked about no other. */
export function isAbout(form: WatchForm, reading: CallReading): boolean {
  if (reading.call.partial) return false;
  const beginning = beginningOf(form.scope, watchedCall(form, reading));
  return beginning !== null && !('gap' in beginning);
}

/** What a model said of a call, as a verdict. Undecided: the call can't show it. */
export function judgedByModel(
  { watchId, form }: WatchToJudge,
  reading: CallReading,
  { met, turn, quote, because }: CriterionAnswer,
): JudgedCall {
  if (met === null) return { verdicts: [], notComputable: [watchId] };
  const held = met === (form.polarity === 'must');
  const evidence = { turn: turn ?? reading.lastIndex, quote: quote ?? '', because };
  return { verdicts: [{ watchId, held, byOutcome: false, ...evidence }], notComputable: [] };
}
