import type { Terms } from './request-terms.ts';
import { type FeatureVectors, pieceVectors, type SparseVector } from './text-vectors.ts';

export interface RequestVectors {
  /** Null for a request that nothing is known to be like. */
  vectors: (SparseVector | null)[];
  dimensions: number;
  /** The cosine from which on two requests are alike. */
  alike: number;
}

/** How much the pieces of words count beside the vectors of a model of sentences, where there are any. */
const PIECES_BESIDE_MODEL = 0.7;
/** What the requests of a sample are like: by the pieces of their words, and by a model's vectors where it gave some. */
export function requestVectors(terms: readonly Terms[], given: readonly (readonly number[] | null)[]): RequestVectors {
  const own = pieceVectors(terms.map(wordsOf));
  const model = centred(given);
  const { vectors, dimensions } = model.dimensions === 0 ? own : beside(model, own, PIECES_BESIDE_MODEL);
  return { vectors, dimensions, alike: usualCosine(vectors) };
}

function wordsOf({ weights }: Terms): Map<string, number> {
  return new Map([...weights].filter(([term]) => !term.includes(' ') && !term.startsWith('?')));
}

/** Both vectors of each text in one, of unit length. Where one is missing, the other stands alone. */
function beside(first: FeatureVectors, second: FeatureVectors, weight: number): FeatureVectors {
  const length = Math.hypot(1, weight);
  const vectors = first.vectors.map((one, at) => {
    const other = second.vectors[at] ?? null;
    const moved = other?.places.map((place) => place + first.dimensions);
    if (one === null || other === null || moved === undefined) {
      return one ?? (other === null || moved === undefined ? null : { places: moved, values: other.values });
    }
    return {
      places: Int32Array.from([...one.places, ...moved]),
      values: Float64Array.from(
        [...one.values, ...other.values.map((value) => value * weight)],
        (value) => value / length,
      ),
    };
  });
  return { vectors, dimensions: first.dimensions + second.dimensions };
}

/** Unit vectors without what all texts share. */
function centred(given: readonly (readonly number[] | null)[]): FeatureVectors {
  const known = given.filter((vector) => vector !== null);
  const dimensions = known[0]?.length ?? 0;
  const mean = new Float64Array(dimensions);
  for (const vector of known) for (let at = 0; at < dimensions; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0);
  const places = Int32Array.from(mean.keys());
  const vectors = given.map((vector) => {
    if (vector === null) return null;
    const moved = Float64Array.from(mean, (sum, at) => (vector[at] ?? 0) - sum / known.length);
    const length = Math.hypot(...moved);
    return length === 0 ? null : { places, values: moved.map((value) => value / length) };
  });
  return { vectors, dimensions };
}

/** Pairs of texts that are looked at to learn which cosine is usual. */
const PAIRS_READ = 4000;
/** A cosine that so many of all pairs stay under speaks for one group. */
const ALIKE_QUANTILE = 0.6;

function usualCosine(vectors: readonly (SparseVector | null)[]): number {
  const known = vectors.filter((vector) => vector !== null);
  const cosines: number[] = [];
  for (let pair = 0; pair < PAIRS_READ; pair += 1) {
    const one = known[(pair * 7919) % known.length];
    const other = known[(pair * 104_729 + 1) % known.length];
    if (one !== undefined && other !== undefined && one !== other) cosines.push(cosineOf(one, other));
  }
  cosines.sort((a, b) => a - b);
  return cosines[Math.floor(cosines.length * ALIKE_QUANTILE)] ?? 0;
}

function cosineOf(one: SparseVector, other: SparseVector): number {
  const values = new Map(Array.from(other.places, (place, at) => [place, other.values[at] ?? 0]));
  let product = 0;
  for (let at = 0; at < one.places.length; at += 1) {
    product += (one.values[at] ?? 0) * (values.get(one.places[at] ?? 0) ?? 0);
  }
  return product;
}
