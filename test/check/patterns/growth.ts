import type { Symbols } from './alphabet.ts';
import { type Automaton, automatonOf, loopsOf, parse, Unreadable } from './automaton.ts';

export type Growth =
  | { kind: 'linear' }
  /** `text` with its middle repeated: what the time grows with. */
  | { kind: 'polynomial' | 'exponential'; prefix: string; pump: string; suffix: string }
  | { kind: 'undecided'; why: string };

/**
 * How the time that a pattern takes grows with a text that does not match: linear where of one text the number of paths
 * through the pattern has a bound. With two loops that take the same text one after the other it grows with the square,
 * with two ways round one loop it doubles with each round. Counts that have an upper end are taken for small ones.
 */
export function growthOf(source: string, flags: string): Growth {
  try {
    const pattern = parse(source, flags);
    const loops = loopsOf(pattern);
    if (loops.length === 0) return { kind: 'linear' };
    if (!isSuspect(automatonOf(pattern, source, flags, null))) return { kind: 'linear' };
    let undecided: string | null = null;
    for (const loop of loops) {
      const found = attackOn(automatonOf(pattern, source, flags, loop));
      if (found === 'too_large') undecided = 'It is too large to be decided.';
      else if (found) return found;
    }
    return undecided === null ? { kind: 'linear' } : { kind: 'undecided', why: undecided };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'undecided', why: error.message };
    throw error;
  }
}

/** Steps of one search; a pattern that needs more is too large to be sure of. */
const STEPS_AT_MOST = 400_000;
/** Beginnings from which one loop is tried. */
const BEGINNINGS = 4;

type Pair = { kind: 'exponential'; from: number } | { kind: 'polynomial'; from: number; to: number };

/** Whether loops could take one text in two ways, whether or not a text that does so fails. */
function isSuspect(automaton: Automaton): boolean {
  const budget = { left: STEPS_AT_MOST };
  return pairsOf(automaton).some((pair) => walk(automaton, pair, null, budget) !== null) || budget.left <= 0;
}

function attackOn(automaton: Automaton): Exclude<Growth, { kind: 'linear' | 'undecided' }> | 'too_large' | null {
  const budget = { left: STEPS_AT_MOST };
  const sets = setsOf(automaton);
  const beginnings = beginningsOf(automaton, sets, budget);
  for (const pair of pairsOf(automaton)) {
    const last = automaton.states[pair.kind === 'polynomial' ? pair.to : pair.from];
    if (!last?.isInside || !walk(automaton, pair, null, budget)) continue;
    for (const begin of beginnings.get(pair.from) ?? []) {
      const found = walk(automaton, pair, { sets, begin: begin.set }, budget);
      if (found) return { kind: pair.kind, prefix: begin.text, pump: found.pump, suffix: found.suffix };
    }
  }
  return budget.left <= 0 ? 'too_large' : null;
}

/** Every loop by itself, then every two of which one leads to the other. */
function pairsOf(automaton: Automaton): Pair[] {
  const { states } = automaton;
  const rings = ringsOf(automaton);
  const members = new Map<number, number[]>();
  for (const [state, ring] of rings.entries()) {
    if (ring !== null) members.set(ring, [...(members.get(ring) ?? []), state]);
  }
  const single: Pair[] = [];
  const double: Pair[] = [];
  for (const [ring, inside] of members) {
    const [first] = inside;
    if (first === undefined) continue;
    // A search goes on in one way only.
    if (!states[first]?.isSearch) single.push(...inside.map((from): Pair => ({ kind: 'exponential', from })));
    const reached = reachedFrom(automaton, first);
    for (const [other, there] of members) {
      const [entry] = there;
      if (other === ring || entry === undefined || !reached.has(entry)) continue;
      for (const from of inside) double.push(...there.map((to): Pair => ({ kind: 'polynomial', from, to })));
    }
  }
  return [...single, ...double];
}

function reachedFrom({ states }: Automaton, from: number): Set<number> {
  const reached = new Set([from]);
  for (const state of reached) for (const { to } of states[state]?.moves ?? []) reached.add(to);
  return reached;
}

