import type { JsonObject } from '../../domain/json.ts';
import { asObject, given, objectsIn, textOf } from '../values.ts';
import { conversationOf, readConversation } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { list, oneOf, present } from './marks.ts';

const BLOCK = /^(text|tool_use|tool_result|thinking|image|server_tool_use|redacted_thinking)$/;

/** Messages of Anthropic and Gemini, and logs of a request with its answer. */
export const MODELS: readonly Format[] = [
  {
    name: 'Anthropic messages',
    marks: { messages: list, 'messages.[].role': oneOf('user', 'assistant') },
    unless: (value) => !hasBlocks(asObject(value).messages),
    read: (call) => withAnswer(call, 'messages'),
  },
  {
    name: 'Anthropic messages',
    marks: { '[].role': oneOf('user', 'assistant') },
    unless: (value) => !hasBlocks(value),
    read: readConversation,
  },
  {
    name: 'Gemini messages',
    marks: { contents: list, 'contents.[].parts': present },
    read: (call) => withAnswer(call, 'contents'),
  },
  {
    name: 'Gemini messages',
    marks: { '[].role': oneOf('user', 'model', 'function'), '[].parts': present },
    read: readConversation,
  },
  {
    name: 'Gemini messages',
    marks: { 'history.[].parts|messages.[].parts|turns.[].parts': present },
    read: readConversation,
  },
  {
    name: 'logged model request',
    marks: { 'inputs.messages|input.messages': list, 'outputs|output': present },
    read: (call) => logged(call, asObject(call.value)),
  },
];

/** A run of LangSmith, or a trace or generation of Langfuse: the last request holds the talk before its answer. */
function logged(call: Given, value: JsonObject): Reading {
  const name = value.inputs === undefined ? 'input' : 'inputs';
  const messages = asObject(value[name]).messages;
  const output = asObject(value.output ?? value.outputs);
  const generation = Array.isArray(output.generations) ? output.generations[0] : null;
  const answer =
    objectsIn(output.choices)[0]?.message ??
    objectsIn(generation)[0]?.message ??
    (output.role === undefined ? null : output);
  const all = [...(Array.isArray(messages) ? messages.flat() : []), ...(answer === null ? [] : [answer])];
  return conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    {
      list: `${name}.messages`,
      entries: all.map((one) => ofLangChain(asObject(one)) ?? one),
      fields: given({ id: value.id, startedAt: value.start_time ?? value.startTime ?? value.timestamp }),
    },
  );
}

/** As LangChain writes its objects: the name of the class says who spoke. */
function ofLangChain({ lc, id, kwargs }: JsonObject): JsonObject | null {
  if (lc === undefined || !Array.isArray(id)) return null;
  const role = ROLES.find(([start]) => textOf(id.at(-1) ?? null)?.startsWith(start))?.[1] ?? null;
  return { ...asObject(kwargs), role };
}

const ROLES = [
  ['AI', 'assistant'],
  ['Human', 'user'],
  ['Tool', 'tool'],
  ['System', 'system'],
] as const;

/** Content in blocks that only Anthropic writes. */
const hasBlocks = (messages: Parameters<typeof objectsIn>[0]) =>
  objectsIn(messages).some(({ content }) =>
    objectsIn(content).some(({ type }) => {
      const name = textOf(type ?? null) ?? '';
      return BLOCK.test(name) && name !== 'text' && name !== 'image';
    }),
  );

/** A request may be kept with the answer to it, which is then the last thing said. */
function withAnswer(call: Given, name: string): Reading {
  const value = asObject(call.value);
  const response = asObject(value.response ?? value.completion ?? value.output);
  const candidate = asObject(objectsIn(response.candidates)[0] ?? objectsIn(value.candidates)[0]).content;
  const answer =
    candidate ??
    (response.role === 'assistant'
      ? response
      : value.role === 'assistant'
        ? { role: 'assistant', content: value.content ?? null }
        : null);
  const entries = Array.isArray(value[name]) ? value[name] : [];
  return conversationOf(call, {
    list: name,
    entries: answer === null || answer === undefined ? entries : [...entries, answer],
  });
}
