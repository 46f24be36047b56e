import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { type AnthropicEndpoint, anthropicAnswerOf, anthropicBody, anthropicHeaders } from './anthropic.ts';
import { ask, askForLines } from './ask.ts';
import type { BatchModel, BatchQuestion } from './batch-port.ts';
import { ModelError } from './port.ts';

const counted = z.int().min(0).catch(0);
const batch = z.object({
  id: z.string().min(1),
  processing_status: z.string(),
  created_at: z.string(),
  request_counts: z.object({
    processing: counted,
    succeeded: counted,
    errored: counted,
    canceled: counted,
    expired: counted,
  }),
});
const batches = z.object({ data: z.array(batch), has_more: z.boolean().optional() });
const result = z.object({
  custom_id: z.string(),
  result: z.object({ type: z.string(), message: z.json().optional() }),
});

/** Pages of a list of batches, of 100 each, newest first, that are looked through for one of ours. */
const PAGES = 20;
/** By how much the provider's clock may be behind ours. */
const CLOCKS_APART_MS = 60_000;

/** `POST <url>/v1/messages/batches`. */
export function createAnthropicBatch(outbound: Outbound, endpoint: AnthropicEndpoint): BatchModel {
  const { key, model, account } = endpoint;
  const { host } = new URL(endpoint.url);
  const url = `${endpoint.url}/v1/messages/batches`;
  const headers = anthropicHeaders(key);
  const at = (id: string) => `${url}/${encodeURIComponent(id)}`;
  const get = (address: string) => ask(outbound, { method: 'GET', url: address, headers });

  function parsed<T>(schema: z.ZodType<T>, answer: Json): T {
    const { success, data } = schema.safeParse(answer);
    if (success) return data;
    throw new ModelError('unusable', `The answer of ${host} is not of its batch interface.`);
  }

  const asked = ({ id, request }: BatchQuestion): Json => ({ custom_id: id, params: anthropicBody(model, request) });

  return {
    model,
    account,
    sizeOf: (question) => Buffer.byteLength(JSON.stringify(asked(question))) + 1,
    /** The protocol has no place for our id: what came since and holds as many questions is taken for it. */
    async find({ since, questions }) {
      const sinceMs = Date.parse(since) - CLOCKS_APART_MS;
      for (let page = 0, after = ''; page < PAGES; page += 1) {
        const { data, has_more: isMore } = parsed(batches, await get(`${url}?limit=100${after}`));
        const recent = data.filter(({ created_at: madeAt }) => Date.parse(madeAt) >= sinceMs);
        const found = recent.find(
          ({ request_counts: counts }) => Object.values(counts).reduce((sum, one) => sum + one, 0) === questions,
        );
        if (found) return found.id;
        const last = data.at(-1);
        if (!isMore || last === undefined || recent.length < data.length) return null;
        after = `&after_id=${encodeURIComponent(last.id)}`;
      }
      return null;
    },
    async send(_, questions) {
      return parsed(batch, await ask(outbound, { url, headers, json: { requests: questions.map(asked) } })).id;
    },
    async look(providerId) {
      const { processing_status: status, request_counts: counts } = parsed(batch, await get(at(providerId)));
      return { state: status === 'ended' ? 'ended' : 'pending', answered: counts.succeeded, reason: null };
    },
    async *results(providerId) {
      for await (const line of askForLines(outbound, { method: 'GET', url: `${at(providerId)}/results`, headers })) {
        const { success, data } = result.safeParse(line);
        if (!success) continue;
        const { type, message } = data.result;
        yield { id: data.custom_id, answer: type === 'succeeded' ? (message ?? null) : null };
      }
    },
    answerOf: (request, answer) => anthropicAnswerOf(endpoint, request, answer),
    async forget(providerId) {
      await ask(outbound, { method: 'DELETE', url: at(providerId), headers });
    },
  };
}
