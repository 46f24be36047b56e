import { cutTokens, type Token } from '../values/tokens.ts';
import { foldWord, NUMBER_PHRASES } from './number-words.ts';

/** An e-mail address as it is written or said, in the form in which it is written. */
export interface FoundEmail {
  from: number;
  to: number;
  form: string;
  isSpoken: boolean;
  /** The words before it that may belong to it: "jane smith at example dot com". */
  before: readonly { from: number; text: string }[];
}

const SAID: ReadonlyMap<string, string> = new Map([
  ['dot', '.'],
  ['punkt', '.'],
  ['punto', '.'],
  ['point', '.'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['minus', '-'],
  ['underscore', '_'],
  ['unterstrich', '_'],
  ['plus', '+'],
]);
const AT = new Set(['@', 'at', 'arroba', 'arobase', 'ät', 'klammeraffe']);
const SIGNS = new Set(['.', '-', '_', '+']);
const PIECES_AT_MOST = 24;
const BEFORE_AT_MOST = 3;
const WRITTEN = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu;

/** All addresses of a text in order: "mia@example.com", "j dot doe forty two at example dot co dot uk". */
export function readEmails(text: string): FoundEmail[] {
  const written = [...text.matchAll(WRITTEN)].map(
    (match): FoundEmail => ({
      from: match.index,
      to: match.index + match[0].length,
      form: match[0].toLowerCase(),
      isSpoken: false,
      before: [],
    }),
  );
  const taken = new Uint8Array(text.length);
  for (const { from, to } of written) taken.fill(1, from, to);
  const tokens = cutTokens(text);
  const spoken: FoundEmail[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!AT.has(token.text)) continue;
    const found = around(tokens, at);
    if (found === null || taken.subarray(found.from, found.to).includes(1)) continue;
    if ((spoken.at(-1)?.to ?? 0) <= found.from) spoken.push(found);
  }
  return [...written, ...spoken].toSorted((a, b) => a.from - b.from);
}

function around(tokens: readonly Token[], at: number): FoundEmail | null {
  const host = hostAfter(tokens, at + 1);
  if (host === null) return null;
  let start = at;
  let name = '';
  /** What the piece behind is: words stand apart, letters and figures are read out in a row. */
  let behind: 'sign' | 'letter' | 'word' = 'sign';
  for (let pieces = 0; pieces < PIECES_AT_MOST && start > 0; pieces += 1) {
    const token = tokens[start - 1];
    if (token === undefined) break;
    const sign = signOf(token);
    const figures = figuresOf(token);
    if (token.kind === 'sign' && sign === null) break;
    const isLetter = sign === null && figures === null && token.text.length === 1;
    if (sign === null && behind !== 'sign' && !(isLetter && behind === 'letter') && figures === null) break;
    if (figures !== null && behind === 'word') break;
    // "Eighty two" is 82, not 802.
    const isTens = figures !== null && /^[2-9]0$/.test(figures) && /^[1-9](?!\d)/.test(name) && token.kind === 'word';
    name = isTens ? figures.charAt(0) + name : (sign ?? figures ?? token.text) + name;
    behind = sign !== null || figures !== null ? 'sign' : isLetter ? 'letter' : 'word';
    start -= 1;
  }
  const form = withoutSigns(name);
  if (form === '' || start === at) return null;
  const before = tokens.slice(Math.max(0, start - BEFORE_AT_MOST), start).filter(({ kind }) => kind === 'word');
  return {
    from: tokens[start]?.from ?? 0,
    to: host.to,
    form: `${form}@${host.form}`,
    isSpoken: true,
    before: before.map(({ from, text }) => ({ from, text })),
  };
}

function hostAfter(tokens: readonly Token[], from: number): { form: string; to: number } | null {
  let form = '';
  let end = -1;
  let next = from;
  for (let pieces = 0; pieces < PIECES_AT_MOST; pieces += 1) {
    const token = tokens[next];
    if (token === undefined || token.kind === 'sign' || SAID.has(token.text)) break;
    form += token.text;
    next += 1;
    if (/\.[a-z]{2,}$/.test(form)) end = next - 1;
    const sign = tokens[next];
    const dot = sign === undefined ? null : signOf(sign);
    if (dot === null) {
      // "G mail dot com": a host is said in pieces too.
      if (end >= 0 || pieces > 1) break;
      continue;
    }
    if (sign?.kind === 'sign' && tokens[next + 1]?.from !== sign.to) break;
    form += dot;
    next += 1;
  }
  const last = tokens[end];
  return last === undefined ? null : { form: withoutSigns(form), to: last.to };
}

/** Signs at either end are of the sentence. */
function withoutSigns(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && SIGNS.has(name.charAt(from))) from += 1;
  while (to > from && SIGNS.has(name.charAt(to - 1))) to -= 1;
  return name.slice(from, to);
}

function figuresOf(token: Token): string | null {
  if (token.kind === 'digits') return token.text;
  return token.text.length > 1 ? (NUMBER_PHRASES.get(foldWord(token.text)) ?? null) : null;
}

function signOf(token: Token): string | null {
  return token.kind === 'sign' ? (SIGNS.has(token.text) ? token.text : null) : (SAID.get(token.text) ?? null);
}

/** As a voice says an address. */
export function sayEmail(form: string): string {
  return form
    .replaceAll('@', ' at ')
    .replaceAll('.', ' dot ')
    .replaceAll('_', ' underscore ')
    .replaceAll('-', ' dash ')
    .replaceAll('+', ' plus ');
}
