import { fieldName, foldValue, timeOf } from '../calls/call-fields.ts';
import { type Speaker, wordsIn } from '../calls/said-words.ts';
import { nearestName } from '../edit-distance.ts';
import { DIRECTIONS, OUTCOMES } from '../vocabulary.ts';
import { FilterProblem, type FilterTerm, type NumberFact, type Sign, type TextFact } from './filter.ts';
import type { Written } from './split-line.ts';

/** What a filter may name beside the fields that every call has. */
export interface FilterNames {
  /** Fields that came beside the agent's calls. */
  fields: ReadonlySet<string>;
  signals: ReadonlySet<string>;
}

interface Asked {
  name: string;
  sign: Sign;
  values: readonly Written[];
  at: number;
}

type Reads = (asked: Asked, names: FilterNames) => FilterTerm;

export interface FilterField {
  /** What it asks, for whoever writes a filter. */
  about: string;
  example: string;
  read: Reads;
}

const field = (about: string, example: string, read: Reads): FilterField => ({ about, example, read });

/** Fields of every call. A field that came beside calls under one of these names is written `field.<name>`. */
export const FILTER_FIELDS: ReadonlyMap<string, FilterField> = new Map([
  ['said', field('what anybody said', 'said:"cancel my plan"', saidBy(null))],
  ['caller', field('what the caller said', 'caller:refund', saidBy('caller'))],
  ['agent', field('what the agent said', 'agent:"let me check"', saidBy('agent'))],
  ['outcome', field('how the call ended', 'outcome:unresolved,abandoned', outcomes)],
  ['signal', field('a code detected on the call', 'signal:dead_air', readSignals)],
  ['intent', field('what the caller wanted, by its slug', 'intent:cancel_booking', texts('intent'))],
  ['version', field('the agent version', 'version:5', readVersions)],
  ['tag', field('a tag', 'tag:vip', readTags)],
  ['latency', field('the median answer time, in seconds', 'latency:>2', number('responseMedianMs', seconds))],
  ['slow', field('the answer time of the slowest tenth, in seconds', 'slow:>4', number('responseSlowMs', seconds))],
  ['duration', field('how long the call took, in seconds', 'duration:>2m', number('durationMs', seconds))],
  ['cost', field('what the call cost, in USD', 'cost:>0.5', number('costUsd', plain))],
  ['turns', field('how many turns it has', 'turns:<4', number('turns', plain))],
  ['failures', field('how many tools failed', 'failures:>0', number('toolFailures', plain))],
  ['direction', field('who called', 'direction:outbound', directions)],
  ['ended', field("the platform's end reason", 'ended:user_hangup', texts('disconnectionReason'))],
  ['id', field("the platform's id of the call", 'id:call_5f1e', texts('providerCallId'))],
  ['after', field('started at or after', 'after:2026-11-01', startedFrom('>='))],
  ['before', field('started before', 'before:2026-12-01T08:00:00Z', startedFrom('<'))],
]);

export const OWN_FIELD = 'field.';

/** @throws FilterProblem naming the place, and the nearest field */
export function readTerm(asked: Asked, names: FilterNames): FilterTerm {
  const name = fieldName(asked.name);
  const known = FILTER_FIELDS.get(name);
  if (known !== undefined) return known.read({ ...asked, name }, names);
  const own = name.startsWith(OWN_FIELD) ? name.slice(OWN_FIELD.length) : name;
  if (names.fields.has(own)) return readOwn({ ...asked, name: own });
  const nearest = nearestOf(own, [...FILTER_FIELDS.keys(), ...names.fields]);
  const help = nearest === null ? `Known are ${[...FILTER_FIELDS.keys()].join(', ')}` : `Did you mean ${nearest}?`;
  const end = nearest === null ? ', and what came beside the calls' : '';
  throw new FilterProblem(
    `No call has a field ${asked.name}. ${help}${end} Words with a colon are searched in quotation marks`,
    asked.at,
  );
}

/** Words that stand for themselves. */
export const readWords = (value: Written): FilterTerm => said(value, null);

function said({ text, isQuoted, at }: Written, by: Speaker | null): FilterTerm {
  const words = wordsIn(text);
  if (words.length === 0) throw new FilterProblem('There is no word to search for', at);
  if (words.length > WORDS_AT_MOST) throw new FilterProblem(`Search for at most ${WORDS_AT_MOST} words at once`, at);
  return { kind: 'said', sought: { words, isBeginning: !isQuoted && text.endsWith('*'), by } };
}
const WORDS_AT_MOST = 20;

