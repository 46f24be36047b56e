import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { looseJson } from '../loose-json.ts';
import { numberOf, shortText, textOf } from '../values.ts';
import { readParts } from './parts.ts';
import type { Speakers } from './speakers.ts';

/** What one entry of a conversation says. */
export type Entry =
  | { is: 'turns'; turns: JsonObject[] }
  | { is: 'hand-off'; fromId: string | null; toId: string; atMs: number | null }
  /** Nobody says it; with a type where that is not one that is known to say nothing. */
  | { is: 'skipped'; type: string | null };

interface Context {
  speakers: Speakers;
  place: string;
  times: JsonObject;
}

/** Types of entries that are known to hold nothing that was said or done on the call. */
const SILENT = new Set([
  'agent_config_update',
  'reasoning',
  'item_reference',
  'mcp_list_tools',
  'mcp_approval_request',
  'compaction',
  'mcp_approval_response',
  'summary',
  'metadata',
  'thinking',
  'image_generation_call',
  'message_separator',
]);
const CALLS = new Set(['function_call', 'custom_tool_call', 'tool_call', 'tool_use', 'functionCall']);
const RESULTS = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'tool_result',
  'tool_call_result',
  'functionResponse',
]);

const SKIPPED: Entry = { is: 'skipped', type: null };

/** One turn of ours an entry, but for a message that calls several tools, or holds their results beside words. */
export function readEntry(given: JsonObject, context: Context): Entry {
  const entry = unwrapped(given);
  const { times } = context;
  const type = textOf(entry.type) ?? '';
  if (type === 'agent_handoff') return handOffOf(entry, times);
  if (SILENT.has(type)) return SKIPPED;
  if (CALLS.has(type) || type === 'mcp_call') return madeCall(entry, times);
  if (RESULTS.has(type)) return turns({ role: 'tool', ...times, toolResult: resultOf(entry) });
  if (entry.role === 'tool_calls') return turns(...toolCalls(entry, times));
  if (entry.role === 'tool_call_result') return turns({ role: 'tool', ...times, toolResult: resultOf(entry) });
  const digit = keyOf(entry);
  if (digit !== null) return turns({ role: 'other', text: '', ...times, dtmf: digit });
  const speaker = speakerOf(entry);
  if (speaker === null && type !== '' && !('text' in entry)) return { is: 'skipped', type };
  return message(entry, speaker, context);
}

const turns = (...all: JsonObject[]): Entry => ({ is: 'turns', turns: all });

function message(entry: JsonObject, speaker: string | null, { speakers, place, times }: Context): Entry {
  const role = speaker === null ? null : speakers.roleOf(speaker, `${place}.${speakerField(entry)}`);
  if (speaker !== null && role === null) return SKIPPED;
  const turn: JsonObject = { ...entry, ...times, ...(role === null ? {} : { role }) };
  if (role === 'tool' && !('toolResult' in entry)) {
    return turns({ ...turn, text: '', toolResult: resultOf(entry) });
  }
  const parts = 'text' in entry && entry.text !== null ? null : readParts(wordsOf(entry));
  if (parts !== null && parts.text !== undefined) turn.text = parts.text;
  if (entry.status === 'incomplete' && role === 'agent') turn.interrupted = true;
  const calls = [...(parts?.calls ?? []), ...listed(entry.tool_calls), ...listed(entry.toolCalls)].map(callOf);
  if (isJsonObject(entry.function_call)) calls.push(callOf(entry.function_call));
  const isEmpty = parts !== null && (parts.text === undefined || parts.text === '' || parts.text === null);
  const results = (parts?.results ?? []).map((part) => ({
    role: 'tool',
    text: '',
    ...times,
    toolResult: resultOf(part),
  }));
  if (isEmpty && results.length > 0 && calls.length === 0) return turns(...results);
  if (isEmpty && calls.length === 0 && parts.skipped) return SKIPPED;
  const isSpeech = calls.length === 0 && !isJsonObject(entry.toolCall) && (role === 'caller' || role === 'agent');
  const lost = isSpeech && (entry.wordsMissing === true || (isEmpty && (parts.isAudio || parts.text === null)));
  const [first, ...others] = calls;
  const said = {
    ...turn,
    ...(first === undefined ? {} : { toolCall: first, text: turn.text ?? '' }),
    ...(lost ? { text: '', wordsMissing: true } : {}),
  };
  return turns(...results, said, ...others.map((toolCall) => ({ role: 'agent', text: '', ...times, toolCall })));
}

