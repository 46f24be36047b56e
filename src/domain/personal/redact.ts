import type { NormalisedCall, Turn } from '../calls/call.ts';
import type { FieldValue } from '../calls/call-fields.ts';
import { isJsonObject, type Json } from '../json.ts';
import type { RedactedKind } from '../vocabulary.ts';
import { readAddresses } from './addresses.ts';
import { readDays } from './births.ts';
import { isIban } from './checksums.ts';
import { cardsIn, cutByWords, dictated, mayHoldEmail, TITLES } from './collect.ts';
import { readEmails } from './emails.ts';
import { WORDS_TOO } from './given-names.ts';
import { keyedValues } from './keyed-values.ts';
import { isNationalNumber } from './national-numbers.ts';
import { foldWord } from './number-words.ts';
import { ORDINARY } from './ordinary-words.ts';
import { findOwnPattern, type OwnPattern, parseOwnPattern } from './own-pattern.ts';
import { findNames, wordsIn } from './people.ts';
import { namesIn } from './replace.ts';
import { type Run, readRuns } from './runs.ts';
import { type LeftOutWord, type ToldNames, toldIn } from './told-names.ts';

/** What is left out of what is stored of an agent's calls. */
export interface RedactionRules {
  kinds: RedactedKind[];
  /** Shown in the place of what they fit: `[<name>]`. */
  patterns: { name: string; pattern: string }[];
}

/** How often each kind, or each pattern by its name, was left out of what was said. */
export type RedactionCounts = Record<string, number>;

export interface Redactor {
  /** A call with its payload: what stands in one is looked for in the other. */
  call<Read extends { call: NormalisedCall; payload: Json }>(read: Read): Read;
  /** A record that could not be read as a call. */
  json(value: Json): Json;
  text(text: string): string;
}

const CHARS_AT_MOST = 500_000;
const VALUE_AT_MOST = 1_000;
/** What stands for the rest of a longer text, and is counted. */
const TOO_LONG = 'rest of a text too long to redact';
/** What the patterns of an agent may take together on one text. */
const STEPS_A_CHAR = 200;
const STEPS_AT_LEAST = 100_000;

/** Null where nothing is to be left out. */
export function openRedactor({ kinds, patterns }: RedactionRules): Redactor | null {
  if (kinds.length + patterns.length === 0) return null;
  const own = patterns.flatMap(({ name, pattern }) => {
    const parsed = parseOwnPattern(pattern);
    return typeof parsed === 'string' ? [] : [{ name, parsed }];
  });
  const rules: Rules = { kinds: new Set(kinds), own };
  return {
    call: (read) => redactCall(rules, read),
    json: (value) => redactJson(value, bare(rules)),
    text: (text) => redactText(text, bare(rules)).text,
  };
}

interface Rules {
  kinds: ReadonlySet<RedactedKind>;
  own: readonly { name: string; parsed: OwnPattern }[];
  /** Names that somebody told; left out: they are looked for by rules. */
  told?: ToldNames;
}

export interface NameRedactor extends Redactor {
  /** Words copied from a text: what of them stays once names are left out of the text. */
  quote(quote: string, of: string): string;
  /** A sentence about the call, in which a capital makes a name of a word. */
  sentence(text: string): string;
  /** A few words in lower case. */
  label(text: string): string;
}

/** Leaves out names that are known, and nothing else. */
export function openNameRedactor(told: ToldNames): NameRedactor {
  const rules: Rules = { kinds: new Set(), own: [], told };
  const known: Known = { ...bare(rules), names: told.words };
  const meant = (how: (word: LeftOutWord) => LeftOutWord): Known => ({
    ...known,
    names: new Map([...told.words].map(([word, left]) => [word, how(left)])),
  });
  // Words that were names in lower case are names in lower case again.
  const inSentences = meant((word) => (word.isCapital ? word : { ...word, isLoose: false }));
  const inLabels = meant((word) => ({ ...word, isLoose: false }));
  return {
    sentence: (text) => redactText(text, inSentences).text,
    label: (text) => redactText(text, inLabels).text,
    call: (read) => redactCall(rules, read),
    json: (value) => redactJson(value, known),
    text: (text) => redactText(text, known).text,
    quote(quote, of) {
      const at = of.indexOf(quote);
      if (quote === '' || at < 0) return redactText(quote, known).text;
      const end = at + quote.length;
      const within = spansIn(of, { ...known, isSaid: false, asked: null }).filter(
        ({ from, to }) => from < end && at < to,
      );
      const moved = within.map((span) => ({
        ...span,
        from: Math.max(span.from, at) - at,
        to: Math.min(span.to, end) - at,
      }));
      return applied(quote, moved);
    },
  };
}

