import type { NormalisedCall, Turn } from '../calls/call.ts';
import { type ClaimReading, readClaims } from '../calls/claims.ts';
import { guessLanguage, primaryLanguage } from '../calls/language.ts';
import { type OutcomeReading, readOutcome } from '../calls/outcome.ts';
import { cutWords, hasDigit, type Words } from '../calls/text.ts';
import { readTiming, type TimingFacts } from '../calls/timing.ts';
import { readToolUses, type ToolUse } from '../calls/tool-uses.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { lookUp, STOP, VALUE } from './phrases/lexicon.ts';
import { type PhraseHit, phrasesOf } from './phrases/phrases.ts';
import type { DetectorInput } from './signal.ts';

/** A turn in which caller or agent said something, with everything that more than one detector asks about it. */
export interface SpokenTurn extends Words {
  turn: Turn;
  /** The turn's index in the imported record. */
  index: number;
  /** Place in `CallReading.spoken`. */
  order: number;
  role: 'caller' | 'agent';
  /** What the lexicon says of each word. */
  bits: readonly number[];
  /** Words that carry matter, each once, in order. */
  content: readonly string[];
  /** Phrases found, by list; empty where no lists exist for the call's language. */
  hits: readonly PhraseHit[];
  asks: boolean;
  /** Digits, number words, dates and names that nobody in the caller's turns had said before. */
  newSlots: number;
}

/** The call entered a step of the flow before this turn. */
export interface NodeEntry {
  nodeId: string;
  label: string;
  turn: number;
}

/** What one pass over the turns gives; claims and outcome are read from it. */
export interface CallBase {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  spoken: readonly SpokenTurn[];
  caller: readonly SpokenTurn[];
  agent: readonly SpokenTurn[];
  /** Spoken turn by turn index. */
  spokenAt: ReadonlyMap<number, SpokenTurn>;
  /** Every turn by its index. */
  turnAt: ReadonlyMap<number, Turn>;
  tools: readonly ToolUse[];
  /** Steps of the flow in the order in which they were entered; empty where the agent has none. */
  nodes: readonly NodeEntry[];
  callerSpoke: boolean;
  /** Language of the talk (BCP 47 primary tag): by its words, else as declared, else null. */
  language: string | null;
  /** Null where phrase lists exist for the call's language, else why they do not apply. */
  phrasesMissing: string | null;
  /** Waiting, yielding and cutting in; null where the call has no exact times. */
  timing: TimingFacts | null;
  /** Index of the last turn; 0 on a call without turns. */
  lastIndex: number;
}

/** The one reading of a call that all detectors share. */
export interface CallReading extends CallBase {
  claims: readonly ClaimReading[];
  outcome: OutcomeReading;
}

const GUESS_WORDS = 400;
/** Below this many tell-tale words a declared language is believed over the guess. */
const SURE_GUESS = 8;

export function readCall(input: DetectorInput): CallReading {
  const base = readTurns(input);
  const claims = readClaims(base);
  return { ...base, claims, outcome: readOutcome(base, claims) };
}

function readTurns(input: DetectorInput): CallBase {
  const { call, configuration } = input;
  const cut: { turn: Turn; words: Words; bits: number[] }[] = [];
  const sample: number[] = [];
  for (const turn of call.turns) {
    if ((turn.role !== 'caller' && turn.role !== 'agent') || turn.text === '') continue;
    const words = cutWords(turn.text);
    if (words.words.length === 0) continue;
    const bits = lookUp(words.words);
    cut.push({ turn, words, bits });
    if (sample.length < GUESS_WORDS) for (const one of bits) sample.push(one);
  }
  const guess = guessLanguage(sample);
  const declared = primaryLanguage(call.language) ?? primaryLanguage(configuration?.language ?? null);
  const language = guess.hits >= SURE_GUESS ? (guess.language ?? declared) : (declared ?? guess.language);
  const phrases = phrasesOf(language ?? 'en');

  const spoken: SpokenTurn[] = [];
  const spokenAt = new Map<number, SpokenTurn>();
  const slots = new Set<string>();
  for (const { turn, words, bits } of cut) {
    const role = turn.role === 'caller' ? 'caller' : 'agent';
    const one: SpokenTurn = {
      words: words.words,
      starts: words.starts,
      ends: words.ends,
      bits,
      turn,
      index: turn.index,
      order: spoken.length,
      role,
      content: contentOf(words.words, bits),
      hits: phrases === null ? [] : phrases[role](words.words),
      asks: isQuestion(turn.text, words.words),
      newSlots: role === 'caller' ? countNewSlots(turn.text, words, bits, slots) : 0,
    };
    spoken.push(one);
    spokenAt.set(turn.index, one);
  }
  const caller = spoken.filter((one) => one.role === 'caller');
  return {
    call,
    configuration,
    spoken,
    caller,
    agent: spoken.filter((one) => one.role === 'agent'),
    spokenAt,
    turnAt: new Map(call.turns.map((turn) => [turn.index, turn])),
    tools: readToolUses(call, configuration?.tools ?? []),
    nodes: readNodes(call, configuration),
    callerSpoke: caller.some((one) => !isNoise(one)),
    language,
    phrasesMissing:
      phrases === null
        ? `The call is in "${language ?? 'an unknown language'}"; the phrase lists for this signal exist in English only.`
        : null,
    timing: readTiming(call),
    lastIndex: call.turns.at(-1)?.index ?? 0,
  };
}

