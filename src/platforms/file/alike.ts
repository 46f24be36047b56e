import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { TurnRole } from '../../domain/vocabulary.ts';
import { numberOf, textOf } from '../lenient.ts';
import { looseJson } from '../otel/attributes.ts';

/** Names that people and libraries give to the fields of a record, ours first. */
const FIELDS = {
  id: ['id', 'callId', 'call_id', 'conversationId', 'conversation_id', 'sessionId', 'session_id', 'room_id'],
  startedAt: ['startedAt', 'started_at', 'startTime', 'start_time', 'createdAt', 'created_at', 'timestamp'],
  endedAt: ['endedAt', 'ended_at', 'endTime', 'end_time'],
  direction: ['direction'],
  callerNumber: ['callerNumber', 'caller_number', 'fromNumber', 'from_number', 'from'],
  version: ['version', 'agentVersion', 'agent_version'],
  disconnectionReason: ['disconnectionReason', 'disconnection_reason', 'endReason', 'end_reason', 'close_reason'],
  endedBy: ['endedBy', 'ended_by'],
  language: ['language', 'locale'],
  channel: ['channel'],
} as const;
export const TURN_LISTS = [
  'turns',
  'messages',
  'items',
  'transcript',
  'conversation',
  'utterances',
  'segments',
] as const;

const ROLES: ReadonlyMap<string, TurnRole> = new Map([
  ['user', 'caller'],
  ['human', 'caller'],
  ['customer', 'caller'],
  ['client', 'caller'],
  ['assistant', 'agent'],
  ['bot', 'agent'],
  ['ai', 'agent'],
  ['model', 'agent'],
  ['function', 'tool'],
]);
/** What a model is told, which nobody says on a call. */
const TOLD = new Set(['system', 'developer']);

/** What LiveKit keeps among the turns and nobody says. */
const UNSPOKEN = new Set(['agent_handoff', 'agent_config_update']);

/** A record under our names, and where each of its turns stands in what was given. */
export interface Alike {
  record: JsonObject;
  /** Field names of the turns as they were given, such as `messages[3]`. */
  places: string[];
}

/** A record whose fields or turns have other names than ours, under ours; what is known already stays as it is. */
export function toOurNames(given: JsonObject): Alike {
  const record: JsonObject = {};
  for (const [field, names] of Object.entries(FIELDS)) {
    const name = names.find((candidate) => given[candidate] !== undefined && given[candidate] !== null);
    const value = name === undefined ? undefined : given[name];
    if (value !== undefined) record[field] = field.endsWith('edAt') ? clockOf(value) : value;
  }
  const list = TURN_LISTS.find((name) => name in given);
  const entries = list === undefined ? undefined : given[list];
  if (list === undefined || !Array.isArray(entries)) {
    return { record: list === undefined ? record : { ...record, turns: entries ?? null }, places: [] };
  }
  const turns: Json[] = [];
  const places: string[] = [];
  for (const [at, entry] of entries.entries()) {
    for (const turn of isJsonObject(entry) ? turnsOf(entry, given, record) : [entry]) {
      turns.push(turn);
      places.push(`${list}[${at}]`);
    }
  }
  return { record: { ...record, turns }, places };
}

/** Clock times also as seconds or milliseconds since 1970. */
function clockOf(value: Json): Json {
  const ms = epochMs(value);
  return ms === null ? value : new Date(ms).toISOString();
}

const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

function epochMs(value: Json | undefined): number | null {
  const time = numberOf(value);
  if (time === null || time < EPOCH_SECONDS || time > 1e14) return null;
  return time < EPOCH_MS / 10 ? time * 1000 : time;
}