/** Rules with what is known of one call. */
interface Known extends Rules {
  /** Numbers that were found, by their digits and letters. */
  numbers: Map<string, RedactedKind>;
  names: ReadonlyMap<string, LeftOutWord>;
  /** Streets that were told, by their names. */
  streets: Set<string>;
  /** The platform's ids: another would make another call of it. */
  ids: ReadonlySet<string>;
  /** A number was told in pieces, which nothing but their turn tells. */
  isInPieces: boolean;
}

const bare = (rules: Rules): Known => ({
  ...rules,
  numbers: new Map(),
  names: new Map(),
  streets: new Set(),
  ids: new Set(),
  isInPieces: false,
});

interface Span {
  from: number;
  to: number;
  kind: string;
  chars?: string;
  street?: string;
}

function redactCall<Read extends { call: NormalisedCall; payload: Json }>(rules: Rules, read: Read): Read {
  const { call, payload } = read;
  const ofCall = () => (rules.kinds.has('name') ? namesOf(call) : new Map<string, LeftOutWord>());
  const known: Known = { ...bare(rules), names: rules.told?.words ?? ofCall(), ids: idsOf(call) };
  const counts: RedactionCounts = {};
  const asked = askedKinds(call, rules);
  // What one turn or tool shows to be a number is one wherever else it stands.
  const lookAt = ({ text }: Turn, at: number) =>
    spansIn(text, { ...known, isSaid: true, asked: asked.get(at) ?? null });
  const spoken = call.turns.map(lookAt);
  for (const { chars, kind, street } of spoken.flat()) {
    if (chars !== undefined) known.numbers.set(chars, kind as RedactedKind);
    if (street !== undefined && street !== '') known.streets.add(street);
  }
  known.isInPieces = spoken.flat().some(({ chars }) => chars !== undefined && chars.length < LONG);
  const turns = call.turns.map((turn, at): Turn => {
    const spans = (known.numbers.size + known.streets.size === 0 ? spoken[at] : undefined) ?? lookAt(turn, at);
    for (const { kind } of spans) counts[kind] = (counts[kind] ?? 0) + 1;
    const json = (value: Json) => redactJson(value, known, counts);
    const isChanged = spans.length > 0;
    return {
      ...turn,
      text: isChanged ? applied(turn.text, spans) : turn.text,
      words: isChanged ? null : turn.words,
      alternatives: isChanged ? null : (turn.alternatives?.map((text) => redactText(text, known).text) ?? null),
      toolCall: turn.toolCall && { ...turn.toolCall, args: json(turn.toolCall.args) },
      toolResult: turn.toolResult && { ...turn.toolResult, body: json(turn.toolResult.body) },
    };
  });
  const plain = (text: string) => redactText(text, known).text;
  const redacted: NormalisedCall = {
    ...call,
    turns,
    variables: call.variables && (redactJson(call.variables, known) as Record<string, string>),
    ...(call.metadata ? { metadata: redactJson(call.metadata, known) as Record<string, FieldValue> } : {}),
    platformAnalysis: call.platformAnalysis && {
      ...call.platformAnalysis,
      summary: call.platformAnalysis.summary === null ? null : plain(call.platformAnalysis.summary),
    },
    warnings: call.warnings.map(plain),
  };
  for (const [kind, count] of Object.entries(call.redacted ?? {})) counts[kind] = (counts[kind] ?? 0) + count;
  if (Object.keys(counts).length > 0) redacted.redacted = counts;
  return { ...read, call: redacted, payload: redactJson(payload, known) };
}

function idsOf({ providerCallId, traceIds = [], turns }: NormalisedCall): Set<string> {
  const ofTools = turns.flatMap(({ toolCall, toolResult }) => [toolCall?.id ?? '', toolResult?.id ?? '']);
  return new Set([providerCallId, ...traceIds, ...ofTools].filter((id) => id !== ''));
}

