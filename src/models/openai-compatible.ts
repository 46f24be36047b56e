import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { ask } from './ask.ts';
import { boundAnswer, sentSchema } from './bound-answer.ts';
import {
  type ChatAnswer,
  type ChatModel,
  type ChatRequest,
  type Embedder,
  type ModelAccount,
  ModelError,
  toldTokens,
  type Usage,
} from './port.ts';

export interface OpenAiEndpoint {
  /** With its version and without a slash at the end, such as `https://api.example.com/v1`. */
  url: string;
  /** Null: the endpoint takes none. */
  key: string | null;
  model: string;
  account: ModelAccount;
}

export const openAiUsage = z.object({
  prompt_tokens: toldTokens,
  completion_tokens: toldTokens,
  /** Not every endpoint has the details, and of those that have them few tell what was written into a cache. */
  prompt_tokens_details: z.object({ cached_tokens: toldTokens, cache_write_tokens: toldTokens }).nullish().catch(null),
});
const completion = z.object({
  model: z.string().optional(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: openAiUsage.nullish(),
});

/** A chat model behind `POST <url>/chat/completions`. */
export function createOpenAiChat(outbound: Outbound, endpoint: OpenAiEndpoint): ChatModel {
  return {
    model: endpoint.model,
    account: endpoint.account,
    async complete(request) {
      const answer = await ask(outbound, {
        url: `${endpoint.url}/chat/completions`,
        headers: authorisation(endpoint.key),
        json: openAiBody(endpoint.model, request),
        timeoutMs: request.timeoutMs,
        signal: request.signal,
      });
      return openAiAnswerOf(endpoint, request, answer);
    },
  };
}

/** @throws ModelError of kind `unusable` */
export function openAiAnswerOf<T>(
  endpoint: Pick<OpenAiEndpoint, 'url' | 'model'>,
  request: ChatRequest<T>,
  answer: Json,
): ChatAnswer<T> {
  const { host } = new URL(endpoint.url);
  const parsed = completion.safeParse(answer);
  if (!parsed.success) throw new ModelError('unusable', `The answer of ${host} is no chat completion.`);
  const { data } = parsed;
  const usage = openAiUsageOf(data.usage);
  const [choice] = data.choices;
  if (choice?.message.refusal || choice?.finish_reason === 'content_filter') {
    throw new ModelError('unusable', `The model at ${host} declined to answer.`, { usage });
  }
  if (choice?.finish_reason === 'length') {
    throw new ModelError('unusable', `The answer of the model at ${host} was cut off.`, { usage });
  }
  const value = boundAnswer(choice?.message.content ?? '', request.schema, { host, usage });
  return { value, usage, model: data.model ?? endpoint.model };
}

/** From what stays the same to what is new: a provider's cache keeps the beginning that questions have in common. */
export function openAiBody<T>(model: string, { instructions, context, material, ...request }: ChatRequest<T>): Json {
  return {
    model,
    messages: [
      { role: 'system', content: instructions },
      ...(context === null ? [] : [{ role: 'user', content: context }]),
      { role: 'user', content: material },
    ],
    max_completion_tokens: request.maxOutputTokens,
    response_format: {
      type: 'json_schema',
      json_schema: { name: request.name, strict: true, schema: sentSchema(request.schema) },
    },
  };
}

export function openAiUsageOf(told: z.infer<typeof openAiUsage> | null | undefined): Usage {
  return {
    inputTokens: told?.prompt_tokens ?? 0,
    cachedInputTokens: told?.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: told?.prompt_tokens_details?.cache_write_tokens ?? 0,
    outputTokens: told?.completion_tokens ?? 0,
  };
}

const embeddings = z.object({
  data: z.array(z.object({ index: z.number().int().min(0), embedding: z.array(z.number()).min(1) })),
});
/** Texts of one question; endpoints refuse far larger ones. */
const TEXTS_AT_ONCE = 96;

/** An embedder behind `POST <url>/embeddings`. */
export function createOpenAiEmbedder(outbound: Outbound, endpoint: Omit<OpenAiEndpoint, 'account'>): Embedder {
  const { host } = new URL(endpoint.url);

  async function embedSome(texts: readonly string[], signal: AbortSignal | undefined): Promise<number[][]> {
    const answer = await ask(outbound, {
      url: `${endpoint.url}/embeddings`,
      headers: authorisation(endpoint.key),
      json: { model: endpoint.model, input: [...texts], encoding_format: 'float' },
      signal,
    });
    const parsed = embeddings.safeParse(answer);
    const vectors = parsed.success ? new Map(parsed.data.data.map((row) => [row.index, row.embedding])) : null;
    const inOrder = texts.map((_, at) => vectors?.get(at) ?? []);
    if (inOrder.some((vector) => vector.length === 0)) {
      throw new ModelError('unusable', `The answer of ${host} is no list of vectors, one for each text.`);
    }
    return inOrder;
  }

  return {
    model: endpoint.model,
    async embed(texts, signal) {
      const vectors: number[][] = [];
      for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
        vectors.push(...(await embedSome(texts.slice(at, at + TEXTS_AT_ONCE), signal)));
      }
      if (new Set(vectors.map(({ length }) => length)).size > 1) {
        throw new ModelError('unusable', `${host} answered with vectors of different lengths.`);
      }
      return vectors;
    },
  };
}

export const authorisation = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` };
