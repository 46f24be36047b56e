import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { ask } from './ask.ts';
import { boundAnswer, sentSchema } from './bound-answer.ts';
import {
  type ChatAnswer,
  type ChatModel,
  type ChatRequest,
  type ModelAccount,
  ModelError,
  toldTokens,
  type Usage,
} from './port.ts';

export interface AnthropicEndpoint {
  /** Without a slash at the end, such as `https://api.anthropic.com`. */
  url: string;
  key: string;
  model: string;
  account: ModelAccount;
}

const PROTOCOL_VERSION = '2023-06-01';

export const anthropicHeaders = (key: string) => ({ 'x-api-key': key, 'anthropic-version': PROTOCOL_VERSION });

/** A text up to which the provider's cache is to keep what it has read. */
export const kept = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });

export const anthropicInput = z.object({
  input_tokens: toldTokens,
  cache_creation_input_tokens: toldTokens,
  cache_read_input_tokens: toldTokens,
});
const message = z.object({
  model: z.string().optional(),
  stop_reason: z.string().nullish(),
  content: z.array(
    z.object({
      type: z.string(),
      name: z.string().optional(),
      input: z.json().optional(),
      text: z.string().optional(),
    }),
  ),
  usage: anthropicInput.extend({ output_tokens: toldTokens }).nullish(),
});

/** A chat model behind `POST <url>/v1/messages`. */
export function createAnthropicChat(outbound: Outbound, endpoint: AnthropicEndpoint): ChatModel {
  return {
    model: endpoint.model,
    account: endpoint.account,
    async complete(request) {
      const answer = await ask(outbound, {
        url: `${endpoint.url}/v1/messages`,
        headers: anthropicHeaders(endpoint.key),
        json: anthropicBody(endpoint.model, request),
        timeoutMs: request.timeoutMs,
        signal: request.signal,
      });
      return anthropicAnswerOf(endpoint, request, answer);
    },
  };
}

/** @throws ModelError of kind `unusable` */
export function anthropicAnswerOf<T>(
  endpoint: Pick<AnthropicEndpoint, 'url' | 'model'>,
  request: ChatRequest<T>,
  answer: Json,
): ChatAnswer<T> {
  const { host } = new URL(endpoint.url);
  const parsed = message.safeParse(answer);
  if (!parsed.success) throw new ModelError('unusable', `The answer of ${host} is no message.`);
  const { data } = parsed;
  const usage: Usage = { ...anthropicInputOf(data.usage ?? NOTHING), outputTokens: data.usage?.output_tokens ?? 0 };
  if (data.stop_reason === 'refusal') {
    throw new ModelError('unusable', `The model at ${host} declined to answer.`, { usage });
  }
  if (data.stop_reason === 'max_tokens') {
    throw new ModelError('unusable', `The answer of the model at ${host} was cut off.`, { usage });
  }
  const given = answerIn(data.content, request.name);
  if (given === undefined) {
    throw new ModelError('unusable', `The model at ${host} did not answer in the form asked for.`, { usage });
  }
  const value = boundAnswer(given, request.schema, { host, usage });
  return { value, usage, model: data.model ?? endpoint.model };
}

const NOTHING: z.infer<typeof anthropicInput> = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** The protocol counts what a cache held or took apart from the rest of the input. */
export function anthropicInputOf(told: z.infer<typeof anthropicInput>): Omit<Usage, 'outputTokens'> {
  const { input_tokens: plain, cache_creation_input_tokens: written, cache_read_input_tokens: cached } = told;
  return { inputTokens: plain + written + cached, cachedInputTokens: cached, cacheWriteTokens: written };
}

function answerIn(content: z.infer<typeof message>['content'], name: string): Json | undefined {
  const tool = content.find((block) => block.type === 'tool_use' && block.name === name);
  if (tool) return tool.input;
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  return texts.length === 0 ? undefined : texts.join('');
}

/**
 * No temperature: Claude from 4.7 on refuses one. What stays the same comes first and is marked for the cache; a prefix
 * that is too short for it is read as it is.
 */
export function anthropicBody<T>(model: string, { instructions, context, material, ...request }: ChatRequest<T>): Json {
  return {
    model,
    max_tokens: request.maxOutputTokens,
    system: [kept(instructions)],
    messages: [
      {
        role: 'user',
        content: [...(context === null ? [] : [kept(context)]), { type: 'text', text: material }],
      },
    ],
    ...formOf(model, request),
  };
}

/**
 * How the answer is bound to its schema. From Claude 4.5 on by the output format, which also models take that always
 * think; from 4.7 on with little effort, as thinking is paid as output. By a forced tool, of which nothing is ever run,
 * on earlier ones and on other models that speak the protocol.
 */
function formOf<T>(model: string, { name, schema }: Pick<ChatRequest<T>, 'name' | 'schema'>): Record<string, Json> {
  const version = claudeVersion(model);
  if (version === null || version < 405) {
    return {
      tools: [{ name, description: 'The answer.', input_schema: sentSchema(schema) }],
      tool_choice: { type: 'tool', name },
    };
  }
  return {
    output_config: {
      format: { type: 'json_schema', schema: sentSchema(schema) },
      ...(version >= 407 && { effort: 'low' }),
    },
  };
}

/** `claude-opus-4-7`, `claude-sonnet-5`, `claude-haiku-4-5-20251001`; a date is no part of the version. */
const CLAUDE = /^(?:[a-z.]*anthropic[./])?claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2}))?(?![\d.])/;

/** @returns 405 for 4.5; null for what is no Claude, or too old to be named so. */
function claudeVersion(model: string): number | null {
  const [, major, minor = 0] = CLAUDE.exec(model) ?? [];
  return major === undefined ? null : Number(major) * 100 + Number(minor);
}
