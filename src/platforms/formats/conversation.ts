import type { Transition } from '../../domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { shortText, textOf } from '../values.ts';
import { clockMs } from './clock.ts';
import { type Entry, readEntry } from './entry.ts';
import type { Given, Reading } from './format.ts';
import { Speakers } from './speakers.ts';
import { spokenLines } from './spoken-lines.ts';
import { originOf, timesOf } from './times.ts';

/** Names that people and libraries give to the fields of a record, ours first. */
const FIELDS = {
  id: [
    'id',
    'callId',
    'call_id',
    'conversationId',
    'conversation_id',
    'sessionId',
    'session_id',
    'room_id',
    'callSid',
    'call_sid',
    'CallSid',
    'thread_id',
    'threadId',
    'uuid',
  ],
  startedAt: ['startedAt', 'started_at', 'startTime', 'start_time', 'createdAt', 'created_at', 'timestamp', 'created'],
  endedAt: ['endedAt', 'ended_at', 'endTime', 'end_time'],
  direction: ['direction'],
  callerNumber: ['callerNumber', 'caller_number', 'fromNumber', 'from_number', 'from'],
  version: ['version', 'agentVersion', 'agent_version'],
  disconnectionReason: ['disconnectionReason', 'disconnection_reason', 'endReason', 'end_reason', 'close_reason'],
  endedBy: ['endedBy', 'ended_by'],
  language: ['language', 'locale'],
  channel: ['channel'],
  timeZone: ['timeZone', 'time_zone', 'timezone'],
} as const;

/** Under which names the turns of a call stand. */
export const TURN_LISTS = [
  'turns',
  'messages',
  'items',
  'transcript',
  'conversation',
  'utterances',
  'segments',
  'contents',
  'history',
  'chat_history',
  'transcripts',
] as const;

interface Options {
  /** Name of the list in what was given; empty where that is the list itself. */
  list: string;
  entries: readonly Json[];
  /** Fields of the call that its format holds elsewhere than under our names. */
  fields?: JsonObject;
}

/** The list of turns of a value, and its name: of a list itself, empty. Null where it has none. */
export function turnsIn(value: Json): { list: string; entries: Json } | null {
  if (Array.isArray(value)) return { list: '', entries: value };
  if (!isJsonObject(value)) return null;
  const list =
    TURN_LISTS.find((name) => Array.isArray(value[name])) ?? TURN_LISTS.find((name) => value[name] !== undefined);
  return list === undefined ? null : { list, entries: value[list] ?? null };
}

/** A call whose turns are a list of messages, items or utterances of whatever library, under our names. */
export function readConversation(given: Given): Reading {
  const found = turnsIn(given.value);
  const entries = found?.entries ?? null;
  if (typeof entries === 'string' && found !== null) {
    const lines = spokenLines(entries, ownRoles(given));
    if (lines !== null) return conversationOf(given, { list: found.list, entries: lines });
    throw new UnreadableCall(
      `The text of \`${found.list}\` does not begin with who speaks, as in "Agent: Hello".`,
      found.list,
    );
  }
  if (found !== null && Array.isArray(entries)) {
    const isText = entries.length > 0 && entries.every((entry) => typeof entry === 'string');
    const lines = isText ? spokenLines(entries.join('\n'), ownRoles(given)) : null;
    return conversationOf(given, { list: found.list, entries: lines ?? entries });
  }
  const record = isJsonObject(given.value) ? fieldsOf(given.value) : {};
  return { as: 'record', record: { ...record, turns: entries }, places: [], warnings: [] };
}

