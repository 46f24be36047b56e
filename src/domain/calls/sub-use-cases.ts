import { isReserved, type KnownIntent } from './known-intent.ts';
import type { Terms } from './request-terms.ts';

const FEWEST_CALLS = 20;
const KINDS_AT_MOST = 4;
/** A thing that tells kinds of a request apart is named on some of its calls, neither few nor most. */
const SHARE = { least: 0.1, most: 0.6 } as const;

/**
 * Adds to each intent with enough calls the words that tell its kinds apart ("savings", "checking" of a balance). They
 * are made once and only added to, so that a call's sub use case moves with its intent alone.
 */
export function findSubUseCases(intents: KnownIntent[], calls: readonly { intent: string; terms: Terms }[]): void {
  for (const [slug, list] of Map.groupBy(calls, ({ intent }) => intent)) {
    const intent = intents.find((one) => one.kind === 'intent' && one.slug === slug);
    const made = intents.filter((one) => one.kind === 'sub_use_case' && one.parent === slug && one.slug !== slug);
    if (intent === undefined || isReserved(slug) || list.length < FEWEST_CALLS || made.length >= KINDS_AT_MOST)
      continue;
    const named = new Set([...slug.split('_'), ...made.flatMap((one) => Object.keys(one.terms))]);
    for (const { term, word } of kindsOf(list.map(({ terms }) => terms)).slice(0, KINDS_AT_MOST - made.length)) {
      const own = `${slug}_${word}`;
      const taken = intents.some((one) => one.kind === 'sub_use_case' && one.slug === own);
      if (taken || named.has(word) || named.has(term)) continue;
      const label = `${intent.label}: ${word}`;
      intents.push({ kind: 'sub_use_case', slug: own, label, terms: { [term]: 1 }, calls: 0, parent: slug });
    }
  }
}

function kindsOf(list: readonly Terms[]): { term: string; word: string }[] {
  const held = new Map<string, { calls: number; names: number; things: number; word: string }>();
  for (const terms of list) {
    for (const term of terms.weights.keys()) {
      if (term.includes(' ') || term.startsWith('?')) continue;
      const one = held.get(term) ?? { calls: 0, names: 0, things: 0, word: terms.spoken.get(term) ?? term };
      one.calls += 1;
      if (terms.names.has(term)) one.names += 1;
      if (terms.things.has(term)) one.things += 1;
      held.set(term, one);
    }
  }
  return [...held]
    .filter(([, { calls, names, things }]) => {
      const share = calls / list.length;
      return share >= SHARE.least && share <= SHARE.most && names * 4 <= calls && things * 2 > calls;
    })
    .sort((a, b) => b[1].calls - a[1].calls || (a[0] < b[0] ? -1 : 1))
    .map(([term, { word }]) => ({ term, word }));
}
