import { LastWords } from '../acts/last-words.ts';
import { readActs } from '../acts/read-acts.ts';
import { contentOf, countNewSlots, isNoise, isQuestion, type SpokenTurn } from '../acts/spoken-turn.ts';
import { once } from '../once.ts';
import { cutWords, type Words } from '../text.ts';
import { readActValues } from '../values/turn-values.ts';
import { wordsOf } from '../values/words-of.ts';
import { askingWordsOf, lookUp, lookUpIn } from '../words/lexicon.ts';
import { phrasesOf } from '../words/phrases.ts';
import { type AnsweredBy, answeredByNone, isUnreached, machineTurns } from './answered.ts';
import { readAnswered } from './answered-by.ts';
import type { Turn } from './call.ts';
import type { CallBase, CallInput } from './call-base.ts';
import { isMixed, LanguageCounts, languageOfTalk, languageOfTurn, primaryLanguage } from './language.ts';
import { readNodes } from './nodes.ts';
import { readStandings } from './outcome-standing.ts';
import { readSide, type SideRecord } from './side-record.ts';
import { readTiming } from './timing.ts';
import { readToolUses } from './tool-uses.ts';

const GUESS_WORDS = 1200;

/** The one pass over the turns. */
export function readTurns(input: CallInput): CallBase {
  const { call, configuration } = input;
  const cut: { turn: Turn; words: Words; bits: number[] }[] = [];
  const sample = new LanguageCounts();
  for (const turn of call.turns) {
    if ((turn.role !== 'caller' && turn.role !== 'agent') || turn.text === '') continue;
    const words = cutWords(turn.text);
    if (words.words.length === 0) continue;
    const bits = lookUp(words.words);
    cut.push({ turn, words, bits });
    if (sample.words < GUESS_WORDS) sample.add(bits);
  }
  const declared = primaryLanguage(call.language) ?? primaryLanguage(configuration?.language ?? null);
  const language = languageOfTalk(sample, declared);
  const mixed = isMixed(sample, language);
  const phrases = language === null ? null : phrasesOf(language);
  const talk = new LastWords();
  const lastOf: Record<string, string | null> = {};

  const tools = readToolUses(call, configuration?.tools ?? [], input.toolRules);
  const answered = readAnswered(call, tools, language);
  const ofMachines = answered === null ? NONE : machineTurns(answered);

  const spoken: SpokenTurn[] = [];
  const spokenAt = new Map<number, SpokenTurn>();
  const slots = new Set<string>();
  for (const { turn, words, bits } of cut) {
    if (ofMachines.has(turn.index)) continue;
    const role = turn.role === 'caller' ? 'caller' : 'agent';
    // Of two languages, a turn that does not tell is in the one that its speaker spoke before.
    const own = mixed ? (languageOfTurn(bits) ?? lastOf[role] ?? language) : language;
    lastOf[role] = own;
    const one = readSpoken({ turn, words, bits, role, language: own, order: spoken.length }, slots, talk);
    spoken.push(one);
    spokenAt.set(turn.index, one);
  }
  const caller = spoken.filter((one) => one.role === 'caller');
  const agent = spoken.filter((one) => one.role === 'agent');
  const sides = {
    caller: isMachine(answered)
      ? SILENT
      : readSide(
          call,
          'caller',
          caller.some((one) => !isNoise(one)),
        ),
    agent: readSide(call, 'agent', agent.length > 0),
  };
  return {
    call,
    configuration,
    spoken,
    caller,
    agent,
    spokenAt,
    turnAt: new Map(call.turns.map((turn) => [turn.index, turn])),
    tools,
    nodes: readNodes(call, configuration),
    sides,
    answered: answered ?? answeredByNone(sides.caller.state === 'silent' ? 'nobody' : 'unknown'),
    callerSpoke: !['silent', 'not_recorded'].includes(sides.caller.state),
    talk,
    language,
    phrasesMissing: phrases === null ? whyMissing(language) : null,
    timing: readTiming(call),
    standings: once(() => readStandings({ call, spoken, caller, tools })),
    lastIndex: call.turns.at(-1)?.index ?? 0,
  };
}

const NONE: ReadonlySet<number> = new Set();
/** What a machine says is nothing that a caller said. */
const SILENT: SideRecord = { state: 'silent', missing: [] };
const isMachine = (answered: AnsweredBy | null): boolean => answered !== null && isUnreached(answered);

/** A part of the reason why codes that need words are not computable on a call. */
export const WORDS_READ = 'words are read in English, German, Spanish and French';

function whyMissing(language: string | null): string {
  return language === null
    ? `The call's language is not known; ${WORDS_READ}.`
    : `The call is in "${language}"; ${WORDS_READ}.`;
}

interface CutTurn {
  turn: Turn;
  words: Words;
  bits: readonly number[];
  role: 'caller' | 'agent';
  /** Language of the turn; null where it is not known. */
  language: string | null;
  order: number;
}

function readSpoken(cut: CutTurn, slots: Set<string>, talk: LastWords): SpokenTurn {
  const { turn, words, role, language, order } = cut;
  const bits = language === null || language === 'en' ? cut.bits : lookUpIn(language, words.words, cut.bits);
  const phrases = language === null ? null : phrasesOf(language);
  const lists = language === null ? null : wordsOf(language);
  const one: SpokenTurn = {
    words: words.words,
    starts: words.starts,
    ends: words.ends,
    bits,
    turn,
    index: turn.index,
    order,
    role,
    content: contentOf(words.words, bits),
    hits: phrases === null ? [] : phrases[role](words.words, bits),
    asks: isQuestion(turn.text, words.words, askingWordsOf(language)),
    newSlots: role === 'caller' ? countNewSlots(turn.text, words, bits, slots) : 0,
    acts: [],
    textValues: null,
    values: lists === null ? [] : readActValues(turn.text, words, bits, lists),
  };
  if (phrases !== null) one.acts = readActs(one, lists === null ? [] : talk.take(one, lists));
  return one;
}
