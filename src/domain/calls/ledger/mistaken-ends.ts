import type { ActValue } from '../../acts/act.ts';
import {
  AT_WORDS,
  BEGIN_FIELDS,
  BEGIN_WORDS,
  CLOSING_WORDS,
  END_FIELDS,
  END_WORDS,
  UNTIL_WORDS,
} from '../../acts/lists/hours-words.ts';
import { holdsValue, type SentenceRange, sentencesOf } from '../../acts/sentences.ts';
import type { SpokenTurn } from '../spoken-turn.ts';
import type { ToolUse } from '../tool-uses.ts';
import { plainWords } from '../tool-words.ts';
import { parentOf } from '../values/json-values.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

const DAY = 1440;
/** Words between "opens" and the time of it. */
const APART_AT_MOST = 4;
/** "Opens" says the field `opens`, and "starts" another one. */
const STEM = 4;

/** What a time of a result is of, by the name of its field. */
type End = 'begin' | 'end' | 'other';

interface Held {
  use: ToolUse;
  /** Of the object around it, behind the place of its result. */
  path: string;
  name: string;
  end: End;
  minutes: number;
}

/**
 * "It opens at two minutes to midnight", where the result holds when it opens and that time as the one of something else:
 * the agent has read the field beside it.
 */
export function mistakenEnds(record: CallRecord): LedgerFinding[] {
  return record.reading.agent.flatMap((turn) => {
    if (!turn.values.some(({ kind }) => kind === 'time')) return [];
    const since = record.lastCallerTurn(turn.index);
    const asked = record.reading.spokenAt.get(since);
    const uses = record.fresh(turn.index);
    // Of two results the agent may tell both: what is no beginning in one may be one in the other.
    const held = uses.flatMap((use, at) => timesOf(record, use, at));
    const begins = new Map(held.flatMap((one) => (one.end === 'begin' ? [[one.path, one.name] as const] : [])));
    if (begins.size === 0) return [];
    for (const range of sentencesOf(turn)) {
      for (const value of turn.values) {
        if (!isWithin(turn, range, value)) continue;
        const use = mistakenIn(saidAs(turn, range, value, asked), value, held, begins);
        if (use !== null) return [make(turn, value, use)];
      }
    }
    return [];
  });
}

function timesOf(record: CallRecord, use: ToolUse, place: number): Held[] {
  return record.results(use).flatMap(({ path, name, value }): Held[] => {
    const [, hour, minute] = (typeof value === 'string' ? CLOCK.exec(value) : null) ?? [];
    if (hour === undefined) return [];
    const minutes = (Number(hour) * 60 + Number(minute)) % DAY;
    const around = `${place}.${parentOf(path)}`;
    return [{ use, path: around, name, end: endOf(name), minutes }];
  });
}

/** "19:30", "19:30:00", "2026-05-01T19:30+02:00"; a time of UTC is told in another one. */
const CLOCK = /^(?:\d{4}-\d{2}-\d{2}[T ])?([01]?\d|2[0-4]):([0-5]\d)(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:?\d{2})?$/;

function endOf(name: string): End {
  const words = plainWords(name);
  if (words.some((word) => BEGIN_FIELDS.has(word))) return 'begin';
  return words.some((word) => END_FIELDS.has(word)) ? 'end' : 'other';
}

function isWithin(turn: SpokenTurn, range: SentenceRange, value: ActValue): boolean {
  return value.kind === 'time' && !value.denied && holdsValue(turn, range, value);
}

/**
 * @param said the word by which the value is told as a beginning, empty where only "at" stands there; null: as none.
 * @returns the use whose result has the time as something else; null where it may be right.
 */
function mistakenIn(
  said: string | null,
  value: ActValue,
  held: readonly Held[],
  begins: ReadonlyMap<string, string>,
): ToolUse | null {
  if (said === null) return null;
  // The forms of a time hold both halves of the day where nobody said which.
  const same = held.filter(({ minutes }) => value.forms.some((form) => Number(form) === minutes));
  if (same.some(({ end }) => end === 'begin')) return null;
  const isNamed = (path: string) =>
    said !== '' && plainWords(begins.get(path) ?? '').some((word) => word.slice(0, STEM) === said.slice(0, STEM));
  const isOther = same.every(({ path, end }) => begins.has(path) && (end === 'end' || isNamed(path)));
  return isOther ? (same[0]?.use ?? null) : null;
}

/** Behind a word of beginning; or alone behind "at", with no word of an end in the sentence or in what was asked. */
function saidAs(turn: SpokenTurn, range: SentenceRange, value: ActValue, asked: SpokenTurn | undefined): string | null {
  // Values of other languages hold the word before them: "bis 18 Uhr".
  const own = value.text.toLowerCase().split(/\s+/)[0] ?? '';
  if (END_WORDS.has(own)) return null;
  if (BEGIN_WORDS.has(own)) return own;
  const first = turn.starts.findIndex((start) => start >= value.from);
  const earlier = turn.values.filter((one) => one.kind === 'time' && one.to <= value.from).at(-1)?.to ?? 0;
  for (let at = first - 1; at >= Math.max(range.from, first - APART_AT_MOST); at -= 1) {
    if ((turn.starts[at] ?? 0) < earlier) return null;
    const word = turn.words[at] ?? '';
    if (END_WORDS.has(word)) return null;
    if (BEGIN_WORDS.has(word)) return word;
  }
  const times = turn.values.filter((one) => isWithin(turn, range, one));
  const isAt = AT_WORDS.has(own) || AT_WORDS.has(turn.words[first - 1] ?? '');
  const words = turn.words.slice(range.from, range.to);
  if (times.length !== 1 || !isAt || words.some((word) => END_WORDS.has(word))) return null;
  return asked?.words.some(asksForEnd) === true ? null : '';
}

/** "What time do you close?", "until when?" */
function asksForEnd(word: string): boolean {
  return CLOSING_WORDS.has(word) || UNTIL_WORDS.has(word) || (word !== 'to' && END_FIELDS.has(word));
}

function make(turn: SpokenTurn, value: ActValue, use: ToolUse): LedgerFinding {
  return {
    code: 'result_misreported',
    rule: 'end_mistaken',
    turn: turn.index,
    quote: value.text,
    detail: `The agent says "${value.text}" as the beginning; the result of "${use.name}" has that time for something else.`,
    use,
    confidence: 0.8,
    facts: { rule: 'end_mistaken' },
  };
}
