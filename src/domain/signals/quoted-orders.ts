import { cutWords } from '../text.ts';
import { PROMPT_ORDERS } from '../words/all-prompt-orders.ts';
import { STOP_WORDS } from '../words/en/words.ts';
import { languageData } from '../words/language-data.ts';
import { LANGUAGES } from '../words/lexicon.ts';
import { talkWords } from '../words/talk-words.ts';

/** A wording that a prompt quotes, with what it says of it. */
export interface QuotedOrder {
  phrase: string;
  kind: 'must' | 'never';
  /** Of what must be said: the words of its sentence around it, where it is due only at times; else null. */
  condition: string | null;
  /** Due before something happens, else once it has. */
  before: boolean;
}

const QUOTED = /["“„«] ?([^"”“„«»\n]{3,400}?) ?["”“»]/g;
const LEAD_AT_MOST = 240;
const STOP = /[.!?;](?=\s)|\n/g;
/** Between two wordings of one order there is nothing but "or" and a mark. */
const JOINS = 2;

/** What a text has in quotation marks, single ones included where they are no apostrophes. */
export function quotedWordings(text: string): string[] {
  const inSingle = text.replaceAll(SINGLE, (_, wording?: string, other?: string) => `"${wording ?? other}"`);
  return [...inSingle.matchAll(QUOTED)].map((match) => match[1] ?? '');
}

const SINGLE = /(?<![\p{L}\p{N}])['‘]([^'‘’"\n]{3,400})['’](?![\p{L}\p{N}])|[「『]([^「」『』\n]{3,400})[」』]/gu;

/** The orders of a prompt about wordings in quotation marks, in any language that has lists. */
export function quotedOrders(prompt: string): QuotedOrder[] {
  const orders: QuotedOrder[] = [];
  let behind = 0;
  // Said so that the compiler does not take it for null in the first round, and for nothing in those after.
  let last = null as QuotedOrder | null;
  for (const match of prompt.matchAll(QUOTED)) {
    const lead = leadBefore(prompt, Math.max(behind, match.index - LEAD_AT_MOST), match.index);
    const joins: boolean = behind > 0 && lead.from === behind && cutWords(lead.text).words.length <= JOINS;
    const phrase = match[1] ?? '';
    behind = match.index + match[0].length;
    last = joins && last !== null ? { ...last, phrase } : readOrder(lead.text, sentenceTail(prompt, behind), phrase);
    if (last !== null) orders.push(last);
  }
  return orders;
}

function leadBefore(prompt: string, earliest: number, at: number): { from: number; text: string } {
  const text = prompt.slice(earliest, at);
  const stop = [...text.matchAll(STOP)].at(-1);
  const from = stop === undefined ? 0 : stop.index + 1;
  return { from: earliest + from, text: text.slice(from) };
}

function sentenceTail(prompt: string, from: number): string {
  return prompt.slice(from, from + LEAD_AT_MOST).split(/[.!?;\n]/, 1)[0] ?? '';
}

function readOrder(lead: string, tail: string, phrase: string): QuotedOrder | null {
  // "(not for trial lessons)" narrows the order down.
  const outside = lead.replace(/\([^)]{0,200}\)/g, ' ');
  const { words } = cutWords(outside);
  if (!holds(words, PROMPT_ORDERS.says)) return null;
  const kind = forbids(outside, words) ? 'never' : 'must';
  if (kind === 'must' && !(holds(words, PROMPT_ORDERS.always) && isSentence(phrase) && !isNoOrder(words))) return null;
  const around = [...words, ...cutWords(tail).words];
  // What is never to be said but at times is said seldom enough for a look.
  const condition = kind === 'must' && namesMore(around) ? `${lead} ${tail}` : null;
  // "Before the end of the call" is any time of it.
  const before = count(around, PROMPT_ORDERS.before) > count(around, PROMPT_ORDERS.beforeEnd);
  return { phrase, kind, condition, before };
}

function forbids(lead: string, words: readonly string[]): boolean {
  if (holds(words, PROMPT_ORDERS.never)) return true;
  return lead.split(/[,:;]/).some((clause) => {
    const own = cutWords(clause).words;
    return holds(own, PROMPT_ORDERS.not) && !CONDITIONS.has(own[0] ?? '');
  });
}

/** "If they do not know it, say …" forbids nothing. */
const CONDITIONS = talkWords('orderConditions');

/** "Whenever a caller says …", "you can say …": what others say, and what may be said. */
function isNoOrder(words: readonly string[]): boolean {
  const at = words.findIndex((_, place) => holds(words.slice(place, place + 1), PROMPT_ORDERS.says));
  return words.slice(Math.max(0, at - 2), at).some((word) => OTHERS.has(word));
}

const OTHERS = talkWords('orderOthers');

/** An order that names anything but saying and the talk as a whole is due at that, whatever it is. */
function namesMore(words: readonly string[]): boolean {
  const { says, always, whole } = PROMPT_ORDERS;
  return words.some((word) => !SMALL.has(word) && ![...says, ...always, ...whole].some((row) => holdsWord(row, word)));
}

function holdsWord(row: string, word: string): boolean {
  return row.split(' ').some((part) => isWord(word, part));
}

/** What has to be said is a sentence; a single word, or the name of a tool, is something to use. */
function isSentence(phrase: string): boolean {
  return !phrase.includes('_') && cutWords(phrase).words.length > 1;
}

const SMALL: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...LANGUAGES.flatMap((language) => languageData(language)?.stopWords ?? []),
]);

const ROWS = new Map<readonly string[], readonly (readonly string[])[]>();

function holds(words: readonly string[], list: readonly string[]): boolean {
  const rows = rowsOf(list);
  return words.some((_, at) => rows.some((row) => stands(words, at, row)));
}

/** At how many words a phrase of the list begins. */
function count(words: readonly string[], list: readonly string[]): number {
  const rows = rowsOf(list);
  return words.filter((_, at) => rows.some((row) => stands(words, at, row))).length;
}

function rowsOf(list: readonly string[]): readonly (readonly string[])[] {
  const rows = ROWS.get(list) ?? list.map((phrase) => phrase.split(' '));
  ROWS.set(list, rows);
  return rows;
}

function stands(words: readonly string[], at: number, row: readonly string[]): boolean {
  return at + row.length <= words.length && row.every((part, next) => isWord(words[at + next] ?? '', part));
}

function isWord(word: string, part: string): boolean {
  return part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part;
}
