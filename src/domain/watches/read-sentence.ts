import type { Polarity } from '../vocabulary.ts';
import { type Named, Sentence } from './grammar.ts';
import { readCore } from './read-expectation.ts';
import { takeOrder } from './read-order.ts';
import { takeScope } from './read-scope.ts';
import type { Read } from './sentence-parts.ts';
import type { WatchScope } from './watch.ts';

/** A sentence with `«0»`, `«1»` … in the place of what stood in quotation marks. */
export interface Masked {
  text: string;
  quotes: readonly string[];
}

/** What was made of one sentence. */
export interface SentenceReading extends Read {
  /** Whether the sentence itself orders or forbids something; null where it only states. */
  stated: Polarity | null;
  /** The calls that it is about, as far as they were read. */
  scope: WatchScope | null;
}

interface How {
  /** Given beside the words. */
  polarity: Polarity | null;
  /** A person writes what is expected; an agent's own text also says how things are done. */
  isPerson: boolean;
}

const REMINDS =
  /\b(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t) (?:forget|fail|neglect|omit) to\b/gi;
const ENCOURAGES = /\b(?:never|do not|don['’]t|should not|shouldn['’]t) hesitate to\b/gi;
/** "Never end the call without saying …", "hang up only after saying …": what the last words are. */
const LAST_WORDS =
  /^(?:(?:never|do not|don['’]t|must not) (?:(?:end|close|finish)(?: (?:the|a|any) (?:call|conversation))?|hang up) without saying|(?:end the call|hang up) only after saying) (.+?)\.?$/i;
/** What need not be done is neither ordered nor forbidden. */
const WAIVES =
  /(?:\b(?:(?:do|does) not|don['’]t|doesn['’]t) (?:have|need) to\b|\bneed(?: not|n['’]t)\b|\bno need to\b|(?:\bnot|n['’]t) (?:required|necessary)\b)(?: always\b)?|(?:\bnot|n['’]t) always\b/gi;

/** Reads a sentence into scope, polarity, order, count, time and wording, each from words that nothing else is read from. */
export function readSentence({ text, quotes }: Masked, named: Named, how: How): SentenceReading {
  // "Never forget to …" orders, and "do not hesitate to …" allows.
  const asked = how.isPerson ? text.replace(LAST_WORDS, 'always say $1 at the end') : text;
  const bound = asked.replaceAll(REMINDS, 'always').replaceAll(ENCOURAGES, 'you can');
  const binding = bound.replaceAll(WAIVES, ' ');
  if (binding !== bound) {
    const stated = takePolarity(new Sentence(binding, quotes, named));
    return { forms: [], unread: new Sentence(bound, quotes, named).unread(), stated, scope: null };
  }
  const sentence = new Sentence(bound, quotes, named);
  const scope = takeScope(sentence, false);
  const stated = takePolarity(sentence);
  const given = { polarity: how.polarity ?? stated ?? 'must', isPerson: how.isPerson, named, scope };
  const ordered = scope === null ? takeOrder(sentence, given) : null;
  const read = ordered ?? readCore(sentence, given);
  return { ...read, stated, scope };
}

const FORBIDS = [
  'under no circumstances',
  'must|should|may|can|shall|will|would|do|does|did not ever?',
  "mustn't|shouldn't|don't|doesn't|can't|cannot|won't|shan't",
  'never ever?',
  'not',
  'no',
];
const ORDERS = ['must|always|should|shall|need|needs|required|ought|supposed|ensure', 'make|be sure'];

/** The one word that forbids, or those that order; a second one that forbids stays unread. */
function takePolarity(sentence: Sentence): Polarity | null {
  // "No more than" and "not longer than" bound a figure.
  const forbids = sentence.has('no|not more|longer|later') ? FORBIDS.slice(0, -2) : FORBIDS;
  const isForbidden = sentence.take(...forbids) !== null;
  let isOrdered = false;
  while (sentence.take(...ORDERS)) isOrdered = true;
  return isForbidden ? 'must_not' : isOrdered ? 'must' : null;
}
