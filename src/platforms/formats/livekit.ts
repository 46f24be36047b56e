import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, objectsIn, textOf } from '../values.ts';
import { clockMs } from './clock.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { like, list, object, oneOf, present } from './marks.ts';
import { firstClock } from './times.ts';

const ITEM = oneOf('message', 'function_call', 'function_call_output', 'agent_handoff', 'agent_config_update');

/** LiveKit's session reports (`make_session_report`, `makeSessionReport`) and histories (`history.to_dict()`). */
export const LIVEKIT: readonly Format[] = [
  {
    name: 'LiveKit session report',
    marks: { 'chat_history|chatHistory': present, 'job_id|room_id|room|jobId|roomId|events': present },
    read: (call) => report(call, asObject(call.value)),
  },
  {
    name: 'LiveKit webhook',
    marks: {
      event: like('an event of LiveKit', /^(room_(started|finished)|participant_|track_|egress_|ingress_)/),
      'room|egressInfo|ingressInfo': object,
    },
    read() {
      throw new UnreadableCall(
        'A LiveKit webhook holds no words: import the session report (`ctx.make_session_report().to_dict()` in `on_session_end`), or send spans with `earshot connect livekit`.',
        'event',
      );
    },
  },
  {
    name: 'LiveKit chat history',
    marks: { items: list, 'items.[].type': ITEM },
    unless: (value) => !isLivekit(asObject(value).items),
    read: (call) => history(call, asObject(call.value).items ?? [], 'items'),
  },
  {
    name: 'LiveKit chat history',
    marks: { '[].type': ITEM },
    unless: (value) => !isLivekit(value),
    read: (call) => history(call, call.value, ''),
  },
];

/** Its items have a clock time in seconds, which those of OpenAI lack, or types that nobody else has. */
const isLivekit = (items: Json | undefined) =>
  Array.isArray(items) &&
  items.some(
    (item) =>
      isJsonObject(item) &&
      ('metrics' in item ||
        'interrupted' in item ||
        (typeof item.created_at === 'number' && typeof item.type === 'string') ||
        textOf(item.type ?? null)?.startsWith('agent_') === true ||
        (Array.isArray(item.content) && typeof item.content[0] === 'string')),
  );

function history(call: Given, items: Json, name: string): Reading {
  const entries = Array.isArray(items) ? items : [];
  return conversationOf(call, { list: name, entries, fields: startOf(entries) });
}

function report(call: Given, value: JsonObject): Reading {
  const history = asObject(value.chat_history ?? value.chatHistory);
  const items = Array.isArray(history.items) ? history.items : [];
  const events = objectsIn(value.events);
  const close = events.find(({ type }) => type === 'close');
  const reason = textOf(close?.reason ?? value.close_reason ?? null)?.toLowerCase() ?? null;
  const reading = conversationOf(
    { ...call, value: {} },
    {
      list: 'chat_history.items',
      entries: items,
      fields: {
        ...given({ id: value.room_id ?? value.roomId ?? value.job_id ?? value.jobId ?? null }),
        ...startOf(items),
        ...given({ endedAt: isoOf(close?.created_at ?? value.timestamp), disconnectionReason: reason }),
      },
    },
  );
  return reading.as === 'record' ? { ...reading, closeReason: reason } : reading;
}

const startOf = (items: readonly Json[]) => given({ startedAt: isoOf(firstClock(items)) });

function isoOf(value: Json | undefined): string | null {
  const ms = clockMs(value);
  return ms === null ? null : new Date(ms).toISOString();
}
