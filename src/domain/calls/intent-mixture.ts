import type { SparseVector } from './text-vectors.ts';

/**
 * A mixture of Dirichlet-multinomials over the terms of short texts: a text joins the group whose texts share its terms,
 * a large group rather than a small one, and a new group where none explains it better than chance. So the number of
 * groups comes from the texts. After Yin and Wang, "A Dirichlet multinomial mixture model-based approach for short text
 * clustering" (KDD 2014).
 */

/** A text: places of its terms in the vocabulary, and their weights. */
export interface MixtureText {
  terms: readonly number[];
  weights: readonly number[];
  /** Null where none was made. */
  vector: SparseVector | null;
  /** The group that it stays in; null where it is to be sorted. */
  group: number | null;
}

export interface MixtureShape {
  vocabulary: number;
  /** Whole weight of the prior over the vocabulary: how readily texts are taken for alike. */
  prior: number;
  /** Weight of a group that doesn't exist yet, in texts. */
  newGroup: number;
  /** Cosine from which on vectors speak for a group; read only where texts have vectors. */
  alike: number;
}

/** Weight of a group that doesn't exist yet, in texts: a few, and less than one among a handful of texts. */
export function newGroupFor(texts: number): number {
  return Math.min(5, Math.max(0.5, texts / 30));
}

/** How much a vector counts: the difference in log likelihood between a cosine of 1 and one of 0. */
const VECTOR_WEIGHT = 4;

/** The prior that fits texts of this whole weight: groups grow in number with the root of it. */
export function priorFor(mass: number): number {
  return Math.max(1, 0.75 * Math.sqrt(mass));
}

/** What groups hold, side by side for each term and dimension: a text looks at all groups at once. */
export class MixtureGroups {
  readonly texts: Float64Array;
  readonly mass: Float64Array;
  private readonly counts: Float64Array;
  private readonly vectors: Float64Array;
  /** Squares of the lengths of the sums of vectors. */
  private readonly squares: Float64Array;
  private readonly products: Float64Array;
  /** The groups that a text is held against, in front; the rest is of an earlier one. */
  private readonly candidates: Int32Array;
  readonly size: number;
  private readonly shape: MixtureShape;

  constructor(size: number, shape: MixtureShape, dimensions = 0) {
    this.size = size;
    this.shape = shape;
    this.texts = new Float64Array(size);
    this.mass = new Float64Array(size);
    this.counts = new Float64Array(shape.vocabulary * size);
    this.vectors = new Float64Array(dimensions * size);
    this.squares = new Float64Array(size);
    this.products = new Float64Array(size);
    this.candidates = new Int32Array(size);
  }

  /** Puts the weight of a term into a group, or takes it out. */
  count(group: number, term: number, weight: number): void {
    const at = term * this.size + group;
    this.counts[at] = (this.counts[at] ?? 0) + weight;
  }

  move(group: number, text: MixtureText, sign: 1 | -1): void {
    this.texts[group] = (this.texts[group] ?? 0) + sign;
    for (let at = 0; at < text.terms.length; at += 1) {
      const weight = sign * (text.weights[at] ?? 0);
      this.count(group, text.terms[at] ?? 0, weight);
      this.mass[group] = (this.mass[group] ?? 0) + weight;
    }
    if (text.vector === null) return;
    const { places, values } = text.vector;
    let product = 0;
    for (let at = 0; at < places.length; at += 1) {
      const place = (places[at] ?? 0) * this.size + group;
      const value = values[at] ?? 0;
      const before = this.vectors[place] ?? 0;
      product += before * value;
      this.vectors[place] = before + sign * value;
    }
    this.squares[group] = Math.max(0, (this.squares[group] ?? 0) + sign * 2 * product + 1);
  }

  /**
   * How well each group explains a text, as logarithms up to a constant. The first empty group stands for a new one; the
   * others can't be taken, else their number would speak for a new one.
   */
  fit(text: MixtureText, scores: Float64Array): void {
    const { size, shape, mass, counts, candidates } = this;
    const perTerm = shape.prior / shape.vocabulary;
    const number = this.findCandidates(scores);
    let taken = 0;
    for (let at = 0; at < text.terms.length; at += 1) {
      const weight = text.weights[at] ?? 0;
      const from = (text.terms[at] ?? 0) * size;
      for (let one = 0; one < number; one += 1) {
        const group = candidates[one] ?? 0;
        const count = Math.max(0, counts[from + group] ?? 0);
        const whole = Math.max(0, mass[group] ?? 0) + shape.prior + taken;
        scores[group] = (scores[group] ?? 0) + weight * Math.log((count + perTerm) / whole);
      }
      taken += weight;
    }
    if (text.vector !== null) this.addLikeness(text.vector, number, scores);
  }