function namesOf(call: NormalisedCall): Map<string, LeftOutWord> {
  const names = new Map<string, LeftOutWord>();
  const keep = (word: string) => {
    const folded = foldWord(word);
    if (folded.length > 1 && !TITLES.has(folded))
      names.set(folded, { to: '', isLoose: folded.length < 3 || WORDS_TOO.has(folded) || ORDINARY.has(folded) });
  };
  for (const { words } of findNames(call.turns)) words.forEach(keep);
  const documents = call.turns.flatMap(({ toolCall, toolResult }) => [
    toolCall?.args ?? null,
    toolResult?.body ?? null,
  ]);
  for (const { text, meaning } of [...documents, call.variables ?? {}, call.metadata ?? {}].flatMap(keyedValues))
    if (meaning === 'name' && text.length <= 80) for (const word of wordsIn(text)) keep(word.text);
  return names;
}

const ASKS: readonly [RedactedKind, RegExp][] = [
  [
    'national_number',
    /\b(?:social security|ssn|national insurance|passport|tax (?:id|number)|steuer-?id|dni|nie|personalausweis)(?!\p{L})/iu,
  ],
  ['card', /\b(?:card(?! holder)|cvv|cvc|security code|karten\p{L}{0,10}|tarjeta|carte)(?!\p{L})/iu],
  ['iban', /\b(?:iban|account number|kontonummer|routing number|sort code)(?!\p{L})/iu],
  [
    'phone',
    /\b(?:phone|mobile|cell|callback number|call you back|best number|number to reach|telefon\p{L}{0,8}|handynummer|teléfono|téléphone|móvil)(?!\p{L})/iu,
  ],
  [
    'address',
    /\b(?<!e-?mail )(?:address|street|zip ?code|postcode|where do you live|adresse|anschrift|straße|postleitzahl|wo wohnen|direcci[oó]n|domicilio|calle|dónde vive|où habitez|rue|code postal)(?!\p{L})/iu,
  ],
];
const WORDS_OF_INTERJECTION = 3;

/** By turn of the caller: the kind of number that the agent has asked for. An "mhm" between its pieces changes nothing. */
function askedKinds({ turns }: NormalisedCall, { kinds }: Rules): Map<number, RedactedKind> {
  const asked = new Map<number, RedactedKind>();
  let current: RedactedKind | null = null;
  for (const [at, { role, text }] of turns.entries()) {
    if (role === 'agent' && (wordsIn(text).length > WORDS_OF_INTERJECTION || text.includes('?')))
      current = ASKS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
    if (role === 'caller' && current !== null && kinds.has(current)) asked.set(at, current);
  }
  if (kinds.has('card'))
    for (const { pieces } of dictated({ turns })) for (const { turn } of pieces) asked.set(turn, 'card');
  return asked;
}

interface Looking extends Known {
  isSaid: boolean;
  asked: RedactedKind | null;
}

const redactText = (text: string, known: Known) => {
  const spans = spansIn(text, { ...known, isSaid: false, asked: null });
  return { text: applied(text, spans), spans };
};

function spansIn(whole: string, looking: Looking): Span[] {
  if (whole.length <= CHARS_AT_MOST) return spansOf(whole, looking);
  // A value may lie across the end of what is read: it goes with the rest.
  const end = CHARS_AT_MOST - VALUE_AT_MOST;
  const spans = spansOf(whole.slice(0, CHARS_AT_MOST), looking);
  const from = Math.min(end, ...spans.filter((span) => span.to > end).map((span) => span.from));
  return [...spans.filter((span) => span.to <= from), { from, to: whole.length, kind: TOO_LONG }];
}

