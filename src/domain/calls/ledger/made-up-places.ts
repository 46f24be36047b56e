import { editDistance } from '../../edit-distance.ts';
import { storedText } from '../../signals/quotes.ts';
import { cutWords } from '../text.ts';
import type { ToolUse } from '../tool-uses.ts';
import { splitName } from '../tool-words.ts';
import type { Leaf } from '../values/json-values.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

/** Words by which arguments for places are named. */
const PLACES = new Set('address street pickup dropoff destination location place venue'.split(' '));
const LETTERS_AT_LEAST = 4;
const WORDS_AT_LEAST = 3;
/** Recognisers misspell names of places, and agents write out what was said in short. */
const UNKNOWN_AT_LEAST = 0.6;
/** Of long words; a word of four letters is one of many that differ by one. */
const SLIPS_AT_MOST = 2;
const CONFIGURATION_READ = 60_000;

/** A place that a tool is given to act on, most of whose words nobody said and nothing looked up or configured holds. */
export function madeUpPlace(record: CallRecord, use: ToolUse, leaf: Leaf): LedgerFinding | null {
  if (use.effect !== 'write' || use.callTurn === null || typeof leaf.value !== 'string') return null;
  if (!splitName(leaf.name).some((word) => PLACES.has(word))) return null;
  const own = [...new Set(lettersOf(leaf.value))].filter((word) => word.length >= LETTERS_AT_LEAST);
  if (own.length < WORDS_AT_LEAST) return null;
  const heard = sourceWords(record, use.callTurn);
  const unknown = own.filter((word) => !heard.some((other) => isAlike(word, other)));
  if (unknown.length / own.length < UNKNOWN_AT_LEAST) return null;
  return {
    code: 'tool_args_unsupported',
    rule: 'place_never_said',
    turn: use.callTurn,
    quote: '',
    detail: `"${use.name}" was given ${leaf.name} "${leaf.value}"; nobody said, and no result holds, ${unknown.map((word) => `"${word}"`).join(', ')}.`,
    use,
    confidence: 0.8,
    facts: { rule: 'place_never_said', argument: leaf.name },
  };
}

function lettersOf(text: string): string[] {
  return cutWords(text).words.filter((word) => /^\p{L}/u.test(word));
}

/** The words of all that the agent may have a place from. */
function sourceWords({ reading }: CallRecord, before: number): string[] {
  const { configuration, call, tools, spoken } = reading;
  const texts = [
    ...spoken.filter(({ index }) => index < before).map(({ turn }) => turn.text),
    ...tools.filter(({ resultTurn }) => resultTurn !== null && resultTurn < before).map(({ body }) => storedText(body)),
    (configuration?.prompt ?? '').slice(0, CONFIGURATION_READ),
    JSON.stringify(configuration?.tools ?? []).slice(0, CONFIGURATION_READ),
    JSON.stringify(configuration?.variables ?? {}),
    JSON.stringify(call.variables ?? {}),
    ...(configuration?.nodes ?? []).map(({ text }) => text ?? ''),
  ];
  return [...new Set(texts.flatMap(lettersOf))];
}

function isAlike(word: string, heard: string): boolean {
  if (word === heard) return true;
  if (heard.length < LETTERS_AT_LEAST) return false;
  if (word.slice(0, LETTERS_AT_LEAST) === heard.slice(0, LETTERS_AT_LEAST)) return true;
  const slips = Math.max(0, Math.min(SLIPS_AT_MOST, Math.floor((word.length - LETTERS_AT_LEAST + 1) / 2)));
  return editDistance(word, heard, slips) <= slips;
}
