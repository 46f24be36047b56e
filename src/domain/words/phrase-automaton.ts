import type { PhraseHit } from './phrase-shape.ts';

/** A place between two words of a phrase. */
interface Place {
  id: number;
  /** The places behind each word that may stand here. */
  words: Map<string, Place[]>;
  /** Where up to `words` words of any kind may stand first; then a word of the place has to follow. */
  gaps: { words: number; place: Place }[];
  /** Places that are reached without a word. */
  free: Place[];
  /** The list whose phrase ends here. */
  list: string | null;
}

/** A place behind a gap, of which up to `left` words may still be passed over. */
interface Open {
  place: Place;
  left: number;
}

/** All that may go on after a row of words. What follows is worked out when a text first comes this way. */
interface State {
  places: readonly Place[];
  /** Places behind gaps, of which a word may stand here too. */
  behind: readonly Place[];
  lists: readonly string[];
  /** What each word that is awaited here leads to; null until it is first asked. */
  awaited: ReadonlyMap<string, Step> | null;
  /** Gaps that pass over one more word. */
  passed: readonly Open[];
  /** Where any other word leads. */
  other: Step;
}

/** A way on: the places that it reaches, and the state that they are, which is undefined until a text first goes there. */
interface Step {
  places: readonly Place[];
  /** Null where nothing goes on. */
  state: State | null | undefined;
}

/** Beyond these, what texts have led to is forgotten, so that a worker that reads for months stays small. */
const STATES_AT_MOST = 30_000;

/** One part of a phrase: the rows of words for which it stands; "~3" in a row is a gap. */
export type PhraseParts = readonly (readonly (readonly string[])[])[];

/**
 * Follows all phrases of the lists at once, one look-up a word. A phrase with many parts that may be missing stands for
 * millions of rows of words: only those that texts really hold are laid out, at the first text that holds them.
 */
export class PhraseAutomaton {
  #places = 0;
  #states = new Map<string, State>();
  readonly #root = this.#place();
  readonly #start: State;

  constructor(phrases: Iterable<readonly [list: string, parts: PhraseParts]>) {
    for (const [list, parts] of phrases) {
      let at = this.#root;
      for (const rows of parts) at = this.#part(at, rows);
      at.list = list;
    }
    // A phrase begins with one of its words: no gap stands before it.
    this.#start = stateOf(freely([this.#root]), []);
  }

  /** Adds the longest phrase of each list that begins at `from`. */
  follow(words: readonly string[], from: number, hits: PhraseHit[]): void {
    const first = hits.length;
    let state = this.#next(this.#start, words[from] ?? '');
    for (let at = from + 1; state !== null; at += 1) {
      for (const list of state.lists) keep(hits, first, list, from, at);
      const word = words[at];
      if (word === undefined) return;
      state = this.#next(state, word);
    }
  }

  #next(state: State, word: string): State | null {
    state.awaited ??= awaitedIn(state);
    const step = state.awaited.get(word) ?? state.other;
    if (step.state === undefined) step.state = this.#state(step.places, state.passed);
    return step.state;
  }

  /** One state for the same places, however a text got there. */
  #state(reached: readonly Place[], open: readonly Open[]): State | null {
    if (reached.length === 0 && open.length === 0) return null;
    const key = `${reached.map(({ id }) => id).join()}|${open.map(({ place, left }) => `${place.id}:${left}`).join()}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const places = freely(reached);
    const gaps = places.flatMap((place) => place.gaps.map((gap) => ({ place: gap.place, left: gap.words })));
    const made = stateOf(places, [...gaps, ...open]);
    if (this.#states.size >= STATES_AT_MOST) this.#forget();
    this.#states.set(key, made);
    return made;
  }

  #forget(): void {
    this.#states = new Map();
    this.#start.awaited = null;
  }

  #part(from: Place, rows: PhraseParts[number]): Place {
    const end = this.#place();
    for (const row of rows) {
      if (row.length === 0) from.free.push(end);
      let at = from;
      for (const [place, word] of row.entries()) {
        const to = place === row.length - 1 ? end : this.#place();
        step(at, word, to);
        at = to;
      }
    }
    return end;
  }

  #place(): Place {
    this.#places += 1;
    return { id: this.#places, words: new Map(), gaps: [], free: [], list: null };
  }
}

function step(from: Place, word: string, to: Place): void {
  const known = from.words.get(word);
  if (word.startsWith('~')) from.gaps.push({ words: Number(word.slice(1)), place: to });
  else if (known === undefined) from.words.set(word, [to]);
  else known.push(to);
}

function stateOf(places: readonly Place[], open: readonly Open[]): State {
  return {
    places,
    behind: open.map(({ place }) => place),
    lists: [...new Set(places.flatMap(({ list }) => list ?? []))],
    awaited: null,
    passed: passing(open),
    other: { places: [], state: undefined },
  };
}

function awaitedIn({ places, behind }: State): ReadonlyMap<string, Step> {
  const awaited = new Map<string, Place[]>();
  for (const place of [...places, ...freely(behind)]) addWords(place, awaited);
  return new Map([...awaited].map(([word, reached]) => [word, { places: reached, state: undefined }]));
}

function addWords(place: Place, awaited: Map<string, Place[]>): void {
  for (const [word, places] of place.words) {
    const known = awaited.get(word);
    if (known === undefined) awaited.set(word, [...places]);
    else for (const one of places) if (!known.includes(one)) known.push(one);
  }
}

/** The places themselves and those that are reached from them without a word. */
function freely(places: readonly Place[]): Place[] {
  const reached = new Set(places);
  for (const place of reached) for (const one of place.free) reached.add(one);
  return [...reached];
}

/** Of gaps before the same place, the one that reaches furthest; one that is used up passes over nothing. */
function passing(open: readonly Open[]): Open[] {
  const most = new Map<Place, number>();
  for (const { place, left } of open) if (left > 0) most.set(place, Math.max(most.get(place) ?? 0, left - 1));
  return [...most].map(([place, left]) => ({ place, left }));
}

function keep(hits: PhraseHit[], first: number, list: string, from: number, to: number): void {
  for (let at = first; at < hits.length; at += 1) {
    const known = hits[at];
    if (known?.list !== list) continue;
    known.to = to;
    return;
  }
  hits.push({ list, from, to });
}
