import { isNoiseText } from '../acts/spoken-turn.ts';
import { cutWords, jaccard } from '../text.ts';
import { lookUp } from '../words/lexicon.ts';
import { MACHINE_KINDS, type MachineKind } from '../words/machine-lists.ts';
import type { PhraseHit } from '../words/phrase-shape.ts';
import { machinesOf, phrasesOf } from '../words/phrases.ts';
import { type AnsweredBy, isUnreached, type Voice, voice } from './answered.ts';
import type { NormalisedCall, Turn } from './call.ts';
import type { ToolUse } from './tool-uses.ts';

/** Whoever talks on after so many turns is no greeting, whatever a platform or a tool says. */
const TURNS_OF_A_GREETING = 2;
/** Machines answer at the beginning of a call. */
const PERSON_TURNS_BEFORE = 2;
const ALIKE = 0.8;
const WORDS_OF_A_PROMPT = 8;
const PROMPTS_READ = 20;

/**
 * Who answered: by keys that were pressed, prompts that come again word for word and what platforms say, in any
 * language; by what machines say where there are lists. Null where no turn of the far side holds words.
 */
export function readAnswered(
  call: NormalisedCall,
  tools: readonly ToolUse[],
  language: string | null,
): AnsweredBy | null {
  const far = new FarSide(call, tools, language);
  const voices = far.voices();
  const person = voices.find(({ by }) => by === 'person' || by === 'agent');
  const noted = tools.find((use) => /voice_?mail/i.test(`${use.name} ${use.argsKey}`));
  const byPlatform = call.ending.family === 'machine' || call.platformAnalysis?.inVoicemail === true;
  if ((byPlatform || noted !== undefined) && (person?.turns.length ?? 0) <= TURNS_OF_A_GREETING) {
    const turns = voices.flatMap((voice) => voice.turns);
    return voice('voicemail', turns.length > 0 ? turns : [noted?.callTurn ?? 0], [], byPlatform ? 'platform' : 'rules');
  }
  const last = person ?? voices.at(-1);
  if (last === undefined) return null;
  const before = voices.filter((one) => one !== last && isUnreached(one));
  return voice(last.by, last.by === 'person' ? last.turns.slice(0, 1) : last.turns, before, 'rules');
}
interface FarTurn {
  turn: Turn;
  words: readonly string[];
  hits: readonly PhraseHit[];
}

class FarSide {
  readonly #call: NormalisedCall;
  readonly #turns: FarTurn[];
  /** Turns in which the agent presses a key. */
  readonly #keys: ReadonlySet<number>;
  /** Places of turns by their index. */
  readonly #places: ReadonlyMap<number, number>;
  readonly #language: string;
  /** How often each text of the far side is said. */
  readonly #times = new Map<string, number>();
  /** Machines are called, or speak first where they are on the line of somebody who calls. */
  readonly #mayBeMachine: boolean;