/** Of each state the loop that it is in, by number: those that lead to each other. Null: in none. */
function ringsOf(automaton: Automaton): (number | null)[] {
  const { states } = automaton;
  const rings: (number | null)[] = states.map(() => null);
  const index: (number | undefined)[] = [];
  const low: number[] = [];
  const stack: number[] = [];
  const onStack = new Set<number>();
  let count = 0;
  const enter = (state: number) => {
    index[state] = count;
    low[state] = count;
    count += 1;
    stack.push(state);
    onStack.add(state);
    return { state, next: 0 };
  };
  for (const root of states.keys()) {
    if (index[root] !== undefined) continue;
    const work = [enter(root)];
    for (let top = work.at(-1); top; top = work.at(-1)) {
      const move = states[top.state]?.moves[top.next];
      top.next += 1;
      if (move) {
        if (index[move.to] === undefined) work.push(enter(move.to));
        else if (onStack.has(move.to)) low[top.state] = Math.min(low[top.state] ?? 0, index[move.to] ?? 0);
        continue;
      }
      work.pop();
      const above = work.at(-1);
      if (above) low[above.state] = Math.min(low[above.state] ?? 0, low[top.state] ?? 0);
      if (low[top.state] !== index[top.state]) continue;
      const ring = stack.splice(stack.indexOf(top.state));
      for (const one of ring) onStack.delete(one);
      const turns = ring.length > 1 || states[top.state]?.moves.some(({ to }) => to === top.state);
      if (turns) for (const one of ring) rings[one] = top.state;
    }
  }
  return rings;
}

/** All that is tried at once, as numbers of sets of states. */
interface Sets {
  /** Null: the pattern matches here, and nothing further is tried. */
  step(set: number, symbol: Symbols): number | null;
  isDoneAtEnd(set: number): boolean;
  start: number;
}

function setsOf({ states }: Automaton): Sets {
  const ids = new Map<string, number>();
  const kept: number[][] = [];
  const steps: Map<Symbols, number | null>[] = [];
  const idOf = (members: number[]): number => {
    const key = members.join(' ');
    let id = ids.get(key);
    if (id === undefined) {
      id = kept.push(members) - 1;
      steps.push(new Map());
      ids.set(key, id);
    }
    return id;
  };
  return {
    start: idOf([0]),
    isDoneAtEnd: (set) => kept[set]?.some((state) => states[state]?.doneAtEnd) ?? false,
    step(set, symbol) {
      const known = steps[set]?.get(symbol);
      if (known !== undefined) return known;
      const next = new Set<number>();
      let isDone = false;
      for (const state of kept[set] ?? []) {
        const one = states[state];
        if (!one) continue;
        if ((one.doneBefore & symbol) !== 0n) isDone = true;
        for (const { on, to } of one.moves) if ((on & symbol) !== 0n) next.add(to);
      }
      const to = isDone ? null : idOf([...next].toSorted((a, b) => a - b));
      steps[set]?.set(symbol, to);
      return to;
    },
  };
}

interface Budget {
  left: number;
}

interface Beginning {
  text: string;
  set: number;
}

