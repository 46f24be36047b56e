import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { conversationOf, readConversation } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { like, list, named, oneOf, present, text } from './marks.ts';
import { isRealtimeEvent, itemsOfEvents } from './realtime-events.ts';

/** What OpenAI's chat completions, Responses and Realtime write, and what many libraries write after them. */
export const OPENAI: readonly Format[] = [
  {
    name: 'OpenAI Realtime events',
    marks: { '[].type': text },
    unless: (value) => !(Array.isArray(value) && value.some((event) => isRealtimeEvent(event))),
    read: (call) => realtime(call, Array.isArray(call.value) ? call.value : [], ''),
  },
  {
    name: 'OpenAI Realtime events',
    marks: { events: list, 'events.[].type': text },
    unless: (value) => !objectsIn(asObject(value).events).some(isRealtimeEvent),
    read: (call) => realtime(call, objectsIn(asObject(call.value).events), 'events'),
  },
  {
    name: 'OpenAI Realtime event',
    marks: { type: like('a type of Realtime events', /^(session|conversation|response|input_audio_buffer)\./) },
    unless: (value) => 'items' in asObject(value),
    read() {
      throw new UnreadableCall(
        'One Realtime event is no call: all events of a session make one, as lines of a file or as `{"id", "events": […]}`.',
        'type',
      );
    },
  },
  {
    name: 'OpenAI Responses answer',
    marks: { object: oneOf('response'), output: list },
    read: (call) => responses(call, asObject(call.value)),
  },
  {
    name: 'OpenAI Responses log',
    marks: { output: list, 'input|instructions|model': present, 'output.[].type': text },
    read: (call) => responses(call, asObject(call.value)),
  },
  {
    name: 'OpenAI thread messages',
    marks: { data: list, 'data.[].object': oneOf('thread.message') },
    read: (call) => thread(call, objectsIn(asObject(call.value).data)),
  },
  {
    name: 'OpenAI conversation items',
    marks: {
      object: oneOf('list'),
      data: list,
      'data.[].type': oneOf('message', 'function_call', 'function_call_output', 'reasoning'),
    },
    read: (call) => listed(call, asObject(call.value)),
  },
  {
    name: 'OpenAI chat completion log',
    marks: { 'request.messages': list, 'response.choices': list },
    read: (call) => exchange(call, asObject(asObject(call.value).request), asObject(asObject(call.value).response)),
  },
  {
    name: 'OpenAI chat completion log',
    marks: { messages: list, choices: list },
    read: (call) => exchange(call, asObject(call.value), asObject(call.value)),
  },
  {
    name: 'OpenAI chat completion',
    marks: { object: oneOf('chat.completion', 'chat.completion.chunk'), choices: list },
    read() {
      throw new UnreadableCall(
        'One chat completion is one answer of a model: import the messages of the whole conversation, as `{"id", "messages": […]}`.',
        'messages',
      );
    },
  },
  {
    name: 'OpenAI Realtime items',
    marks: {
      items: list,
      'items.[].type': oneOf('message', 'function_call', 'function_call_output'),
      'items.[].object|items.[].status|items.[].content|items.[].call_id': present,
    },
    read: readConversation,
  },
  {
    name: 'OpenAI items',
    marks: { '[].type': oneOf('message', 'function_call', 'function_call_output'), '[].content|[].call_id': present },
    read: readConversation,
  },
  {
    name: 'OpenAI stored chat',
    marks: { object: oneOf('list'), data: list, 'data.[].role': text, 'data.[].content': named },
    read: (call) => conversationOf(call, { list: 'data', entries: objectsIn(asObject(call.value).data) }),
  },
];

function realtime(call: Given, events: readonly Json[], name: string): Reading {
  const { sessionId, items, places } = itemsOfEvents(events);
  const own = asObject(call.value).id ?? sessionId;
  const reading = conversationOf(
    { ...call, value: { roles: asObject(call.value).roles ?? null } },
    { list: name, entries: items, fields: given({ id: own, channel: 'voice' }) },
  );
  if (reading.as !== 'record') return reading;
  return { ...reading, places: reading.places.map((place) => placeOf(place, name, places)) };
}

/** Items are made of events: what is wrong with one is wrong with the event that it came by. */
function placeOf(place: string, name: string, places: readonly number[]): string {
  const at = Number(/\[(\d+)\]$/.exec(place)?.[1]);
  return `${name}[${places[at] ?? 0}]`;
}

function responses(call: Given, value: JsonObject): Reading {
  const input = typeof value.input === 'string' ? [{ role: 'user', content: value.input }] : objectsIn(value.input);
  return conversationOf(call, {
    list: 'output',
    entries: [...input, ...objectsIn(value.output)],
    fields: given({ id: conversationId(value) }),
  });
}

const conversationId = (value: JsonObject) =>
  textOf(asObject(value.conversation).id ?? null) ?? textOf(value.id ?? null);

/** Lists come newest first unless they are asked for otherwise: a result before its call shows that. */
function listed(call: Given, value: JsonObject): Reading {
  const items = objectsIn(value.data);
  const seen = new Set<Json>();
  const isReversed = items.some((item) => {
    if (item.type === 'function_call') seen.add(item.call_id ?? null);
    return item.type === 'function_call_output' && !seen.has(item.call_id ?? null);
  });
  const hasTools = items.some(({ type }) => type === 'function_call');
  const reading = conversationOf(call, { list: 'data', entries: isReversed ? items.toReversed() : items });
  if (reading.as !== 'record' || hasTools) return reading;
  return {
    ...reading,
    warnings: [
      ...reading.warnings,
      'The list says no order: it is read as the first item being the oldest (`order=asc`).',
    ],
  };
}

function exchange(call: Given, request: JsonObject, response: JsonObject): Reading {
  const [choice] = objectsIn(response.choices);
  const answer = isJsonObject(choice?.message) ? [choice.message] : [];
  return conversationOf(call, {
    list: 'messages',
    entries: [...(Array.isArray(request.messages) ? request.messages : []), ...answer],
  });
}

/** Lists of messages come newest first. */
function thread(call: Given, messages: readonly JsonObject[]): Reading {
  const at = ({ created_at: time }: JsonObject) => numberOf(time) ?? 0;
  const entries = messages.every(({ created_at: time }) => numberOf(time) !== null)
    ? messages.toSorted((a, b) => at(a) - at(b))
    : messages;
  const fields = given({ id: messages[0]?.thread_id, channel: 'text' });
  return conversationOf({ ...call, value: {} }, { list: 'data', entries, fields });
}
