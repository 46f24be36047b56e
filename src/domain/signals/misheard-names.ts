import { does } from '../acts/act.ts';
import type { DoubtfulValue } from './doubtful-values.ts';
import type { CallReading } from './reading.ts';

const TURNS_BACK = 6;
const LETTERS_AT_LEAST = 4;

/**
 * "No, not Missouri. Mazurek, M A Z U R E K": a name that the agent took over as it was written down, denied and spelled
 * out by the caller. What was written down is not what they had said.
 */
export function misheardNames(reading: CallReading): DoubtfulValue[] {
  return reading.caller.flatMap((turn) => {
    const heard = reading.spoken[turn.order - 1];
    if (heard?.role !== 'agent' || !does(turn, 'denies', 'corrects')) return [];
    const [spelled = ''] = turn.values.filter(({ kind }) => kind === 'spelling').flatMap(({ forms }) => forms);
    const wrong = turn.words.find(
      (word, at) =>
        DENIES.has(turn.words[at - 1] ?? '') && isWrong(word, spelled.toLowerCase()) && heard.words.includes(word),
    );
    if (wrong === undefined) return [];
    const earlier = reading.spoken.slice(Math.max(0, heard.order - TURNS_BACK), heard.order);
    const said = earlier.findLast(({ role, words }) => role === 'caller' && words.includes(wrong));
    if (said === undefined) return [];
    const at = said.words.indexOf(wrong);
    const quote = said.turn.text.slice(said.starts[at] ?? 0, said.ends[at] ?? 0);
    const why = `The caller says at turn ${turn.index} that it is not "${quote}", and spells it.`;
    return [{ turn: said, quote, why }];
  });
}

const DENIES = new Set(['not', 'nicht', 'no', 'pas']);

/** It begins as what is spelled, and is another word. */
function isWrong(word: string, spelled: string): boolean {
  return (
    word.length >= LETTERS_AT_LEAST &&
    spelled.length >= LETTERS_AT_LEAST &&
    word.charAt(0) === spelled.charAt(0) &&
    word !== spelled
  );
}
