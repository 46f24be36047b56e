import type { ModelWordingKind } from '../vocabulary.ts';

/** Something that the rules found and named, for a model to put in better words. */
export interface WordingTask {
  kind: ModelWordingKind;
  subjectId: string;
  /** md5 of the rules' own words. */
  digest: string;
  /** The rules' own words: an intent's label, an issue's recommendation. */
  words: string;
  /** What the words must go on naming: the thing to change. Null for an intent. */
  mustName: string | null;
  /** What it was found from: callers' requests, or quotes of calls. */
  samples: string[];
  /** More of what the rules established, in sentences. */
  facts: string[];
  asks: number;
}

export interface WordingAnswer {
  text: string;
  sample: number;
  quote: string;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ,'&/-]{2,58}[\p{L}\p{N}]$/u;
const ADDRESS = /[a-z0-9+.-]:\/\/|www\./i;

/**
 * The model's words where they hold: they stand on an exact part of a sample, an intent's name looks like one, and a
 * recommendation still names the thing to change and leads nowhere. Else null, and the rules' words stay.
 */
export function checkWording(task: WordingTask, answer: WordingAnswer): string | null {
  const text = answer.text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\s]+/gu, ' ').trim();
  const sample = task.samples[answer.sample - 1];
  if (answer.quote.trim() === '' || sample?.includes(answer.quote) !== true) return null;
  if (task.kind === 'intent') return NAME.test(text) ? text : null;
  const names = task.mustName !== null && text.toLowerCase().includes(task.mustName.toLowerCase());
  return names && text !== '' && !ADDRESS.test(text) ? text : null;
}
