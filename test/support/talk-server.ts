import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Loose } from './world.ts';

/** A turn that the model was asked for, whichever protocol carried it. */
export interface AskedTurn {
  protocol: 'openai' | 'anthropic';
  headers: IncomingHttpHeaders;
  instructions: string;
  /** What the person said last. */
  question: string;
  /** What tools answered so far, in order. */
  results: string[];
  tools: string[];
  mayCall: boolean;
  body: Loose;
}

export interface Turn {
  say?: string;
  calls?: { name: string; input: unknown }[];
  /** Waits for it after the words. */
  hold?: Promise<unknown>;
  usage?: { input: number; output: number };
  end?: 'cut off' | 'declined';
}

export type TurnAnswer =
  | Turn
  | { status: number; headers?: Record<string, string> }
  /** As it is, in the place of events. */
  | { raw: string; type?: string }
  /** Words, and then the connection breaks. */
  | { say: string; breaks: true }
  | 'hang';

export interface TalkServer {
  /** Settings of a process that asks it. */
  settings(protocol: 'openai' | 'anthropic'): Record<string, string>;
  asked: AskedTurn[];
  answerWith(script: (asked: AskedTurn, number: number) => TurnAnswer): void;
  close(): Promise<void>;
}

/** A real HTTP server that speaks both protocols with streaming and tools, and answers as a test has it. */
export async function startTalkServer(): Promise<TalkServer> {
  const asked: AskedTurn[] = [];
  let script: (one: AskedTurn, number: number) => TurnAnswer = () => ({ status: 500 });
  const server = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const turn = readTurn(request.url ?? '', request.headers, JSON.parse(Buffer.concat(chunks).toString() || 'null'));
    if (turn === null) return void response.writeHead(404).end();
    asked.push(turn);
    response.on('error', () => {});
    await answer(turn, script(turn, asked.length), response);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    settings: (protocol): Record<string, string> =>
      protocol === 'openai'
        ? { EARSHOT_MODEL_URL: `${origin}/v1`, EARSHOT_MODEL: 'a-model' }
        : { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: origin, EARSHOT_MODEL: 'a-model' },
    answerWith(next) {
      script = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readTurn(path: string, headers: IncomingHttpHeaders, body: Loose): AskedTurn | null {
  if (path === '/v1/chat/completions') {
    const said = body.messages as Loose[];
    return {
      protocol: 'openai',
      headers,
      body,
      instructions: said[0].content,
      question: said.findLast(({ role }) => role === 'user').content,
      results: said.filter(({ role }) => role === 'tool').map(({ content }) => content),
      tools: (body.tools ?? []).map((tool: Loose) => tool.function.name),
      mayCall: body.tool_choice === 'auto',
    };
  }
  if (path !== '/v1/messages') return null;
  const parts = (body.messages as Loose[])
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content as Loose[]);
  return {
    protocol: 'anthropic',
    headers,
    body,
    instructions: body.system[0].text,
    question: parts.findLast(({ type }) => type === 'text').text,
    results: parts.filter(({ type }) => type === 'tool_result').map(({ content }) => content),
    tools: (body.tools ?? []).map((tool: Loose) => tool.name),
    mayCall: body.tool_choice?.type === 'auto',
  };
}

async function answer(asked: AskedTurn, given: TurnAnswer, response: ServerResponse): Promise<void> {
  if (given === 'hang') return;
  if ('status' in given) {
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
    return void response.end('{"error":{"message":"said by the endpoint"}}');
  }
  if ('raw' in given) {
    response.writeHead(200, { 'content-type': given.type ?? 'text/event-stream' });
    return void response.end(given.raw);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = asked.protocol === 'openai' ? openAiEvents : anthropicEvents;
  const [words, rest] = events('breaks' in given ? { say: given.say } : given);
  for (const event of words) response.write(event);
  if ('breaks' in given) return void setTimeout(() => response.destroy(), 20);
  await given.hold;
  for (const event of rest) response.write(event);
  response.end();
}

const pieces = (text: string) => text.match(/[\s\S]{1,7}/g) ?? [];
const USAGE = { input: 1000, output: 100 };

function openAiEvents({ say = '', calls = [], usage = USAGE, end }: Turn): [words: string[], rest: string[]] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ model: 'a-model', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const asked = calls.flatMap(({ name, input }, index) => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return [
      chunk({ tool_calls: [{ index, id: `call_${name}_${index}`, function: { name, arguments: text.slice(0, 3) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(3) } }] }),
    ];
  });
  const reason =
    end === 'cut off' ? 'length' : end === 'declined' ? 'content_filter' : calls.length ? 'tool_calls' : 'stop';
  const counted = { prompt_tokens: usage.input, completion_tokens: usage.output };
  return [
    pieces(say).map((content) => chunk({ content })),
    [...asked, chunk({}, reason), `data: ${JSON.stringify({ choices: [], usage: counted })}\n\n`, 'data: [DONE]\n\n'],
  ];
}

function anthropicEvents({ say = '', calls = [], usage = USAGE, end }: Turn): [words: string[], rest: string[]] {
  const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const start = { role: 'assistant', model: 'a-model', usage: { input_tokens: usage.input, output_tokens: 1 } };
  const words = pieces(say).map((text) =>
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  );
  const asked = calls.flatMap(({ name, input }, at) => {
    const index = at + 1;
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const delta = (partial_json: string) =>
      event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
    return [
      event('content_block_start', { index, content_block: { type: 'tool_use', id: `toolu_${name}_${at}`, name } }),
      delta(text.slice(0, 3)),
      delta(text.slice(3)),
      event('content_block_stop', { index }),
    ];
  });
  const reason =
    end === 'cut off' ? 'max_tokens' : end === 'declined' ? 'refusal' : calls.length ? 'tool_use' : 'end_turn';
  return [
    [
      event('message_start', { message: start }),
      event('ping', {}),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...words,
    ],
    [
      event('content_block_stop', { index: 0 }),
      ...asked,
      event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: usage.output } }),
      event('a_kind_to_come', {}),
      event('message_stop', {}),
    ],
  ];
}
