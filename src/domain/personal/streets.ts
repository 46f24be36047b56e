import { cutTokens, isGlued, type Token } from '../values/tokens.ts';
import { foldWord, NUMBER_PHRASES } from './number-words.ts';

/** A street with its house number, or a part of a house, as it stands in a text. */
export interface FoundStreet {
  /** With the word that makes it a street: "12 Elm Street", "rue de la Paix 3". */
  whole: { from: number; to: number };
  /** Capitals, or a form that only streets have: in small letters "a one way street" reads as one too. */
  isClear: boolean;
  /** Of the words that name it; of an ending within a word ("Lindenstraße") without it. Empty for a part of a house. */
  name: { from: number; to: number };
  /** Of the number; null where none was told. */
  number: { from: number; to: number } | null;
}

const SURE = new Set('street avenue ave road rd lane ln boulevard blvd terrace parkway pkwy crescent'.split(' '));
const WITH_NUMBER = new Set(
  'st drive dr court ct way place pl circle cir highway hwy close square sq row trail alley grove gardens'.split(' '),
);
const BEFORE_NAME = new Set(
  'rue avenue boulevard calle avenida avda av bd paseo plaza place quai chemin allee impasse carrer carrera camino route'.split(
    ' ',
  ),
);
/** "Kölner Straße 12". */
const GERMAN_WORDS = new Set('strasse str allee weg platz ring damm ufer gasse'.split(' '));
const UNITS = new Set('apt apartment suite unit flat wohnung piso appartement'.split(' '));
const GERMAN = /^(\p{L}{3,40}?)(?:strasse|straße|str|weg|gasse|allee|platz|ring|damm|ufer)$/u;
const NAME_WORDS_AT_MOST = 3;
const NUMBER_WORDS_AT_MOST = 4;
/** "Parkplatz 12", "Heimweg 20": their endings are those of streets. */
const GERMAN_NO_STREET =
  /^(?:(?:park|stell|arbeits|sitz|steh|spiel|tennis|golf|camping|liege|fenster|gang|mittel|studien|kita|krippen|kindergarten|therapie|ausbildungs|schlaf|lager|speicher|warte|sende|kurs|garagen|stamm)platz|(?:um|heim|rück|hin|arbeits|schul|fuß|rad|flucht|lebens|rechts|vertriebs|zahlungs|post|halb)weg|(?:ehe|ohr|finger|trau|schlüssel|dichtungs|verlobungs|o)ring|.{0,20}sp(?:ring)|string|during|bring|hering|boxring)$/iu;
const GERMAN_MEASURES = new Set(
  'minuten minute stunden uhr euro meter kilometer km m prozent personen leute tage wochen monate mal'.split(' '),
);
const NO_NAME = new Set(
  'am pm way lane minutes people the a an this that on at in of is my your our one right same next across from to'.split(
    ' ',
  ),
);

/** Streets and parts of houses of a text in order, none inside another. */
export function readStreets(text: string): FoundStreet[] {
  const tokens = cutTokens(text);
  const found: FoundStreet[] = [];
  for (const at of tokens.keys()) {
    const one = streetAt(text, tokens, at);
    if (one === null) continue;
    const from = Math.min(one.name.from, one.number?.from ?? one.name.from);
    const last = found.at(-1);
    if (last === undefined || Math.max(last.name.to, last.number?.to ?? 0) <= from) found.push(one);
  }
  return found;
}

function streetAt(text: string, tokens: readonly Token[], at: number): FoundStreet | null {
  const token = tokens[at];
  if (token?.kind !== 'word') return null;
  const folded = foldWord(token.text);
  if (SURE.has(folded) || WITH_NUMBER.has(folded)) {
    const named = namedBefore(text, tokens, at, WITH_NUMBER.has(folded));
    if (named !== null) return named;
  }
  if (BEFORE_NAME.has(folded)) return namedBehind(text, tokens, at);
  const behind = tokens[at + 1]?.text === '.' ? at + 2 : at + 1;
  if (UNITS.has(folded)) {
    const number = numberBehind(tokens, behind);
    const name = number && { from: number.from, to: number.from };
    return name && { name, number, whole: { from: token.from, to: number.to }, isClear: false };
  }
  return GERMAN_WORDS.has(folded) ? germanWord(text, tokens, at, behind) : germanEnding(text, tokens, at, behind);
}

function germanWord(text: string, tokens: readonly Token[], at: number, behind: number): FoundStreet | null {
  const [first, token] = [tokens[at - 1], tokens[at]];
  const number = numberBehind(tokens, behind);
  if (first?.kind !== 'word' || token === undefined || number === null) return null;
  if (!isCapital(text, first) || !isCapital(text, token) || isMeasured(tokens, behind)) return null;
  return {
    name: { from: first.from, to: first.to },
    number,
    whole: { from: first.from, to: number.to },
    isClear: true,
  };
}

