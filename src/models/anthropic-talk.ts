import { z } from 'zod';
import { fieldOf, type Json } from '../domain/json.ts';
import { parseJson } from '../domain/parse-json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { type AnthropicEndpoint, anthropicHeaders, anthropicInput, anthropicInputOf, kept } from './anthropic.ts';
import { askForEvents } from './ask.ts';
import {
  ModelError,
  NO_USAGE,
  type TalkAnswer,
  type TalkMessage,
  type TalkModel,
  type TalkRequest,
  toldTokens,
  type Usage,
} from './port.ts';
import { type GivenCall, toolCallOf } from './tool-calls.ts';

const at = z.int().min(0).max(1_000);
const telling = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message_start'),
    message: z.object({
      model: z.string().optional(),
      usage: anthropicInput.nullish(),
    }),
  }),
  z.object({
    type: z.literal('content_block_start'),
    index: at,
    content_block: z.object({ type: z.string(), id: z.string().optional(), name: z.string().optional() }),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index: at,
    delta: z.object({ type: z.string(), text: z.string().optional(), partial_json: z.string().optional() }),
  }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: z.object({ output_tokens: toldTokens }).nullish(),
  }),
  z.object({ type: z.literal('error'), error: z.object({ type: z.string() }) }),
]);
const TELLING = new Set<string>(telling.options.map(({ shape }) => shape.type.value));

/** A talk over `POST <url>/v1/messages`, streamed. */
export function createAnthropicTalk(outbound: Outbound, endpoint: AnthropicEndpoint): TalkModel {
  const { host } = new URL(endpoint.url);
  return {
    model: endpoint.model,
    account: endpoint.account,
    async talk(request) {
      const heard: Heard = { text: '', calls: new Map(), usage: NO_USAGE, model: endpoint.model, end: null };
      const events = askForEvents(outbound, {
        url: `${endpoint.url}/v1/messages`,
        headers: { ...anthropicHeaders(endpoint.key), accept: 'text/event-stream' },
        json: bodyOf(endpoint.model, request),
        timeoutMs: request.timeoutMs,
        signal: request.signal,
      });
      for await (const { data } of events) {
        const event = readEvent(data);
        if (event === undefined) throw new ModelError('unusable', `${host} sent an event that is none.`, UNKNOWN);
        if (event) hear(heard, event, { host, onText: request.onText });
      }
      return answerOf(heard, host);
    },
  };
}

/** @returns null for an event that says nothing to us, undefined for what is none. */
function readEvent(data: string): z.infer<typeof telling> | null | undefined {
  const given = parseJson(data);
  const kind = fieldOf(given, 'type');
  if (typeof kind !== 'string') return undefined;
  return TELLING.has(kind) ? telling.safeParse(given).data : null;
}

/** Nobody knows what a broken answer cost. */
const UNKNOWN = { usage: null };

interface Heard {
  text: string;
  /** By the number of their block. */
  calls: Map<number, GivenCall>;
  usage: Usage;
  model: string;
  /** Why it ended; null while it goes on. */
  end: string | null;
}

function hear(
  heard: Heard,
  given: z.infer<typeof telling>,
  { host, onText }: { host: string; onText: TalkRequest['onText'] },
): void {
  switch (given.type) {
    case 'message_start': {
      const { model, usage } = given.message;
      if (model) heard.model = model;
      if (usage) heard.usage = { ...heard.usage, ...anthropicInputOf(usage) };
      return;
    }
    case 'content_block_start': {
      const { type, id = '', name = '' } = given.content_block;
      if (type === 'tool_use') heard.calls.set(given.index, { id, name, input: '' });
      return;
    }
    case 'content_block_delta': {
      const { text, partial_json: json } = given.delta;
      const call = heard.calls.get(given.index);
      if (call) call.input += json ?? '';
      else if (text) {
        heard.text += text;
        onText(text);
      }
      return;
    }
    case 'message_delta':
      heard.end = given.delta.stop_reason ?? heard.end;
      heard.usage = { ...heard.usage, outputTokens: given.usage?.output_tokens ?? heard.usage.outputTokens };
      return;
    case 'error': {
      const isBusy = given.error.type === 'overloaded_error' || given.error.type === 'rate_limit_error';
      throw new ModelError(isBusy ? 'busy' : 'away', `${host} broke off with an error.`, UNKNOWN);
    }
    default:
  }
}

function answerOf({ text, calls, usage, model, end }: Heard, host: string): TalkAnswer {
  if (end === null) throw new ModelError('away', `${host} broke off in the middle of its answer.`, UNKNOWN);
  if (end === 'refusal') throw new ModelError('unusable', `The model at ${host} declined to answer.`, { usage });
  const isCut = end === 'max_tokens';
  return { text, calls: [...calls.values()].map(toolCallOf), usage, model, isCut };
}

function bodyOf(model: string, request: TalkRequest): Json {
  const { instructions, messages, tools, mayCall, maxOutputTokens } = request;
  return {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    // Tools and instructions are the same in each round: what was read of them once is kept for the next.
    system: [kept(instructions)],
    messages: messages.map(messageOf),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(toolOf), tool_choice: mayCall ? { type: 'auto' } : { type: 'none' } }),
  };
}

const toolOf = ({ name, description, inputSchema }: TalkRequest['tools'][number]): Json => ({
  name,
  description,
  input_schema: inputSchema,
});

function messageOf(message: TalkMessage): Json {
  switch (message.role) {
    case 'person':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'model':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text', text: message.text }]),
          ...message.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: inputOf(input) })),
        ],
      };
    case 'tools':
      return {
        role: 'user',
        content: message.results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
      };
    default:
      return message satisfies never;
  }
}

/** The protocol takes objects only, also where the model gave something else. */
const inputOf = (input: Json | undefined): Json =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
