import type { CallReading } from '../signals/reading.ts';
import { evaluate } from './evaluate.ts';
import type { WatchForm } from './watch.ts';

export interface WatchToJudge {
  watchId: string;
  form: WatchForm;
}

/** Whether a watch held on a call. `byOutcome`: what is stored as the call's outcome decides. */
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

/**
 * Holds a call against watches. A scope of an intent or an outcome is taken as met: both are settled when the call is
 * stored, and may change later, so that storing decides by them.
 */
export function judgeCall(reading: CallReading, watches: readonly WatchToJudge[]): JudgedCall {
  const judged: JudgedCall = { verdicts: [], notComputable: [] };
  for (const { watchId, form } of watches) {
    const { scope } = form;
    const intent = scope.kind === 'intent' ? scope.intent : null;
    const outcome = scope.kind === 'outcome' ? scope.outcome : reading.outcome.outcome;
    const verdict = evaluate(form, { reading, intent, outcome });
    if (verdict.state === 'not_computable') judged.notComputable.push(watchId);
    if (verdict.state !== 'held' && verdict.state !== 'broken') continue;
    const { turn, quote, because } = verdict;
    const held = verdict.state === 'held';
    judged.verdicts.push({ watchId, held, byOutcome: verdict.byOutcome === true, turn, quote, because });
  }
  return judged;
}
