import type { ActValue } from '../values/value.ts';
import type { SpokenTurn } from './spoken-turn.ts';

/** The words of a sentence: from the first to behind the last. */
export interface SentenceRange {
  from: number;
  to: number;
}

/** The sentences of a turn in order. Recognisers often write no stops: then the whole turn is one. */
export function sentencesOf(turn: SpokenTurn): SentenceRange[] {
  const ranges: SentenceRange[] = [];
  let from = 0;
  for (let at = 1; at <= turn.words.length; at += 1) {
    if (at < turn.words.length && !endsBefore(turn, at)) continue;
    ranges.push({ from, to: at });
    from = at;
  }
  return ranges;
}

/** The sentence that holds a row of words. */
export function sentenceAround(turn: SpokenTurn, from: number, to: number): SentenceRange {
  let first = from;
  while (first > 0 && !endsBefore(turn, first)) first -= 1;
  let last = to;
  while (last < turn.words.length && !endsBefore(turn, last)) last += 1;
  return { from: first, to: last };
}

/** The sentence at a place of the turn's text, with its stop. */
export function sentenceTextAt(turn: SpokenTurn, at: number): string {
  const range = sentencesOf(turn).find(({ to }) => (turn.ends[to - 1] ?? 0) > at);
  if (range === undefined) return '';
  return turn.turn.text.slice(turn.starts[range.from] ?? 0, (turn.ends[range.to - 1] ?? 0) + 1);
}

/** True where the value stands in a row of words. */
export function holdsValue(turn: SpokenTurn, { from, to }: SentenceRange, value: ActValue): boolean {
  return value.from >= (turn.starts[from] ?? 0) && value.to <= (turn.ends[to - 1] ?? 0);
}

/** True where the sentence of the value has one of the words. */
export function standsWith(turn: SpokenTurn, value: ActValue, words: ReadonlySet<string>): boolean {
  return sentencesOf(turn).some(
    (range) => holdsValue(turn, range, value) && turn.words.slice(range.from, range.to).some((word) => words.has(word)),
  );
}

/** True where a sentence ends before the word. */
function endsBefore(turn: SpokenTurn, word: number): boolean {
  for (let at = turn.ends[word - 1] ?? 0; at < (turn.starts[word] ?? 0); at += 1) {
    const sign = turn.turn.text[at];
    if (sign === '.' || sign === '?' || sign === '!' || sign === '\n') return true;
  }
  return false;
}
