import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { type Alphabet, alphabetOf, type Symbols } from './alphabet.ts';

/**
 * A pattern as an automaton whose states are the characters it has just taken. A path through it is what the engine
 * tries; how many paths there are over one text is how long a text that fails takes.
 */
export interface Automaton {
  alphabet: Alphabet;
  /** 0 is where a text begins. */
  states: readonly State[];
}

export interface State {
  /** What the pattern may take next, and the state then. Two that are alike are two ways to get there. */
  moves: readonly { on: Symbols; to: number }[];
  /** The pattern is through here, where one of these follows. */
  doneBefore: Symbols;
  doneAtEnd: boolean;
  /** Before the pattern's first character: where a search begins, and goes on to the next place. */
  isSearch: boolean;
  /** Looks ahead: whatever it finds, the pattern is not through by it. */
  isAside: boolean;
  /** Of the quantifier that the automaton was built for. */
  isInside: boolean;
}

export class Unreadable extends Error {}

type Loop = AST.Quantifier;
/** Quantifiers without an upper end, as they stand in the pattern. */
export function loopsOf(pattern: AST.Pattern): Loop[] {
  const loops: Loop[] = [];
  visit(pattern, (node) => {
    if (node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY) loops.push(node);
  });
  return loops;
}

export function parse(source: string, flags: string): AST.Pattern {
  const unicode = flags.includes('u');
  const unicodeSets = flags.includes('v');
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode, unicodeSets });
}

type Node = AST.Node;

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const child of childrenOf(node)) visit(child, see);
}

function childrenOf(node: Node): readonly Node[] {
  if (node.type === 'Alternative') return node.elements;
  if (node.type === 'Quantifier') return [node.element];
  const holdsAlternatives = node.type === 'Pattern' || node.type === 'Group' || node.type === 'CapturingGroup';
  if (holdsAlternatives) return node.alternatives;
  return node.type === 'Assertion' && 'alternatives' in node ? node.alternatives : [];
}

const isAtom = (node: Node): boolean =>
  node.type === 'Character' || node.type === 'CharacterSet' || node.type === 'CharacterClass';

/** Where a path stands between two characters, and what has to be so for it to stand there. */
interface Condition {
  /** Characters that may stand before; `atStart`: nothing may. */
  before: Symbols;
  atStart: boolean;
  after: Symbols;
  atEnd: boolean;
}

type Edge =
  | { to: number; kind: 'empty' }
  | { to: number; kind: 'take'; on: Symbols }
  | { to: number; kind: 'if'; condition: Condition[] };

/**
 * @param inside Of what is left to try once this quantifier failed, nothing is built: then the automaton is through only
 * where what comes first has matched.
 */
