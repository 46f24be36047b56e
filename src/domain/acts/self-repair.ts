import type { ActValue } from '../values/value.ts';
import type { CompiledWords } from '../values/words-of.ts';
import { STOP, VALUE } from '../words/word-bits.ts';
import type { Correction } from './act.ts';
import { type Alike, asOneKind } from './replaceable.ts';
import type { SpokenTurn } from './spoken-turn.ts';

/** What was said before the turn: newest first. */
export type Earlier = readonly SpokenTurn[];

/** "The fifth please, oh no sorry, the sixth": values that the caller replaces by others, with words that say so. */
export function selfRepairs(turn: SpokenTurn, earlier: Earlier, lists: CompiledWords): Correction[] {
  const found = new Map<string, Correction>();
  const add = (one: Correction | null) => one !== null && found.set(one.slot, one);
  for (const mark of marksOf(turn, lists))
    add(mark.behind ? repairedBefore(turn, mark, earlier, lists) : repairedBehind(turn, mark, earlier, lists));
  return [...found.values()];
}

/** True where words of repair stand right before the value. */
export function isAnnounced(turn: SpokenTurn, value: ActValue, lists: CompiledWords): boolean {
  return marksOf(turn, lists).some((mark) => !mark.behind && valueBehind(turn, mark, lists) === value);
}

/** Words of repair that stand together: "oh no sorry", "actually". */
export interface Mark {
  from: number;
  to: number;
  /** A value may stand some words away. */
  strong: boolean;
  /** The new value stands before it: "Tuesday actually". */
  behind: boolean;
}

const WORDS_BETWEEN = 6;
const SMALL_WORDS_BETWEEN = 4;

export function marksOf(turn: SpokenTurn, lists: CompiledWords): Mark[] {
  const marks: Mark[] = [];
  for (const hit of turn.hits) {
    if (hit.list === 'repair_behind') marks.push({ from: hit.from, to: hit.to, strong: false, behind: true });
    const strong = hit.list === 'repair' || hit.list === 'remakes';
    if ((!strong && hit.list !== 'repair_weak') || isManaging(turn, hit.from, hit.to)) continue;
    const last = marks.findLast((mark) => !mark.behind);
    if (last === undefined || !isFilled(turn, last.to, hit.from, lists))
      marks.push({ from: hit.from, to: hit.to, strong, behind: false });
    else {
      // Two words of repair that stand together leave no doubt; "no, no" is one of them twice.
      last.strong ||= strong || (hit.from >= last.to && turn.words[hit.from] !== turn.words[last.from]);
      last.to = Math.max(last.to, hit.to);
    }
  }
  return marks;
}

/** "I can't make it": no word of repair. */
function isManaging(turn: SpokenTurn, from: number, to: number): boolean {
  return turn.hits.some((hit) => hit.list === 'manages' && hit.from <= from && hit.to >= to);
}

/** Nothing but sounds and articles stand between two words. */
function isFilled(turn: SpokenTurn, from: number, to: number, lists: CompiledWords): boolean {
  for (let at = from; at < to; at += 1) if (!lists.between.has(turn.words[at] ?? '')) return false;
  return to - from <= 1;
}

/** The old value stands before the mark or was said earlier, the new one behind it. */
function repairedBehind(turn: SpokenTurn, mark: Mark, earlier: Earlier, lists: CompiledWords): Correction | null {
  const now = valueBehind(turn, mark, lists);
  if (now === null || isAdded(turn, mark.from, now) || (!mark.strong && isJoined(turn, mark.from))) return null;
  const before = turn.values.filter((value) => wordAt(turn, value.from) < mark.from && !value.denied);
  let isAgain = false;
  for (const old of before.toReversed()) {
    const alike = asOneKind(turn, old, turn, now, 'one turn');
    // "Eighty, no wait, then sixty, let's make it sixty": what is only said again stands between the two.
    if (alike === 'same') isAgain = true;
    else if (alike !== null) return isNear(turn, old, mark, lists) ? repair(turn, turn, alike) : null;
  }
  if (isAgain) return null;
  const begins = mark.from <= 1 || (isSentenceStart(turn, mark.from) && !turn.asks);
  return mark.strong || begins ? replaced(turn, now, earlier, mark.strong) : null;
}

/** The first value behind a mark: at once, or a few words on where the mark leaves no doubt. What only says the old one again is passed over. */
function valueBehind(turn: SpokenTurn, mark: Mark, lists: CompiledWords): ActValue | null {
  const before = turn.values.findLast((value) => wordAt(turn, value.from) < mark.from);
  let from = mark.to;
  let passed = false;
  for (const now of turn.values) {
    const at = wordAt(turn, now.from);
    if (at < mark.to) continue;
    if (!isReached(turn, from, at, mark.strong || (mark.from <= 1 && before === undefined), lists)) return null;
    const alike = before === undefined ? null : asOneKind(turn, before, turn, now, 'one turn');
    // "Make it three because of the wind on Friday": behind what is said again, only another of its kind replaces it.
    if (passed && alike === null) return null;
    if (!now.denied && alike !== 'same') return now;
    passed ||= alike === 'same';
    from = wordAt(turn, now.to);
  }
  return null;
}

