import type { Polarity } from '../vocabulary.ts';
import type { Named, Sentence } from './grammar.ts';
import type { SaidAt, WatchForm, WatchScope } from './watch.ts';

/** What holds of the whole sentence. */
export interface Given {
  polarity: Polarity;
  isPerson: boolean;
  named: Named;
  scope: WatchScope | null;
}

export interface Read {
  /** One, or one for each of several tools that have to wait for the same; none where code decides nothing of it. */
  forms: WatchForm[];
  /** Its words, in order, that nothing was made of; the forms leave them out. */
  unread: string[];
}

export const CALL = 'call|use|using|run|invoke|trigger';

const SAYS = 'say|saying|said|tell|telling|use|using|mention|answer|read|reading|state|inform|remind|word|words|phrase';

/** A wording in quotation marks that is to be said. */
export function takeQuoted(sentence: Sentence): { kind: 'says'; text: string; at?: SaidAt } | null {
  const patterns = [
    ['start', 'greet|open|begin|start say|saying|words? <quote>'],
    ['end', 'end|close|finish|conclude say|saying|words? <quote>'],
    [
      null,
      `${SAYS} out|aloud|exactly|verbatim|words|word|phrase|sentence? words|word|phrase? <quote> verbatim|exactly?`,
    ],
  ] as const;
  for (const [at, pattern] of patterns) {
    const text = sentence.peek(pattern)?.quotes[0];
    // A template ("Hello {{name}}", "thanks for calling [business]") is said with something else in its place.
    if (text === undefined || !/[\p{L}\p{N}]/u.test(text) || /[{}[\]<>]|\.\.\.|…/.test(text)) continue;
    sentence.take(pattern);
    return { kind: 'says', text, ...(at && { at }) };
  }
  return null;
}
