/** A vector of unit length, of which only the places that are not 0 are kept. */
export interface SparseVector {
  places: Int32Array;
  values: Float64Array;
}

export interface FeatureVectors {
  /** Null for a text that shares no feature with another. */
  vectors: (SparseVector | null)[];
  dimensions: number;
}

const SHORTEST = 2;
const LONGEST = 5;
/** A piece that only one text holds brings nothing together. */
const FEWEST_TEXTS = 2;

/**
 * Vectors of texts by the pieces of their words: two to five letters, with the edges of the word, each weighed by how
 * few of the texts hold it. "Reschedule" and "scheduling", a compound and its part, a slip of the recogniser and the
 * word share most of their pieces, where as words they share nothing.
 * @param texts each word of a text with its weight.
 */
export function pieceVectors(texts: readonly ReadonlyMap<string, number>[]): FeatureVectors {
  return featureVectors(texts.map(piecesOf));
}

/** Vectors of texts by their features, each weighed by how few of the texts hold it. */
export function featureVectors(held: readonly ReadonlyMap<string, number>[]): FeatureVectors {
  const texted = new Map<string, number>();
  for (const pieces of held) for (const piece of pieces.keys()) texted.set(piece, (texted.get(piece) ?? 0) + 1);
  const places = new Map<string, number>();
  for (const [piece, count] of texted) if (count >= FEWEST_TEXTS) places.set(piece, places.size);
  const rarity = (piece: string) => Math.log((1 + held.length) / (1 + (texted.get(piece) ?? 0))) + 1;
  const vectors = held.map((pieces) => {
    const known = [...pieces].filter(([piece]) => places.has(piece));
    if (known.length === 0) return null;
    return unitOf(known.map(([piece, weight]) => [places.get(piece) ?? 0, weight * rarity(piece)]));
  });
  return { vectors, dimensions: places.size };
}

function piecesOf(words: ReadonlyMap<string, number>): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const [word, weight] of words) {
    const edged = ` ${word} `;
    for (let length = SHORTEST; length <= LONGEST; length += 1) {
      for (let at = 0; at + length <= edged.length; at += 1) {
        const piece = edged.slice(at, at + length);
        if (weight > (pieces.get(piece) ?? 0)) pieces.set(piece, weight);
      }
    }
  }
  return pieces;
}

function unitOf(entries: readonly (readonly [number, number])[]): SparseVector {
  const length = Math.hypot(...entries.map(([, value]) => value));
  return {
    places: Int32Array.from(entries, ([place]) => place),
    values: Float64Array.from(entries, ([, value]) => value / length),
  };
}
