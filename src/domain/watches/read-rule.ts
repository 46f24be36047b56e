import type { AgentConfiguration } from '../versions/configuration.ts';
import type { Named } from './grammar.ts';
import { type Masked, readSentence } from './read-sentence.ts';
import type { WatchForm } from './watch.ts';

/** What rules make of one line of an agent's own text. */
export interface ReadRule {
  /** Each with the sentence that it was read from. */
  forms: { form: WatchForm; sentence: string }[];
  /** Sentences of the line that order something and could not be put into code wholly. */
  unread: string[];
}

/** Puts a line into forms that code decides, sentence by sentence; what is not wholly of a general form stays unread. */
export function readRule(line: string, { tools }: Pick<AgentConfiguration, 'tools'>): ReadRule {
  const read: ReadRule = { forms: [], unread: [] };
  const named: Named = { tools, steps: [], intents: [] };
  for (const masked of sentencesAround(line)) {
    const { forms, unread, stated, scope } = readSentence(masked, named, { polarity: null, isPerson: false });
    const sentence = unmasked(masked);
    // "If …, call …" and "before you …, ask …" order without the word.
    const orders = stated !== null || scope !== null || forms.some((form) => form.scope.kind !== 'all_calls');
    if (orders && unread.length === 0) read.forms.push(...forms.map((form) => ({ form, sentence })));
    if (stated !== null && (forms.length === 0 || unread.length > 0)) read.unread.push(sentence);
  }
  return read;
}

/** The sentences of a text; points inside quotation marks end none. */
export function sentencesAround(line: string): Masked[] {
  const quotes: string[] = [];
  const masked = line.replace(/["“]([^"”\n]{2,300})["”](\s+(?=\p{Lu}))?/gu, (_, quoted: string, gap?: string) => {
    quotes.push(quoted);
    const ends = gap !== undefined && /[.!?]$/.test(quoted);
    return `«${quotes.length - 1}»${ends ? '\n' : (gap ?? '')}`;
  });
  // "Never say «…», and never promise …" are two orders. A point within a number ends no sentence.
  const parts = masked
    .split(/(?<=[.!?;])(?=\s|$)|\n/)
    .flatMap((text) => text.split(/,? (?:and|but) (?=never\b|always\b)/i));
  return parts.map((text) => ({ text: text.trim(), quotes })).filter(({ text }) => text !== '');
}

export const unmasked = ({ text, quotes }: Masked) =>
  text.replace(/«(\d+)»/g, (_, at) => `"${quotes[Number(at)] ?? ''}"`);
