import type { Act } from '../acts/act.ts';
import { sentenceAround } from '../acts/sentences.ts';
import type { SpokenTurn } from '../acts/spoken-turn.ts';

/**
 * A no of the agent, unless it stands under a condition ("if you can't come") or the deed stands beside it. An apology alone
 * is a no where nothing else is said: no question, no value. What nobody can promise, or nobody needs, is not turned down.
 */
export function refuses(turn: SpokenTurn): boolean {
  const acts = turn.acts.filter((act) => act.kind === 'cannot' && !isConditional(turn, act) && !isHarmless(turn, act));
  if (acts.length === 0 || claimsDone(turn)) return false;
  return acts.some((act) => !isApology(turn, act)) || (!turn.asks && turn.values.length === 0);
}

/** The deed itself, and not what holds once it is done ("once I've changed this"). */
export function claimsDone(turn: SpokenTurn): boolean {
  return turn.acts.some((act) => act.kind === 'claims_done' && !isConditional(turn, act));
}

function isApology(turn: SpokenTurn, act: Act): boolean {
  return turn.acts.some((one) => one.kind === 'apologises' && one.from >= act.from && one.to <= act.to);
}

/** The words of a condition stand before it in the same sentence. */
function isConditional(turn: SpokenTurn, act: Act): boolean {
  const text = turn.turn.text;
  const start = Math.max(...['.', '?', '!', '\n'].map((sign) => text.lastIndexOf(sign, act.from - 1)));
  return turn.hits.some((hit) => {
    const at = turn.starts[hit.from] ?? 0;
    return hit.list === 'condition' && at > start && at < act.from;
  });
}

/** "I can't promise that", "you don't have to": a no in the same sentence that turns nothing down. */
function isHarmless(turn: SpokenTurn, act: Act): boolean {
  const at = turn.starts.findIndex((start) => start >= act.from);
  const { from, to } = sentenceAround(turn, at, at + 1);
  return turn.hits.some((hit) => hit.list === 'turns_nothing_down' && hit.from >= from && hit.from < to);
}
