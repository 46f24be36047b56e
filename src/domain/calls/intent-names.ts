import { INFLECTED } from '../words/en/requests.ts';
import { REQUEST_WORDS, type RequestLanguage } from '../words/request-languages.ts';
import { ASIDE_WEIGHT, type Terms } from './request-terms.ts';

export interface IntentName {
  /** Lower case, words joined by `_`. */
  slug: string;
  label: string;
  /** What it is about, which its use case is named after; null where nothing stands out. */
  object: { slug: string; label: string } | null;
}

/** The verb is held by at least this share of a group's calls, the thing by at least the next, a second word of it by more. */
const VERB_SHARE = 0.25;
const OBJECT_SHARE = 0.25;
const SECOND_OBJECT_SHARE = 0.5;
/** So many of a group's calls hold the thing of any business that its use case is named after. */
const USE_CASE_SHARE = 0.2;
const CALLS_OF_A_WORD = 2;
/** Words that are known for what callers of any business want stand for a group rather than others. */
const KNOWN_WORD = 1.5;

/** What the other calls say of a term. */
export interface Elsewhere {
  /** In which share of all calls it occurs. */
  share(term: string): number;
  /** True where it is mostly written as a name. */
  isName(term: string): boolean;
}

interface Word {
  term: string;
  held: number;
  acts: number;
  things: number;
  place: number;
  /** How the callers of the group's language say it, and how they say it as a verb. */
  forms: Map<string, number>;
  actForms: Map<string, number>;
  telling: number;
}

/**
 * Names a group by its callers' words: what they want done, and with what ("cancel reservation"). A word must be held by
 * several calls that ask with it and be commoner here than elsewhere; people, places and codes name no group. Where the
 * group only asks about a thing, the name says so; where not even a thing stands out, it is the general name.
 */
export function nameGroup(members: readonly Terms[], elsewhere: Elsewhere): IntentName {
  const language = languageOf(members);
  const { askAbout, generic, verbs, things: knownThings } = REQUEST_WORDS[language];
  const known = { verbs: new Set(verbs.values()), things: new Set(knownThings.values()) };
  const share = ({ held }: Word) => held / members.length;
  const words = [...wordsOf(members, language).values()].filter(
    (word) => word.held >= Math.min(CALLS_OF_A_WORD, members.length) && !elsewhere.isName(word.term),
  );
  for (const word of words) word.telling = tellingOf(share(word), elsewhere.share(word.term));
  const first = (list: Word[]) => list.sort((a, b) => b.telling - a.telling || (a.term < b.term ? -1 : 1));
  const [verb] = first(
    words.filter((word) => word.acts * 2 > word.held && share(word) >= VERB_SHARE).map(raised(known.verbs)),
  );
  const objects = first(
    words
      .filter((word) => word.term !== verb?.term && word.acts * 2 <= word.held && word.things * 3 >= word.held)
      .map(raised(known.things)),
  );
  const main = objects.find((word) => share(word) >= OBJECT_SHARE);
  const second = objects.find(
    (word) => word !== main && share(word) >= SECOND_OBJECT_SHARE && follow(members, word, main),
  );
  const thing = [main, second].filter((word) => word !== undefined).sort((a, b) => orderOf(members, a, b));
  const thingWords = thing.map((word) => commonest(word.forms));
  if (verb === undefined && main === undefined) return { ...named([generic]), object: null };
  return {
    ...named(verb === undefined ? [askAbout, ...thingWords] : inOrder(verb, thingWords, language)),
    object: objectOf(words, main, members.length, language),
  };
}

function inOrder(verb: Word, things: readonly string[], language: RequestLanguage): string[] {
  const { verbLast, beforeObject } = REQUEST_WORDS[language];
  const act = infinitiveOf(verb, language);
  if (things.length === 0) return [act];
  const joined = beforeObject.get(verb.term);
  return verbLast ? [...things, act] : [act, ...(joined === undefined ? [] : [joined]), ...things];
}