function isReached(turn: SpokenTurn, from: number, to: number, far: boolean, lists: CompiledWords): boolean {
  if (far) return to - from <= WORDS_BETWEEN;
  for (let at = from; at < to; at += 1)
    if (((turn.bits[at] ?? 0) & (STOP | VALUE)) === 0 && !lists.between.has(turn.words[at] ?? '')) return false;
  return to - from <= SMALL_WORDS_BETWEEN;
}

function isNear(turn: SpokenTurn, old: ActValue, mark: Mark, lists: CompiledWords): boolean {
  const behind = wordAt(turn, old.to);
  // A bare number soon counts another thing.
  if (old.slot !== 'count') return mark.strong || mark.from - behind <= WORDS_BETWEEN;
  if (mark.strong) return mark.from - behind <= WORDS_BETWEEN;
  // "A small dog, well, medium": the thing stands behind its value.
  const from = isGluedTo(turn, behind) ? behind + 1 : behind;
  return from >= mark.from || isReached(turn, from, mark.from, false, lists);
}

/** Nothing but a space stands before the word. */
function isGluedTo(turn: SpokenTurn, word: number): boolean {
  return !/\S/.test(turn.turn.text.slice(turn.ends[word - 1] ?? 0, turn.starts[word] ?? 0));
}

/** "Tuesday or Thursday", "Thursday as well": the second value stands beside the first one. */
function isAdded(turn: SpokenTurn, from: number, now: ActValue): boolean {
  const until = wordAt(turn, now.to) + WORDS_BETWEEN;
  return turn.hits.some((hit) => hit.list === 'adds' && hit.from >= from - 1 && hit.from < until);
}

/** "Four and nine": the word before joins both. */
function isJoined(turn: SpokenTurn, at: number): boolean {
  return turn.hits.some((hit) => hit.list === 'joins' && hit.to === at);
}

/** "It's small, well, medium actually", "could we do Tuesday instead?" */
function repairedBefore(turn: SpokenTurn, mark: Mark, earlier: Earlier, lists: CompiledWords): Correction | null {
  const now = turn.values.findLast((value) => wordAt(turn, value.to) <= mark.from);
  if (now === undefined || now.denied || mark.from - wordAt(turn, now.to) > 1 || isAdded(turn, mark.from, now))
    return null;
  const others = turn.values.filter((value) => value.from < now.from && !value.denied);
  for (const old of others.toReversed()) {
    const alike = asOneKind(turn, old, turn, now, 'one turn');
    if (alike === 'same') return null;
    if (alike === null) continue;
    return isNear(turn, old, { ...mark, from: wordAt(turn, now.from), strong: false }, lists)
      ? repair(turn, turn, alike)
      : null;
  }
  return replaced(turn, now, earlier, false);
}

/** The newest value of the same kind that was said before, where it is another one. */
function replaced(turn: SpokenTurn, now: ActValue, earlier: Earlier, strong: boolean): Correction | null {
  for (const one of earlier) {
    // A bare number soon counts another thing.
    const isLast = turn.order - one.order <= LAST_OF_BOTH;
    const values = one.values.filter(
      (value) => !value.denied && (isLast || (value.slot !== 'count' && now.slot !== 'count')),
    );
    const likes = values.map((value) => asOneKind(one, value, turn, now, strong ? 'earlier, clearly' : 'earlier'));
    if (likes.includes('same')) return null;
    const others = likes.filter((like): like is Alike => like !== null && like !== 'same');
    const [other] = others;
    if (other !== undefined) return others.length === 1 ? repair(turn, one, other) : null;
  }
  return null;
}

const LAST_OF_BOTH = 2;

function repair(turn: SpokenTurn, said: SpokenTurn, { old, now }: Alike): Correction {
  const explicit = !turn.asks || turn.hits.some(({ list }) => REQUESTS.has(list));
  return { turn: turn.index, slot: now.slot, old, oldBy: said.role, oldTurn: said.index, now, explicit };
}

/** "Do you close at five, no, six?": who only asks puts nothing right. */
const REQUESTS = new Set(['request_strong', 'wishes', 'remakes', 'repair_behind']);

/** The word that begins at a place of the text, or the next one behind it. */
export function wordAt(turn: SpokenTurn, place: number): number {
  const at = turn.starts.findIndex((start) => start >= place);
  return at < 0 ? turn.words.length : at;
}

function isSentenceStart(turn: SpokenTurn, word: number): boolean {
  return /[.?!,;]\s*$/.test(turn.turn.text.slice(turn.ends[word - 1] ?? 0, turn.starts[word] ?? 0));
}
