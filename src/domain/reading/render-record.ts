import type { NormalisedCall, Turn } from '../calls/call.ts';
import { readNodes } from '../calls/nodes.ts';
import { storedText } from '../calls/quotes.ts';
import { missingSide, readSide } from '../calls/side-record.ts';
import type { ToolResultReading } from '../calls/tool-uses.ts';
import { cutText } from '../text.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { Side } from '../vocabulary.ts';
import { oneLine } from './agent-text.ts';

const SAID_AT_MOST = 4_000;
const ARGUMENTS_AT_MOST = 1_500;
const RESULT_AT_MOST = 3_000;
/** What one question holds of a record, in UTF-16 units; a longer record is read in windows. */
const WINDOW_AT_MOST = 40_000;
/** Turns that two windows share; of a window of few long turns a part, so that each goes on by most of its size. */
const SHARED_TURNS = 12;
const SHARED_PART = 3;

/** What code found without understanding a word. */
export interface ShownFact {
  code: string;
  turnIndex: number;
  detail: string;
}

export interface RecordToShow {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  toolResults: readonly ToolResultReading[];
  facts: readonly ShownFact[];
  /** Who called is known by their number. The number itself is never shown. */
  isCallerKnown: boolean;
  /** Turns that speak to the reader: only their place is shown. */
  withheld: ReadonlySet<number>;
}

/** A stretch of a record, with the turns that it holds. */
export interface RecordWindow {
  fromTurn: number;
  toTurn: number;
  text: string;
}

/**
 * A record as a reader sees it: each event on lines of its own, with its turn and its kind, once. Only what the agent
 * said is labelled as said by the agent; calls, results, keys and steps have labels of their own. A record that is too
 * long for one question comes in windows that share some turns.
 */
export function recordWindows(record: RecordToShow): RecordWindow[] {
  const { call, facts } = record;
  const turns = turnTexts(record);
  const head = headOf(record);
  const windows: RecordWindow[] = [];
  for (let from = 0; from === 0 || from < turns.length; ) {
    let size = 0;
    let to = from;
    while (to < turns.length && (to === from || size + (turns[to]?.length ?? 0) <= WINDOW_AT_MOST)) {
      size += turns[to]?.length ?? 0;
      to += 1;
    }
    const isLast = to >= turns.length;
    const first = call.turns[from]?.index ?? 0;
    const last = call.turns[to - 1]?.index ?? 0;
    const found = facts.filter(({ turnIndex }) => turnIndex >= first && (isLast || turnIndex <= last));
    const part =
      from === 0 && isLast ? [] : [`This is a part of the record: turns ${first} to ${last} of ${turns.length}.`];
    windows.push({
      fromTurn: first,
      toTurn: last,
      text: [
        ...head,
        ...part,
        '',
        ...turns.slice(from, to),
        ...(isLast ? [endOf(call)] : []),
        ...factLines(found),
      ].join('\n'),
    });
    if (isLast) break;
    from = to - Math.min(SHARED_TURNS, Math.floor((to - from) / SHARED_PART));
  }
  return windows;
}

function headOf({ call, isCallerKnown }: RecordToShow): string[] {
  const { startedAt, direction, channel, language, version, variables } = call;
  const facts = [
    startedAt === null ? null : `started ${startedAt} (${weekday(startedAt)})`,
    direction,
    channel === 'unknown' ? null : `channel ${channel}`,
    language === null ? null : `language ${oneLine(language)}`,
    `agent version ${version}`,
    isCallerKnown ? "the caller's number is known to the agent and not shown" : null,
  ].filter((one) => one !== null);
  const given = Object.entries(variables ?? {}).map(
    ([name, value]) => `${oneLine(name)}=${cutText(oneLine(value), 200)}`,
  );
  return [
    `Call: ${facts.join(', ')}.`,
    ...(given.length > 0 ? [`Variables at the start: ${given.join('; ')}.`] : []),
    ...missingSides(call),
  ];
}