/** The thing of any business that the group is about, under one slug however it is called; else the word of the name. */
function objectOf(words: readonly Word[], main: Word | undefined, members: number, language: RequestLanguage) {
  const { things } = REQUEST_WORDS[language];
  const known = new Set(things.values());
  const [thing] = words
    .filter((word) => known.has(word.term) && word.acts * 2 <= word.held && word.held >= members * USE_CASE_SHARE)
    .sort((a, b) => b.held - a.held || (a.term < b.term ? -1 : 1));
  if (thing === undefined) return main === undefined ? null : named([commonest(main.forms)]);
  return { slug: thing.term, label: named([firstForm(things, thing.term)]).label };
}

/** As callers say it where that is the plain form, else the plain form of what they mean. */
function infinitiveOf({ term, actForms }: Word, language: RequestLanguage): string {
  const { verbs, infinitive } = REQUEST_WORDS[language];
  const plain = [...actForms].filter(([form]) =>
    infinitive === null ? !INFLECTED.test(form) : infinitive.test(form) || !verbs.has(form),
  );
  return commonest(new Map(plain)) || firstForm(verbs, term);
}

function firstForm(forms: ReadonlyMap<string, string>, meaning: string): string {
  for (const [form, means] of forms) if (means === meaning) return form;
  return meaning;
}

function raised(known: ReadonlySet<string>): (word: Word) => Word {
  return (word) => (known.has(word.term) ? { ...word, telling: word.telling * KNOWN_WORD } : word);
}

function languageOf(members: readonly Terms[]): RequestLanguage {
  const counts = Map.groupBy(members, ({ language }) => language);
  return [...counts].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? 'en';
}

/** True where most calls that say both say them next to each other: two words of one thing. */
function follow(members: readonly Terms[], a: Word, b: Word | undefined): boolean {
  if (b === undefined) return false;
  const both = members.filter(({ weights }) => weights.has(a.term) && weights.has(b.term));
  const beside = both.filter(({ weights }) => weights.has(`${a.term} ${b.term}`) || weights.has(`${b.term} ${a.term}`));
  return beside.length * 2 > both.length;
}

/** As they follow each other in the callers' sentences, mostly; else by where they stand on the whole. */
function orderOf(members: readonly Terms[], a: Word, b: Word): number {
  const pairs = (pair: string) => members.filter(({ weights }) => weights.has(pair)).length;
  const followed = pairs(`${b.term} ${a.term}`) - pairs(`${a.term} ${b.term}`);
  return followed === 0 ? a.place / a.held - b.place / b.held : followed;
}

/** A word's share here against its share overall: common words of the agent name nothing, rare ones of a few calls neither. */
function tellingOf(here: number, overall: number): number {
  return here * Math.log(1 + here / Math.max(overall, 1e-6));
}

function wordsOf(members: readonly Terms[], language: RequestLanguage): Map<string, Word> {
  const words = new Map<string, Word>();
  for (const member of members) {
    let place = 0;
    for (const [term, weight] of member.weights) {
      if (term.includes(' ') || term.startsWith('?')) continue;
      place += 1;
      // What is told beside the sentence that asks ("there were boots inside") names nothing.
      if (weight <= ASIDE_WEIGHT) continue;
      const word = words.get(term) ?? emptyWord(term);
      words.set(term, word);
      word.held += 1;
      word.place += place;
      if (member.things.has(term)) word.things += 1;
      const own = member.language === language ? 1 : 0;
      add(word.forms, member.spoken.get(term) ?? term, own);
      const act = member.acts.get(term);
      if (act === undefined) continue;
      word.acts += 1;
      add(word.actForms, act, own);
    }
  }
  return words;
}

function emptyWord(term: string): Word {
  return { term, held: 0, acts: 0, things: 0, place: 0, forms: new Map(), actForms: new Map(), telling: 0 };
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function commonest(forms: ReadonlyMap<string, number>): string {
  return [...forms].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}

function named(words: readonly string[]): { slug: string; label: string } {
  const label = words.join(' ');
  return { slug: label.replace(/\s+/g, '_'), label: label.slice(0, 1).toUpperCase() + label.slice(1) };
}
