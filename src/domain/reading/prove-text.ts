import { sentenceTextAt } from '../acts/sentences.ts';
import { quotedWordings } from '../signals/quoted-orders.ts';
import type { Proof } from '../signals/signal.ts';
import { cutWords, hasDigit } from '../text.ts';
import { type ProofContext, saidIn } from './proof-context.ts';
import { anyOf, type FindingToProve, isPhrase, type ProofCheck } from './proof-form.ts';
import { exactQuote, lettersOf } from './quotes.ts';
import { stemsOf, toldIn } from './told.ts';

interface Line extends Proof {
  /** The whole line. */
  line: string;
}

/** The lines of the agent's text that a finding cites, headings left out. */
function linesOf({ proof }: FindingToProve, { text }: ProofContext): Line[] {
  return proof.flatMap((one) => {
    const line = one.in === 'prompt' ? (text.lines[(one.index ?? 0) - 1] ?? one.quote) : '';
    return isHeading(line) ? [] : [{ ...one, line }];
  });
}

const WORDS_OF_A_HEADING = 6;

function isHeading(line: string): boolean {
  const isShort = cutWords(line).words.length < WORDS_OF_A_HEADING;
  return !isPhrase(line) || /^#{1,6}\s/.test(line) || (isShort && /[:：]\s*$/.test(line));
}

/** A line of the agent's text says it; a quote that repeats the line does not break it. */
export const promptLine: ProofCheck = (finding, context) => {
  const said = lettersOf(finding.quote);
  return anyOf(linesOf(finding, context), ({ quote, line }) => {
    if (!isPhrase(quote) && toldIn(quote, context.talk().language).values.length === 0) return true;
    return finding.code === 'fact_contradicts_source' && isPhrase(finding.quote) && lettersOf(line).includes(said);
  });
};

/** The line gives a wording, and the agent said it nowhere on the call. */
export const phraseMissing: ProofCheck = (finding, context) => {
  const agent = context.talk().agent.map(({ turn }) => turn.text);
  return anyOf(linesOf(finding, context), (line) => {
    const given = wordingsOf(line);
    const wordings = given.length > 0 ? given : [line.quote];
    return wordings.every((wording) => agent.some((text) => isSaid(wording, text)));
  });
};

/** The line bans a wording, and the agent's turn holds it, or the words that carry its matter. */
export const phraseSaid: ProofCheck = (finding, context) => {
  const turn = context.turnAt.get(finding.turn);
  const text = turn === undefined ? '' : saidIn(turn);
  if (isRefused(finding, context)) return 'proof_does_not_hold';
  return anyOf(linesOf(finding, context), (line) => {
    const given = wordingsOf(line);
    if (given.length > 0) return !given.some((wording) => isSaid(wording, text) || areWordsSaid(wording, text));
    const own = stemsOf(line.quote);
    return own.length > 0 && !own.some((stem) => stemsOf(text).includes(stem));
  });
};

/** "I can't say that it is safe": in the sentence of the quote the agent says that it can not. */
function isRefused({ turn, quote }: FindingToProve, { talk }: ProofContext): boolean {
  const spoken = talk().spokenAt.get(turn);
  if (spoken === undefined) return false;
  const at = spoken.turn.text.indexOf(quote);
  const sentence = sentenceTextAt(spoken, at);
  return spoken.acts.some(
    ({ kind, from }) => kind === 'cannot' && from < at + quote.length && sentenceTextAt(spoken, from) === sentence,
  );
}

/** What the cited part of a line has in quotation marks, else what the line has. */
function wordingsOf({ quote, line }: Line): string[] {
  const own = quotedWordings(quote);
  return own.length > 0 ? own : quotedWordings(line);
}

/** Parts of a wording that each call fills in. */
const FILLED_IN = /\{{1,3}[^{}]{0,80}\}{1,3}|\[[^\]]{0,80}\]|<[^>]{0,80}>|…|\.{3}/;
/** Up to one word in ten may be another one, none of them a figure. */
const OTHER_WORDS = 0.1;
/** Words that may stand between those of a wording. */
const MORE_WORDS = 4;

/** True where a wording was said nearly word for word, whatever its marks; what a call fills in may be anything. */
export function isSaid(wording: string, text: string): boolean {
  const letters = lettersOf(text);
  const parts = wording.split(FILLED_IN).filter((part) => lettersOf(part) !== '');
  if (parts.every((part) => (isPhrase(part) ? letters.includes(lettersOf(part)) : exactQuote(text, part) !== null)))
    return true;
  return isNearlySaid(cutWords(parts.join(' ')).words, cutWords(text).words);
}

/** Its first words stand for a longer wording. */
const WORDS_COMPARED = 100;

/** Whether words were said with few others in their place or between them. Each place of `words` is left once too many miss. */
export function isNearlySaid(wording: readonly string[], words: readonly string[]): boolean {
  const count = Math.min(wording.length, WORDS_COMPARED);
  const places = new Map<string, number[]>();
  for (let nth = 0; nth < count; nth += 1) places.set(wording[nth] ?? '', []);
  for (const [at, word] of words.entries()) places.get(word)?.push(at);
  return [...places.values()].flat().some((at) => missesFew(wording, count, places, at));
}

/** Looks for the wanted words in their order, from a place on. */
function missesFew(
  wanted: readonly string[],
  count: number,
  places: ReadonlyMap<string, readonly number[]>,
  begin: number,
): boolean {
  const end = begin + count + MORE_WORDS;
  const allowed = count * OTHER_WORDS;
  let [from, missing] = [begin, 0];
  for (let nth = 0; nth < count; nth += 1) {
    const word = wanted[nth] ?? '';
    const at = nextOf(places.get(word) ?? [], from);
    if (at < end) from = at + 1;
    else if (hasDigit(word)) return false;
    else missing += 1;
    if (missing > allowed) return false;
  }
  return true;
}

/** The first of rising places that is not before another; infinite where there is none. */
function nextOf(places: readonly number[], from: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return places[low] ?? Number.POSITIVE_INFINITY;
}

function areWordsSaid(wording: string, text: string): boolean {
  const said = new Set(stemsOf(text));
  const own = stemsOf(wording);
  return own.length > 0 && own.every((stem) => said.has(stem));
}
