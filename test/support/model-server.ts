import { batchRoutes, type ServedBatches } from './batch-routes.ts';
import { type ScriptedAnswer, type ScriptedRequest, startScriptedServer } from './scripted-server.ts';
import type { Loose } from './world.ts';

/** What reached the endpoint, whichever protocol carried it. */
export interface AskedModel {
  protocol: 'openai' | 'anthropic' | 'embeddings';
  headers: ScriptedRequest['headers'];
  model: string;
  instructions: string;
  /** What is the same for many questions; null: nothing. */
  context: string | null;
  material: string;
  schema: Loose;
  body: Loose;
}

/** `input` is all of it; `cached` and `written` are parts of it. */
export interface Counted {
  input: number;
  output: number;
  cached?: number;
  written?: number;
}

export type ModelAnswer =
  /** A document, as a model that keeps to its schema gives it. */
  | { value: unknown; usage?: Counted; model?: string }
  /** Words instead of a document (OpenAI), or a message without the forced answer (Anthropic). */
  | { prose: string; usage?: Counted }
  | { end: 'declined' | 'cut off'; usage?: Counted }
  | { vectors: number[][] }
  | { status: number; headers?: Record<string, string>; error?: object }
  | { bytes: number }
  | 'hang'
  | 'cut';

export interface ModelServer {
  /** For `EARSHOT_MODEL_URL`; the Anthropic protocol answers at the same origin. */
  url: string;
  origin: string;
  asked: AskedModel[];
  batches: ServedBatches;
  answerWith(script: (asked: AskedModel, number: number) => ModelAnswer): void;
  close(): Promise<void>;
}

/** Questions about calls, and not about names and wordings. */
export const aboutCalls = ({ asked }: ModelServer): AskedModel[] =>
  asked.filter(({ schema }) => schema.properties.requests);

export const USAGE = { input: 1000, output: 100 };

/** A real HTTP server that speaks the chat, embeddings and messages protocols, and answers as a test has it. */
export async function startModelServer(): Promise<ModelServer> {
  const server = await startScriptedServer();
  const asked: AskedModel[] = [];
  let script: (one: AskedModel, number: number) => ModelAnswer = () => ({ status: 500 });
  const answer = (request: Pick<ScriptedRequest, 'path' | 'headers' | 'body'>): ScriptedAnswer | null => {
    const one = readQuestion(request);
    if (one === null) return null;
    asked.push(one);
    return write(one, script(one, asked.length));
  };
  const batches = batchRoutes(answer);
  server.answerWith(
    (request) =>
      batches.route(request) ?? answer(request) ?? { status: 404, json: { error: { message: 'no such route' } } },
  );
  return {
    url: `${server.url}/v1`,
    origin: server.url,
    asked,
    batches,
    answerWith(next) {
      script = next;
    },
    close: () => server.close(),
  };
}

function readQuestion(request: Pick<ScriptedRequest, 'path' | 'headers' | 'body'>): AskedModel | null {
  const body = request.body as Loose;
  const common = { headers: request.headers, model: body?.model, body };
  switch (request.path) {
    case '/v1/chat/completions':
      return {
        ...common,
        protocol: 'openai',
        instructions: body.messages[0].content,
        context: body.messages.length > 2 ? body.messages[1].content : null,
        material: body.messages.at(-1).content,
        schema: body.response_format.json_schema.schema,
      };
    case '/v1/messages':
      return {
        ...common,
        protocol: 'anthropic',
        instructions: body.system[0].text,
        context: body.messages[0].content.length > 1 ? body.messages[0].content[0].text : null,
        material: body.messages[0].content.at(-1).text,
        schema: body.output_config?.format.schema ?? body.tools[0].input_schema,
      };
    case '/v1/embeddings':
      return { ...common, protocol: 'embeddings', instructions: '', context: null, material: '', schema: null };
    default:
      return null;
  }
}

function write(asked: AskedModel, answer: ModelAnswer): ScriptedAnswer {
  if (answer === 'hang' || answer === 'cut') return answer;
  if ('status' in answer) {
    const { error, ...rest } = answer;
    return { ...rest, json: { error: { message: 'said by the endpoint', ...error } } };
  }
  if ('bytes' in answer) return { text: `{"choices":["${'x'.repeat(answer.bytes)}"]}` };
  if ('vectors' in answer) {
    const data = answer.vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    return { json: { object: 'list', data: data.reverse(), model: asked.model, usage: { prompt_tokens: 1 } } };
  }
  return { json: asked.protocol === 'anthropic' ? anthropicMessage(asked, answer) : openAiCompletion(asked, answer) };
}

type Said = Extract<ModelAnswer, { usage?: unknown }>;

function openAiCompletion(asked: AskedModel, answer: Said) {
  const { input, output, cached = 0, written = 0 }: Counted = answer.usage ?? USAGE;
  const content = 'value' in answer ? JSON.stringify(answer.value) : 'prose' in answer ? answer.prose : '{"half":';
  const declined = 'end' in answer && answer.end === 'declined';
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: ('model' in answer && answer.model) || asked.model,
    choices: [
      {
        index: 0,
        finish_reason: 'end' in answer && !declined ? 'length' : 'stop',
        message: { role: 'assistant', content: declined ? null : content, refusal: declined ? 'I cannot.' : null },
      },
    ],
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    },
  };
}

function anthropicMessage(asked: AskedModel, answer: Said) {
  const { input, output, cached = 0, written = 0 }: Counted = answer.usage ?? USAGE;
  const [tool] = asked.body.tools ?? [];
  const good = tool ? 'tool_use' : 'end_turn';
  const end = 'end' in answer ? (answer.end === 'declined' ? 'refusal' : 'max_tokens') : good;
  const text = 'value' in answer ? JSON.stringify(answer.value) : 'prose' in answer ? answer.prose : '';
  const content =
    'value' in answer && tool
      ? [{ type: 'tool_use', id: 'toolu_1', name: tool.name, input: answer.value }]
      : [{ type: 'text', text }];
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: ('model' in answer && answer.model) || asked.model,
    content,
    stop_reason: end,
    usage: {
      input_tokens: input - cached - written,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      output_tokens: output,
    },
  };
}