/** Some libraries keep a message of one maker inside an entry of their own. */
function unwrapped(entry: JsonObject): JsonObject {
  if (isJsonObject(entry.message) && ('role' in entry.message || 'content' in entry.message)) {
    return { ...entry, ...entry.message };
  }
  if (isJsonObject(entry.data) && textOf(entry.type) !== null && textOf(entry.data.content) !== null) {
    return { ...entry, role: textOf(entry.data.role) ?? textOf(entry.type) ?? '', content: entry.data.content ?? null };
  }
  return entry;
}

const SPEAKERS = [
  'role',
  'speaker',
  'sender',
  'speaker_label',
  'speakerLabel',
  'participantRole',
  'participant_role',
  'author',
  'user',
  'from',
  'channel_tag',
  'name',
];

const speakerField = (entry: JsonObject): string => SPEAKERS.find((name) => speakerIn(entry[name]) !== null) ?? 'role';

const speakerOf = (entry: JsonObject): string | null => speakerIn(entry[speakerField(entry)]);

function speakerIn(value: Json | undefined): string | null {
  if (isJsonObject(value)) return speakerIn(value.role ?? value.name ?? value.id);
  if (typeof value === 'number') return String(value);
  return shortText(value, 200);
}

const WORDS = [
  'parts',
  'content',
  'message',
  'transcript',
  'utterance',
  'messageText',
  'message_text',
  'value',
  'body',
];

const wordsOf = (entry: JsonObject): Json | undefined =>
  WORDS.map((name) => entry[name]).find((value) => value !== undefined && value !== null) ??
  (WORDS.some((name) => name in entry) ? null : undefined);

const listed = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

function toolCalls(entry: JsonObject, times: JsonObject): JsonObject[] {
  const calls = [...listed(entry.toolCalls), ...listed(entry.tool_calls)];
  return calls.map((call) => ({ role: 'agent', text: '', ...times, toolCall: callOf(call) }));
}

function keyOf(entry: JsonObject): string | null {
  const isKey = entry.role === 'dtmf' || entry.type === 'dtmf' || typeof entry.dtmf === 'string';
  if (!isKey) return null;
  const key = entry.digit ?? entry.dtmf ?? entry.content ?? entry.text;
  return shortText(key, 60) ?? numberOf(key)?.toString() ?? null;
}

function handOffOf(entry: JsonObject, { startMs }: JsonObject): Entry {
  const toId = shortText(entry.new_agent_id) ?? shortText(entry.newAgentId);
  if (toId === null) return SKIPPED;
  const fromId = shortText(entry.old_agent_id) ?? shortText(entry.oldAgentId);
  return { is: 'hand-off', fromId, toId, atMs: numberOf(startMs) };
}

/** A call may hold its result, as those of remote tools do. */
function madeCall(entry: JsonObject, times: JsonObject): Entry {
  const call: JsonObject & { toolCall: JsonObject } = { role: 'agent', text: '', ...times, toolCall: callOf(entry) };
  const failed = entry.error !== undefined && entry.error !== null;
  if (!failed && (entry.output === undefined || entry.output === null)) return turns(call);
  const result = {
    ...resultOf(entry),
    id: call.toolCall.id ?? null,
    ...(failed ? { ok: false, body: entry.error ?? null } : {}),
  };
  return turns(call, { role: 'tool', text: '', ...times, toolResult: result });
}

function callOf(call: JsonObject): JsonObject {
  const made = isJsonObject(call.function) ? call.function : call;
  return {
    id: call.call_id ?? call.tool_call_id ?? call.toolCallId ?? call.toolUseId ?? call.id ?? null,
    name: made.name ?? call.tool_name ?? call.toolName ?? null,
    args: looseJson(made.arguments ?? made.args ?? made.input ?? made.parameters),
  };
}

function resultOf(entry: JsonObject): JsonObject {
  const failed = entry.is_error ?? entry.isError;
  return {
    id:
      entry.tool_call_id ??
      entry.call_id ??
      entry.tool_use_id ??
      entry.toolUseId ??
      entry.toolCallId ??
      entry.id ??
      null,
    name: entry.name ?? entry.tool_name ?? entry.toolName ?? null,
    body: looseJson(plain(entry.output ?? entry.response ?? entry.content ?? entry.result ?? entry.text)),
    ...(typeof failed === 'boolean' ? { ok: !failed } : {}),
    ...(entry.successful === false ? { ok: false } : {}),
  };
}

/** What a tool answered in one part of text is that text. */
function plain(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const [part] = value;
  return isJsonObject(part) && Object.keys(part).length <= 3 && typeof part.text === 'string' ? part.text : value;
}
