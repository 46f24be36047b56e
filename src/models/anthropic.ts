import { z } from 'zod';
import type { Outbound } from '../outbound/outbound.ts';
import { ask } from './ask.ts';
import { boundAnswer, sentSchema } from './bound-answer.ts';
import { type ChatModel, ModelError } from './port.ts';

export interface AnthropicEndpoint {
  /** Without a slash at the end, such as `https://api.anthropic.com`. */
  url: string;
  key: string;
  model: string;
}

const PROTOCOL_VERSION = '2023-06-01';

export const anthropicHeaders = (key: string) => ({ 'x-api-key': key, 'anthropic-version': PROTOCOL_VERSION });

const tokens = z.number().int().min(0).catch(0);
const message = z.object({
  model: z.string().optional(),
  stop_reason: z.string().nullish(),
  content: z.array(z.object({ type: z.string(), name: z.string().optional(), input: z.json().optional() })),
  usage: z
    .object({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: tokens,
    })
    .nullish(),
});

/**
 * A chat model behind `POST <url>/v1/messages`. The answer is asked for as the input of one forced tool, which is how
 * this protocol binds an answer to a schema on every model; nothing is ever run.
 */
export function createAnthropicChat(outbound: Outbound, endpoint: AnthropicEndpoint): ChatModel {
  const { host } = new URL(endpoint.url);
  return {
    model: endpoint.model,
    async complete(request) {
      const answer = await ask(outbound, {
        url: `${endpoint.url}/v1/messages`,
        headers: anthropicHeaders(endpoint.key),
        json: {
          model: endpoint.model,
          max_tokens: request.maxOutputTokens,
          system: request.instructions,
          messages: [{ role: 'user', content: request.material }],
          tools: [{ name: request.name, description: 'The answer.', input_schema: sentSchema(request.schema) }],
          tool_choice: { type: 'tool', name: request.name },
        },
        timeoutMs: request.timeoutMs,
        signal: request.signal,
      });
      const parsed = message.safeParse(answer);
      if (!parsed.success) throw new ModelError('unusable', `The answer of ${host} is no message.`);
      const { data } = parsed;
      const usage = {
        inputTokens:
          (data.usage?.input_tokens ?? 0) +
          (data.usage?.cache_creation_input_tokens ?? 0) +
          (data.usage?.cache_read_input_tokens ?? 0),
        outputTokens: data.usage?.output_tokens ?? 0,
      };
      if (data.stop_reason === 'refusal') {
        throw new ModelError('unusable', `The model at ${host} declined to answer.`, { usage });
      }
      if (data.stop_reason === 'max_tokens') {
        throw new ModelError('unusable', `The answer of the model at ${host} was cut off.`, { usage });
      }
      const given = data.content.find(({ type, name }) => type === 'tool_use' && name === request.name);
      if (given?.input === undefined) {
        throw new ModelError('unusable', `The model at ${host} did not answer in the form asked for.`, { usage });
      }
      const value = boundAnswer(given.input, request.schema, { host, usage });
      return { value, usage, model: data.model ?? endpoint.model };
    },
  };
}
