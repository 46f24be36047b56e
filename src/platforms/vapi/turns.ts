import type { Transition, Turn, Word } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { isJsonObject } from '../../domain/json.ts';
import { embeddedJson } from '../../domain/parse-json.ts';
import { numberOf, shortText, textOf } from '../lenient.ts';
import { addMissingResults, type OpenCall } from '../missing-results.ts';
import { emptyTurn, milliseconds } from '../turn-parts.ts';
import { type VapiMessage, vapiMessage, vapiToolCall } from './payloads.ts';

export interface VapiTurnsContext {
  over: boolean;
  durationMs: number;
  /** A voicemail answered: what it said is nobody's request. */
  machine: boolean;
  /** True where several assistants share the call: each is a step, and a change of assistant a transition. */
  squad: boolean;
  warnings: string[];
}

interface Reading {
  turns: Turn[];
  transitions: Transition[];
  nodeId: string | null;
  openCalls: Map<string, OpenCall>;
  unknownRoles: Set<string>;
}

/** Walks the messages once: speech, tool calls and results become turns, a change of assistant becomes a transition. */
export function readTurns(
  messages: readonly unknown[],
  context: VapiTurnsContext,
): { turns: Turn[]; transitions: Transition[] } {
  const reading: Reading = { turns: [], transitions: [], nodeId: null, openCalls: new Map(), unknownRoles: new Set() };
  let unreadable = 0;
  for (const entry of messages) {
    const message = vapiMessage.safeParse(entry);
    if (message.success) readMessage(message.data, reading, context);
    else unreadable += 1;
  }
  if (unreadable > 0) context.warnings.push(`${unreadable} messages were no objects and were left out.`);
  for (const role of reading.unknownRoles) context.warnings.push(`Messages of the unknown role "${role}".`);
  if (context.over) {
    addMissingResults(reading.turns, reading.transitions, reading.openCalls.values(), context.durationMs);
  }
  return { turns: reading.turns, transitions: reading.transitions };
}

function readMessage(message: VapiMessage, reading: Reading, context: VapiTurnsContext): void {
  const role = shortText(message.role, 60) ?? '';
  switch (role) {
    case 'system':
      return;
    case 'bot':
    case 'assistant':
      if (context.squad) enterAssistant(message, reading);
      return addTurn(reading, 'agent', speech(message));
    case 'user':
      return addTurn(reading, context.machine ? 'other' : 'caller', { ...speech(message), words: readWords(message) });
    case 'tool_calls':
      return addToolCalls(message, reading);
    case 'tool_call_result':
      return addToolResult(message, reading);
    default:
      reading.unknownRoles.add(role);
      return addTurn(reading, 'other', speech(message));
  }
}

function addTurn(reading: Reading, role: Turn['role'], fields: Partial<Turn>): void {
  reading.turns.push({ ...emptyTurn(reading.turns.length, role, reading.nodeId), ...fields });
}

/** The platform's `duration` claims seconds and holds milliseconds, so the end comes from the two clock times. */
function speech(message: VapiMessage): Pick<Turn, 'text' | 'startMs' | 'endMs'> {
  const startMs = milliseconds(message.secondsFromStart);
  const spokenMs = message.time === null || message.endTime === null ? null : message.endTime - message.time;
  const hasEnd = startMs !== null && spokenMs !== null && spokenMs >= 0;
  return { text: message.message ?? message.content ?? '', startMs, endMs: hasEnd ? startMs + spokenMs : null };
}

/** The squad member that speaks is the step; the first one is where the call began and no move. */
function enterAssistant(message: VapiMessage, reading: Reading): void {
  const toId = shortText(message.assistantId) ?? shortText(message.assistantName);
  if (toId === null || toId === reading.nodeId) return;
  if (reading.nodeId === null) {
    for (const turn of reading.turns) turn.nodeId = toId;
  } else {
    reading.transitions.push({
      atTurn: reading.turns.length,
      atMs: milliseconds(message.secondsFromStart),
      fromId: reading.nodeId,
      toId,
      toLabel: shortText(message.assistantName),
      kind: 'handoff',
    });
  }
  reading.nodeId = toId;
}

function addToolCalls(message: VapiMessage, reading: Reading): void {
  const atMs = milliseconds(message.secondsFromStart);
  for (const entry of message.toolCalls ?? []) {
    const read = vapiToolCall.safeParse(entry);
    if (!read.success) continue;
    const id = shortText(read.data.id);
    const name = shortText(read.data.function?.name) ?? 'unnamed tool';
    const turnIndex = reading.turns.length;
    reading.openCalls.set(id ?? `#${turnIndex}`, { name, id, turnIndex, atMs });
    const args = embeddedJson(read.data.function?.arguments);
    addTurn(reading, 'agent', { toolCall: { id, name, args }, startMs: atMs, endMs: atMs });
  }
}

/** Results carry no flag of success: the body decides, and where it says nothing the result is left undecided. */
function addToolResult(message: VapiMessage, reading: Reading): void {
  const id = shortText(message.toolCallId);
  const key = id ?? reading.openCalls.keys().next().value ?? '';
  const call = reading.openCalls.get(key) ?? null;
  reading.openCalls.delete(key);
  const body = embeddedJson(message.result);
  const { ok } = judgeToolBody(body);
  const atMs = milliseconds(message.secondsFromStart);
  const latencyMs = call?.atMs == null || atMs === null ? null : atMs - call.atMs;
  addTurn(reading, 'tool', {
    startMs: atMs,
    endMs: atMs,
    toolResult: {
      id,
      name: call?.name ?? shortText(message.name),
      ok,
      okSource: ok === null ? 'unknown' : 'body',
      body,
      latencyMs: latencyMs !== null && latencyMs >= 0 ? latencyMs : null,
    },
  });
}

const EPOCH_MS_FROM = 1e11;
const SECONDS_BELOW = 1e5;

/** The unit of word times has changed over the years; their size tells which one it is. */
function readWords(message: VapiMessage): Word[] | null {
  const entries = message.metadata?.wordLevelConfidence;
  if (!Array.isArray(entries)) return null;
  const beganAtMs = message.time === null ? 0 : message.time - (message.secondsFromStart ?? 0) * 1000;
  const toMs = (value: unknown): number | null => {
    const time = numberOf(value);
    if (time === null || time < 0) return null;
    if (time > EPOCH_MS_FROM) return Math.round(time - beganAtMs);
    return Math.round(time < SECONDS_BELOW ? time * 1000 : time);
  };
  const words = entries.flatMap((entry): Word[] => {
    if (!isJsonObject(entry)) return [];
    const startMs = toMs(entry.start);
    const endMs = toMs(entry.end);
    if (startMs === null || endMs === null || startMs < 0 || endMs < startMs) return [];
    const confidence = numberOf(entry.confidence);
    const isShare = confidence !== null && confidence >= 0 && confidence <= 1;
    return [{ text: textOf(entry.word) ?? '', startMs, endMs, confidence: isShare ? confidence : null }];
  });
  return words.length > 0 ? words : null;
}
