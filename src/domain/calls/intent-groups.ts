import { type MixtureText, newGroupFor, priorFor, sortTexts } from './intent-mixture.ts';
import { textOf } from './intent-model.ts';
import { mergeNear } from './near-groups.ts';
import type { Terms } from './request-terms.ts';
import { requestVectors } from './request-vectors.ts';

export interface GroupedRequest {
  terms: Terms;
  /** Made by a model of sentences, any length; null where there is none. */
  vector: readonly number[] | null;
  /** The group that it stays in; null where it is to be sorted. */
  stays: number | null;
}

export const NO_GROUP = -1;

/**
 * Sorts requests into groups by their words and by what they are like, and then puts groups together that are near each
 * other. The same requests in the same order give the same groups.
 * @param groups.kept so many of the first groups hold requests that stay there: no two of them are put together.
 * @returns for each request its group, or `NO_GROUP` where nobody else asks for anything like it.
 */
export function groupRequests(
  requests: readonly GroupedRequest[],
  groups: { atMost: number; kept: number; seed: number },
): number[] {
  const vocabulary = vocabularyOf(requests.map(({ terms }) => terms));
  const { vectors, dimensions, alike } = requestVectors(
    requests.map(({ terms }) => terms),
    requests.map(({ vector }) => vector),
  );
  const texts = requests.map(
    ({ terms, stays }, at): MixtureText => ({
      ...textOf(terms, vocabulary),
      vector: vectors[at] ?? null,
      group: stays,
    }),
  );
  const sorted = texts.flatMap((text, at) =>
    text.terms.length === 0 && text.vector === null && text.group === null ? [] : [at],
  );
  const mass = texts.reduce((sum, text) => sum + text.weights.reduce((all, weight) => all + weight, 0), 0);
  const shape = {
    vocabulary: Math.max(1, vocabulary.size),
    prior: priorFor(mass),
    newGroup: newGroupFor(texts.length),
    alike,
  };
  const chosen = sorted.map((at) => texts[at]).filter((text) => text !== undefined);
  const found = sortTexts(chosen, shape, { groupsAtMost: groups.atMost, seed: groups.seed, dimensions });
  const merged = mergeNear(
    sorted.flatMap((at) => requests[at]?.terms ?? []),
    found,
    { vectors: chosen.map(({ vector }) => vector), dimensions },
    groups.kept,
  );
  const of = new Map(sorted.map((at, place) => [at, merged[place] ?? NO_GROUP]));
  return texts.map((_, at) => of.get(at) ?? NO_GROUP);
}

/** Terms of at least two calls: a word that nobody else says groups nothing. */
function vocabularyOf(list: readonly Terms[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const { weights } of list) for (const term of weights.keys()) held.set(term, (held.get(term) ?? 0) + 1);
  const kept = [...held].filter(([, calls]) => calls >= 2);
  return new Map(kept.map(([term], at) => [term, at]));
}
