import { sentenceTextAt } from '../acts/sentences.ts';
import { cutWords, hasDigit } from '../calls/text.ts';
import { quotedWordings } from '../signals/quoted-orders.ts';
import type { Proof } from '../signals/signal.ts';
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
  const wanted = cutWords(parts.join(' ')).words;
  const { words } = cutWords(text);
  return words.some((_, at) => {
    const missing = missingOf(wanted, words.slice(at, at + wanted.length + MORE_WORDS));
    return missing.length <= wanted.length * OTHER_WORDS && !missing.some(hasDigit);
  });
}

/** The words of a row that are not found in another one, in their order. */
function missingOf(wanted: readonly string[], words: readonly string[]): string[] {
  let from = 0;
  return wanted.filter((word) => {
    const at = words.indexOf(word, from);
    if (at >= 0) from = at + 1;
    return at < 0;
  });
}

function areWordsSaid(wording: string, text: string): boolean {
  const said = new Set(stemsOf(text));
  const own = stemsOf(wording);
  return own.length > 0 && own.every((stem) => said.has(stem));
}