export function automatonOf(pattern: AST.Pattern, source: string, flags: string, inside: Loop | null): Automaton {
  const raws: string[] = [];
  visit(pattern, (node) => {
    if (isAtom(node)) raws.push(node.raw);
  });
  const alphabet = alphabetOf(raws, source, flags);
  const { all, word, lineEnd } = alphabet;
  const edges: Edge[][] = [];
  const marks = { aside: new Set<number>(), inside: new Set<number>() };
  let isAsideNow = false;
  let isInsideNow = false;
  const node = (): number => {
    if (isAsideNow) marks.aside.add(edges.length);
    if (isInsideNow) marks.inside.add(edges.length);
    return edges.push([]) - 1;
  };
  const join = (from: number, edge: Edge) => edges[from]?.push(edge);
  const holds = new Set<Node>();
  for (let up: Node | null = inside; up; up = up.parent) holds.add(up);

  /** @returns where the path stands after it. */
  function build(part: Node, from: number): number {
    if (part.type === 'Alternative') return part.elements.reduce((at, element) => build(element, at), from);
    if (part.type === 'Quantifier') return buildRepeated(part, from);
    if (part.type === 'Assertion') return buildAssertion(part, from);
    if (part.type === 'Pattern' || part.type === 'Group' || part.type === 'CapturingGroup') {
      return buildOneOf(part.alternatives, from);
    }
    if (part.type === 'Backreference') {
      // What stands there again is at most what the group takes.
      const [group] = Array.isArray(part.resolved) ? part.resolved : [part.resolved];
      return group ? buildOneOf(group.alternatives, from) : from;
    }
    if (!isAtom(part)) throw new Unreadable(`${part.type} is not read.`);
    const to = node();
    join(from, { to, kind: 'take', on: alphabet.taken(part.raw) });
    return to;
  }

  function buildOneOf(alternatives: readonly AST.Alternative[], from: number): number {
    const to = node();
    for (const alternative of alternatives) {
      const start = node();
      join(from, { to: start, kind: 'empty' });
      join(build(alternative, start), { to, kind: 'empty' });
      if (holds.has(alternative)) break;
    }
    return to;
  }

  function buildRepeated(part: AST.Quantifier, from: number): number {
    // Counts have an end: few stand for many, and grow with a text just as little.
    const isForced = holds.has(part) && part !== inside && part.greedy;
    const least = Math.min(Math.max(part.min, isForced ? 1 : 0), 2);
    let at = from;
    for (let count = 0; count < least; count += 1) at = build(part.element, at);
    const to = node();
    if (part.max === Number.POSITIVE_INFINITY) {
      const start = node();
      join(at, { to: start, kind: 'empty' });
      isInsideNow ||= part === inside;
      join(build(part.element, start), { to: start, kind: 'empty' });
      if (part === inside) isInsideNow = false;
      join(start, { to, kind: 'empty' });
      return to;
    }
    join(at, { to, kind: 'empty' });
    for (let count = least; count < Math.min(part.max, least + 2); count += 1) {
      at = build(part.element, at);
      join(at, { to, kind: 'empty' });
    }
    return to;
  }

  const free: Condition = { before: all, atStart: true, after: all, atEnd: true };

  function buildAssertion(part: AST.Assertion, from: number): number {
    const to = node();
    const when = (...condition: Partial<Condition>[]) => {
      join(from, { to, kind: 'if', condition: condition.map((one) => ({ ...free, ...one })) });
      return to;
    };
    const lines = flags.includes('m') ? lineEnd : 0n;
    const other = all & ~word;
    switch (part.kind) {
      case 'start':
        return when({ before: lines, atStart: true });
      case 'end':
        return when({ after: lines, atEnd: true });
      case 'word': {
        const edge = [
          { before: word, atStart: false, after: other, atEnd: true },
          { before: other, atStart: true, after: word, atEnd: false },
        ];
        const within = [
          { before: word, atStart: false, after: word, atEnd: false },
          { before: other, atStart: true, after: other, atEnd: true },
        ];
        return part.negate ? when(...within) : when(...edge);
      }
      case 'lookahead': {
        if (loopsIn(part) > 0) buildAside(part, from);
        const { set, isAtEdge } = edgeOf(part, 0);
        return when({ after: set, atEnd: isAtEdge });
      }
      case 'lookbehind': {
        if (loopsIn(part) > 0) throw new Unreadable('It looks back over text without a bound.');
        const { set, isAtEdge } = edgeOf(part, -1);
        return when({ before: set, atStart: isAtEdge });
      }
    }
  }

  function buildAside(part: AST.LookaheadAssertion, from: number): void {
    const was = isAsideNow;
    isAsideNow = true;
    const start = node();
    join(from, { to: start, kind: 'empty' });
    buildOneOf(part.alternatives, start);
    isAsideNow = was;
  }

  /** What has to stand beside the place: exact for one character, and for more of them what the nearest one allows. */
  function edgeOf(part: AST.LookaroundAssertion, at: 0 | -1): { set: Symbols; isAtEdge: boolean } {
    let set = 0n;
    let isAtEdge = false;
    for (const { elements } of part.alternatives) {
      const nearest = elements.at(at);
      const isOnly = elements.length === 1;
      if (part.negate && !isOnly) continue;
      const isEdge = nearest?.type === 'Assertion' && nearest.kind === (at === 0 ? 'end' : 'start');
      if (nearest && isAtom(nearest)) set |= alphabet.taken(nearest.raw);
      else if (isEdge && !flags.includes('m')) isAtEdge = true;
      else if (!part.negate) return { set: all, isAtEdge: true };
    }
    return part.negate ? { set: all & ~set, isAtEdge: !isAtEdge } : { set, isAtEdge };
  }

  const start = node();
  const end = build(pattern, start);
  return { alphabet, states: statesOf({ edges, start, end, alphabet, marks, searches: !flags.includes('y') }) };
}

