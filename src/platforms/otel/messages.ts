import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { parseJson } from '../../domain/parse-json.ts';
import { looseJson, objectsOf } from './attributes.ts';

/** One message of a talk with a model, whatever maker's format it came in. */
export interface Message {
  role: 'user' | 'assistant' | 'tool' | 'system' | 'other';
  text: string;
  calls: { id: string | null; name: string; args: Json }[];
  results: { id: string | null; name: string | null; body: Json }[];
}

/** Where one value stands within others: deeper than any library writes them, and nobody's message. */
const DEPTH_MAX = 8;

/** Fields that hold messages, or a value that does, in what libraries send as a model's input or output. */
const HOLDERS = [
  'messages',
  'input_messages',
  'contents',
  'input',
  'inputs',
  'prompt',
  'prompts',
  'choices',
  'candidates',
  'generations',
  'output',
  'outputs',
  'response',
  'result',
  'message',
] as const;

/** What libraries call words that stand in no message. */
const WORDS = ['text', 'content', 'completion', 'answer', 'query', 'question', 'utterance', 'transcript'] as const;

/**
 * Messages of OpenAI (chat and responses), Anthropic, Gemini, Bedrock, LangChain, the AI SDK, OpenInference and the
 * GenAI conventions, as a list, one alone, or within what a library wraps around them.
 * @param role of words that stand in no message
 */
export function messagesOf(value: Json, role: Message['role'] = 'other', depth = DEPTH_MAX): Message[] {
  if (depth === 0 || value === null) return [];
  if (typeof value === 'string') return ofText(value, role, depth);
  if (Array.isArray(value)) return ofList(value, role, depth);
  if (!isJsonObject(value)) return [];
  if (isMessage(value)) return [readMessage(value, role)];
  const within = (name: string) => messagesOf(value[name] ?? null, role, depth - 1);
  const before = within('chat_history');
  if (before.length > 0) return [...before, ...within('input')];
  for (const name of HOLDERS) {
    const found = within(name);
    if (found.length > 0) return found;
  }
  if (isJsonObject(value.content ?? null)) return within('content');
  for (const name of WORDS) {
    const words = value[name];
    if (typeof words === 'string' && words.trim() !== '') return [wordsOf(role, words)];
  }
  return [];
}

const wordsOf = (role: Message['role'], text: string): Message => ({ role, text: text.trim(), calls: [], results: [] });