/** True where the turn holds a phrase of the list. */
export function says(turn: SpokenTurn | undefined, list: string): boolean {
  return turn !== undefined && turn.hits.some((hit) => hit.list === list);
}

/** What recognisers write for a sound that is no speech: it does not prove that a caller spoke. */
const NOISE = new Set([
  'inaudible',
  'noise',
  'silence',
  'unintelligible',
  'background',
  'music',
  'beep',
  'blank',
  'audio',
]);

function isNoise(one: SpokenTurn): boolean {
  return /^\s*[[(<]/.test(one.turn.text) && one.words.every((word) => NOISE.has(word));
}

function contentOf(words: readonly string[], bits: readonly number[]): string[] {
  const content: string[] = [];
  const seen = words.length > SHORT_TURN ? new Set<string>() : null;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (((bits[at] ?? 0) & STOP) !== 0) continue;
    if (seen === null ? content.includes(word) : seen.has(word)) continue;
    seen?.add(word);
    content.push(word);
  }
  return content;
}

/** Up to this many words a list is searched faster than a set is made. */
const SHORT_TURN = 40;

const ASKING = new Set(
  'what when where which who whom whose why how can could may would will shall do does did is are am was were have has should'.split(
    ' ',
  ),
);

/** A question mark decides; transcripts without any punctuation are judged by their first word. */
function isQuestion(text: string, words: readonly string[]): boolean {
  if (text.includes('?')) return true;
  return ASKING.has(words[0] ?? '') && !text.includes('.') && !text.includes('!');
}

function countNewSlots(text: string, words: Words, bits: readonly number[], seen: Set<string>): number {
  let fresh = 0;
  for (let at = 0; at < bits.length; at += 1) {
    const word = words.words[at] ?? '';
    const known = bits[at] ?? 0;
    if ((known & VALUE) === 0 && ((known & STOP) !== 0 || !(isName(text, words, at) || hasDigit(word)))) continue;
    if (seen.has(word)) continue;
    seen.add(word);
    fresh += 1;
  }
  return fresh;
}

/** A capital inside a sentence; first words prove nothing. */
function isName(text: string, words: Words, at: number): boolean {
  const start = words.starts[at] ?? 0;
  const code = text.charCodeAt(start);
  if (code < 0x41 || code > 0x5a || at === 0) return false;
  for (let before = words.ends[at - 1] ?? 0; before < start; before += 1) {
    const char = text[before];
    if (char === '.' || char === '!' || char === '?') return false;
  }
  return true;
}

function readNodes(call: NormalisedCall, configuration: AgentConfiguration | null): NodeEntry[] {
  const labels = new Map<string, string>();
  for (const node of configuration?.nodes ?? []) labels.set(node.id, node.label);
  for (const transition of call.transitions) {
    if (transition.toLabel !== null && !labels.has(transition.toId)) labels.set(transition.toId, transition.toLabel);
  }
  const entries: NodeEntry[] = [];
  const enter = (nodeId: string, turn: number) => {
    entries.push({ nodeId, label: labels.get(nodeId) ?? nodeId, turn });
  };
  if (call.transitions.length > 0) {
    const first = call.transitions[0];
    const start = first?.fromId ?? configuration?.startNodeId ?? null;
    if (start !== null && start !== first?.toId) enter(start, call.turns[0]?.index ?? 0);
    for (const transition of call.transitions) enter(transition.toId, transition.atTurn);
    return entries;
  }
  let current: string | null = null;
  for (const turn of call.turns) {
    if (turn.nodeId === null || turn.nodeId === current) continue;
    current = turn.nodeId;
    enter(current, turn.index);
  }
  return entries;
}
