import { editDistance } from '../../edit-distance.ts';
import { storedText } from '../../signals/quotes.ts';
import { cutWords } from '../text.ts';
import type { ToolUse } from '../tool-uses.ts';
import { plainWords } from '../tool-words.ts';
import type { Leaf } from '../values/json-values.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

/** Words by which arguments for places are named, and those that make another thing of it: `email_address`. */
const PLACES = new Set('address street pickup dropoff destination location place venue'.split(' '));
const NO_PLACES = new Set('email mail ip web url wallet id'.split(' '));
const LETTERS_AT_LEAST = 4;
const WORDS_AT_LEAST = 3;
/** Recognisers misspell names of places, and agents write out what was said in short. */
const KNOWN_AT_MOST = 0.4;
/** Behind these a place is written out in full: "Oak Street, Denver, Colorado, United States". */
const PARTS_READ = 2;
const PLACE_READ = 200;
/** Of long words; a word of four letters is one of many that differ by one. */
const SLIPS_AT_MOST = 2;
const SOURCE_READ = 60_000;

/** Places that tools are given to act on, most of whose words nobody said and nothing looked up or configured holds. */
export class MadeUpPlaces {
  readonly #record: CallRecord;
  #known: { before: number; words: readonly string[] } | null = null;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  find(use: ToolUse, { name, value }: Leaf): LedgerFinding | null {
    if (use.effect !== 'write' || use.callTurn === null || typeof value !== 'string' || !isPlace(name, value))
      return null;
    const parts = value.slice(0, PLACE_READ).split(',').slice(0, PARTS_READ).join(' ');
    const own = [...new Set(lettersOf(parts))].filter((word) => word.length >= LETTERS_AT_LEAST);
    if (own.length < WORDS_AT_LEAST) return null;
    const known = this.#wordsBefore(use.callTurn);
    const unknown = own.filter((word) => !known.some((other) => isAlike(word, other)));
    if (own.length - unknown.length > own.length * KNOWN_AT_MOST) return null;
    const never = unknown.map((word) => `"${word}"`).join(', ');
    return {
      code: 'tool_args_unsupported',
      rule: 'place_never_said',
      turn: use.callTurn,
      quote: '',
      detail: `"${use.name}" was given ${name} "${value.slice(0, PLACE_READ)}"; nobody said, and no result holds, ${never}.`,
      use,
      confidence: 0.8,
      facts: { rule: 'place_never_said', argument: name },
    };
  }

  /** The words of all that the agent may have a place from; the arguments of a use are all given at one turn. */
  #wordsBefore(before: number): readonly string[] {
    if (this.#known?.before === before) return this.#known.words;
    const { configuration, call, tools, spoken } = this.#record.reading;
    const texts = [
      ...spoken.filter(({ index }) => index < before).map(({ turn }) => turn.text),
      ...tools
        .filter(({ resultTurn }) => resultTurn !== null && resultTurn < before)
        .map(({ body }) => storedText(body)),
      configuration?.prompt ?? '',
      JSON.stringify(configuration?.tools ?? []),
      JSON.stringify(configuration?.variables ?? {}),
      JSON.stringify(call.variables ?? {}),
      (configuration?.nodes ?? []).map(({ text }) => text ?? '').join(' '),
    ];
    const words = [...new Set(texts.flatMap((text) => lettersOf(text.slice(0, SOURCE_READ))))];
    this.#known = { before, words };
    return words;
  }
}

function isPlace(name: string, value: string): boolean {
  const words = plainWords(name);
  const isNamed = words.some((word) => PLACES.has(word)) && !words.some((word) => NO_PLACES.has(word));
  return isNamed && !value.includes('@') && !value.includes('://');
}

function lettersOf(text: string): string[] {
  return cutWords(text).words.filter((word) => /^\p{L}/u.test(word));
}

function isAlike(word: string, heard: string): boolean {
  if (word === heard) return true;
  if (heard.length < LETTERS_AT_LEAST) return false;
  if (word.slice(0, LETTERS_AT_LEAST) === heard.slice(0, LETTERS_AT_LEAST)) return true;
  const slips = Math.min(SLIPS_AT_MOST, Math.floor((word.length - LETTERS_AT_LEAST + 1) / 2));
  return Math.abs(word.length - heard.length) <= slips && editDistance(word, heard, slips) <= slips;
}
