import { MixtureGroups, type MixtureShape, type MixtureText, newGroupFor, priorFor } from './intent-mixture.ts';
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
  const held = intents.map((one) => Math.max(1, one.calls) * scale);
  shape.prior = priorFor(intents.reduce((sum, one, at) => sum + (one.terms[WHOLE] ?? 0) * (held[at] ?? 0), 0));
  shape.newGroup = newGroupFor(held.reduce((sum, texts) => sum + Math.max(1, texts), 0));
  // The last group is empty and stands for a new intent.
  const groups = new MixtureGroups(intents.length + 1, shape);
  for (const [at, one] of intents.entries()) {
    const texts = held[at] ?? 0;
    groups.texts[at] = Math.max(1, texts);
    groups.mass[at] = (one.terms[WHOLE] ?? 0) * texts;
    for (const [term, weight] of Object.entries(one.terms)) {
      const place = vocabulary.get(term);
      if (place !== undefined) groups.count(at, place, weight * texts);
    }
  }
  return {
    place(terms) {
      const text = textOf(terms, vocabulary);
      if (text.terms.length === 0) return null;
      const scores = new Float64Array(groups.size);
      groups.fit(text, scores);
      let best = 0;
      for (let at = 1; at < intents.length; at += 1) if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
      const top = scores[best] ?? 0;
      if (intents.length === 0 || (scores[intents.length] ?? 0) > top) return null;
      let all = 0;
      for (let at = 0; at < intents.length; at += 1) all += Math.exp((scores[at] ?? 0) - top);
      return { slug: intents[best]?.slug ?? '', sure: 1 / all };
    },
  };
}

/** A text as the mixture reads it; terms outside the vocabulary say nothing. */
export function textOf(terms: Terms, vocabulary: ReadonlyMap<string, number>): MixtureText {
  const text: MixtureText & { terms: number[]; weights: number[] } = {
    terms: [],
    weights: [],
    vector: null,
    group: null,
  };
  for (const [term, weight] of terms.weights) {
    const at = vocabulary.get(term);
    if (at === undefined) continue;
    text.terms.push(at);
    text.weights.push(weight);
  }
  return text;
}
