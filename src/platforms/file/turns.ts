import type { Transition, Turn, Word } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { TURN_ROLES, type TurnRole } from '../../domain/vocabulary.ts';
import { UnreadableCall } from '../port.ts';
import { numberOf, shortText, textOf } from '../values.ts';
import { type FileTurn, fileTurn } from './record.ts';

/** @throws UnreadableCall naming the first turn that can't be read: positions hold only if none is left out. */
export function readFileTurns(value: unknown, places: readonly string[] = []): Turn[] {
  if (!Array.isArray(value)) throw new UnreadableCall('The record has no list `turns`.', 'turns');
  return value.map((entry, index) => {
    const place = places[index] ?? `turns[${index}]`;
    if (!isJsonObject(entry)) throw new UnreadableCall(`Turn ${index} is not an object.`, place);
    return readTurn(fileTurn.parse(entry), index, place);
  });
}

function readTurn(turn: FileTurn, index: number, place: string): Turn {
  const said = turn.text ?? '';
  if (typeof said !== 'string') throw new UnreadableCall(`The text of turn ${index} is not a string.`, `${place}.text`);
  const startMs = timeOf(turn.startMs);
  const endMs = timeOf(turn.endMs);
  const alternatives = turn.alternatives?.map(textOf).filter((text) => text !== null) ?? null;
  return {
    index,
    role: readRole(turn.role, index, place),
    text: said,
    ...(turn.wordsMissing === true && said === '' ? { wordsMissing: true as const } : {}),
    startMs,
    endMs: startMs !== null && endMs !== null && endMs < startMs ? null : endMs,
    words: readWords(turn.words),
    interrupted: turn.interrupted ?? false,
    nodeId: shortText(turn.nodeId),
    toolCall: turn.toolCall === null ? null : readToolCall(turn.toolCall),
    toolResult: turn.toolResult === null ? null : readToolResult(turn.toolResult),
    dtmf: shortText(turn.dtmf, 60),
    alternatives: alternatives !== null && alternatives.length > 0 ? alternatives : null,
  };
}

function readRole(role: string | null, index: number, place: string): TurnRole {
  const known = TURN_ROLES.find((name) => name === role);
  if (known) return known;
  const given = role === null ? 'no role' : `the role ${JSON.stringify(role).slice(0, 40)}`;
  const roles = TURN_ROLES.join(', ');
  throw new UnreadableCall(`Turn ${index} has ${given}; roles are ${roles}.`, `${place}.role`);
}

/** Some agents call a tool without saying which. */
function readToolCall(call: JsonObject): Turn['toolCall'] {
  return { id: shortText(call.id), name: shortText(call.name) ?? 'unnamed tool', args: call.args ?? null };
}

/** A stated `ok: false` is believed; everything else is read off the body. */
function readToolResult(result: JsonObject): Turn['toolResult'] {
  const common = { id: shortText(result.id), name: shortText(result.name), body: result.body ?? null, latencyMs: null };
  if (result.ok === false) return { ...common, ok: false, okSource: 'flag' };
  const { ok } = judgeToolBody(common.body);
  if (ok !== null) return { ...common, ok, okSource: 'body' };
  return result.ok === true ? { ...common, ok: true, okSource: 'flag' } : { ...common, ok: null, okSource: 'unknown' };
}

/** `{text, startMs, endMs, confidence}`, or `{word, start, end}` in seconds as platforms write them. */
function readWords(entries: unknown[] | null): Word[] | null {
  const words = (entries ?? []).filter(isJsonObject).flatMap((entry) => {
    const startMs = timeOf(numberOf(entry.startMs)) ?? timeOf(inMilliseconds(entry.start));
    const endMs = timeOf(numberOf(entry.endMs)) ?? timeOf(inMilliseconds(entry.end));
    if (startMs === null || endMs === null || endMs < startMs) return [];
    return [
      { text: textOf(entry.text) ?? textOf(entry.word) ?? '', startMs, endMs, confidence: share(entry.confidence) },
    ];
  });
  return words.length > 0 ? words : null;
}

function inMilliseconds(seconds: unknown): number | null {
  const value = numberOf(seconds);
  return value === null ? null : value * 1000;
}

function share(value: unknown): number | null {
  const read = numberOf(value);
  return read !== null && read >= 0 && read <= 1 ? read : null;
}

const LONGEST_CALL_MS = 7 * 86_400_000;

function timeOf(value: number | null): number | null {
  return value === null || value < 0 || value > LONGEST_CALL_MS ? null : Math.round(value);
}

/** A file says only which step a turn belongs to: the move between steps lies where that changes. */
export function readTransitions(turns: readonly Turn[]): Transition[] {
  const transitions: Transition[] = [];
  let fromId: string | null = null;
  for (const { index, nodeId, startMs } of turns) {
    if (nodeId === null || nodeId === fromId) continue;
    transitions.push({ atTurn: index, atMs: startMs, fromId, toId: nodeId, toLabel: null, kind: 'step' });
    fromId = nodeId;
  }
  return transitions;
}
