import { lookUp } from '../signals/phrases/lexicon.ts';
import { phrasesOf } from '../signals/phrases/phrases.ts';
import type { DetectorInput } from '../signals/signal.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { NormalisedCall, Turn } from './call.ts';
import { guessLanguage, primaryLanguage } from './language.ts';
import { type NodeEntry, readNodes } from './nodes.ts';
import { contentOf, countNewSlots, isNoise, isQuestion, type SpokenTurn } from './spoken-turn.ts';
import { cutWords, type Words } from './text.ts';
import { readTiming, type TimingFacts } from './timing.ts';
import { readToolUses, type ToolUse } from './tool-uses.ts';

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

const GUESS_WORDS = 400;
/** Below this many tell-tale words a declared language is believed over the guess. */
const SURE_GUESS = 8;

/** The one pass over the turns. */
export function readTurns(input: DetectorInput): CallBase {
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
      hits: phrases === null ? [] : phrases[role](words.words, bits),
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
