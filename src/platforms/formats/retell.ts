import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, numberOf, objectsIn, textOf } from '../values.ts';
import type { Format, Reading } from './format.ts';
import { object, oneOf, present, text } from './marks.ts';

const OF_A_CALL = 'transcript_with_tool_calls|transcript_object|call_status|disconnection_reason|agent_version';

const within = (field: string) =>
  OF_A_CALL.split('|')
    .map((name) => `${field}.${name}`)
    .join('|');

/** Whether a value is a message of the socket between Retell and a language model of the customer's own. */
export const isSocketMessage = (value: JsonObject): boolean =>
  typeof value.interaction_type === 'string' ||
  (typeof value.response_type === 'string' && ('response_id' in value || 'config' in value || 'content' in value));

/** Calls as Retell's API gives them, and what its webhooks send. */
export const RETELL: readonly Format[] = [
  {
    name: 'messages of Retell’s LLM WebSocket',
    marks: { '[].interaction_type|[].response_type': text },
    read: ({ value }) => socket(objectsIn(value)),
  },
  {
    name: 'message of Retell’s LLM WebSocket',
    marks: { interaction_type: text },
    read() {
      throw new UnreadableCall(
        'One message of the socket is no call: all messages of a call make one, as lines of a file, or import the call from `GET /v2/get-call/{call_id}`.',
        'interaction_type',
      );
    },
  },
  {
    name: 'Retell webhook',
    marks: { event: text, call: object, [within('call')]: present },
    read({ value }) {
      const { event, call } = asObject(value);
      const kind = textOf(event ?? null) ?? '';
      if (/^call_(started|ongoing)$|^transcript_updated$|^transfer_/.test(kind)) {
        throw new UnreadableCall(
          `The Retell event \`${kind}\` tells of a call that goes on: import \`call_ended\` or \`call_analyzed\`, or the call from \`GET /v2/get-call/{call_id}\`.`,
          'event',
        );
      }
      return payload(asObject(call));
    },
  },
  {
    name: 'Retell chat',
    marks: { chat_id: text, 'message_with_tool_calls|transcript|chat_status': present },
    read({ value }) {
      const chat = asObject(value);
      const said = Array.isArray(chat.message_with_tool_calls) ? chat.message_with_tool_calls : null;
      return payload({
        ...chat,
        call_id: chat.chat_id ?? null,
        call_status: 'ended',
        transcript_with_tool_calls: said,
      });
    },
  },
  {
    name: 'Retell call',
    marks: { 'call_id|agent_id': present, [OF_A_CALL]: present },
    unless: (value) => 'turns' in asObject(value),
    read: ({ value }) => payload(asObject(value)),
  },
  {
    name: 'transcript of a Retell call',
    marks: {
      '[].role': oneOf('agent', 'user', 'tool_call_invocation', 'node_transition'),
      '[].content|[].name|[].new_node_id': text,
    },
    unless: (value) => !isWoven(value),
    read: ({ value }) => payload({ transcript_with_tool_calls: value }),
  },
];

/** Each message that asks for something holds the whole talk so far. @throws UnreadableCall where none does */
function socket(messages: readonly JsonObject[]): Reading {
  const told = messages.findLast(({ transcript }) => Array.isArray(transcript));
  if (told === undefined) {
    throw new UnreadableCall('The messages of Retell’s LLM WebSocket hold no `transcript`.', 'transcript');
  }
  const call = asObject(messages.find(({ interaction_type: kind }) => kind === 'call_details')?.call);
  const said = told.transcript_with_tool_calls ?? told.transcript ?? null;
  const warning = 'The messages do not say when and how the call ended.';
  return {
    as: 'retell',
    payload: { ...call, call_status: 'ended', transcript_with_tool_calls: said },
    warnings: [warning],
  };
}

const WOVEN = new Set(['tool_call_invocation', 'node_transition', 'state_transition', 'transfer_target']);

/** A list that only Retell writes: what is plain speech of two roles is everybody's. */
const isWoven = (value: Json) =>
  Array.isArray(value) &&
  value.some((entry) => isJsonObject(entry) && (WOVEN.has(textOf(entry.role ?? null) ?? '') || isTimed(entry)));

const isTimed = ({ words }: JsonObject) =>
  Array.isArray(words) && isJsonObject(words[0]) && 'word' in words[0] && 'start' in words[0];

const TRANSCRIPTS = [
  'transcript',
  'transcript_object',
  'transcript_with_tool_calls',
  'scrubbed_transcript_with_tool_calls',
];

/** @throws UnreadableCall for an item of a list, which has no words of a call that had some. */
function payload(call: JsonObject): Reading {
  const isListed = TRANSCRIPTS.every((name) => !(name in call));
  const tookPlace = (numberOf(call.duration_ms) ?? 0) > 0 && call.data_storage_setting !== 'basic_attributes_only';
  if (isListed && tookPlace) {
    throw new UnreadableCall(
      'A Retell call out of a list holds no transcript: import each call as `GET /v2/get-call/{call_id}` gives it, or connect Retell with `earshot connect retell`.',
      'transcript_with_tool_calls',
    );
  }
  return { as: 'retell', payload: call };
}