function germanEnding(text: string, tokens: readonly Token[], at: number, behind: number): FoundStreet | null {
  const token = tokens[at];
  const german = token && GERMAN.exec(token.text);
  if (!german || GERMAN_NO_STREET.test(token.text)) return null;
  const number = numberBehind(tokens, behind);
  if (number === null || isMeasured(tokens, behind)) return null;
  // "Ordering 2": a word that begins an English sentence has its capital from there.
  const isFirst = at === 0 || /[.!?]/.test(tokens[at - 1]?.text ?? '');
  const isClear = isCapital(text, token) && !(isFirst && token.text.endsWith('ring'));
  const name = { from: token.from, to: token.from + (german[1]?.length ?? 0) };
  return { name, number, whole: { from: token.from, to: number.to }, isClear };
}

/** "10 Minuten" behind a word is how long, and no house. */
const isMeasured = (tokens: readonly Token[], at: number) => GERMAN_MEASURES.has(tokens[at + 1]?.text ?? '');

function namedBefore(text: string, tokens: readonly Token[], at: number, needsNumber: boolean): FoundStreet | null {
  let start = at;
  while (at - start < NAME_WORDS_AT_MOST) {
    const token = tokens[start - 1];
    const isPoint = token?.text === '.' && tokens[start - 2]?.text.length === 1;
    if (token === undefined || (token.kind !== 'word' && !isPoint) || NO_NAME.has(token.text)) break;
    if (isFigure(token) && start < at) break;
    start -= isPoint ? 2 : 1;
  }
  if (start === at) return null;
  const [first, last] = [tokens[start], tokens[at - 1]];
  if (first === undefined || last === undefined) return null;
  const name = { from: first.from, to: last.to };
  const number = numberBefore(tokens, start);
  const capitals = [first, tokens[at]].map((token) => isCapital(text, token));
  if (number !== null) {
    const isOrdinal = isGlued(tokens, start) && /^(?:st|nd|rd|th)$/.test(first.text);
    const isClear = needsNumber ? capitals[1] === true && (capitals[0] === true || isOrdinal) : capitals.includes(true);
    return { name, number, whole: { from: number.from, to: tokens[at]?.to ?? last.to }, isClear };
  }
  if (needsNumber) return null;
  // "I live on Elm Street": capitals tell it from "across the street".
  let own = at;
  while (own > start && isCapital(text, tokens[own - 1])) own -= 1;
  if (own === at || !isCapital(text, tokens[at])) return null;
  const from = tokens[own]?.from ?? 0;
  return { name: { from, to: last.to }, number: null, whole: { from, to: tokens[at]?.to ?? last.to }, isClear: false };
}

function namedBehind(text: string, tokens: readonly Token[], at: number): FoundStreet | null {
  const start = tokens[at + 1]?.text === '.' ? at + 2 : at + 1;
  let end = start;
  while (end - start < NAME_WORDS_AT_MOST + 1) {
    const token = tokens[end];
    const isSmall = /^(?:de|del|la|du|des|los|las|l'|d')$/.test(token?.text ?? '');
    if (token?.kind !== 'word' || !(isCapital(text, token) || isSmall)) break;
    end += 1;
  }
  const [first, last] = [tokens[start], tokens[end - 1]];
  if (end === start || first === undefined || last === undefined) return null;
  const before = numberBefore(tokens, at);
  const isApart = tokens[end]?.text === ',';
  const number = before ?? numberBehind(tokens, isApart ? end + 1 : end);
  if (number === null) return null;
  // "Plaza Mayor, 7 personas": what is counted stands in small letters behind its number.
  const next = isApart && before === null ? tokens[end + 2] : undefined;
  const isCounting = next?.kind === 'word' && next.text.length > 2 && !isCapital(text, next);
  const whole = { from: Math.min(tokens[at]?.from ?? 0, number.from), to: Math.max(last.to, number.to) };
  return { name: { from: first.from, to: last.to }, number, whole, isClear: !isCounting };
}

function numberBefore(tokens: readonly Token[], at: number): { from: number; to: number } | null {
  const end = tokens[at - 1]?.text === ',' ? at - 1 : at;
  let start = end;
  while (end - start < NUMBER_WORDS_AT_MOST && isFigure(tokens[start - 1])) {
    if (tokens[start - 1]?.kind === 'digits' && (tokens[start - 1]?.text.length ?? 0) > 6) break;
    start -= 1;
  }
  const [first, last] = [tokens[start], tokens[end - 1]];
  return start === end || first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

function numberBehind(tokens: readonly Token[], at: number): { from: number; to: number } | null {
  const token = tokens[tokens[at]?.text === '#' ? at + 1 : at];
  if (token?.kind === 'digits') return token.text.length > 5 ? null : { from: token.from, to: token.to };
  if (token === undefined || !isFigure(token) || isGlued(tokens, at)) return null;
  return { from: token.from, to: token.to };
}

const isFigure = (token: Token | undefined) =>
  token !== undefined && (token.kind === 'digits' || NUMBER_PHRASES.has(foldWord(token.text)));

const isCapital = (text: string, token: Token | undefined) =>
  token !== undefined && /^\p{Lu}/u.test(text.charAt(token.from));
