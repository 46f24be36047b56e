import type { SpokenTurn } from '../calls/spoken-turn.ts';
import { editDistance } from '../edit-distance.ts';

/** A value in a caller's turn that can not be what was said, with the words that show it. */
export interface DoubtfulValue {
  turn: SpokenTurn;
  quote: string;
  why: string;
}

const MONTH = 'january|february|march|april|may|june|july|august|september|october|november|december';
/** "March 60th", "December 2-6": no month has such a day. */
const NO_SUCH_DAY = new RegExp(
  `(?<!\\d(?:st|nd|rd|th)?(?: of)? )\\b(?:${MONTH}) (?:(?:3[2-9]|[4-9]\\d)(?:st|nd|rd|th)?|\\d ?[-/] ?\\d)(?![\\d:/-])`,
  'gi',
);
/** Without one of these no date can be odd, and most texts have none. */
const ODD_DAY = new RegExp(`\\b(?:${MONTH}) (?:[4-9]\\d|3[2-9]|\\d ?[-/] ?\\d)`, 'i');
/** "555. 0407", "Skyway 4? 472", "N-K--Z": a sign of a pause in the middle of a number or of a spelling. */
const BROKEN =
  /(?<![\d.])\d{1,4}(?:\?|\.{2,3}|\.) \d{3,}(?![\d.:,])|\b[A-Z](?:-[A-Z\d]){1,20}--[A-Z\d]\b|\b[A-Z]{2,6}-[A-Z]\. [A-Z]{3,8}\b/g;
/** A row of letters and digits in capitals, with what stands before it. */
const CODE = /\b(?=[A-Z\d-]{0,12}[A-Z])[A-Z\d](?:-?[A-Z\d]){3,11}\b/g;
const NAMED = /\b(?:last name|surname|family name)(?: is|,|:|\.)? ([A-Z][a-z]{2,20})\b/g;
/** Without a sign it is a time where a word beside it says so: rooms, years and counts sound alike and are none. */
const CLOCK =
  /\b(\d{1,2})[:.]([1-5]\d)\b(?! ?%)|(?<=\b(?:at|by|till|until|before|after) (?:the )?)([1-9]|1[0-2])([1-5]\d)\b(?! ?%)|\b([1-9]|1[0-2])([1-5]\d)(?= ?[ap]\.?m\b)/gi;
const SPELLED = /\b([A-Z][a-z]{2,15})[.,]? [Ss]pel(?:led|t)[:,]? ([A-Z](?:[- ][A-Z]){2,15})\b/g;

const TURN_READ = 1500;
const VALUES_AT_MOST = 40;

/**
 * Values of the caller that can not be right as they are written: no such date, a number cut in two, a spelling that
 * contradicts the name before it, and two values of a call that sound alike and differ ("4:13" and "4:30").
 */
export function doubtfulValues(caller: readonly SpokenTurn[]): DoubtfulValue[] {
  const found: DoubtfulValue[] = [];
  const codes: Said[] = [];
  const names: Said[] = [];
  const times: Said[] = [];
  for (const turn of caller) {
    const text = turn.turn.text.slice(0, TURN_READ);
    const add = (quote: string, why: string) => found.push({ turn, quote, why });
    const figures = /\d/.test(text);
    const capitals = /[A-Z](?:-?[A-Z\d])/.test(text);
    if (figures) {
      if (ODD_DAY.test(text)) {
        for (const match of text.matchAll(NO_SUCH_DAY)) add(match[0], `"${match[0]}" is no date.`);
      }
      collect(times, turn, text, CLOCK, clockOf);
    }
    if (figures || capitals) {
      for (const match of text.matchAll(BROKEN)) add(match[0], `"${match[0]}" is cut in two by a pause.`);
      if (capitals) collect(codes, turn, text, CODE, (match) => bare(match[0]));
    }
    if (text.includes('pelled') || text.includes('pelt')) {
      for (const match of text.matchAll(SPELLED)) {
        if (bare(match[1] ?? '') !== bare(match[2] ?? '')) add(match[0], 'The name and its spelling are not the same.');
      }
    }
    if (text.includes('name')) collect(names, turn, text, NAMED, (match) => bare(match[1] ?? ''));
  }
  return [
    ...found,
    ...contradictions(codes, isNearCode),
    ...contradictions(names, isNearName),
    ...contradictions(times, soundsAlike),
  ];
}

interface Said {
  turn: SpokenTurn;
  quote: string;
  value: string;
}

function collect(
  into: Said[],
  turn: SpokenTurn,
  text: string,
  rule: RegExp,
  valueOf: (match: RegExpExecArray) => string,
): void {
  for (const match of text.matchAll(rule)) {
    if (into.length >= VALUES_AT_MOST) return;
    into.push({ turn, quote: match[0], value: valueOf(match) });
  }
}

/** Every value that another one of the call nearly equals: one of the two was written wrongly. */
function contradictions(said: readonly Said[], isNear: (a: string, b: string) => boolean): DoubtfulValue[] {
  return said.flatMap((one) => {
    const other = said.find((two) => two.value !== one.value && isNear(one.value, two.value));
    if (other === undefined) return [];
    return [
      { turn: one.turn, quote: one.quote, why: `"${one.quote}" here, "${other.quote}" at turn ${other.turn.index}.` },
    ];
  });
}

function clockOf([, ...parts]: RegExpExecArray): string {
  const [hour, minute] = parts.filter((part) => part !== undefined);
  return `${Number(hour)}:${minute}`;
}

const LETTERS_OF_A_CODE = 4;

/** A code needs a letter beside its digits, or to be all capitals; one or two characters apart it is the same code. */
function isNearCode(a: string, b: string): boolean {
  return (
    Math.min(a.length, b.length) >= LETTERS_OF_A_CODE && editDistance(a, b) <= Math.max(a.length, b.length) / 4 + 0.5
  );
}

function isNearName(a: string, b: string): boolean {
  return editDistance(a, b) <= 2 && a.charAt(0) === b.charAt(0);
}

/** Thirteen and thirty, fifteen and fifty: the pairs that recognisers confuse. */
function soundsAlike(a: string, b: string): boolean {
  const [hour, minute] = a.split(':');
  const [otherHour, otherMinute] = b.split(':');
  if (hour !== otherHour || minute === undefined || otherMinute === undefined) return false;
  return isTeenAndTy(minute, otherMinute) || isTeenAndTy(otherMinute, minute);
}

function isTeenAndTy(teen: string, ty: string): boolean {
  return teen.charAt(0) === '1' && ty.charAt(1) === '0' && teen.charAt(1) === ty.charAt(0);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
}
