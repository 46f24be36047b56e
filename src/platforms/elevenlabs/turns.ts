import type { ToolResult, Transition, Turn } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { embeddedJson } from '../../domain/parse-json.ts';
import { shortText } from '../lenient.ts';
import { addMissingResults, type OpenCall } from '../missing-results.ts';
import { emptyTurn, milliseconds } from '../turn-parts.ts';
import {
  type ToolCallEntry,
  type ToolResultEntry,
  type TranscriptTurn,
  toolCall,
  toolResult,
  transcriptTurn,
  workflowStep,
} from './payloads.ts';

export interface TurnsContext {
  over: boolean;
  durationMs: number;
  machine: boolean;
  warnings: string[];
}

export interface ReadTurns {
  turns: Turn[];
  transitions: Transition[];
  /** Kinds of the results of system tools, in order. */
  systemResults: string[];
}

interface Reading extends ReadTurns {
  nodeId: string | null;
  openCalls: Map<string, OpenCall>;
  unknownRoles: Set<string>;
}

/**
 * One entry of the platform holds what was said and the tools beside it: it becomes a turn of speech, one a tool call
 * and one a result. Routing of the workflow is no tool of the agent and becomes a transition; tools that hide inside
 * its steps are taken out.
 */
export function readTurns(entries: readonly unknown[], context: TurnsContext): ReadTurns {
  const reading: Reading = {
    turns: [],
    transitions: [],
    systemResults: [],
    nodeId: null,
    openCalls: new Map(),
    unknownRoles: new Set(),
  };
  let unreadable = 0;
  for (const entry of entries) {
    const turn = transcriptTurn.safeParse(entry);
    if (turn.success) readEntry(turn.data, reading, context);
    else unreadable += 1;
  }
  if (unreadable > 0) context.warnings.push(`${unreadable} transcript entries were no objects and were left out.`);
  for (const role of reading.unknownRoles) context.warnings.push(`Transcript entries of the unknown role "${role}".`);
  const { turns, transitions, systemResults } = reading;
  if (context.over) addMissingResults(turns, transitions, reading.openCalls.values(), context.durationMs);
  return { turns, transitions, systemResults };
}

function readEntry(entry: TranscriptTurn, reading: Reading, context: TurnsContext): void {
  const atMs = milliseconds(entry.time_in_call_secs);
  enterNode(reading, shortText(entry.agent_metadata?.workflow_node_id), atMs);
  if (entry.message !== null && entry.message !== '') addSpeech(entry, atMs, reading, context);
  const calls = readList(entry.tool_calls, toolCall);
  const results = readList(entry.tool_results, toolResult);
  for (const call of calls) if (call.type !== 'workflow') addToolCall(call, atMs, reading);
  for (const result of results) {
    if (result.type === 'workflow') followRoute(result, atMs, reading);
    else addToolResult(result, atMs, reading);
  }
}

function addTurn(reading: Reading, role: Turn['role'], fields: Partial<Turn>): void {
  reading.turns.push({ ...emptyTurn(reading.turns.length, role, reading.nodeId), ...fields });
}

function addSpeech(entry: TranscriptTurn, startMs: number | null, reading: Reading, context: TurnsContext): void {
  const text = entry.message ?? '';
  if (entry.role === 'agent')
    return addTurn(reading, 'agent', { text, startMs, interrupted: entry.interrupted === true });
  if (entry.role !== 'user') {
    reading.unknownRoles.add(shortText(entry.role, 60) ?? '');
    return addTurn(reading, 'other', { text, startMs });
  }
  if (entry.source_medium === 'dtmf') return addTurn(reading, 'other', { dtmf: text, startMs });
  addTurn(reading, context.machine ? 'other' : 'caller', { text, startMs, interrupted: entry.interrupted === true });
}

function addToolCall(call: ToolCallEntry, atMs: number | null, reading: Reading): void {
  const id = shortText(call.request_id);
  const name = shortText(call.tool_name) ?? 'unnamed tool';
  const turnIndex = reading.turns.length;
  reading.openCalls.set(id ?? `#${turnIndex}`, { name, id, turnIndex, atMs });
  const args = embeddedJson(call.params_as_json);
  addTurn(reading, 'agent', { toolCall: { id, name, args }, startMs: atMs });
}

function addToolResult(result: ToolResultEntry, atMs: number | null, reading: Reading): void {
  const id = shortText(result.request_id);
  const key = id ?? reading.openCalls.keys().next().value ?? '';
  const call = reading.openCalls.get(key);
  reading.openCalls.delete(key);
  const kind = shortText(result.result?.result_type);
  if (kind !== null) reading.systemResults.push(kind);
  addTurn(reading, 'tool', {
    startMs: atMs,
    toolResult: {
      id,
      name: call?.name ?? shortText(result.tool_name),
      ...judge(result),
      latencyMs: milliseconds(result.tool_latency_secs),
    },
  });
}

/** A flag that says failure decides; one that says success still needs a look at the body. */
function judge(result: ToolResultEntry): Pick<ToolResult, 'ok' | 'okSource' | 'body'> {
  const said = embeddedJson(result.result_value);
  if (result.is_error === true || result.is_blocked === true) {
    const { error_type: errorType, raw_error_message: message } = result;
    const body = errorType === null && message === null ? said : { error: errorType ?? 'error', message, result: said };
    return { ok: false, okSource: 'flag', body };
  }
  const { ok } = judgeToolBody(said);
  if (ok !== null) return { ok, okSource: 'body', body: said };
  const answered = result.is_error === false;
  return { ok: answered ? true : null, okSource: answered ? 'flag' : 'unknown', body: said };
}

function followRoute(result: ToolResultEntry, atMs: number | null, reading: Reading): void {
  const steps = readList(Array.isArray(result.result?.steps) ? result.result.steps : [], workflowStep);
  for (const step of steps) {
    if (step.type === 'edge') enterNode(reading, shortText(step.target_node_id), atMs);
    if (step.type !== 'nested_tools') continue;
    enterNode(reading, shortText(step.node_id), atMs);
    for (const call of readList(step.requests, toolCall)) addToolCall(call, atMs, reading);
    for (const nested of readList(step.results, toolResult)) addToolResult(nested, atMs, reading);
  }
}

/** The step where the call began is no move. */
function enterNode(reading: Reading, toId: string | null, atMs: number | null): void {
  if (toId === null || toId === reading.nodeId) return;
  if (reading.nodeId === null) {
    for (const turn of reading.turns) turn.nodeId = toId;
  } else {
    const { nodeId: fromId, turns } = reading;
    reading.transitions.push({ atTurn: turns.length, atMs, fromId, toId, toLabel: null, kind: 'workflow' });
  }
  reading.nodeId = toId;
}

function readList<Item>(
  entries: readonly unknown[] | null,
  shape: { safeParse(value: unknown): { success: true; data: Item } | { success: false } },
): Item[] {
  return (entries ?? []).flatMap((entry) => {
    const read = shape.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}
