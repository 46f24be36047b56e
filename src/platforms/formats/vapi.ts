import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given as filled, objectsIn, textOf } from '../values.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { like, list, oneOf, present } from './marks.ts';

const SERVER_MESSAGES =
  /^(assistant-request|conversation-update|end-of-call-report|function-call|hang|handoff-destination-request|knowledge-base-request|language-change-detected|model-output|phone-call-control|speech-update|status-update|tool-calls|tool-calls-result|transcript|transfer-destination-request|transfer-update|user-interrupted|voice-input|voice-request|call\.endpointing\.request|chat\.created|chat\.deleted|session\.(created|updated|deleted)|call\.deleted|call\.delete\.failed|assistant\.started|workflow\.node\.started)$/;
const type = like('a type of Vapi’s server messages', SERVER_MESSAGES);

/** Calls as Vapi's API gives them, and what it sends to a server. */
export const VAPI: readonly Format[] = [
  {
    name: 'Vapi end-of-call report',
    marks: { 'message.type': oneOf('end-of-call-report') },
    read: ({ value }) => report(asObject(asObject(value).message)),
  },
  {
    name: 'Vapi end-of-call report',
    marks: { type: oneOf('end-of-call-report') },
    read: ({ value }) => report(asObject(value)),
  },
  {
    name: 'Vapi server message',
    marks: { 'message.type': type, 'message.call|message.artifact|message.conversation|message.timestamp': present },
    read: ({ value }) => serverMessage(asObject(asObject(value).message)),
  },
  {
    name: 'Vapi server message',
    marks: { type, 'call|artifact|conversation': present },
    read: ({ value }) => serverMessage(asObject(value)),
  },
  {
    name: 'Vapi chat',
    marks: { output: list, input: present, 'assistantId|assistant|sessionId|orgId': present },
    unless: (value) => 'artifact' in asObject(value),
    read: (call) => chat(call, asObject(call.value)),
  },
  {
    name: 'Vapi call',
    marks: {
      'assistantId|squadId|artifact|phoneCallProvider|orgId': present,
      'artifact|messages|status|endedReason|type': present,
    },
    unless: (value) => 'turns' in asObject(value),
    read: ({ value }) => call(asObject(value)),
  },
  {
    name: 'Vapi artifact',
    marks: {
      'messages|messagesOpenAIFormatted': present,
      'recordingUrl|stereoRecordingUrl|messagesOpenAIFormatted': present,
    },
    read: ({ value }) => ({ as: 'vapi', payload: { artifact: value } }),
  },
  {
    name: 'messages of a Vapi call',
    marks: {
      '[].role': oneOf('system', 'bot', 'user', 'assistant', 'tool_calls'),
      '[].secondsFromStart': present,
      '[].message|[].toolCalls': present,
    },
    read: ({ value }: Given) => ({ as: 'vapi', payload: { messages: value, status: 'ended' } }),
  },
];

/** What was said before, what was asked, and what was answered. */
function chat(call: Given, { messages, input, output, ...value }: JsonObject): Reading {
  const asked = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsIn(input);
  const entries = [...objectsIn(messages), ...asked, ...objectsIn(output)];
  const fields = filled({ id: value.id, startedAt: value.createdAt, channel: 'text' });
  return conversationOf({ ...call, value: {} }, { list: 'messages', entries, fields });
}

/** Of a report the outer fields are the newer ones: the call inside is as it was while it went on. */
function report(message: JsonObject): Reading {
  const inner = asObject(message.call);
  const artifact = isJsonObject(message.artifact) ? message.artifact : messagesOf(message);
  const fields = ['endedReason', 'startedAt', 'endedAt', 'cost', 'costs', 'costBreakdown', 'analysis', 'customer'];
  const told = fields.filter((name) => message[name] !== undefined && message[name] !== null);
  const outer = Object.fromEntries(told.map((name) => [name, message[name] ?? null]));
  return call({
    ...inner,
    ...outer,
    ...(artifact === null ? {} : { artifact }),
    ...(inner.assistantId === undefined && isJsonObject(message.assistant)
      ? { assistantId: message.assistant.id ?? null }
      : {}),
    ...(textOf(message.assistantVersion ?? null) === null
      ? {}
      : { assistantVersion: message.assistantVersion ?? null }),
    status: 'ended',
  });
}

/** Older reports hold what is now in `artifact` beside the rest. */
function messagesOf(message: JsonObject): JsonObject | null {
  const names = ['messages', 'transcript', 'recordingUrl'].filter((name) => message[name] !== undefined);
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, message[name] ?? null]));
}

/** @throws UnreadableCall for every message that is not of a call that is over. */
function serverMessage(message: JsonObject): Reading {
  const isOver = message.type === 'status-update' && message.status === 'ended';
  const artifact = asObject(message.artifact);
  if (isOver && (Array.isArray(artifact.messages) || Array.isArray(message.messages))) return report(message);
  const kind = textOf(message.type ?? null) ?? '';
  throw new UnreadableCall(
    `The Vapi server message \`${kind}\` holds no finished call: import \`end-of-call-report\`, or the call from \`GET /call/{id}\`.`,
    'type',
  );
}

function call(given: JsonObject): Reading {
  const messages = asObject(given.artifact).messages ?? given.messages;
  if (Array.isArray(messages) || textOf(asObject(given.artifact).transcript ?? null) !== null)
    return { as: 'vapi', payload: given };
  // Older answers have the talk as text beside the rest.
  if (typeof given.transcript === 'string')
    return {
      as: 'vapi',
      payload: { ...given, artifact: { ...asObject(given.artifact), transcript: given.transcript } },
    };
  return { as: 'vapi', payload: given };
}
