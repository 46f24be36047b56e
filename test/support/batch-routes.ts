import type { ScriptedAnswer, ScriptedRequest } from './scripted-server.ts';
import type { Loose } from './world.ts';

export interface ServedBatch {
  id: string;
  questions: { id: string; body: Loose }[];
  /** Of OpenAI's, what it was told beside its questions. */
  metadata: Record<string, string>;
  createdAt: Date;
  ended: boolean;
  forgotten: boolean;
}

/** The batch interfaces of both protocols: `/v1/files` with `/v1/batches`, and `/v1/messages/batches`. */
export interface ServedBatches {
  made: ServedBatch[];
  /** Batches are in progress until then. */
  end(): void;
  /** The next request to such a path is carried out, and its answer is lost on the way. */
  loseAnswer(path: RegExp): void;
  /** Null: the path is another interface's. */
  route(request: ScriptedRequest): ScriptedAnswer | null;
}

type Answering = (request: Pick<ScriptedRequest, 'path' | 'headers' | 'body'>) => ScriptedAnswer | null;

/** @param answer the server's answer to one question, asked by itself. `hang`: it was not answered within the day. */
export function batchRoutes(answer: Answering): ServedBatches {
  const made: ServedBatch[] = [];
  const files = new Map<string, string>();
  let lost: RegExp | null = null;
  const known = new Map<string, { id: string; given: ScriptedAnswer | null }[]>();

  const create = (id: string, questions: ServedBatch['questions'], metadata = {}): ServedBatch => {
    const batch = { id, questions, metadata, createdAt: new Date(), ended: false, forgotten: false };
    made.unshift(batch);
    return batch;
  };

  /** Each question is answered once, however often its answer is fetched. */
  function given(batch: ServedBatch, path: string) {
    const answers =
      known.get(batch.id) ??
      batch.questions.map(({ id, body }) => ({ id, given: answer({ path, headers: {}, body }) }));
    known.set(batch.id, answers);
    return answers.map(({ id, given: said }) => {
      const isJson = said !== null && said !== 'hang' && said !== 'cut' && 'json' in said;
      return { id, status: isJson ? (said.status ?? 200) : 0, json: isJson ? said.json : null };
    });
  }

  const lines = (rows: object[]): ScriptedAnswer => ({ text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') });
  const missing: ScriptedAnswer = { status: 404, json: { error: { message: 'no such thing' } } };

  function openAi({ method, path, body, query }: ScriptedRequest): ScriptedAnswer | null {
    const [, name, id, content] = /^\/v1\/(files|batches)(?:\/([^/]+))?(\/content)?$/.exec(path) ?? [];
    if (name === undefined) return null;
    if (name === 'files' && method === 'POST') {
      const fileId = `file-${files.size + 1}`;
      const form = String(body);
      if (!/name="purpose"\r\n\r\nbatch\r\n/.test(form))
        return { status: 400, json: { error: { message: 'purpose' } } };
      files.set(fileId, /filename="[^"]+"\r\n[^\r]*\r\n\r\n([\s\S]*)\r\n--/.exec(form)?.[1] ?? '');
      return { json: { id: fileId, object: 'file', purpose: 'batch' } };
    }
    if (name === 'files') return openAiFile(method, id ?? '', content !== undefined);
    if (method === 'POST') {
      const { input_file_id: input, endpoint, completion_window: within, metadata } = body as Loose;
      if (endpoint !== '/v1/chat/completions' || within !== '24h' || !files.has(input)) {
        return { status: 400, json: { error: { message: 'not a batch' } } };
      }
      const questions = (files.get(input) ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map((line) => ({ id: line.custom_id, body: line.body }));
      return { json: shown(create(`batch_${made.length + 1}`, questions, { ...metadata, input })) };
    }
    if (id === undefined) {
      const from = made.findIndex((one) => one.id === query.get('after')) + 1;
      return {
        json: { object: 'list', data: made.slice(from, from + 100).map(shown), has_more: made.length > from + 100 },
      };
    }
    const batch = made.find((one) => one.id === id);
    return batch === undefined ? missing : { json: shown(batch) };
  }

  const shown = ({ id, ended, questions, metadata }: ServedBatch) => ({
    id,
    object: 'batch',
    endpoint: '/v1/chat/completions',
    status: ended ? 'completed' : 'in_progress',
    input_file_id: metadata['input'],
    output_file_id: ended ? `out-${id}` : null,
    error_file_id: ended ? `err-${id}` : null,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== 'input')),
    request_counts: { total: questions.length, completed: ended ? questions.length : 0, failed: 0 },
  });

  function openAiFile(method: string, id: string, isContent: boolean): ScriptedAnswer {
    const batch = made.find((one) => [`out-${one.id}`, `err-${one.id}`].includes(id));
    if (method === 'DELETE') {
      files.delete(id);
      if (batch) batch.forgotten = true;
      return { json: { id, deleted: true } };
    }
    if (batch === undefined || !isContent) return missing;
    const rows = given(batch, '/v1/chat/completions').filter(
      ({ status }) => (status === 200) === id.startsWith('out-'),
    );
    return lines(
      rows.map(({ id: ofQuestion, status, json }) => ({
        id: `r-${ofQuestion}`,
        custom_id: ofQuestion,
        response: status === 0 ? null : { status_code: status, request_id: 'r', body: json },
        error: status === 0 ? { code: 'batch_expired', message: 'It was not done within the window.' } : null,
      })),
    );
  }

  function anthropic({ method, path, body, query }: ScriptedRequest): ScriptedAnswer | null {
    const [whole, id, results] = /^\/v1\/messages\/batches(?:\/([^/]+))?(\/results)?$/.exec(path) ?? [];
    if (whole === undefined) return null;
    if (method === 'POST') {
      const requests = (body as Loose).requests as { custom_id: string; params: Loose }[];
      const questions = requests.map((one) => ({ id: one.custom_id, body: one.params }));
      return { json: message(create(`msgbatch_${made.length + 1}`, questions)) };
    }
    if (id === undefined) {
      const from = made.findIndex((one) => one.id === query.get('after_id')) + 1;
      return { json: { data: made.slice(from, from + 100).map(message), has_more: made.length > from + 100 } };
    }
    const batch = made.find((one) => one.id === id);
    if (batch === undefined) return missing;
    if (method === 'DELETE') {
      batch.forgotten = true;
      return { json: { id, type: 'message_batch_deleted' } };
    }
    if (results === undefined) return { json: message(batch) };
    return lines(
      given(batch, '/v1/messages').map(({ id: ofQuestion, status, json }) => ({
        custom_id: ofQuestion,
        result:
          status === 200
            ? { type: 'succeeded', message: json }
            : status === 0
              ? { type: 'expired' }
              : { type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'trouble' } } },
      })),
    );
  }

  function message({ id, ended, createdAt, questions }: ServedBatch) {
    const counts = { processing: ended ? 0 : questions.length, succeeded: ended ? questions.length : 0 };
    return {
      id,
      type: 'message_batch',
      processing_status: ended ? 'ended' : 'in_progress',
      request_counts: { ...counts, errored: 0, canceled: 0, expired: 0 },
      created_at: createdAt.toISOString(),
      results_url: ended ? `https://elsewhere.invalid/${id}` : null,
    };
  }

  return {
    made,
    end() {
      for (const batch of made) batch.ended = true;
    },
    loseAnswer(path) {
      lost = path;
    },
    route(request) {
      const found = openAi(request) ?? anthropic(request);
      if (found === null || lost === null || !lost.test(`${request.method} ${request.path}`)) return found;
      lost = null;
      return 'cut';
    },
  };
}
