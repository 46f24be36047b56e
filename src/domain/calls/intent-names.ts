import type { Terms } from './request-terms.ts';

export interface IntentName {
  /** Lower case, words joined by `_`. */
  slug: string;
  label: string;
  /** The word of the name that says what it is about, which its use case is named after; null where it has none. */
  object: { slug: string; label: string } | null;
}

/** The verb is held by at least this share of a group's calls, what it is about by at least the next, a second word of it by more. */
const VERB_SHARE = 0.25;
const OBJECT_SHARE = 0.25;
const SECOND_OBJECT_SHARE = 0.4;
const OBJECTS_AT_MOST = 2;
const CALLS_OF_A_WORD = 2;

/** What the other calls say of a term. */
export interface Elsewhere {
  /** In which share of all calls it occurs. */
  share(term: string): number;
  /** True where it is mostly written as a name. */
  isName(term: string): boolean;
}

interface Word {
  held: number;
  acts: number;
  place: number;
  forms: Map<string, number>;
  actForms: Map<string, number>;
}

/**
 * Names a group by its callers' words: what they want done, and with what ("cancel reservation"). A word must be held by
 * several calls and be commoner here than elsewhere; names of people and places name no group.
 */
export function nameGroup(members: readonly Terms[], elsewhere: Elsewhere): IntentName {
  const words = wordsOf(members);
  const telling = [...words]
    .filter(([, word]) => word.held >= Math.min(CALLS_OF_A_WORD, members.length))
    .filter(([term]) => !elsewhere.isName(term))
    .map(([term, word]) => ({ term, word, telling: tellingOf(word.held / members.length, elsewhere.share(term)) }))
    .sort((a, b) => b.telling - a.telling || (a.term < b.term ? -1 : 1));
  const isVerb = ({ word }: { word: Word }) => word.acts * 2 > word.held;
  const share = ({ word }: { word: Word }) => word.held / members.length;
  const verb = telling.find((one) => isVerb(one) && share(one) >= VERB_SHARE);
  const objects = telling
    .filter((one) => one !== verb && !isVerb(one))
    .filter(
      (one, at) => (at === 0 && verb === undefined) || share(one) >= (at === 0 ? OBJECT_SHARE : SECOND_OBJECT_SHARE),
    )
    .slice(0, OBJECTS_AT_MOST);
  const [main] = objects;
  const inOrder = objects.toSorted((a, b) => orderOf(members, a, b));
  const names = [
    ...(verb === undefined ? [] : [commonest(verb.word.actForms)]),
    ...inOrder.map((one) => commonest(one.word.forms)),
  ];
  const object = main === undefined ? null : commonest(main.word.forms);
  return {
    slug: slugOf(names) || 'request',
    label: labelOf(names) || 'Request',
    object: object === null ? null : { slug: slugOf([object]), label: labelOf([object]) },
  };
}

/** As they follow each other in the callers' sentences, mostly; else by where they stand on the whole. */
function orderOf(members: readonly Terms[], a: { term: string; word: Word }, b: { term: string; word: Word }): number {
  const pairs = (pair: string) => members.filter(({ weights }) => weights.has(pair)).length;
  const followed = pairs(`${b.term} ${a.term}`) - pairs(`${a.term} ${b.term}`);
  return followed === 0 ? a.word.place / a.word.held - b.word.place / b.word.held : followed;
}

/** A word's share here against its share overall: common words of the agent name nothing, rare ones of a few calls neither. */
function tellingOf(here: number, overall: number): number {
  return here * Math.log(1 + here / Math.max(overall, 1e-6));
}

function wordsOf(members: readonly Terms[]): Map<string, Word> {
  const words = new Map<string, Word>();
  for (const member of members) {
    let place = 0;
    for (const term of member.weights.keys()) {
      if (term.includes(' ') || term.startsWith('?')) continue;
      place += 1;
      const word = words.get(term) ?? {
        held: 0,
        acts: 0,
        place: 0,
        forms: new Map<string, number>(),
        actForms: new Map<string, number>(),
      };
      words.set(term, word);
      word.held += 1;
      word.place += place;
      add(word.forms, member.spoken.get(term) ?? term);
      const act = member.acts.get(term);
      if (act === undefined) continue;
      word.acts += 1;
      add(word.actForms, act);
    }
  }
  return words;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function commonest(forms: ReadonlyMap<string, number>): string {
  return [...forms].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}

function slugOf(words: readonly string[]): string {
  return words.join('_').replace(/\s+/g, '_');
}

function labelOf(words: readonly string[]): string {
  const label = words.join(' ');
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}
