import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { ask, askForLines } from './ask.ts';
import type { BatchModel, BatchQuestion, BatchStanding } from './batch-port.ts';
import { authorisation, type OpenAiEndpoint, openAiAnswerOf, openAiBody } from './openai-compatible.ts';
import { ModelError } from './port.ts';

const file = z.object({ id: z.string().min(1) });
const batch = z.object({
  id: z.string().min(1),
  status: z.string(),
  input_file_id: z.string().nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish().catch(null),
  request_counts: z.object({ completed: z.int().min(0).catch(0) }).nullish(),
  errors: z.object({ data: z.array(z.object({ code: z.string().nullish() })).nullish() }).nullish(),
});
const batches = z.object({ data: z.array(batch), has_more: z.boolean().optional() });
const result = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.int(), body: z.json() }).nullish(),
});

/** Pages of a list of batches, of 100 each, that are looked through for one of ours. */
const PAGES = 20;
const ENDED: ReadonlySet<string> = new Set(['completed', 'expired', 'cancelled']);
/** Where our own id of a batch stands at the provider. */
const MARK = 'earshot_batch';

/** `POST <url>/files` and `POST <url>/batches`. */
export function createOpenAiBatch(outbound: Outbound, endpoint: OpenAiEndpoint): BatchModel {
  const { url, key, model, account } = endpoint;
  const { host } = new URL(url);
  const headers = authorisation(key);
  const get = (path: string) => ask(outbound, { method: 'GET', url: `${url}${path}`, headers });
  const batchAt = async (id: string) => parsed(batch, await get(`/batches/${encodeURIComponent(id)}`));

  function parsed<T>(schema: z.ZodType<T>, answer: Json): T {
    const { success, data } = schema.safeParse(answer);
    if (success) return data;
    throw new ModelError('unusable', `The answer of ${host} is not of its batch interface.`);
  }

  const lineOf = ({ id, request }: BatchQuestion) =>
    JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body: openAiBody(model, request) });

  return {
    model,
    account,
    sizeOf: (question) => Buffer.byteLength(lineOf(question)) + 1,
    async find({ id }) {
      for (let page = 0, after = ''; page < PAGES; page += 1) {
        const { data, has_more: isMore } = parsed(batches, await get(`/batches?limit=100${after}`));
        const found = data.find(({ metadata }) => metadata?.[MARK] === id);
        if (found) return found.id;
        const last = data.at(-1);
        if (!isMore || last === undefined) return null;
        after = `&after=${encodeURIComponent(last.id)}`;
      }
      return null;
    },
    async send({ id }, questions) {
      const uploaded = await ask(outbound, { url: `${url}/files`, ...asForm(id, questions.map(lineOf)) });
      const made = await ask(outbound, {
        url: `${url}/batches`,
        headers,
        json: {
          input_file_id: parsed(file, uploaded).id,
          endpoint: '/v1/chat/completions',
          completion_window: '24h',
          metadata: { [MARK]: id },
        },
      });
      return parsed(batch, made).id;
    },
    async look(providerId): Promise<BatchStanding> {
      const { status, request_counts: counts, errors } = await batchAt(providerId);
      const answered = counts?.completed ?? 0;
      if (status === 'failed') {
        const code = errors?.data?.[0]?.code?.slice(0, 60);
        return { state: 'failed', answered, reason: `${host} refused the batch${code ? ` (${code})` : ''}.` };
      }
      return { state: ENDED.has(status) ? 'ended' : 'pending', answered, reason: null };
    },
    async *results(providerId) {
      const { output_file_id: output, error_file_id: failed } = await batchAt(providerId);
      for (const id of [output, failed]) {
        if (!id) continue;
        const at = `${url}/files/${encodeURIComponent(id)}/content`;
        for await (const line of askForLines(outbound, { method: 'GET', url: at, headers })) {
          const { success, data } = result.safeParse(line);
          if (!success) continue;
          const { custom_id: ofQuestion, response } = data;
          yield { id: ofQuestion, answer: response?.status_code === 200 ? response.body : null };
        }
      }
    },
    answerOf: (request, answer) => openAiAnswerOf(endpoint, request, answer),
    async forget(providerId) {
      const { input_file_id: input, output_file_id: output, error_file_id: failed } = await batchAt(providerId);
      for (const id of [input, output, failed]) {
        if (id) await ask(outbound, { method: 'DELETE', url: `${url}/files/${encodeURIComponent(id)}`, headers });
      }
    },
  };

  function asForm(id: string, lines: readonly string[]) {
    const boundary = `earshot-${id}`;
    const field = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    const text = [
      `${field('purpose')}\r\n\r\nbatch\r\n`,
      `${field('file')}; filename="${id}.jsonl"\r\ncontent-type: application/jsonl\r\n\r\n`,
      ...lines.map((line) => `${line}\n`),
      `\r\n--${boundary}--\r\n`,
    ].join('');
    return { text, headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` } };
  }
}