/** @throws UnreadableCall where it is not known who speaks. */
export function conversationOf(given: Given, { list, entries, fields = {} }: Options): Reading {
  const container: JsonObject = isJsonObject(given.value) ? given.value : {};
  const record: JsonObject = { ...fieldsOf(container), ...timed(fields) };
  const origin = originOf(record.startedAt, entries);
  if (record.startedAt === undefined && origin !== null) record.startedAt = origin.time;
  const speakers = new Speakers(ownRoles(given));
  const walk: Walk = { turns: [], places: [], transitions: [], nodeId: null, skipped: new Map() };
  for (const [at, entry] of entries.entries()) {
    const place = list === '' ? `[${at}]` : `${list}[${at}]`;
    if (!isJsonObject(entry)) add(walk, [entry], place);
    else {
      const times = timesOf(entry, { origin, inMilliseconds: container.timeUnit === 'milliseconds' });
      take(walk, readEntry(entry, { speakers, place, times }), place);
    }
  }
  speakers.check();
  const { turns, places, transitions } = walk;
  const warnings = [...walk.skipped].map(
    ([type, count]) =>
      `${count} ${count === 1 ? 'entry' : 'entries'} of the type ${JSON.stringify(type)} say nothing that is read.`,
  );
  return {
    as: 'record',
    record: { ...record, turns },
    places,
    warnings,
    ...(transitions.length > 0 ? { transitions } : {}),
  };
}

/** Those that came with the call go before those that stand in it. */
function ownRoles({ value, roles }: Given): Readonly<Record<string, string>> {
  const own = isJsonObject(value) && isJsonObject(value.roles) ? value.roles : {};
  const named = Object.entries(own).flatMap(([name, role]) => (typeof role === 'string' ? [[name, role]] : []));
  return { ...Object.fromEntries(named), ...roles };
}

interface Walk {
  turns: Json[];
  places: string[];
  transitions: Transition[];
  nodeId: string | null;
  skipped: Map<string, number>;
}

function take(walk: Walk, entry: Entry, place: string): void {
  if (entry.is === 'skipped') {
    if (entry.type !== null) walk.skipped.set(entry.type, (walk.skipped.get(entry.type) ?? 0) + 1);
  } else if (entry.is === 'hand-off') handOff(walk, entry);
  else add(walk, entry.turns, place);
}

function add(walk: Walk, turns: readonly Json[], place: string): void {
  for (const turn of turns) {
    const { nodeId } = walk;
    walk.turns.push(nodeId !== null && isJsonObject(turn) && turn.nodeId === undefined ? { ...turn, nodeId } : turn);
    walk.places.push(place);
  }
}

/** What comes after it belongs to the new agent; what came before the first one to the old. */
function handOff(walk: Walk, { fromId, toId, atMs }: Extract<Entry, { is: 'hand-off' }>): void {
  const before = walk.nodeId ?? fromId;
  if (walk.nodeId === null && fromId !== null) {
    walk.turns = walk.turns.map((turn) => (isJsonObject(turn) ? { nodeId: fromId, ...turn } : turn));
  }
  walk.nodeId = toId;
  // The first agent is nobody's successor.
  if (before === null || before === toId) return;
  walk.transitions.push({ atTurn: walk.turns.length, atMs, fromId: before, toId, toLabel: null, kind: 'hand_off' });
}

function fieldsOf(given: JsonObject): JsonObject {
  const record: JsonObject = {};
  for (const [field, names] of Object.entries(FIELDS)) {
    const name = names.find((candidate) => given[candidate] !== undefined && given[candidate] !== null);
    const value = name === undefined ? undefined : given[name];
    if (value === undefined) continue;
    record[field] = value;
  }
  if (record.callerNumber !== undefined && textOf(record.callerNumber) === null) delete record.callerNumber;
  if (record.language !== undefined && shortText(record.language, 35) === null) delete record.language;
  return timed(record);
}

/** Times of the call also as numbers, whose size tells their unit. */
function timed(fields: JsonObject): JsonObject {
  const times = ['startedAt', 'endedAt'].flatMap((name) => {
    const value = fields[name];
    const ms = typeof value === 'string' && Number.isNaN(Number(value)) ? null : clockMs(value);
    return ms === null ? [] : [[name, new Date(ms).toISOString()]];
  });
  return { ...fields, ...Object.fromEntries(times) };
}
