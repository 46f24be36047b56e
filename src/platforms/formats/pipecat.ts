import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, objectsIn, textOf } from '../values.ts';
import { conversationOf, readConversation } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { list, oneOf, present, text } from './marks.ts';

const RTVI = oneOf('rtvi-ai');

/** What Pipecat's clients and aggregators write: RTVI messages, transcripts and contexts. */
export const PIPECAT: readonly Format[] = [
  {
    name: 'RTVI messages of Pipecat',
    marks: { '[].label': RTVI },
    read: (call) => rtvi(call, objectsIn(call.value), ''),
  },
  {
    name: 'RTVI messages of Pipecat',
    marks: { 'messages.[].label|events.[].label': RTVI },
    read(call) {
      const name = Array.isArray(asObject(call.value).messages) ? 'messages' : 'events';
      return rtvi(call, objectsIn(asObject(call.value)[name]), name);
    },
  },
  {
    name: 'RTVI message of Pipecat',
    marks: { label: RTVI, type: text },
    read() {
      throw new UnreadableCall(
        'One RTVI message is no call: all messages of a session make one, as lines of a file or as `{"id", "messages": […]}`.',
        'label',
      );
    },
  },
  {
    name: 'Pipecat transcript',
    marks: { '[].role': oneOf('user', 'assistant'), '[].content': text, '[].timestamp': present },
    read: readConversation,
  },
  {
    name: 'Pipecat context',
    marks: { messages: list, 'tools|tool_choice|system|system_instruction': present },
    unless: (value) => 'model' in asObject(value) || Array.isArray(asObject(value).system),
    read: readConversation,
  },
];

interface Said {
  role: 'user' | 'assistant';
  text: string;
  timestamp?: Json;
}

/** Which messages hold the words of the bot: the fullest that a session has. */
const BOT_WORDS: readonly ((message: JsonObject) => boolean)[] = [
  ({ type }) => type === 'bot-transcription',
  ({ type, data }) => type === 'bot-output' && asObject(data).aggregated_by === 'sentence',
  ({ type, data }) => type === 'bot-output' && asObject(data).aggregated_by === 'word',
  ({ type }) => type === 'bot-output',
  ({ type }) => type === 'bot-tts-text',
  ({ type }) => type === 'bot-llm-text',
];

function rtvi(call: Given, messages: readonly JsonObject[], name: string): Reading {
  const isBotWords = BOT_WORDS.find((isOne) => messages.some(isOne)) ?? (() => false);
  const entries: (Said | JsonObject)[] = [];
  let cut = true;
  for (const message of messages) {
    const data = asObject(message.data);
    const last = entries.at(-1);
    if (message.type === 'bot-started-speaking' || message.type === 'bot-llm-started') cut = true;
    else if (isBotWords(message)) {
      const words = textOf(data.text ?? null) ?? '';
      const goesOn = !cut && isJsonObject(last) && last.role === 'assistant' && typeof last.text === 'string';
      if (goesOn) last.text = joined(String(last.text), words, message.type === 'bot-llm-text');
      else entries.push({ role: 'assistant', text: words });
      cut = false;
    } else {
      const made = entryOf(message, data, last);
      if (made === null) continue;
      entries.push(made);
      cut = true;
    }
  }
  const reading = conversationOf(
    { ...call, value: isJsonObject(call.value) ? { ...call.value, messages: null } : {} },
    { list: name, entries: entries as JsonObject[], fields: given({ id: asObject(call.value).id }) },
  );
  return reading.as === 'record' ? { ...reading, places: [] } : reading;
}

/** Tokens bring their own spaces. */
const joined = (before: string, words: string, areTokens: boolean) =>
  areTokens ? before + words : `${before.trimEnd()} ${words.trimStart()}`;

function entryOf({ type }: JsonObject, data: JsonObject, last: Said | JsonObject | undefined): JsonObject | null {
  const id = data.tool_call_id ?? null;
  const name = data.function_name ?? data.name ?? null;
  switch (textOf(type) ?? '') {
    case 'user-transcription':
      return data.final === false
        ? null
        : { role: 'user', text: data.text ?? null, ...given({ timestamp: data.timestamp }) };
    case 'send-text':
      return { role: 'user', text: data.content ?? data.text ?? null };
    case 'llm-function-call':
    case 'llm-function-call-in-progress': {
      // The same call is told of when it is asked for and when it runs.
      const isKnown = isJsonObject(last) && last.type === 'function_call' && last.call_id === id && id !== null;
      return isKnown
        ? null
        : { type: 'function_call', call_id: id, name, arguments: data.args ?? data.arguments ?? null };
    }
    case 'llm-function-call-result':
    case 'llm-function-call-stopped':
      return data.cancelled === true || !('result' in data)
        ? null
        : { type: 'function_call_output', call_id: id, name, output: data.result ?? null };
    default:
      return null;
  }
}
