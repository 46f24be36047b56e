import type { NormalisedCall, Turn } from '../calls/call.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import { firstAfter } from '../first-after.ts';
import { findPhrase } from '../tests/find-phrase.ts';
import { cutText } from '../text.ts';
import type { Side } from '../vocabulary.ts';
import { type MetricValue, NOT_APPLICABLE, numberValue, unknownValue } from './metric.ts';

/** Something that happens at a turn. Tools are named as the record names them. */
export type PatternEvent =
  | { on: 'tool_called' | 'tool_failed'; tool: string }
  /** Words in a row, whatever their case, accents and punctuation. */
  | { on: 'said'; by: Side; text: string }
  /** A code of the catalogue, as the analysis found it. */
  | { on: 'signal'; code: string };

/** Whether each `after` is followed by `expect`, so many spoken turns or seconds later at most. */
export interface Pattern {
  after: PatternEvent;
  expect: PatternEvent;
  within: { turns: number } | { seconds: number };
}

/** What a pattern looks at. */
export interface PatternCall {
  call: NormalisedCall;
  tools: readonly ToolUse[];
  /** False where the record holds no tool calls and nobody knows the tools of the agent. */
  knowsTools: boolean;
  signals: readonly { code: string; turn: number }[];
  /** Codes that could not be computed on the call. */
  notComputable: readonly string[];
}

const QUOTE_AT_MOST = 240;
/** Characters of one side, some three hours of speech: words are looked for on the thread that answers others. */
const SAID_AT_MOST = 200_000;

interface Happened {
  turn: number;
  quote: string;
}

/** Yes where each one is followed in time, no at the first that is not; a call without the first event is none of those it is about. */
export function evaluatePattern({ after, expect, within }: Pattern, looked: PatternCall): MetricValue {
  const { call } = looked;
  if (call.partial) return unknownValue('The transcript of this call is not complete.');
  const gap = gapOf(after, looked) ?? gapOf(expect, looked);
  if (gap !== null) return unknownValue(gap);
  const begins = happeningsOf(after, looked);
  if (begins.length === 0) return NOT_APPLICABLE;
  const follows = happeningsOf(expect, looked);
  const inTime = inTimeOf(within, call, follows);
  let isUnsure = false;
  for (const begin of begins) {
    const reached = inTime(begin.turn);
    if (reached === 'yes') continue;
    // Without times nobody knows whether the one that came was in time; where none came, it was not.
    if (reached === 'unknown') isUnsure = true;
    else
      return {
        ...numberValue(0),
        ...begin,
        because: reached === 'never' ? 'It never followed.' : 'It followed too late.',
      };
  }
  if (isUnsure) return unknownValue('The record does not say when these turns were.');
  const [first] = begins;
  return { ...numberValue(1), turn: first?.turn ?? null, quote: first?.quote ?? '', because: 'It followed each time.' };
}

type Reached = 'yes' | 'late' | 'never' | 'unknown';

/** Whether one of these follows a turn in time: what takes all turns is read once, however many turns are asked for. */
function inTimeOf(
  within: Pattern['within'],
  { turns, timing }: NormalisedCall,
  follows: readonly Happened[],
): (from: number) => Reached {
  const later = follows.map(({ turn }) => turn).sort((a, b) => a - b);
  if ('turns' in within) {
    const spoken: number[] = [];
    for (const turn of turns) spoken.push((spoken.at(-1) ?? 0) + (isSpoken(turn) ? 1 : 0));
    const upTo = (turn: number) => spoken[turn] ?? spoken.at(-1) ?? 0;
    return (from) => {
      const next = later[firstAfter(later, from, itself)];
      if (next === undefined) return 'never';
      return upTo(next) - upTo(from) <= within.turns ? 'yes' : 'late';
    };
  }
  // Times that the platform only estimates show no gaps.
  const timeOf = (turn: number, of: 'startMs' | 'endMs') => (timing === 'approx' ? null : (turns[turn]?.[of] ?? null));
  const begins = later.map((turn) => timeOf(turn, 'startMs'));
  const soonest = fromTheEnd(begins, Number.POSITIVE_INFINITY, (least, ms) => Math.min(least, ms ?? least));
  const isUntimed = fromTheEnd(begins, false, (isAny, ms) => isAny || ms === null);
  return (from) => {
    const at = firstAfter(later, from, itself);
    const next = soonest[at];
    if (next === undefined) return 'never';
    const ended = timeOf(from, 'endMs') ?? timeOf(from, 'startMs');
    if (ended === null) return 'unknown';
    if (next - ended <= within.seconds * 1000) return 'yes';
    return isUntimed[at] ? 'unknown' : 'late';
  };
}

const itself = (turn: number) => turn;

/** What is added up from each place of a list to its end. */
function fromTheEnd<T, R>(list: readonly T[], start: R, add: (sum: R, one: T) => R): R[] {
  const sums: R[] = [];
  for (const one of list.toReversed()) sums.push(add(sums.at(-1) ?? start, one));
  return sums.reverse();
}

const isSpoken = ({ role, text, wordsMissing }: Turn) =>
  (role === 'caller' || role === 'agent') && (text !== '' || wordsMissing === true);

function happeningsOf(event: PatternEvent, { call, tools, signals }: PatternCall): Happened[] {
  switch (event.on) {
    case 'tool_called':
    case 'tool_failed': {
      const uses = tools.filter(({ name, definition }) => name === event.tool || definition?.name === event.tool);
      return uses
        .filter(({ ok }) => event.on === 'tool_called' || ok === false)
        .map(({ name, callTurn, resultTurn }) => {
          const turn = event.on === 'tool_failed' ? (resultTurn ?? callTurn) : (callTurn ?? resultTurn);
          return { turn: turn ?? 0, quote: name };
        });
    }
    case 'said':
      return call.turns.flatMap(({ index, role, text }) => {
        const quote = role === event.by ? findPhrase(text, event.text) : null;
        return quote === null ? [] : [{ turn: index, quote }];
      });
    case 'signal':
      return signals
        .filter(({ code }) => code === event.code)
        .map(({ turn }) => ({ turn, quote: cutText(call.turns[turn]?.text ?? '', QUOTE_AT_MOST) }));
    default:
      return event satisfies never;
  }
}

/** Why the call can't show the event, or null. */
function gapOf(event: PatternEvent, { call, knowsTools, notComputable }: PatternCall): string | null {
  switch (event.on) {
    case 'tool_called':
    case 'tool_failed':
      return knowsTools
        ? null
        : 'The record of this call holds no tool calls, and the tools of the agent are not known.';
    case 'said': {
      const length = call.turns.reduce((sum, { role, text }) => sum + (role === event.by ? text.length : 0), 0);
      if (length > SAID_AT_MOST) return `What the ${event.by} said is too long to look for words in it.`;
      const isLost = call.turns.some(({ role, wordsMissing }) => role === event.by && wordsMissing === true);
      const isMissing = isLost || call.notRecorded?.includes(event.by) === true;
      return isMissing ? `What the ${event.by} said was not recorded in full.` : null;
    }
    case 'signal':
      return notComputable.includes(event.code) ? `${event.code} can't be computed on this call.` : null;
    default:
      return event satisfies never;
  }
}