/** What is not on the record was not silent: the reader is told, so that it takes no answer for missing. */
function missingSides(call: NormalisedCall): string[] {
  const sideOf = (side: Side) =>
    readSide(
      call,
      side,
      call.turns.some(({ role, text }) => role === side && text !== ''),
    );
  const sides = { caller: sideOf('caller'), agent: sideOf('agent') };
  return [missingSide(sides, 'caller'), missingSide(sides, 'agent')].filter((one) => one !== null);
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const weekday = (iso: string) => DAYS[new Date(iso).getUTCDay()] ?? '';

function turnTexts({ call, configuration, toolResults, withheld }: RecordToShow): string[] {
  const results = new Map(toolResults.map((one) => [one.turn, one]));
  const steps = Map.groupBy(readNodes(call, configuration), ({ turn }) => turn);
  let spokenUntil: number | null = null;
  return call.turns.map((turn) => {
    const when = timeOf(turn, turn.text === '' ? null : spokenUntil);
    if (turn.text !== '' && turn.endMs !== null) spokenUntil = Math.max(spokenUntil ?? 0, turn.endMs);
    const entered = (steps.get(turn.index) ?? []).map(({ label }) => `    STEP "${oneLine(label)}"`);
    return [...entered, ...eventsOf(turn, when, results.get(turn.index) ?? null, withheld.has(turn.index))].join('\n');
  });
}

function eventsOf(turn: Turn, when: string, result: ToolResultReading | null, isWithheld: boolean): string[] {
  const place = `[${turn.index}]${when}`;
  if (isWithheld) return [`${place} ${SPEAKERS[turn.role]}: (withheld: this turn addresses whoever reads the record)`];
  const lines: string[] = [];
  if (turn.dtmf !== null) lines.push(`${place} KEYS PRESSED: ${oneLine(turn.dtmf)}`);
  if (turn.text !== '' && turn.toolResult === null) {
    const cut = turn.interrupted ? ' (cut off)' : '';
    lines.push(`${place} ${SPEAKERS[turn.role]}${cut}: ${shortened(turn.text, SAID_AT_MOST)}`);
  }
  if (turn.toolCall !== null) {
    const { name, args } = turn.toolCall;
    lines.push(`${place} TOOL CALL ${oneLine(name)} ${shortened(storedText(args), ARGUMENTS_AT_MOST)}`);
  }
  if (turn.toolResult !== null) {
    const { name, body, latencyMs } = turn.toolResult;
    const took = latencyMs === null ? '' : `, ${(latencyMs / 1_000).toFixed(1)} s`;
    const text = shortened(storedText(body), RESULT_AT_MOST);
    lines.push(`${place} TOOL RESULT ${oneLine(name ?? '')} (${statusOf(result)}${took}): ${text}`);
  }
  const silent = turn.wordsMissing === true ? '(spoke; the words are missing)' : '(no words)';
  return lines.length > 0 ? lines : [`${place} ${SPEAKERS[turn.role]}: ${silent}`];
}

const SPEAKERS = { caller: 'CALLER', agent: 'AGENT', tool: 'TOOL', other: 'OTHER VOICE' } as const;

function statusOf(result: ToolResultReading | null): string {
  if (result === null || result.ok === null) return result?.refusal === true ? 'declined' : 'status unknown';
  if (result.refusal) return 'declined';
  return result.ok ? 'ok' : 'FAILED';
}

function timeOf({ startMs }: Turn, spokenUntil: number | null): string {
  if (startMs === null) return '';
  const seconds = Math.max(0, startMs) / 1_000;
  const clock = ` ${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
  if (spokenUntil === null) return clock;
  const gap = (startMs - spokenUntil) / 1_000;
  if (gap >= 0.1) return `${clock} (after ${gap.toFixed(1)} s)`;
  return gap <= -0.3 ? `${clock} (over the last ${(-gap).toFixed(1)} s)` : clock;
}

function shortened(text: string, atMost: number): string {
  const line = oneLine(text);
  const kept = cutText(line, atMost);
  return kept.length === line.length ? line : `${kept} (${line.length - kept.length} more characters left out)`;
}

function endOf({ disconnectionReason, ending, durationMs, partial }: NormalisedCall): string {
  const reason = oneLine(disconnectionReason);
  const known = [
    reason === '' || reason === 'unknown' ? null : reason,
    ending.endedBy === 'unknown' ? null : `ended by the ${ending.endedBy}`,
    durationMs > 0 ? `after ${(durationMs / 1_000).toFixed(0)} s` : null,
  ].filter((one) => one !== null);
  const missing = partial ? ' The record is not complete.' : '';
  return `END OF CALL: ${known.join(', ') || 'how it ended was not recorded'}.${missing}`;
}

function factLines(facts: readonly ShownFact[]): string[] {
  if (facts.length === 0) return [];
  return [
    '',
    'Measured by code:',
    ...facts.map((one) => `- ${one.code} at [${one.turnIndex}]: ${oneLine(one.detail)}`),
  ];
}
