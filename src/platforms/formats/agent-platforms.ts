import type { Json, JsonObject } from '../../domain/json.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { conversationOf } from './conversation.ts';
import type { Format } from './format.ts';
import { like, list, object, oneOf, present, text } from './marks.ts';

const HUME_WORDS = oneOf('SYSTEM_PROMPT', 'CHAT_START_MESSAGE', 'USER_MESSAGE', 'AGENT_MESSAGE', 'ASSISTANT_MESSAGE');

/** What platforms of voice agents answer whose accounts are not followed. */
export const AGENT_PLATFORMS: readonly Format[] = [
  {
    name: 'Bland AI call',
    marks: { call_id: text, transcripts: list, 'concatenated_transcript|call_length|c_id': present },
    read(call) {
      const value = asObject(call.value);
      const inbound = value.inbound === true;
      const entries = objectsIn(value.transcripts).map(
        ({ user, text: said, created_at }): JsonObject =>
          user === 'agent-action'
            ? { type: 'agent-action' }
            : {
                speaker: user === 'robot' ? 'assistant' : (user ?? null),
                text: said ?? null,
                created_at: created_at ?? null,
              },
      );
      const fields = given({
        id: value.call_id,
        startedAt: value.started_at ?? value.created_at,
        endedAt: value.end_at,
        direction: typeof value.inbound === 'boolean' ? (inbound ? 'inbound' : 'outbound') : null,
        callerNumber: inbound ? value.from : value.to,
        endedBy: ENDED_BY.get(value.call_ended_by ?? null),
        channel: 'voice',
      });
      return conversationOf(
        { ...call, value: { roles: value.roles ?? null } },
        { list: 'transcripts', entries, fields },
      );
    },
  },
  {
    name: 'Ultravox messages',
    marks: { 'results.[].role|messages.[].role|[].role': like('a role of Ultravox', /^MESSAGE_ROLE_/) },
    read(call) {
      const value = asObject(call.value);
      const name = Array.isArray(call.value) ? '' : Array.isArray(value.results) ? 'results' : 'messages';
      const entries = objectsIn(name === '' ? call.value : (value[name] ?? null)).map(ultravoxEntry);
      const isVoice = entries.some(({ startMs }) => startMs !== null);
      const fields = given({ id: value.callId, channel: isVoice ? 'voice' : null });
      return conversationOf({ ...call, value: {} }, { list: name, entries, fields });
    },
  },
  {
    name: 'Hume EVI chat',
    marks: { events_page: list, 'events_page.[].type': HUME_WORDS },
    read(call) {
      const value = asObject(call.value);
      const entries = objectsIn(value.events_page).flatMap((event): JsonObject[] => {
        const { type, message_text: said, timestamp } = event;
        const role = HUME_ROLES.get(textOf(type) ?? '');
        if (role !== undefined) return [{ role, text: said ?? null, ...given({ timestamp }) }];
        return textOf(type)?.startsWith('FUNCTION_CALL') ? [{ type: type ?? null }] : [];
      });
      const fields = given({
        id: value.id,
        startedAt: value.start_timestamp,
        endedAt: value.end_timestamp,
        endedBy: value.status === 'USER_ENDED' ? 'caller' : null,
        channel: 'voice',
      });
      return conversationOf({ ...call, value: {} }, { list: 'events_page', entries, fields });
    },
  },
  {
    name: 'Rasa tracker',
    marks: { sender_id: text, events: list, 'events.[]': object, 'events.[].event': text },
    read(call) {
      const value = asObject(call.value);
      const entries = objectsIn(value.events).flatMap(({ event, text: said, timestamp }) =>
        event === 'user' || event === 'bot'
          ? [{ role: event === 'user' ? 'user' : 'agent', text: said ?? null, ...given({ timestamp }) }]
          : [],
      );
      const fields = given({ id: value.conversation_id ?? value.sender_id });
      return conversationOf({ ...call, value: {} }, { list: 'events', entries, fields });
    },
  },
];

const ENDED_BY: ReadonlyMap<Json, string> = new Map([
  ['ASSISTANT', 'agent'],
  ['USER', 'caller'],
]);

const HUME_ROLES: ReadonlyMap<string, string> = new Map([
  ['USER_MESSAGE', 'user'],
  ['AGENT_MESSAGE', 'agent'],
  ['ASSISTANT_MESSAGE', 'agent'],
]);

const ULTRAVOX_ROLES: ReadonlyMap<string, string> = new Map([
  ['MESSAGE_ROLE_USER', 'user'],
  ['MESSAGE_ROLE_AGENT', 'agent'],
]);

function ultravoxEntry({ role, text: said, invocationId, toolName, timespan }: JsonObject): JsonObject {
  const { start, end } = asObject(timespan);
  const times = { startMs: secondsMs(start), endMs: secondsMs(end) };
  const tool = { ...times, call_id: invocationId ?? null, name: toolName ?? null };
  if (role === 'MESSAGE_ROLE_TOOL_CALL') return { ...tool, type: 'function_call', arguments: said ?? null };
  if (role === 'MESSAGE_ROLE_TOOL_RESULT') return { ...tool, type: 'function_call_output', output: said ?? null };
  const speaker = ULTRAVOX_ROLES.get(textOf(role) ?? '');
  return speaker === undefined ? { ...times, type: role ?? null } : { ...times, role: speaker, text: said ?? null };
}

/** "1.25s" */
function secondsMs(value: Json | undefined): number | null {
  const seconds =
    typeof value === 'string' && /^\d{1,9}(\.\d{1,9})?s$/.test(value) ? numberOf(value.slice(0, -1)) : null;
  return seconds === null ? null : Math.round(seconds * 1000);
}
