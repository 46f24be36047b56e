import type { CallReading } from '../signals/reading.ts';
import { cutText } from '../text.ts';
import { expectedOn, QUOTE_AT_MOST } from './expectations.ts';
import { beginningOf, type WatchedCall } from './scope.ts';
import type { Verdict, WatchForm } from './watch.ts';

/**
 * Whether what is expected held on a call: the one evaluation behind watches and conformance observations. What a call
 * can't show is never a verdict: it is outside the scope, or not computable with the reason.
 */
export function evaluate({ scope, expectation, polarity }: WatchForm, call: WatchedCall): Verdict {
  if (call.reading.call.partial) {
    return { state: 'not_computable', because: 'The transcript of this call is not complete.' };
  }
  const beginning = beginningOf(scope, call);
  if (beginning === null) return { state: 'not_applicable', because: 'The call is none of those that it is about.' };
  if ('gap' in beginning) return { state: 'not_computable', because: beginning.gap };
  // A reaction has to follow what it answers; everything else may stand anywhere on the call.
  const reacts =
    scope.kind === 'caller_said' || scope.kind === 'tool_failed' || scope.following === true || polarity === 'must_not';
  const { reading } = call;
  const found = expectedOn(expectation, reading, reacts ? beginning.turn : 0);
  if ('gap' in found) return { state: 'not_computable', because: found.gap };
  if ('beside' in found) return { state: 'not_applicable', because: found.beside };
  const { happened, because } = found;
  const held = happened === (polarity === 'must');
  const shownAt = happened || found.turn !== null ? found : { turn: null, quote: '' };
  const at = shownAt.turn ?? (reacts && beginning.turn > 0 ? beginning.turn : reading.lastIndex);
  const quote = shownAt.quote || shownOf(reading, at);
  const evidence = { turn: at, quote, because };
  return { state: held ? 'held' : 'broken', ...evidence, ...(found.byOutcome && { byOutcome: true }) };
}

/** What a person sees who looks at a turn: its words, else the tool that it is of. */
export function shownOf({ turnAt }: CallReading, index: number): string {
  const turn = turnAt.get(index);
  return cutText(turn?.text ?? '', QUOTE_AT_MOST) || (turn?.toolCall?.name ?? turn?.toolResult?.name ?? '');
}