  constructor(call: NormalisedCall, tools: readonly ToolUse[], language: string | null) {
    this.#call = call;
    this.#language = language ?? 'en';
    this.#keys = new Set(
      tools.flatMap(({ effect, callTurn }) => (effect === 'keys' && callTurn !== null ? [callTurn] : [])),
    );
    this.#places = new Map(call.turns.map(({ index }, place) => [index, place]));
    const spoken = call.turns.filter(
      ({ role, text }) => (role === 'caller' || role === 'other') && text !== '' && !isNoiseText(text),
    );
    const first = call.turns.find(
      ({ role, text }) => text !== '' && (role === 'agent' || role === 'caller' || role === 'other'),
    );
    this.#mayBeMachine = call.direction === 'outbound' || first?.role !== 'agent' || this.#keys.size > 0;
    this.#turns = spoken.map((turn) => {
      const { words } = cutWords(turn.text);
      const isLookedAt = this.#mayBeMachine || turn.role === 'other' || spoken.length <= TURNS_OF_A_GREETING;
      return { turn, words, hits: isLookedAt ? this.#machineHits(words) : [] };
    });
    for (const { words } of this.#turns) {
      const text = words.join(' ');
      this.#times.set(text, (this.#times.get(text) ?? 0) + 1);
    }
  }

  /** The voices of the far side in order; one that goes on is one. */
  voices(): Voice[] {
    const voices: Voice[] = [];
    let persons = 0;
    for (const [at, one] of this.#turns.entries()) {
      const speaking = voices.at(-1);
      const kind = persons > PERSON_TURNS_BEFORE ? null : (this.#kindOf(one, at) ?? this.#goingOn(one, at, speaking));
      // A voice beside the talk, such as whoever the call was handed to, answered nothing.
      if (kind === null && one.turn.role === 'other') continue;
      if (kind === null) persons += 1;
      const by = kind ?? 'person';
      const begun = speaking !== undefined && kind !== null && this.#isPiece(at, speaking);
      if (begun && speaking.by === 'person') Object.assign(speaking, { by });
      if (speaking?.by === by) speaking.turns.push(one.turn.index);
      else voices.push({ by, turns: [one.turn.index] });
    }
    return voices;
  }

  /** What the turn is by itself. */
  #kindOf({ turn, words, hits }: FarTurn, at: number): MachineKind | null {
    const isPressed = this.#isAnsweredByKey(at);
    if (isPressed || (this.#call.direction === 'outbound' && this.#isPrompt(words)))
      return kindIn(hits) ?? (this.#keys.size > 0 ? 'phone_menu' : 'hold');
    const kind = kindIn(hits);
    // Who calls tells of machines too, and says one thing of it: a greeting says several.
    if (!this.#mayBeMachine && turn.role === 'caller' && hits.filter(({ list }) => list === kind).length < 2)
      return null;
    if (kind === null || kind === 'screening') return kind;
    if (kind === 'agent') return this.#isAsked(turn.text, hits) ? null : kind;
    return (turn.text.includes('?') && kind !== 'hold') || this.#wishes(words, hits) ? null : kind;
  }

  /** "Are you a virtual assistant?" */
  #isAsked(text: string, hits: readonly PhraseHit[]): boolean {
    const { ends } = cutWords(text);
    const last = hits.findLast(({ list }) => list === 'agent');
    const after = text.slice(ends[(last?.to ?? 1) - 1] ?? 0);
    return /^[^.!?]*\?/.test(after);
  }

  /** A machine that spoke before goes on: in words that people use too, in its own words again, or before anybody answered it. */
  #goingOn({ turn, words, hits }: FarTurn, at: number, speaking: Voice | undefined): MachineKind | null {
    if (speaking === undefined || !isUnreached(speaking)) return null;
    const by = MACHINE_KINDS.find((kind) => kind === speaking.by) ?? null;
    if (hits.some(({ list }) => list === 'goes_on')) return by;
    const said = this.#turns
      .slice(Math.max(0, at - PROMPTS_READ), at)
      .filter(({ turn: { index } }) => speaking.turns.includes(index));
    if (said.some((before) => jaccard(before.words, words) >= ALIKE)) return by;
    return this.#isUnanswered(at) && words.length >= WORDS_OF_A_PROMPT && !turn.text.includes('?') ? by : null;
  }

  /** The first words of a greeting ("You've reached Tom Baker.") tell nothing until the rest is heard. */
  #isPiece(at: number, speaking: Voice): boolean {
    if (speaking.by !== 'person' || speaking.turns.length > TURNS_OF_A_GREETING) return false;
    const before = this.#turns.slice(0, at);
    const opens = before[0]?.hits.some(({ list }) => list === 'opens') === true;
    return before.length === speaking.turns.length && (opens || this.#isUnanswered(at)) && !this.#asked(before);
  }

  #asked(turns: readonly FarTurn[]): boolean {
    return turns.some(({ turn }) => turn.text.includes('?'));
  }

  /** Nobody of the near side spoke or pressed a key since the far side's turn before. */
  #isUnanswered(at: number): boolean {
    return !this.#between(at - 1, at).some(({ index, role, text }) =>
      role === 'agent' ? text !== '' || this.#keys.has(index) : false,
    );
  }

  #between(from: number, to: number): readonly Turn[] {
    const place = (at: number) => this.#places.get(this.#turns[at]?.turn.index ?? -1);
    return this.#call.turns.slice((place(from) ?? -1) + 1, place(to));
  }

  #isAnsweredByKey(at: number): boolean {
    return this.#keys.size > 0 && this.#between(at, at + 1).some(({ index }) => this.#keys.has(index));
  }

  /** Long words that come again letter by letter, from the first turn on or three times. */
  #isPrompt(words: readonly string[]): boolean {
    if (words.length < WORDS_OF_A_PROMPT) return false;
    const text = words.join(' ');
    const times = this.#times.get(text) ?? 0;
    return times > 2 || (times === 2 && this.#turns[0]?.words.join(' ') === text);
  }

  #machineHits(words: readonly string[]): PhraseHit[] {
    const languages = this.#language === 'en' ? ['en'] : [this.#language, 'en'];
    return languages.flatMap((language) => machinesOf(language)?.(words) ?? []);
  }

  /** A wish that is no part of the greeting: the Spanish "deje" is written like "dejé". */
  #wishes(words: readonly string[], hits: readonly PhraseHit[]): boolean {
    const wishes = phrasesOf(this.#language)?.caller(words, lookUp(words)) ?? [];
    return wishes.some(
      ({ list, from, to }) => list === 'request_strong' && !hits.some((hit) => hit.from <= from && to <= hit.to),
    );
  }
}

const kindIn = (hits: readonly PhraseHit[]): MachineKind | null =>
  MACHINE_KINDS.find((kind) => hits.some(({ list }) => list === kind)) ?? null;
