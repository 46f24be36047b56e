import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { looseJson, objectsOf } from './attributes.ts';

/** One message of a talk with a model, whatever maker's format it came in. */
export interface Message {
  role: 'user' | 'assistant' | 'tool' | 'system' | 'other';
  text: string;
  calls: { id: string | null; name: string; args: Json }[];
  results: { id: string | null; name: string | null; body: Json }[];
}

/** Messages of OpenAI, Anthropic, Gemini, and of the GenAI conventions. */
export const messagesOf = (value: Json): Message[] => objectsOf(value).map(readMessage);

const ROLES: Readonly<Record<string, Message['role']>> = {
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
};

function readMessage(message: JsonObject): Message {
  const read: Message = { role: ROLES[String(message.role)] ?? 'other', text: '', calls: [], results: [] };
  const parts = Array.isArray(message.parts) ? message.parts : message.content;
  const texts: string[] = [];
  for (const part of Array.isArray(parts) ? parts : [parts]) {
    if (typeof part === 'string') texts.push(part);
    else if (isJsonObject(part)) readPart(part, read, texts);
  }
  for (const call of objectsOf(message.tool_calls ?? null)) readOpenAiCall(call, read);
  read.text = texts.join(' ').trim();
  if (read.role === 'tool' && read.results.length === 0) {
    const body = looseJson(read.text);
    read.results.push({ id: textOf(message.tool_call_id), name: textOf(message.name), body });
    read.text = '';
  }
  return read;
}

function readPart(part: JsonObject, into: Message, texts: string[]): void {
  const { type, id, name } = part;
  if (type === 'tool_call' || type === 'tool_use') {
    into.calls.push({
      id: textOf(id),
      name: textOf(name) ?? 'unnamed tool',
      args: looseJson(part.arguments ?? part.input),
    });
  } else if (type === 'tool_call_response' || type === 'tool_result') {
    const body = looseJson(part.response ?? part.result ?? part.content);
    into.results.push({ id: textOf(id) ?? textOf(part.tool_use_id), name: textOf(name), body });
  } else if (isJsonObject(part.function_call)) {
    const { id: callId, name: called, args } = part.function_call;
    into.calls.push({ id: textOf(callId), name: textOf(called) ?? 'unnamed tool', args: looseJson(args) });
  } else if (isJsonObject(part.function_response)) {
    const { id: callId, name: called, response } = part.function_response;
    into.results.push({ id: textOf(callId), name: textOf(called), body: looseJson(response) });
  } else {
    const text = textOf(part.text) ?? textOf(part.content);
    if (text !== null) texts.push(text);
  }
}

function readOpenAiCall(call: JsonObject, into: Message): void {
  const made = isJsonObject(call.function) ? call.function : call;
  into.calls.push({ id: textOf(call.id), name: textOf(made.name) ?? 'unnamed tool', args: looseJson(made.arguments) });
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);