function loopsIn(part: Node): number {
  let count = 0;
  visit(part, (node) => {
    if (node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY) count += 1;
  });
  return count;
}

interface Built {
  edges: readonly (readonly Edge[])[];
  start: number;
  end: number;
  alphabet: Alphabet;
  marks: { aside: ReadonlySet<number>; inside: ReadonlySet<number> };
  searches: boolean;
}

/** Leaves the empty steps out: a state is where a path stands after a character, and which kind of character it was. */
function statesOf({ edges, start, end, alphabet, marks, searches }: Built): State[] {
  const kinds = kindsBefore(edges, alphabet);
  const keys = new Map<string, number>();
  const open: { at: number | 'search'; before: Symbols }[] = [];
  const idOf = (at: number | 'search', before: Symbols): number => {
    const key = `${at} ${before}`;
    let id = keys.get(key);
    if (id === undefined) {
      id = open.push({ at, before }) - 1;
      keys.set(key, id);
    }
    return id;
  };
  // Before: 0 stands for nothing, where the text begins.
  idOf('search', 0n);
  const states: State[] = [];
  for (let next = 0; next < open.length; next += 1) {
    const { at, before } = open[next] ?? { at: 'search', before: 0n };
    const moves: { on: Symbols; to: number }[] = [];
    let doneBefore = 0n;
    let doneAtEnd = false;
    if (at === 'search' && searches) {
      for (const kind of kinds) moves.push({ on: kind, to: idOf('search', kind) });
    }
    for (const way of emptyWays(edges, at === 'search' ? start : at, before, alphabet.all)) {
      if (way.to === end) {
        doneBefore |= way.after;
        doneAtEnd ||= way.atEnd;
      }
      for (const edge of edges[way.to] ?? []) {
        if (edge.kind !== 'take') continue;
        for (const kind of kinds) {
          const on = edge.on & way.after & kind;
          if (on !== 0n) moves.push({ on, to: idOf(edge.to, kind) });
        }
      }
    }
    const isSearch = at === 'search';
    const [isAside, isInside] = isSearch ? [false, false] : [marks.aside.has(at), marks.inside.has(at)];
    states.push({ moves, doneBefore, doneAtEnd, isSearch, isAside, isInside });
  }
  return states;
}

/** Characters by what an assertion of the pattern can tell of the one before. */
function kindsBefore(edges: readonly (readonly Edge[])[], { all }: Alphabet): Symbols[] {
  let kinds = [all];
  for (const edge of edges.flat()) {
    if (edge.kind !== 'if') continue;
    for (const { before } of edge.condition) {
      kinds = kinds.flatMap((kind) => [kind & before, kind & ~before]).filter((kind) => kind !== 0n);
    }
  }
  return kinds;
}

interface Way {
  to: number;
  after: Symbols;
  atEnd: boolean;
}

/** Everywhere that a path gets without a character; twice where it gets there in two ways. A round without a character is none. */
function emptyWays(edges: readonly (readonly Edge[])[], from: number, before: Symbols, all: Symbols): Way[] {
  const found: Way[] = [];
  const seen = new Map<string, number>();
  const onPath = new Set<number>();
  const go = (way: Way): void => {
    if (onPath.has(way.to)) return;
    const key = `${way.to} ${way.after} ${way.atEnd}`;
    const times = seen.get(key) ?? 0;
    if (times >= 2) return;
    seen.set(key, times + 1);
    found.push(way);
    onPath.add(way.to);
    for (const edge of edges[way.to] ?? []) {
      if (edge.kind === 'empty') go({ ...way, to: edge.to });
      if (edge.kind !== 'if') continue;
      for (const condition of edge.condition) {
        const fits = before === 0n ? condition.atStart : (condition.before & before) !== 0n;
        const after = way.after & condition.after;
        const atEnd = way.atEnd && condition.atEnd;
        if (fits && (after !== 0n || atEnd)) go({ to: edge.to, after, atEnd });
      }
    }
    onPath.delete(way.to);
  };
  go({ to: from, after: all, atEnd: true });
  return found;
}