  /** Scores each group by its size. @returns how many can be taken. */
  private findCandidates(scores: Float64Array): number {
    const { size, shape, texts, candidates } = this;
    let number = 0;
    let emptySeen = false;
    for (let group = 0; group < size; group += 1) {
      const held = texts[group] ?? 0;
      const empty = held < 0.5;
      if (empty && emptySeen) {
        scores[group] = Number.NEGATIVE_INFINITY;
        continue;
      }
      emptySeen ||= empty;
      scores[group] = Math.log(empty ? shape.newGroup : held);
      candidates[number] = group;
      number += 1;
    }
    return number;
  }

  private addLikeness({ places, values }: SparseVector, number: number, scores: Float64Array): void {
    const { size, shape, products, vectors, squares, texts, candidates } = this;
    products.fill(0);
    for (let at = 0; at < places.length; at += 1) {
      const from = (places[at] ?? 0) * size;
      const value = values[at] ?? 0;
      for (let one = 0; one < number; one += 1) {
        const group = candidates[one] ?? 0;
        products[group] = (products[group] ?? 0) + value * (vectors[from + group] ?? 0);
      }
    }
    for (let one = 0; one < number; one += 1) {
      const group = candidates[one] ?? 0;
      if ((texts[group] ?? 0) < 0.5) continue;
      const square = squares[group] ?? 0;
      const cosine = square < 1e-9 ? 0 : (products[group] ?? 0) / Math.sqrt(square);
      scores[group] = (scores[group] ?? 0) + VECTOR_WEIGHT * (cosine - shape.alike);
    }
  }
}

const ROUNDS = 15;
/** In the last rounds each text takes its best group, so that the end is no accident of the draw. */
const SETTLING_ROUNDS = 3;
/** The best of several tries is taken, since sampling may end in a place that is not the best: of few texts of more. */
const TRIES = { least: 4, most: 24, texts: 4000 } as const;

/**
 * Sorts texts into at most `groupsAtMost` groups by Gibbs sampling. The same texts, shape and seed give the same groups.
 * @returns for each text its group.
 */
export function sortTexts(texts: readonly MixtureText[], shape: MixtureShape, given: Sorting): number[] {
  let best: { place: number[]; likelihood: number } | null = null;
  const tries = Math.min(TRIES.most, Math.max(TRIES.least, Math.round(TRIES.texts / Math.max(1, texts.length))));
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const one = sortOnce(texts, shape, { ...given, seed: given.seed + attempt * 7919 });
    if (best === null || one.likelihood > best.likelihood) best = one;
  }
  return best?.place ?? [];
}

interface Sorting {
  groupsAtMost: number;
  seed: number;
  dimensions: number;
}

function sortOnce(
  texts: readonly MixtureText[],
  shape: MixtureShape,
  { groupsAtMost, seed, dimensions }: Sorting,
): { place: number[]; likelihood: number } {
  const random = sequence(seed);
  const groups = new MixtureGroups(groupsAtMost, shape, dimensions);
  const place = texts.map((text) => text.group ?? Math.floor(random() * groupsAtMost));
  for (const [at, text] of texts.entries()) groups.move(place[at] ?? 0, text, 1);
  const scores = new Float64Array(groupsAtMost);
  let likelihood = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const settling = round >= ROUNDS - SETTLING_ROUNDS;
    likelihood = 0;
    for (const [at, text] of texts.entries()) {
      if (text.group !== null) continue;
      groups.move(place[at] ?? 0, text, -1);
      const best = scoreGroups(groups, text, scores);
      place[at] = settling ? best : draw(scores, best, random);
      likelihood += scores[place[at] ?? 0] ?? 0;
      groups.move(place[at] ?? 0, text, 1);
    }
  }
  return { place, likelihood };
}

/** Fills in the scores. @returns the group with the highest. */
function scoreGroups(groups: MixtureGroups, text: MixtureText, scores: Float64Array): number {
  groups.fit(text, scores);
  let best = 0;
  for (let at = 1; at < groups.size; at += 1) if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
  return best;
}

function draw(scores: Float64Array, best: number, random: () => number): number {
  const top = scores[best] ?? 0;
  let total = 0;
  for (let at = 0; at < scores.length; at += 1) total += Math.exp((scores[at] ?? 0) - top);
  let left = random() * total;
  for (let at = 0; at < scores.length; at += 1) {
    left -= Math.exp((scores[at] ?? 0) - top);
    if (left <= 0) return at;
  }
  return best;
}

/** Numbers from 0 to 1 that look like chance and are the same for the same start. */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
