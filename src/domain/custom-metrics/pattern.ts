import type { NormalisedCall, Turn } from '../calls/call.ts';
import { cutText } from '../calls/text.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import { findPhrase } from '../tests/find-phrase.ts';
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
  // Times that the platform only estimates show no gaps.
  const isTimed = call.timing !== 'approx';
  const turns = new Map(
    call.turns.map((turn) => [turn.index, isTimed ? turn : { ...turn, startMs: null, endMs: null }]),
  );
  let isUnsure = false;
  for (const begin of begins) {
    const later = follows.filter(({ turn }) => turn > begin.turn);
    const reached = later.map(({ turn }) => isWithin(within, begin.turn, turn, turns));
    if (reached.includes(true)) continue;
    // Without times nobody knows whether the one that came was in time; where none came, it was not.
    if (reached.includes(null)) isUnsure = true;
    else
      return {
        ...numberValue(0),
        ...begin,
        because: later.length === 0 ? 'It never followed.' : 'It followed too late.',
      };
  }
  if (isUnsure) return unknownValue('The record does not say when these turns were.');
  const [first] = begins;
  return { ...numberValue(1), turn: first?.turn ?? null, quote: first?.quote ?? '', because: 'It followed each time.' };
}

function isWithin(
  within: Pattern['within'],
  from: number,
  to: number,
  turns: ReadonlyMap<number, Turn>,
): boolean | null {
  if ('turns' in within) {
    let spoken = 0;
    for (let at = from + 1; at <= to; at += 1) if (isSpoken(turns.get(at))) spoken += 1;
    return spoken <= within.turns;
  }
  const ended = turns.get(from)?.endMs ?? turns.get(from)?.startMs ?? null;
  const began = turns.get(to)?.startMs ?? null;
  return ended === null || began === null ? null : began - ended <= within.seconds * 1000;
}

const isSpoken = (turn: Turn | undefined) =>
  turn !== undefined &&
  (turn.role === 'caller' || turn.role === 'agent') &&
  (turn.text !== '' || turn.wordsMissing === true);

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
