import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import { parseJson } from '../domain/parse-json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { askForEvents } from './ask.ts';
import { authorisation, type OpenAiEndpoint, openAiUsage, openAiUsageOf } from './openai-compatible.ts';
import { ModelError, NO_USAGE, type TalkAnswer, type TalkMessage, type TalkModel, type TalkRequest } from './port.ts';
import { type GivenCall, toolCallOf } from './tool-calls.ts';

const chunk = z.object({
  model: z.string().optional(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.int().min(0).max(100).default(0),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
  usage: openAiUsage.nullish(),
});

/** A talk over `POST <url>/chat/completions`, streamed. */
export function createOpenAiTalk(outbound: Outbound, endpoint: OpenAiEndpoint): TalkModel {
  const { host } = new URL(endpoint.url);
  return {
    model: endpoint.model,
    account: endpoint.account,
    async talk(request) {
      const heard: Heard = { text: '', calls: [], usage: null, model: endpoint.model, end: null };
      const events = askForEvents(outbound, {
        url: `${endpoint.url}/chat/completions`,
        headers: { ...authorisation(endpoint.key), accept: 'text/event-stream' },
        json: bodyOf(endpoint.model, request),
        timeoutMs: request.timeoutMs,
        signal: request.signal,
      });
      for await (const { data } of events) {
        if (data === '[DONE]') break;
        const parsed = chunk.safeParse(parseJson(data));
        if (!parsed.success) throw new ModelError('unusable', `${host} sent an event that is no chunk.`, UNKNOWN);
        hear(heard, parsed.data, request);
      }
      return answerOf(heard, host);
    },
  };
}

/** Nobody knows what a broken answer cost. */
const UNKNOWN = { usage: null };

interface Heard {
  text: string;
  calls: GivenCall[];
  usage: TalkAnswer['usage'] | null;
  model: string;
  /** Why it ended; null while it goes on. */
  end: string | null;
}

function hear(heard: Heard, given: z.infer<typeof chunk>, { onText }: TalkRequest): void {
  if (given.model) heard.model = given.model;
  if (given.usage) heard.usage = openAiUsageOf(given.usage);
  const [choice] = given.choices;
  if (!choice) return;
  if (choice.delta?.refusal) heard.end = 'content_filter';
  else if (choice.finish_reason) heard.end ??= choice.finish_reason;
  if (choice.delta?.content) {
    heard.text += choice.delta.content;
    onText(choice.delta.content);
  }
  for (const part of choice.delta?.tool_calls ?? []) {
    heard.calls[part.index] ??= { id: '', name: '', input: '' };
    const call = heard.calls[part.index];
    if (!call) continue;
    call.id ||= part.id ?? '';
    call.name ||= part.function?.name ?? '';
    call.input += part.function?.arguments ?? '';
  }
}

function answerOf({ text, calls, usage, model, end }: Heard, host: string): TalkAnswer {
  if (end === null) throw new ModelError('away', `${host} broke off in the middle of its answer.`, UNKNOWN);
  if (end === 'content_filter') {
    throw new ModelError('unusable', `The model at ${host} declined to answer.`, { usage });
  }
  return {
    text,
    calls: calls.filter((call) => call !== undefined).map(toolCallOf),
    usage: usage ?? NO_USAGE,
    model,
    isCut: end === 'length',
  };
}

function bodyOf(model: string, request: TalkRequest): Json {
  const { instructions, messages, tools, mayCall, maxOutputTokens } = request;
  return {
    model,
    messages: [{ role: 'system', content: instructions }, ...messages.flatMap(messageOf)],
    max_completion_tokens: maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf), tool_choice: mayCall ? 'auto' : 'none' }),
  };
}

const toolOf = ({ name, description, inputSchema }: TalkRequest['tools'][number]): Json => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
});

function messageOf(message: TalkMessage): Json[] {
  switch (message.role) {
    case 'person':
      return [{ role: 'user', content: message.text }];
    case 'model':
      return [
        {
          role: 'assistant',
          content: message.text === '' ? null : message.text,
          ...(message.calls.length === 0
            ? {}
            : {
                tool_calls: message.calls.map(({ id, name, input }) => ({
                  id,
                  type: 'function',
                  function: { name, arguments: JSON.stringify(input ?? {}) },
                })),
              }),
        },
      ];
    case 'tools':
      return message.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
    default:
      return message satisfies never;
  }
}