/** Texts that lead to a state and that nothing in them matches. */
function beginningsOf(automaton: Automaton, sets: Sets, budget: Budget): Map<number, Beginning[]> {
  const { states, alphabet } = automaton;
  const found = new Map<number, Beginning[]>();
  const seen = new Set<string>();
  const open: { state: number; set: number; text: string }[] = [{ state: 0, set: sets.start, text: '' }];
  for (let at = 0; at < open.length && budget.left > STEPS_AT_MOST / 2; at += 1) {
    const { state, set, text } = open[at] ?? { state: 0, set: 0, text: '' };
    const key = `${state} ${set}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const here = found.get(state) ?? [];
    if (here.length >= BEGINNINGS) continue;
    found.set(state, [...here, { text, set }]);
    for (const { on, to } of states[state]?.moves ?? []) {
      for (const symbol of each(on)) {
        budget.left -= 1;
        const next = sets.step(set, symbol);
        if (next !== null) open.push({ state: to, set: next, text: text + exampleOf(alphabet.examples, symbol) });
      }
    }
  }
  return found;
}

interface Place {
  a: number;
  middle: number;
  b: number;
  /** Whether two ways have parted. */
  apart: boolean;
  set: number;
  by: Place | null;
  symbol: Symbols;
}

/**
 * Looks for a text that leads a loop back to itself in two ways, or that two loops take alike and that leads from the
 * one to the other. With sets, only for such a text that can be repeated, and ended, without a match.
 */
function walk(
  automaton: Automaton,
  pair: Pair,
  failing: { sets: Sets; begin: number } | null,
  budget: Budget,
): { pump: string; suffix: string } | null {
  const { states, alphabet } = automaton;
  const isRing = pair.kind === 'exponential';
  const last = isRing ? pair.from : pair.to;
  const isAside = states[last]?.isAside ?? false;
  const sets = isAside ? null : (failing?.sets ?? null);
  const seen = new Set<string>();
  const open: Place[] = [
    { a: pair.from, middle: pair.from, b: last, apart: false, set: failing?.begin ?? 0, by: null, symbol: 0n },
  ];
  const goes = isRing ? backTo(automaton, pair.from) : null;
  const aside = isRing ? null : { a: backTo(automaton, pair.from), middle: backTo(automaton, last) };
  for (let at = 0; at < open.length; at += 1) {
    const place = open[at];
    if (!place) break;
    if (budget.left <= 0) return null;
    for (const one of states[place.a]?.moves ?? []) {
      if (!(goes ?? aside?.a)?.has(one.to)) continue;
      for (const two of states[place.middle]?.moves ?? []) {
        const shared = one.on & two.on;
        if (shared === 0n || !(goes ?? aside?.middle)?.has(two.to)) continue;
        const thirds = isRing ? [one] : (states[place.b]?.moves ?? []);
        for (const three of thirds) {
          const on = shared & three.on;
          if (on === 0n || !(goes ?? aside?.middle)?.has(three.to)) continue;
          const apart = place.apart || one !== two;
          for (const symbol of sets ? each(on) : [on]) {
            budget.left -= 1;
            const set = sets ? sets.step(place.set, symbol) : 0;
            if (set === null) continue;
            const next = { a: one.to, middle: two.to, b: three.to, apart, set, by: place, symbol };
            const isGoal = next.a === pair.from && next.middle === last && next.b === last && apart;
            if (isGoal) {
              const pump = symbolsOf(next);
              const suffix = sets && failing ? suffixAfter(automaton, sets, set, pump) : '';
              if (suffix !== null) return { pump: textOf(alphabet.examples, pump), suffix };
            }
            const key = `${next.a} ${next.middle} ${next.b} ${apart} ${set}`;
            if (seen.has(key)) continue;
            seen.add(key);
            open.push(next);
          }
        }
      }
    }
  }
  return null;
}

/** States that lead to this one. */
function backTo(automaton: Automaton, state: number): ReadonlySet<number> {
  let known = backs.get(automaton);
  if (!known) backs.set(automaton, (known = new Map()));
  const there = known.get(state);
  if (there) return there;
  const before = automaton.states.map((): number[] => []);
  for (const [from, { moves }] of automaton.states.entries()) for (const { to } of moves) before[to]?.push(from);
  const reached = new Set([state]);
  for (const one of reached) for (const from of before[one] ?? []) reached.add(from);
  known.set(state, reached);
  return reached;
}
const backs = new WeakMap<Automaton, Map<number, ReadonlySet<number>>>();

/** What to write behind the repeated text so that nothing matches; null where whatever follows does. */
function suffixAfter({ alphabet }: Automaton, sets: Sets, after: number, pump: readonly Symbols[]): string | null {
  let set = after;
  for (const rounds = new Set<number>(); !rounds.has(set); ) {
    rounds.add(set);
    for (const symbol of pump) {
      const next = sets.step(set, symbol);
      if (next === null) return null;
      set = next;
    }
  }
  let open: { set: number; text: string }[] = [{ set, text: '' }];
  const seen = new Set<number>();
  for (let length = 0; length <= SUFFIX_AT_MOST; length += 1) {
    const end = open.find((one) => !sets.isDoneAtEnd(one.set));
    if (end) return end.text;
    open = open.flatMap((one) =>
      each(alphabet.all).flatMap((symbol) => {
        const next = sets.step(one.set, symbol);
        if (next === null || seen.has(next)) return [];
        seen.add(next);
        return [{ set: next, text: one.text + exampleOf(alphabet.examples, symbol) }];
      }),
    );
  }
  return null;
}
const SUFFIX_AT_MOST = 4;

function symbolsOf(end: Place): Symbols[] {
  const symbols: Symbols[] = [];
  for (let place: Place | null = end; place?.by; place = place.by) symbols.unshift(place.symbol);
  return symbols;
}

function each(set: Symbols): Symbols[] {
  const found: Symbols[] = [];
  for (let rest = set; rest !== 0n; ) {
    const lowest = rest & -rest;
    found.push(lowest);
    rest ^= lowest;
  }
  return found;
}

function exampleOf(examples: readonly string[], symbol: Symbols): string {
  return examples[symbol.toString(2).length - 1] ?? '';
}

const textOf = (examples: readonly string[], symbols: readonly Symbols[]): string =>
  symbols.map((symbol) => exampleOf(examples, symbol & -symbol)).join('');
