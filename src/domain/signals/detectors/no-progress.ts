import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { NO_PROGRESS } from '../entries/flow.ts';
import { limit } from '../needs.ts';
import { placeAt } from '../places.ts';

/** Many turns in a row in which nothing moved: no new detail, no tool that worked, no new step. */
export const noProgress: Detector = {
  entry: NO_PROGRESS,
  detect(reading, _input, thresholds) {
    if (reading.tools.length === 0 && reading.nodes.length === 0) {
      return { reason: 'The record holds neither tool calls nor steps, so nothing shows whether the call moved on.' };
    }
    const moved = new Set<number>();
    for (const node of reading.nodes) moved.add(node.turn);
    for (const use of reading.tools) {
      if (use.callTurn !== null) moved.add(use.callTurn);
      if (use.resultTurn !== null && use.ok !== false && !use.refusal) moved.add(use.resultTurn);
    }
    const marks = [...moved].sort((a, b) => a - b);
    let mark = 0;
    let still: SpokenTurn[] = [];
    for (const turn of reading.spoken) {
      let moves = turn.newSlots > 0 || says(turn, 'wait') || isParting(turn) || freshWords(turn) >= FRESH_WORDS;
      while (mark < marks.length && (marks[mark] ?? 0) <= turn.index) {
        mark += 1;
        moves = true;
      }
      still = moves ? [] : [...still.slice(-limit(thresholds, 'turns')), turn];
      if (still.length < limit(thresholds, 'turns')) continue;
      const said = still.findLast((one) => one.role === 'agent') ?? turn;
      return [
        {
          turnIndex: said.index,
          quote: quoteTurn(said),
          detail: `${still.length} turns in a row brought no new detail, no tool that worked and no new step.`,
          place: placeAt(reading, said.index),
          confidence: 0.8,
        },
      ];
    }
    return [];
  },
};

/** A caller turn with this much matter tells something, whether or not it holds a number or a name. */
const FRESH_WORDS = 5;

function freshWords(turn: SpokenTurn): number {
  return turn.role === 'caller' ? turn.content.length : 0;
}

function isParting(turn: SpokenTurn): boolean {
  return ['goodbye', 'thanks', 'no_more', 'closing', 'offers_more'].some((list) => says(turn, list));
}
