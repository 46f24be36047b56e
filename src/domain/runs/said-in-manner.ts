import { findPhrase } from '../tests/find-phrase.ts';
import type { TestSpec } from '../tests/spec.ts';
import { bare } from '../tests/spoken-items.ts';
import { readValues } from '../values/read-values.ts';
import { type SpokenValue, sameValue } from '../values/value.ts';

/** Shorter numbers are counts, which a manner may bring along: "one moment". */
const NUMBER_DIGITS_AT_LEAST = 4;
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** As they stand without apostrophes, in English, German, Spanish and French. */
const DENIALS = words(
  'no nope nah not never none cannot dont doesnt didnt wont cant couldnt isnt arent wasnt havent hasnt wouldnt nein nicht kein keine keinen nie nunca tampoco non pas jamais',
);
const REFUSALS = words('no nope nah nein non');
/** A name within a sentence; English writes only "I" so beside names. */
const NAME = /(?<=[\p{Ll}\p{N},;:]\s)\p{Lu}[\p{L}'’-]+/gu;

/**
 * Why a wording says something else than the line of the script that it is to say, in a sentence; null where it keeps
 * its values, names, facts and yes or no, asks where it asks, and leaves the checks of the test with the same words.
 */
export function changedContent(line: string, said: string, { caller, criteria }: TestSpec): string | null {
  const [given, now] = [readValues(line), readValues(said)];
  // A long number may be said in pieces.
  const has = (text: string, values: readonly SpokenValue[], value: SpokenValue) =>
    values.some((one) => sameValue(one, value)) || (isLong(value) && value.forms.some((form) => holds(text, form)));
  const lost = given.find((value) => !has(said, now, value));
  if (lost) return `It leaves out "${line.slice(lost.from, lost.to)}".`;
  const added = now.find((value) => (value.kind !== 'number' || isLong(value)) && !has(line, given, value));
  if (added) return `It adds "${said.slice(added.from, added.to)}".`;
  const kept = [
    ...(line.match(NAME) ?? []).filter((name) => !/^I['’]/u.test(name)),
    ...Object.values(caller.facts).filter((fact) => findPhrase(line, fact) !== null),
    ...phrases(criteria, 'said').filter((phrase) => findPhrase(line, phrase) !== null),
  ].find((phrase) => findPhrase(said, phrase) === null);
  if (kept !== undefined) return `It leaves out "${kept}".`;
  const banned = phrases(criteria, 'not_said').find(
    (phrase) => findPhrase(said, phrase) !== null && findPhrase(line, phrase) === null,
  );
  if (banned !== undefined) return `It says "${banned}", which the test listens for.`;
  const [before, after] = [plainWords(line), plainWords(said)];
  if (before.some((word) => DENIALS.has(word)) && !after.some((word) => DENIALS.has(word))) {
    return 'The line denies something, and it denies nothing.';
  }
  if (REFUSALS.has(after[0] ?? '') && !REFUSALS.has(before[0] ?? ''))
    return 'It begins with a no that the line has not.';
  if (line.includes('?') && !said.includes('?')) return 'The line asks, and it asks nothing.';
  return null;
}

const phrases = (criteria: TestSpec['criteria'], kind: 'said' | 'not_said'): string[] =>
  criteria.flatMap(({ check }) => (check?.kind === kind && check.by !== 'agent' ? [check.text] : []));

const digitsOf = (text: string) => text.replace(/\D/g, '');
const isLong = ({ kind, forms }: SpokenValue) =>
  kind === 'number' && forms.some((form) => digitsOf(form).length >= NUMBER_DIGITS_AT_LEAST);
const holds = (text: string, form: string) => digitsOf(text).includes(digitsOf(form));

const plainWords = (text: string): string[] =>
  text
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{M}]+/u)
    .flatMap((word) => (word === '' ? [] : [bare(word)]));

/** What came of a script that was said in a manner: how many of its lines stayed as they stand in the test. */
export function wordedNote(lines: readonly string[], said: readonly string[]): string {
  const played = said.slice(0, lines.length);
  const asWritten = played.filter((text, at) => text === lines[at]).length;
  const how = 'The caller said the lines of its script in the manner of its persona';
  return asWritten === 0 ? `${how}.` : `${how}, ${asWritten} of ${played.length} of them word for word.`;
}