function spansOf(text: string, looking: Looking): Span[] {
  if (text === '') return [];
  const { kinds, own, names } = looking;
  const spans: Span[] = [];
  // By character, so that it costs no more where there are many: whoever sends a call chooses how many.
  const taken = new Uint8Array(text.length);
  const add = (span: Span) => {
    if (taken.subarray(span.from, span.to).includes(1)) return;
    taken.fill(1, span.from, span.to);
    spans.push(span);
  };
  const steps = { left: STEPS_AT_LEAST + text.length * STEPS_A_CHAR };
  for (const { name, parsed } of own) for (const at of findOwnPattern(parsed, text, steps)) add({ ...at, kind: name });
  // Nothing is stored that a pattern may have been about to leave out.
  if (steps.left <= 0) return [{ from: 0, to: text.length, kind: own[0]?.name ?? 'redacted' }];
  if (kinds.has('email') && mayHoldEmail(text))
    for (const { from, to } of readEmails(text)) add({ from, to, kind: 'email' });
  if (kinds.has('address'))
    for (const address of readAddresses(text, looking.asked === 'address', looking.streets))
      add({ ...address, kind: 'address' });
  const days = looking.asked === null ? [] : readDays(text);
  for (const run of readRuns(text)) {
    if (days.some(({ from, to }) => run.from < to && from < run.to)) continue;
    const isName = names.size > 0 && !/\d/.test(run.chars) && cutByWords(run.chars, names) !== null;
    const kind = isName ? 'name' : kindOfRun(run, text, looking);
    if (kind !== null)
      add({
        from: text.charAt(run.from - 1) === '+' ? run.from - 1 : run.from,
        to: run.to,
        kind,
        ...(isName ? {} : { chars: run.chars }),
      });
  }
  if (looking.told !== undefined)
    for (const { from, to } of toldIn(text, looking.told)) add({ from, to, kind: 'name' });
  for (const { from, to } of namesIn(text, names)) {
    const before = spans.at(-1);
    if (before?.kind === 'name' && before.to <= from && text.slice(before.to, from).trim() === '') {
      before.to = to;
      taken.fill(1, from, to);
    } else add({ from, to, kind: 'name' });
  }
  return spans.toSorted((a, b) => a.from - b.from);
}

/** A whole number, where nothing before it tells that it is a piece. */
const LONG = 7;
const TOLD_AT_LEAST = 3;
const POSTCODE_AT_MOST = 9;
const PHONE_DIGITS = { least: 8, most: 15 };
const BEFORE_AT_MOST = 40;

function kindOfRun(run: Run, text: string, looking: Looking): RedactedKind | null {
  const { kinds, numbers, isSaid, asked } = looking;
  const { chars, atoms, from } = run;
  if (!/\d/.test(chars)) return null;
  const known = numbers.get(chars);
  if (known !== undefined) return known;
  if (kinds.has('card') && cardsIn(run).length > 0) return 'card';
  if (kinds.has('iban') && isIban(chars)) return 'iban';
  if (
    kinds.has('national_number') &&
    isNationalNumber(
      chars,
      atoms.map((atom) => atom.chars.length),
    )
  )
    return 'national_number';
  const before = text.slice(Math.max(0, from - BEFORE_AT_MOST), from);
  if (kinds.has('phone') && isPhone(run, { hasPlus: before.endsWith('+'), isSaid })) return 'phone';
  if (!isSaid || chars.length < TOLD_AT_LEAST) return null;
  // An address is a street with its number; a number alone is its postcode or its house only where one is asked for.
  if (asked !== null) return asked === 'address' && chars.length > POSTCODE_AT_MOST ? null : asked;
  const told =
    chars.length < LONG ? undefined : ASKS.find(([kind, pattern]) => kinds.has(kind) && pattern.test(before));
  return told?.[0] ?? null;
}

function isPhone({ chars, atoms }: Run, { hasPlus, isSaid }: { hasPlus: boolean; isSaid: boolean }): boolean {
  if (!/^\d+$/.test(chars) || chars.length > PHONE_DIGITS.most) return false;
  if (hasPlus) return chars.length >= PHONE_DIGITS.least;
  const isGrouped = atoms.length > 1 || isSaid;
  if (/^1?[2-9]\d\d[2-9]\d{6}$/.test(chars)) return isGrouped;
  return /^00?[1-9]/.test(chars) && chars.length > PHONE_DIGITS.least && isGrouped;
}

function applied(text: string, spans: readonly Span[]): string {
  let made = '';
  let at = 0;
  for (const { from, to, kind } of spans) {
    made += `${text.slice(at, from)}[${kind.replaceAll('_', ' ')}]`;
    at = to;
  }
  return made + text.slice(at);
}

const DEPTH_AT_MOST = 64;
const OF_PHONE =
  /^(?:.{0,20}phone.{0,20}|mobile|cell|tel|telephone|telefon|telefono|ani|msisdn|caller_?number|callback_?number|(?:from|to|customer)_?number)$/i;
