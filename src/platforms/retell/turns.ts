import type { Transition, Turn } from '../../domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { embeddedJson } from '../../domain/parse-json.ts';
import { numberOf, shortText, textOf } from '../lenient.ts';
import { addMissingResults, type OpenCall } from '../missing-results.ts';
import { emptyTurn, milliseconds, readWords } from '../turn-parts.ts';
import { readToolResult } from './tool-turns.ts';

export interface RetellTurns {
  turns: Turn[];
  transitions: Transition[];
}

interface Reading extends RetellTurns {
  nodeId: string | null;
  openCalls: Map<string, OpenCall>;
  unknownRoles: Set<string>;
}

/** Ended calls get a failed result for each tool call that none came back for; see `addMissingResults`. */
export interface TurnsContext {
  over: boolean;
  durationMs: number;
  /** The far side was an answering machine: its greeting is nobody's request. */
  machine: boolean;
  warnings: string[];
}

/**
 * Walks the woven transcript once. Speech, tool calls and tool results become turns; transitions of the flow become
 * `transitions` and the `nodeId` of what follows them.
 */
export function readTurns(entries: readonly unknown[], context: TurnsContext): RetellTurns {
  const reading: Reading = { turns: [], transitions: [], nodeId: null, openCalls: new Map(), unknownRoles: new Set() };
  let unreadable = 0;
  for (const entry of entries) {
    if (isJsonObject(entry)) readEntry(entry, reading, context);
    else unreadable += 1;
  }
  if (unreadable > 0) context.warnings.push(`${unreadable} transcript entries were no objects and were left out.`);
  for (const role of reading.unknownRoles) context.warnings.push(`Transcript entries of the unknown role "${role}".`);
  if (context.over) {
    addMissingResults(reading.turns, reading.transitions, reading.openCalls.values(), context.durationMs);
  }
  return { turns: reading.turns, transitions: reading.transitions };
}

function readEntry(entry: JsonObject, reading: Reading, context: TurnsContext): void {
  const role = shortText(entry.role, 60) ?? '';
  switch (role) {
    case 'agent':
      return addSpeech(entry, 'agent', reading);
    case 'user':
      return addSpeech(entry, context.machine ? 'other' : 'caller', reading);
    case 'transfer_target':
      return addSpeech(entry, 'other', reading);
    case 'tool_call_invocation':
      return addToolCall(entry, reading);
    case 'tool_call_result':
      return addToolResult(entry, reading);
    case 'node_transition':
    case 'state_transition':
      return addTransition(entry, reading);
    case 'dtmf':
      return addTurn(reading, 'other', { dtmf: keyPressed(entry.digit), ...atOneTime(entry) });
    case 'sms':
    case 'injected':
      return addTurn(reading, 'other', { text: contentText(entry), ...atOneTime(entry) });
    default:
      reading.unknownRoles.add(role);
      return addTurn(reading, 'other', { text: contentText(entry), ...atOneTime(entry) });
  }
}

function addTurn(reading: Reading, role: Turn['role'], fields: Partial<Turn>): void {
  reading.turns.push({ ...emptyTurn(reading.turns.length, role, reading.nodeId), ...fields });
}

function addSpeech(entry: JsonObject, role: Turn['role'], reading: Reading): void {
  const words = readWords(entry.words);
  addTurn(reading, role, {
    text: contentText(entry),
    words,
    startMs: words?.[0]?.startMs ?? null,
    endMs: words?.reduce((latest, word) => Math.max(latest, word.endMs), 0) ?? null,
  });
}

function addToolCall(entry: JsonObject, reading: Reading): void {
  const name = shortText(entry.name) ?? 'unnamed tool';
  const id = shortText(entry.tool_call_id);
  const { startMs } = atOneTime(entry);
  const turnIndex = reading.turns.length;
  reading.openCalls.set(id ?? `#${turnIndex}`, { name, id, turnIndex, atMs: startMs });
  addTurn(reading, 'agent', { toolCall: { id, name, args: embeddedJson(entry.arguments) }, ...atOneTime(entry) });
  const state = /^transition_to_(.+)$/.exec(name)?.[1];
  if (state !== undefined) moveTo(reading, { toId: state, toLabel: state, kind: 'state', atMs: startMs, fromId: null });
}

function addToolResult(entry: JsonObject, reading: Reading): void {
  const id = shortText(entry.tool_call_id);
  const key = id ?? reading.openCalls.keys().next().value ?? '';
  const call = reading.openCalls.get(key) ?? null;
  reading.openCalls.delete(key);
  addTurn(reading, 'tool', { toolResult: readToolResult(entry, id, call), ...atOneTime(entry) });
}

function addTransition(entry: JsonObject, reading: Reading): void {
  const toId = shortText(entry.new_node_id) ?? shortText(entry.new_state_name);
  if (toId === null) return;
  const fromId = shortText(entry.former_node_id) ?? shortText(entry.former_state_name);
  if (reading.nodeId === null && fromId !== null && fromId !== 'begin') {
    for (const turn of reading.turns) turn.nodeId = fromId;
  }
  const kind = shortText(entry.transition_type, 60) ?? 'normal';
  if (kind === 'interrupt_go_back') markLastAgentTurn(reading.turns);
  moveTo(reading, { fromId, toId, toLabel: shortText(entry.new_node_name), kind, atMs: atOneTime(entry).startMs });
}

/** A step that leads to itself is no move. */
function moveTo(reading: Reading, move: Omit<Transition, 'atTurn'>): void {
  const fromId = move.fromId ?? reading.nodeId;
  if (fromId !== move.toId) reading.transitions.push({ ...move, fromId, atTurn: reading.turns.length });
  reading.nodeId = move.toId;
}

function markLastAgentTurn(turns: Turn[]): void {
  const last = turns.findLast((turn) => turn.role === 'agent' && turn.toolCall === null);
  if (last) last.interrupted = true;
}

function atOneTime(entry: JsonObject): { startMs: number | null; endMs: number | null } {
  const atMs = milliseconds(entry.time_sec);
  return { startMs: atMs, endMs: atMs };
}

function keyPressed(digit: Json | undefined): string | null {
  return textOf(digit) ?? numberOf(digit)?.toString() ?? null;
}

function contentText(entry: JsonObject): string {
  const { content } = entry;
  if (typeof content === 'string') return content;
  return content === undefined || content === null ? '' : JSON.stringify(content);
}
