import {
  emptyGroup,
  fit,
  type MixtureGroup,
  type MixtureShape,
  type MixtureText,
  newGroupFor,
  priorFor,
} from './intent-mixture.ts';
import { isReserved, type KnownIntent } from './known-intent.ts';
import type { Terms } from './request-terms.ts';

/** Whatever the traffic, a model weighs its intents as a sample of this many calls, so that their number doesn't grow with the calls. */
export const SAMPLE_CALLS = 2000;

/** Under this name an intent keeps the whole weight of a mean call, terms that were not kept included. */
export const WHOLE = '';

export interface IntentModel {
  /** The intent that explains a request best and how sure that is among all (0 to 1); null where a new one would explain it better. */
  place(terms: Terms): { slug: string; sure: number } | null;
}

/** What the known intents say about new requests. */
export function modelOf(known: readonly KnownIntent[]): IntentModel {
  const intents = known.filter((one) => one.kind === 'intent' && !isReserved(one.slug) && WHOLE in one.terms);
  const vocabulary = new Map<string, number>();
  for (const one of intents) {
    for (const term of Object.keys(one.terms)) {
      if (term !== WHOLE && !vocabulary.has(term)) vocabulary.set(term, vocabulary.size);
    }
  }
  const calls = intents.reduce((sum, one) => sum + Math.max(1, one.calls), 0);
  const scale = Math.min(1, SAMPLE_CALLS / Math.max(1, calls));
  const shape: MixtureShape = { vocabulary: Math.max(1, vocabulary.size), prior: 1, newGroup: 1, alike: 0 };
  const groups = intents.map((one) => groupOf(one, scale, vocabulary, shape));
  shape.prior = priorFor(groups.reduce((sum, group) => sum + group.mass, 0));
  shape.newGroup = newGroupFor(groups.reduce((sum, group) => sum + group.texts, 0));
  const empty = emptyGroup({ ...shape, vocabulary: 1 }, 0);
  return {
    place(terms) {
      const text = textOf(terms, vocabulary);
      if (text.terms.length === 0) return null;
      const scores = groups.map((group) => fit(group, text, shape));
      const best = scores.reduce((top, score, at) => (score > (scores[top] ?? 0) ? at : top), 0);
      const top = scores[best] ?? Number.NEGATIVE_INFINITY;
      if (fit(empty, text, shape) > top) return null;
      const all = scores.reduce((sum, score) => sum + Math.exp(score - top), 0);
      return { slug: intents[best]?.slug ?? '', sure: 1 / all };
    },
  };
}

function groupOf(
  intent: KnownIntent,
  scale: number,
  vocabulary: ReadonlyMap<string, number>,
  shape: MixtureShape,
): MixtureGroup {
  const texts = Math.max(1, intent.calls) * scale;
  const group = emptyGroup(shape, 0);
  for (const [term, weight] of Object.entries(intent.terms)) {
    const at = vocabulary.get(term);
    if (at !== undefined) group.counts[at] = weight * texts;
  }
  return { ...group, texts: Math.max(1, texts), mass: (intent.terms[WHOLE] ?? 0) * texts };
}

/** A text as the mixture reads it; terms outside the vocabulary say nothing. */
export function textOf(terms: Terms, vocabulary: ReadonlyMap<string, number>): MixtureText {
  const text = { terms: [] as number[], weights: [] as number[], vector: null, group: null };
  for (const [term, weight] of terms.weights) {
    const at = vocabulary.get(term);
    if (at === undefined) continue;
    text.terms.push(at);
    text.weights.push(weight);
  }
  return text;
}