const OF_NATIONAL =
  /^(?:.{0,20}(?:ssn|social_?security|passport|national_?(?:id|insurance)|tax_?id|steuer_?id|dni).{0,20})$/i;
const OF_CARD = /^(?:card_?number|pan|cvv|cvc|security_?code|card)$/i;
const OF_ADDRESS =
  /^(?!.{0,20}(?:mail|ip_?address|mac|web|url|host|server|wallet))(?:.{0,20}address(?:_?line)?_?\d?|street.{0,12}|house_?number|.{0,8}line_?[12]|addr_?\d?|zip(?:_?code)?|post(?:al_?)?code|plz|strasse|straße|hausnummer|anschrift|calle|direccion|adresse|domicilio|code_?postal|codigo_?postal)$/i;
const OF_ID = /(?:^|[a-z_])id$/i;
const OF_COUNT = /(?:^|_)(?:at|time|timestamp|ms|seconds|duration|cost|price|amount|total)$|Ms$|At$|Timestamp$/;

function redactJson(value: Json, known: Known, counts: RedactionCounts = {}, key = '', depth = 0): Json {
  if (depth > DEPTH_AT_MOST) return '[too deep to redact]';
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  if (typeof value === 'string') return redactString(value, known, key, count);
  if (typeof value === 'number') return redactNumber(value, known, key, count);
  if (Array.isArray(value)) return value.map((part) => redactJson(part, known, counts, key, depth + 1));
  if (!isJsonObject(value)) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([name, part]): [string, Json] => {
    const made = redactJson(part, known, counts, name, depth + 1);
    if (typeof part === 'string' && made !== part) isChanged = true;
    return [redactKey(name, known), made];
  });
  // Words with their times would say what the text of the turn does not any more.
  return Object.fromEntries(
    entries.map(([name, part]) => [name, isChanged && name === 'words' && Array.isArray(part) ? [] : part]),
  );
}

/** The name of a field says what it holds, but for one that is a value itself. */
function redactKey(name: string, known: Known): string {
  if (known.own.length === 0 && !/@|\d{4}/.test(name)) return name;
  return known.ids.has(name) ? name : redactText(name, { ...known, names: new Map() }).text;
}

function redactString(text: string, known: Known, key: string, count: (kind: string) => void): Json {
  if (known.ids.has(text)) return text;
  const keyed = kindOfKey(key, known);
  if (keyed === 'address' && /[\p{L}\d]/u.test(text)) {
    count(keyed);
    return '[address]';
  }
  if (keyed !== null && /\d{3}/.test(text.replaceAll(/\D/g, '')) && text.length <= 40) {
    count(keyed);
    return `[${keyed.replaceAll('_', ' ')}]`;
  }
  // A whole transcript in one text holds the pieces, and nothing there tells them.
  if (known.isInPieces && text.includes('\n') && text.length > 200) return '[redacted]';
  const { text: made, spans } = redactText(text, OF_ID.test(key) ? ofId(known) : known);
  for (const { kind } of spans) count(kind);
  return made;
}

/** An id that a system made looks like many numbers by chance. */
const ofId = (known: Known): Known => ({
  ...known,
  kinds: new Set(known.kinds.has('email') ? ['email'] : []),
  names: new Map(),
});

function redactNumber(value: number, known: Known, key: string, count: (kind: string) => void): Json {
  if (!Number.isSafeInteger(value) || OF_COUNT.test(key)) return value;
  const text = String(value);
  const [run] = readRuns(text);
  const isCard = known.kinds.has('card') && run !== undefined && cardsIn(run).length > 0 && !OF_ID.test(key);
  const kind = kindOfKey(key, known) ?? known.numbers.get(text) ?? (isCard ? 'card' : null);
  if (kind === null || text.length < TOLD_AT_LEAST) return value;
  count(kind);
  return `[${kind.replaceAll('_', ' ')}]`;
}

function kindOfKey(key: string, { kinds }: Known): RedactedKind | null {
  if (kinds.has('phone') && OF_PHONE.test(key)) return 'phone';
  if (kinds.has('card') && OF_CARD.test(key)) return 'card';
  if (kinds.has('address') && OF_ADDRESS.test(key)) return 'address';
  return kinds.has('national_number') && OF_NATIONAL.test(key) ? 'national_number' : null;
}
