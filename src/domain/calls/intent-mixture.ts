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
  /** Of unit length; null where none was made. */
  vector: Float64Array | null;
  /** The group that it stays in; null where it is to be sorted. */
  group: number | null;
}

export interface MixtureGroup {
  texts: number;
  mass: number;
  /** By place in the vocabulary. */
  counts: Float64Array;
  /** Sum of the vectors. */
  vector: Float64Array | null;
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

export function emptyGroup(shape: MixtureShape, dimensions: number): MixtureGroup {
  return {
    texts: 0,
    mass: 0,
    counts: new Float64Array(shape.vocabulary),
    vector: dimensions > 0 ? new Float64Array(dimensions) : null,
  };
}

export function move(group: MixtureGroup, text: MixtureText, sign: 1 | -1): void {
  group.texts += sign;
  for (let at = 0; at < text.terms.length; at += 1) {
    const term = text.terms[at] ?? 0;
    const weight = sign * (text.weights[at] ?? 0);
    group.counts[term] = (group.counts[term] ?? 0) + weight;
    group.mass += weight;
  }
  const { vector } = group;
  if (vector === null || text.vector === null) return;
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) + sign * (text.vector[at] ?? 0);
}

/** How well a group explains a text, as a logarithm up to a constant. An empty group stands for a new one. */
export function fit(group: MixtureGroup, text: MixtureText, shape: MixtureShape): number {
  const perTerm = shape.prior / shape.vocabulary;
  let score = Math.log(group.texts < 0.5 ? shape.newGroup : group.texts);
  let taken = 0;
  for (let at = 0; at < text.terms.length; at += 1) {
    const weight = text.weights[at] ?? 0;
    const count = Math.max(0, group.counts[text.terms[at] ?? 0] ?? 0);
    score += weight * Math.log((count + perTerm) / (Math.max(0, group.mass) + shape.prior + taken));
    taken += weight;
  }
  if (text.vector !== null && group.vector !== null && group.texts > 0.5) {
    score += VECTOR_WEIGHT * (cosine(group.vector, text.vector) - shape.alike);
  }
  return score;
}

/** @param unit a vector of length 1. */
function cosine(sum: Float64Array, unit: Float64Array): number {
  let product = 0;
  let squares = 0;
  for (let at = 0; at < sum.length; at += 1) {
    const value = sum[at] ?? 0;
    product += value * (unit[at] ?? 0);
    squares += value * value;
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}

const ROUNDS = 20;
/** In the last rounds each text takes its best group, so that the end is no accident of the draw. */
const SETTLING_ROUNDS = 3;
/** The best of so many tries is taken: sampling may end in a place that is not the best. */
const TRIES = 4;

/**
 * Sorts texts into at most `groupsAtMost` groups by Gibbs sampling. The same texts, shape and seed give the same groups.
 * @returns for each text its group.
 */
export function sortTexts(texts: readonly MixtureText[], shape: MixtureShape, given: Sorting): number[] {
  let best: { place: number[]; likelihood: number } | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
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
  const groups = Array.from({ length: groupsAtMost }, () => emptyGroup(shape, dimensions));
  const place = texts.map((text) => text.group ?? Math.floor(random() * groupsAtMost));
  const groupAt = (at: number) => groups[place[at] ?? 0] ?? emptyGroup(shape, dimensions);
  for (const [at, text] of texts.entries()) move(groupAt(at), text, 1);
  const scores = new Float64Array(groupsAtMost);
  let likelihood = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const settling = round >= ROUNDS - SETTLING_ROUNDS;
    likelihood = 0;
    for (const [at, text] of texts.entries()) {
      if (text.group !== null) continue;
      move(groupAt(at), text, -1);
      const best = scoreGroups(groups, text, shape, scores);
      place[at] = settling ? best : draw(scores, best, random);
      likelihood += scores[place[at] ?? 0] ?? 0;
      move(groupAt(at), text, 1);
    }
  }
  return { place, likelihood };
}

/** Fills in the scores; of the empty groups only the first counts, else their number would speak for a new one. */
function scoreGroups(
  groups: readonly MixtureGroup[],
  text: MixtureText,
  shape: MixtureShape,
  scores: Float64Array,
): number {
  let best = 0;
  let emptySeen = false;
  for (const [at, group] of groups.entries()) {
    const empty = group.texts < 0.5;
    scores[at] = empty && emptySeen ? Number.NEGATIVE_INFINITY : fit(group, text, shape);
    emptySeen ||= empty;
    if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
  }
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