function saidBy(by: Speaker | null): Reads {
  return (asked) => said(only(asked), by);
}

function choices<Value extends string>(asked: Asked, allowed: readonly Value[]): Value[] {
  return equals(asked).map(({ text, at }) => {
    const found = allowed.find((value) => value === text.toLowerCase());
    if (found === undefined) throw new FilterProblem(`${asked.name} is one of ${allowed.join(', ')}`, at);
    return found;
  });
}

function outcomes(asked: Asked): FilterTerm {
  return { kind: 'outcome', values: choices(asked, OUTCOMES) };
}

function directions(asked: Asked): FilterTerm {
  return { kind: 'direction', values: choices(asked, DIRECTIONS) };
}

function texts(of: Exclude<TextFact, 'signal'>): Reads {
  return (asked) => ({ kind: 'text', of, values: equals(asked).map(({ text }) => text) });
}

function readSignals(asked: Asked, { signals }: FilterNames): FilterTerm {
  const values = equals(asked).map(({ text, at }) => {
    if (signals.has(text)) return text;
    const nearest = nearestOf(text, signals);
    throw new FilterProblem(`No signal is called ${text}${nearest === null ? '' : `. Did you mean ${nearest}?`}`, at);
  });
  return { kind: 'text', of: 'signal', values };
}

function readVersions(asked: Asked): FilterTerm {
  const values = equals(asked).map(({ text, at }) => {
    if (!/^\d{1,9}$/.test(text)) throw new FilterProblem('version is a whole number', at);
    return Number(text);
  });
  return { kind: 'version', values };
}

function readTags(asked: Asked): FilterTerm {
  return { kind: 'tag', values: equals(asked).map(({ text }) => foldValue(text)) };
}

function number(of: NumberFact, read: (text: string) => number | null): Reads {
  return (asked) => {
    const { text, at } = only(asked);
    const value = read(text);
    if (value === null) throw new FilterProblem(`${asked.name} is compared with a number`, at);
    return { kind: 'number', of, sign: asked.sign, value };
  };
}

const PLAIN = /^-?\d{1,12}(?:\.\d{1,9})?$/;

function plain(text: string): number | null {
  return PLAIN.test(text) ? Number(text) : null;
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** In milliseconds; seconds where no unit is named. */
function seconds(text: string): number | null {
  const [, amount = '', unit = 's'] = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h)?$/.exec(text) ?? [];
  return amount === '' ? null : Number(amount) * UNITS[unit as keyof typeof UNITS];
}

function startedFrom(sign: '>=' | '<'): Reads {
  return (asked) => {
    const { text, at } = only(asked);
    const ms = timeOf(text);
    if (ms === null || asked.sign !== '=') {
      throw new FilterProblem(`${asked.name} takes a date or a time, such as 2026-11-01 or 2026-11-01T08:00:00Z`, at);
    }
    return { kind: 'time', sign, value: new Date(ms).toISOString() };
  };
}

/** A field that came beside calls: equal without regard to case, or compared as a number or a time. */
function readOwn(asked: Asked): FilterTerm {
  const { name, sign } = asked;
  if (sign === '=') {
    const values = asked.values.map(({ text }) => foldValue(text));
    const isAny = asked.values.every(({ text, isQuoted }) => text === '*' && !isQuoted);
    return { kind: 'field', name, values: isAny ? null : values };
  }
  const { text, at } = only(asked);
  const value = plain(text) ?? timeOf(text);
  if (value === null) throw new FilterProblem(`${name} is compared with a number or a date`, at);
  return { kind: 'field_number', name, sign, value };
}

function only({ name, values }: Asked): Written {
  const [value, second] = values;
  if (value === undefined || second !== undefined) {
    throw new FilterProblem(`${name} takes one value. Join several by OR`, second?.at ?? 1);
  }
  return value;
}

function equals({ name, sign, values }: Asked): readonly Written[] {
  const [first] = values;
  if (sign !== '=') throw new FilterProblem(`${name} can be equal or not, and nothing else`, first?.at ?? 1);
  return values;
}

const nearestOf = (name: string, known: Iterable<string>) =>
  nearestName(name, known, (distance) => distance <= Math.min(3, Math.ceil(name.length / 3)));