/** One of ours an entry, but for an answer of a model that calls several tools; none for what only a model is told. */
function turnsOf(entry: JsonObject, given: JsonObject, record: JsonObject): JsonObject[] {
  const role = textOf(entry.role ?? entry.speaker ?? entry.sender ?? null)?.toLowerCase() ?? null;
  if (role !== null && TOLD.has(role)) return [];
  const times = timesOf(entry, given, record);
  if (entry.type === 'function_call') return [{ role: 'agent', text: '', ...times, toolCall: callOf(entry) }];
  if (entry.type === 'function_call_output') return [{ role: 'tool', ...times, toolResult: resultOf(entry) }];
  if (typeof entry.type === 'string' && UNSPOKEN.has(entry.type)) return [];
  const ours = role === null ? undefined : (ROLES.get(role) ?? role);
  const turn: JsonObject = { ...entry, ...times, ...(ours === undefined ? {} : { role: ours }) };
  if (!('text' in entry)) {
    const text = textIn(entry.content ?? entry.message ?? entry.transcript ?? entry.utterance ?? null);
    if (text !== null) turn.text = text;
  }
  if (ours === 'tool' && !('toolResult' in entry)) return [{ ...turn, text: '', toolResult: resultOf(entry) }];
  const calls = Array.isArray(entry.tool_calls) ? entry.tool_calls.filter(isJsonObject) : [];
  const [first, ...others] = calls.map((call) => ({ toolCall: callOf(call) }));
  if (first === undefined) return [turn];
  return [{ ...turn, ...first }, ...others.map((other) => ({ role: 'agent', text: '', ...times, ...other }))];
}

/** The words of a message, also where they come in parts. */
function textIn(content: Json): string | Json {
  if (!Array.isArray(content)) return content;
  const words = content.map((part) => (isJsonObject(part) ? textOf(part.text) : textOf(part)));
  return words.filter((word) => word !== null).join(' ');
}

function callOf(call: JsonObject): JsonObject {
  const made = isJsonObject(call.function) ? call.function : call;
  return {
    id: call.call_id ?? call.id ?? null,
    name: made.name ?? null,
    args: looseJson(made.arguments ?? made.args ?? made.input),
  };
}

function resultOf(entry: JsonObject): JsonObject {
  const failed = entry.is_error;
  return {
    id: entry.tool_call_id ?? entry.call_id ?? null,
    name: entry.name ?? null,
    body: looseJson(entry.output ?? entry.content ?? entry.result ?? entry.text),
    ...(typeof failed === 'boolean' ? { ok: !failed } : {}),
  };
}

const STARTS = ['start', 'start_time', 'startTime', 'begin', 'timestamp'] as const;
const ENDS = ['end', 'end_time', 'endTime'] as const;

/** Our own names hold milliseconds; under others a record says `timeUnit`, else they are seconds. */
function timesOf(entry: JsonObject, given: JsonObject, record: JsonObject): JsonObject {
  if ('startMs' in entry || 'endMs' in entry) return {};
  const unit = given.timeUnit === 'milliseconds' ? 1 : 1000;
  const metrics = isJsonObject(entry.metrics) ? entry.metrics : {};
  const start = metrics.started_speaking_at ?? valueOf(entry, ['startSeconds', ...STARTS]) ?? atOfTool(entry);
  const end = metrics.stopped_speaking_at ?? valueOf(entry, ['endSeconds', ...ENDS]) ?? atOfTool(entry);
  const originMs = typeof record.startedAt === 'string' ? Date.parse(record.startedAt) : null;
  return { startMs: laidFrom(originMs, start, unit), endMs: laidFrom(originMs, end, unit) };
}

const valueOf = (entry: JsonObject, names: readonly string[]): Json | undefined =>
  names.map((name) => entry[name]).find((value) => value !== undefined && value !== null);

const atOfTool = (entry: JsonObject) =>
  textOf(entry.type)?.startsWith('function_call') ? entry.created_at : undefined;

function laidFrom(originMs: number | null, value: Json | undefined, unit: number): number | null {
  const clockMs =
    epochMs(value) ?? (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : null);
  if (clockMs !== null) return originMs === null || clockMs < originMs ? null : clockMs - originMs;
  const time = numberOf(value);
  return time === null ? null : time * unit;
}
