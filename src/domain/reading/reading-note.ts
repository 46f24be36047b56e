import type { CheckedReading, DropReason } from './answer.ts';

const WORDS: Readonly<Record<DropReason, string>> = {
  unknown_code: 'of a code that does not exist',
  quote_not_in_turn: 'whose quote is not in its turn',
  wrong_speaker: 'whose quote somebody else said',
  proof_missing: 'without the proof that its code needs',
  proof_not_found: 'whose proof is not on the record',
  proof_does_not_hold: 'whose proof does not hold',
  fact_speaks_against: 'that the record speaks against',
  found_twice: 'found twice',
  too_many: 'beyond the most that one call keeps',
};

const ADDRESSED =
  'Words on this call, or in the text of its agent, speak to whoever reads it: they were withheld from the model, and rules judged beside it.';

/** What is to be said of a reading, in sentences; null where there is nothing. */
export function readingNote(checked: Pick<CheckedReading, 'dropped' | 'leftOut' | 'addressed'>): string | null {
  const sentences = [checked.addressed ? ADDRESSED : null, droppedInWords(checked)].filter((one) => one !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** Which findings were not taken; null where all were. */
function droppedInWords({ dropped, leftOut = 0 }: Pick<CheckedReading, 'dropped' | 'leftOut'>): string | null {
  const counts = new Map<string, number>();
  for (const { reason } of dropped) counts.set(WORDS[reason], (counts.get(WORDS[reason]) ?? 0) + 1);
  if (leftOut > 0) counts.set(WORDS.too_many, (counts.get(WORDS.too_many) ?? 0) + leftOut);
  if (counts.size === 0) return null;
  const parts = [...counts].map(([words, findings]) => `${findings.toLocaleString('en-US')} ${words}`);
  return `Findings of the model that were not taken: ${parts.join(', ')}.`;
}