function ofText(text: string, role: Message['role'], depth: number): Message[] {
  if (depth === 0) return [];
  const parsed = /^\s*[[{"]/.test(text) ? looseJson(text) : null;
  if (typeof parsed === 'string' && parsed !== text) return ofText(parsed, role, depth - 1);
  if (typeof parsed === 'object' && parsed !== null) {
    const found = messagesOf(parsed, role, depth - 1);
    // A model may well answer in JSON; what it was given as such and holds no message is nobody's words.
    if (found.length > 0 || role !== 'assistant' || Object.keys(parsed).length === 0) return found;
  }
  return text.trim() === '' || role === 'other' ? [] : [wordsOf(role, text)];
}

function ofList(list: readonly Json[], role: Message['role'], depth: number): Message[] {
  // Some libraries send a list of talks, of which there is one.
  if (list.length > 0 && list.every(Array.isArray)) return messagesOf(list[0] ?? null, role, depth - 1);
  if (list.length > 0 && list.every(isLoosePart)) return [readMessage({ content: list.slice() }, role)];
  return list.flatMap((entry) => messagesOf(entry, role, depth - 1));
}

/** A piece of a message without the message around it. */
const isLoosePart = (value: Json) =>
  isJsonObject(value) &&
  value.role === undefined &&
  value.message === undefined &&
  !isMessage(value) &&
  (isToolPart(value) || isTextPart(value));

const isTextPart = ({ type, text, content }: JsonObject) =>
  (type === undefined || type === 'text' || type === 'output_text' || type === 'input_text') &&
  (typeof text === 'string' || (type === 'text' && typeof content === 'string'));

const isToolPart = (part: JsonObject) =>
  /^tool[_-](call|use|result|call_response)$/.test(String(part.type)) ||
  isJsonObject(part.function_call ?? part.functionCall ?? part.toolUse ?? part.toolResult ?? null) ||
  isJsonObject(part.function_response ?? part.functionResponse ?? null);

const LANGCHAIN_TYPES = new Set(['human', 'ai', 'AIMessageChunk', 'system', 'tool', 'function', 'developer']);
const RESPONSE_ITEMS = new Set(['message', 'function_call', 'function_call_output']);

function isMessage(value: JsonObject): boolean {
  if (isJsonObject(value.kwargs) && Array.isArray(value.id)) return true;
  if (isJsonObject(value.message)) return false;
  if (typeof value.role === 'string' && !isEnvelope(value)) return true;
  const type = String(value.type);
  if (RESPONSE_ITEMS.has(type)) return true;
  return LANGCHAIN_TYPES.has(type) && ('content' in value || 'data' in value);
}

/** What has a role and still only holds messages. */
const isEnvelope = ({ messages }: JsonObject) => Array.isArray(messages);

const ROLES: Readonly<Record<string, Message['role']>> = {
  user: 'user',
  human: 'user',
  caller: 'user',
  customer: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  aimessagechunk: 'assistant',
  model: 'assistant',
  agent: 'assistant',
  bot: 'assistant',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
};

function roleOf(value: Json | undefined): Message['role'] | null {
  const name = String(value).toLowerCase();
  return Object.hasOwn(ROLES, name) ? (ROLES[name] ?? null) : null;
}

function readMessage(given: JsonObject, otherwise: Message['role']): Message {
  const message = unwrapped(given);
  const type = String(message.type);
  const named = roleOf(message.role) ?? roleOf(LANGCHAIN_TYPES.has(type) ? type : undefined);
  const role = named ?? (message.role === undefined ? otherwise : 'other');
  const read: Message = { role, text: '', calls: [], results: [] };
  if (type === 'function_call') addCall(read, message);
  else if (type === 'function_call_output') addResult(read, message, message.output);
  else readContent(message, read);
  return read;
}

/** What LangChain writes of a message object: its fields under `kwargs` or `data`. */
function unwrapped(message: JsonObject): JsonObject {
  if (isJsonObject(message.kwargs) && Array.isArray(message.id)) {
    const kind = /^(Human|AI|System|Tool|Function)Message/.exec(String(message.id.at(-1)))?.[1] ?? 'other';
    return { type: kind.toLowerCase(), ...message.kwargs };
  }
  return isJsonObject(message.data) && message.content === undefined ? { ...message, ...message.data } : message;
}

function readContent(message: JsonObject, read: Message): void {
  const texts: string[] = [];
  for (const part of partsOf(message)) {
    if (typeof part === 'string') texts.push(part);
    else if (isJsonObject(part)) readPart(part, read, texts);
  }
  const extra = isJsonObject(message.additional_kwargs) ? message.additional_kwargs.tool_calls : null;
  const calls = [...objectsOf(message.tool_calls ?? null), ...objectsOf(message.toolCalls ?? null)];
  for (const call of calls.length > 0 ? calls : objectsOf(extra ?? null)) addToolCall(read, call);
  if (isJsonObject(message.function_call)) addCall(read, message.function_call);
  else if (typeof message.function_call_name === 'string') {
    addCall(read, { name: message.function_call_name, arguments: message.function_call_arguments_json ?? null });
  }
  read.text = texts.join(' ').trim();
  if (read.role === 'tool' && read.results.length === 0 && read.calls.length === 0) {
    addResult(read, message, read.text === '' ? (message.content ?? null) : read.text);
  }
  if (read.role === 'tool') read.text = '';
}

/** The pieces of a message, also where they came as JSON in a text. */
function partsOf({ parts, content, contents }: JsonObject): Json[] {
  const list = [parts, content, contents].find(Array.isArray) ?? listIn(content);
  if (list !== null) return list;
  return content === undefined ? [] : [content];
}

function listIn(content: Json | undefined): Json[] | null {
  if (typeof content !== 'string' || !/^\s*\[\s*\{/.test(content)) return null;
  const parsed = parseJson(content);
  return Array.isArray(parsed) && parsed.every(isLoosePart) ? parsed : null;
}

function readPart(given: JsonObject, into: Message, texts: string[]): void {
  const part = isJsonObject(given.message_content) ? { ...given, ...given.message_content } : given;
  const type = String(part.type).replaceAll('-', '_');
  if (type === 'tool_call' || type === 'tool_use') addToolCall(into, part);
  else if (type === 'tool_call_response' || type === 'tool_result') addResult(into, part, resultOf(part));
  else if (isJsonObject(part.toolUse)) addCall(into, part.toolUse);
  else if (isJsonObject(part.toolResult)) addResult(into, part.toolResult, part.toolResult.content);
  else if (isJsonObject(part.function_call ?? part.functionCall ?? null)) {
    addCall(into, objectOf(part.function_call ?? part.functionCall));
  } else if (isJsonObject(part.function_response ?? part.functionResponse ?? null)) {
    const response = objectOf(part.function_response ?? part.functionResponse);
    addResult(into, response, response.response);
  } else if (!THOUGHTS.test(type)) {
    const words = [part.text, part.content, part.transcript, part.refusal].map(textOf).find((text) => text !== null);
    if (words !== undefined && words !== null) texts.push(words);
  }
}

/** What a model thinks before it answers, and what was sent besides words, is said to nobody. */
const THOUGHTS = /reason|think|image|file|blob|uri|video/;

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value ?? null) ? (value as JsonObject) : {});

const resultOf = ({ response, result, output, content }: JsonObject): Json | undefined => {
  const body = response ?? result ?? output ?? content;
  return isJsonObject(body ?? null) && 'value' in objectOf(body) && 'type' in objectOf(body)
    ? objectOf(body).value
    : body;
};

/** A call as OpenAI writes it, around its function, or bare. */
function addToolCall(into: Message, given: JsonObject): void {
  const call = isJsonObject(given.tool_call) ? given.tool_call : given;
  const made = isJsonObject(call.function) ? { ...call.function, id: call.id ?? null } : call;
  addCall(into, made);
}

function addCall(into: Message, call: JsonObject): void {
  into.calls.push({
    id: idOf(call),
    name: textOf(call.name) ?? textOf(call.toolName) ?? 'unnamed tool',
    args: looseJson(call.arguments ?? call.args ?? call.input),
  });
}

function addResult(into: Message, from: JsonObject, body: Json | undefined): void {
  into.results.push({ id: idOf(from), name: textOf(from.name) ?? textOf(from.toolName), body: bodyOf(body) });
}

/** The words alone where a result is a list of pieces of text. */
function bodyOf(body: Json | undefined): Json {
  if (Array.isArray(body) && body.length === 1 && isJsonObject(body[0] ?? null)) {
    const [piece] = body;
    const { json, text } = objectOf(piece);
    if (json !== undefined) return json;
    if (typeof text === 'string') return looseJson(text);
  }
  return looseJson(body);
}

const IDS = ['call_id', 'tool_call_id', 'tool_use_id', 'toolUseId', 'toolCallId', 'id'] as const;

const idOf = (value: JsonObject): string | null =>
  IDS.map((name) => textOf(value[name])).find((id) => id !== null) ?? null;

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);
