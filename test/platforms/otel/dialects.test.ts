import { describe, expect, test } from 'vitest';
import type { NormalisedCall } from '../../../src/domain/calls/call.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { SentSpan } from '../../../src/domain/spans/span.ts';
import { callOf, makeSpan, T0 } from '../../support/spans.ts';

/** A call in a few words a turn. */
const told = ({ turns }: NormalisedCall) =>
  turns.map(({ role, text, toolCall, toolResult }) => {
    if (toolCall) return `calls ${toolCall.name} ${JSON.stringify(toolCall.args)}`;
    if (toolResult) return `${toolResult.ok === false ? 'fails' : 'answers'} ${JSON.stringify(toolResult.body)}`;
    return `${role}: ${text}`;
  });

const TALK = [
  'caller: I lost my card.',
  'calls block_card {"number":"17"}',
  'answers {"status":"blocked"}',
  'agent: It is blocked.',
  'caller: Send me another one.',
  'agent: It is on its way.',
];

const ARGS = '{"number":"17"}';
const BODY = '{"status":"blocked"}';

type Fields = { name?: string; attributes: JsonObject; events?: SentSpan['events']; parent?: string | null };

/** Spans one after the other, 10 s apart and each a second long. */
const inOrder = (scope: string, spans: readonly Fields[]): SentSpan[] =>
  spans.map(({ name = 'chat', attributes, events = [], parent = null }, at) => ({
    ...makeSpan({ id: `s${at}`, name, scope, from: at * 10, to: at * 10 + 1, attributes, parent }),
    events,
  }));

const event = (name: string, attributes: JsonObject) => ({ name, atMs: T0, attributes });

const openAiCall = [{ id: 'c1', type: 'function', function: { name: 'block_card', arguments: ARGS } }];

/** Attributes `prefix.N.…` of messages. */
const indexed = (prefix: string, messages: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(
    messages.flatMap((message, at) => Object.entries(message).map(([key, value]) => [`${prefix}.${at}.${key}`, value])),
  );

const HISTORY: JsonObject[] = [
  { role: 'system', content: 'You are the desk of a bank.' },
  { role: 'user', content: 'I lost my card.' },
  {
    role: 'assistant',
    content: '',
    'tool_calls.0.id': 'c1',
    'tool_calls.0.name': 'block_card',
    'tool_calls.0.arguments': ARGS,
  },
  { role: 'tool', content: BODY, tool_call_id: 'c1' },
  { role: 'assistant', content: 'It is blocked.' },
  { role: 'user', content: 'Send me another one.' },
];
const ANSWERS: JsonObject[] = [HISTORY[2] ?? {}, HISTORY[4] ?? {}, { role: 'assistant', content: 'It is on its way.' }];
const GIVEN = [HISTORY.slice(0, 2), HISTORY.slice(0, 4), HISTORY];

const PLAIN: JsonObject[] = [
  { role: 'system', content: 'You are the desk of a bank.' },
  { role: 'user', content: 'I lost my card.' },
  { role: 'assistant', content: null, tool_calls: openAiCall },
  { role: 'tool', content: BODY, tool_call_id: 'c1' },
  { role: 'assistant', content: 'It is blocked.' },
  { role: 'user', content: 'Send me another one.' },
];
const PLAIN_GIVEN = [PLAIN.slice(0, 2), PLAIN.slice(0, 4), PLAIN];
const PLAIN_ANSWERS: JsonObject[] = [
  PLAIN[2] ?? {},
  PLAIN[4] ?? {},
  { role: 'assistant', content: 'It is on its way.' },
];

/** Three requests of one talk, each made by a library's way of writing them. */
const requests = (scope: string, write: (given: JsonObject[], answer: JsonObject, nth: number) => Fields) =>
  inOrder(
    scope,
    PLAIN_GIVEN.map((given, nth) => write(given, PLAIN_ANSWERS[nth] ?? {}, nth)),
  );

const openInference = (prefix: string, messages: readonly JsonObject[]): JsonObject =>
  indexed(
    prefix,
    messages.map((message) =>
      Object.fromEntries(
        Object.entries(message).map(([key, value]) => [
          `message.${key.replace(/^(tool_calls\.\d)\.(name|arguments)$/, '$1.tool_call.function.$2').replace(/^(tool_calls\.\d)\.id$/, '$1.tool_call.id')}`,
          value,
        ]),
      ),
    ),
  );

const langChain = (message: JsonObject): JsonObject => {
  const kinds: Record<string, string> = { system: 'System', user: 'Human', assistant: 'AI', tool: 'Tool' };
  const { role, tool_calls: calls, content, ...rest } = message;
  return {
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', `${kinds[String(role)]}Message`],
    kwargs: {
      content: content ?? '',
      ...(Array.isArray(calls) ? { tool_calls: [{ id: 'c1', name: 'block_card', args: JSON.parse(ARGS) }] } : {}),
      ...rest,
    },
  };
};

const DIALECTS: Record<string, SentSpan[]> = {
  'OpenLLMetry, written out over attributes': inOrder(
    'opentelemetry.instrumentation.openai.v1',
    GIVEN.map((given, nth) => ({
      name: 'openai.chat',
      attributes: {
        'llm.request.type': 'chat',
        'traceloop.association.properties.session_id': 'one',
        ...indexed('gen_ai.prompt', given),
        ...indexed('gen_ai.completion', [{ finish_reason: 'stop', ...ANSWERS[nth] }]),
      },
    })),
  ),
  'OpenInference, written out over attributes': inOrder(
    'openinference.instrumentation.openai',
    GIVEN.map((given, nth) => ({
      name: 'ChatCompletion',
      attributes: {
        'openinference.span.kind': 'LLM',
        'session.id': 'one',
        ...openInference('llm.input_messages', given),
        ...openInference('llm.output_messages', [ANSWERS[nth] ?? {}]),
      },
    })),
  ),
  'OpenInference, whole requests and answers': requests('openinference.instrumentation.openai', (given, answer) => ({
    attributes: {
      'openinference.span.kind': 'LLM',
      metadata: JSON.stringify({ thread_id: 'one' }),
      'input.value': JSON.stringify({ model: 'm', messages: given }),
      'output.value': JSON.stringify({ id: 'r', choices: [{ index: 0, message: answer, finish_reason: 'stop' }] }),
    },
  })),
  'events of the GenAI conventions': requests('any', (given, answer) => ({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': 'one' },
    events: [
      ...given.map(({ role, tool_call_id: id, tool_calls: calls, content }) =>
        event(`gen_ai.${String(role)}.message`, {
          ...(content ? { content } : {}),
          ...(id === undefined ? {} : { id }),
          ...(calls === undefined ? {} : { tool_calls: JSON.stringify(calls) }),
        }),
      ),
      event('gen_ai.choice', { index: 0, finish_reason: 'stop', message: JSON.stringify(answer) }),
    ],
  })),
  'events with all messages of a request': requests('strands.telemetry.tracer', (given, answer) => ({
    attributes: { 'gen_ai.operation.name': 'chat', 'session.id': 'one' },
    events: [
      event('gen_ai.client.inference.operation.details', { 'gen_ai.input.messages': given }),
      event('gen_ai.client.inference.operation.details', { 'gen_ai.output.messages': JSON.stringify([answer]) }),
    ],
  })),
  'events within an attribute': requests('pydantic-ai', (given, answer) => ({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': 'one',
      events: JSON.stringify([
        ...given.map(({ tool_call_id: id, ...message }) => ({
          'event.name': `gen_ai.${String(message.role)}.message`,
          id,
          ...message,
        })),
        { 'event.name': 'gen_ai.choice', index: 0, message: answer },
      ]),
    },
  })),
  Langfuse: requests('langfuse-sdk', (given, answer) => ({
    name: 'generation',
    attributes: {
      'langfuse.observation.type': 'generation',
      'session.id': 'one',
      'langfuse.observation.input': JSON.stringify(given),
      'langfuse.observation.output': JSON.stringify(answer),
    },
  })),
  'LangSmith, of LangChain': requests('langsmith', (given, answer) => ({
    name: 'ChatOpenAI',
    attributes: {
      'langsmith.span.kind': 'llm',
      'gen_ai.operation.name': 'chat',
      'langsmith.trace.session_id': 'a project',
      'langsmith.metadata.thread_id': 'one',
      'gen_ai.prompt': JSON.stringify({ messages: [given.map(langChain)] }),
      'gen_ai.completion': JSON.stringify({ generations: [[{ text: '', message: langChain(answer) }]] }),
    },
  })),
  'AI SDK': requests('ai', (given, answer, nth) => ({
    name: 'ai.generateText.doGenerate',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.telemetry.metadata.sessionId': 'one',
      'ai.prompt.messages': JSON.stringify(
        given.map((message) =>
          message.role === 'tool'
            ? {
                role: 'tool',
                content: [
                  {
                    type: 'tool-result',
                    toolCallId: 'c1',
                    toolName: 'block_card',
                    output: { type: 'json', value: JSON.parse(BODY) },
                  },
                ],
              }
            : message.tool_calls
              ? {
                  role: 'assistant',
                  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'block_card', input: JSON.parse(ARGS) }],
                }
              : message,
        ),
      ),
      ...(nth === 0
        ? {
            'ai.response.toolCalls': JSON.stringify([
              { toolCallId: 'c1', toolName: 'block_card', input: JSON.parse(ARGS) },
            ]),
          }
        : { 'ai.response.text': answer.content ?? '' }),
    },
  })),
  'Google ADK': inOrder(
    'gcp.vertex.agent',
    [
      [
        [{ role: 'user', parts: [{ text: 'I lost my card.' }] }],
        { functionCall: { id: 'c1', name: 'block_card', args: { number: '17' } } },
      ],
      [
        [
          { role: 'user', parts: [{ text: 'I lost my card.' }] },
          { role: 'model', parts: [{ function_call: { id: 'c1', name: 'block_card', args: { number: '17' } } }] },
          {
            role: 'user',
            parts: [{ function_response: { id: 'c1', name: 'block_card', response: { status: 'blocked' } } }],
          },
        ],
        { text: 'It is blocked.' },
      ],
      [[{ role: 'user', parts: [{ text: 'Send me another one.' }] }], { text: 'It is on its way.' }],
    ].map(([contents, part]) => ({
      name: 'call_llm',
      attributes: {
        'gcp.vertex.agent.session_id': 'one',
        'gcp.vertex.agent.llm_request': JSON.stringify({ model: 'm', config: {}, contents }),
        'gcp.vertex.agent.llm_response': JSON.stringify({
          content: { role: 'model', parts: [part ?? {}] },
          partial: false,
        }),
      },
    })),
  ),
  'OpenAI responses': inOrder('any', [
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'one',
        'input.value': JSON.stringify({
          input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I lost my card.' }] }],
        }),
        'output.value': JSON.stringify({
          output: [
            { type: 'reasoning', summary: [] },
            { type: 'function_call', call_id: 'c1', name: 'block_card', arguments: ARGS },
          ],
        }),
      },
    },
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'one',
        'input.value': JSON.stringify({ input: [{ type: 'function_call_output', call_id: 'c1', output: BODY }] }),
        'output.value': JSON.stringify({
          output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is blocked.' }] }],
        }),
      },
    },
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'one',
        'input.value': JSON.stringify({ input: 'Send me another one.' }),
        'output.value': JSON.stringify({
          output: [
            { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is on its way.' }] },
          ],
        }),
      },
    },
  ]),
  'decorators of Traceloop': inOrder('traceloop.tracer', [
    {
      name: 'answer.workflow',
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.association.properties.chat_id': 'one',
        'traceloop.entity.input': JSON.stringify({ args: ['I lost my card.'], kwargs: {} }),
      },
    },
    {
      name: 'block_card.tool',
      attributes: {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'block_card',
        'traceloop.association.properties.chat_id': 'one',
        'traceloop.entity.input': JSON.stringify({ args: [], kwargs: JSON.parse(ARGS) }),
        'traceloop.entity.output': BODY,
      },
    },
    {
      name: 'answer.workflow',
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.association.properties.chat_id': 'one',
        'traceloop.entity.output': JSON.stringify('It is blocked.'),
      },
    },
    {
      name: 'answer.workflow',
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.association.properties.chat_id': 'one',
        'traceloop.entity.input': JSON.stringify({ args: [], kwargs: { text: 'Send me another one.' } }),
        'traceloop.entity.output': JSON.stringify({ text: 'It is on its way.' }),
      },
    },
  ]),
};

describe('a talk is read as each library writes it', () => {
  test.each(Object.entries(DIALECTS))('%s', (_name, spans) => {
    const call = callOf(spans);
    expect(told(call)).toEqual(TALK);
    expect(call).toMatchObject({ providerCallId: 'one', warnings: [] });
  });

  test.each<[string, JsonObject]>([
    [
      'OpenTelemetry',
      {
        'gen_ai.tool.name': 'block_card',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.call.arguments': ARGS,
        'gen_ai.tool.call.result': BODY,
        'gen_ai.operation.name': 'execute_tool',
      },
    ],
    [
      'OpenInference',
      { 'openinference.span.kind': 'TOOL', 'tool.name': 'block_card', 'input.value': ARGS, 'output.value': BODY },
    ],
    [
      'Langfuse',
      { 'langfuse.observation.type': 'tool', 'langfuse.observation.input': ARGS, 'langfuse.observation.output': BODY },
    ],
    ['LangSmith', { 'langsmith.span.kind': 'tool', 'gen_ai.prompt': ARGS, 'gen_ai.completion': BODY }],
    [
      'AI SDK',
      {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'block_card',
        'ai.toolCall.id': 'c1',
        'ai.toolCall.args': ARGS,
        'ai.toolCall.result': BODY,
      },
    ],
    [
      'Google ADK',
      {
        'gcp.vertex.agent.tool_call_args': ARGS,
        'gcp.vertex.agent.tool_response': BODY,
        'gen_ai.tool.name': 'block_card',
      },
    ],
  ])('a tool has a span of its own, of %s, and is told once', (_name, attributes) => {
    const spans = DIALECTS['events of the GenAI conventions'] ?? [];
    const tool = makeSpan({ id: 'tool', name: 'block_card', scope: 'any', from: 2, to: 3, attributes });
    const call = callOf([...spans, { ...tool, traceId: spans[0]?.traceId ?? '', parentId: spans[0]?.spanId ?? null }]);
    expect(told(call)).toEqual(TALK);
    expect(call.turns.find(({ toolResult }) => toolResult)?.toolResult?.latencyMs).toBe(1000);
  });

  test('one step of an agent around a whole conversation changes nothing of its order', () => {
    const within = Object.values(DIALECTS).map((spans) => {
      const [first] = spans;
      const whole = makeSpan({
        id: 'whole',
        name: 'invoke_agent desk',
        scope: 'any',
        from: -1,
        to: 60,
        attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': 'one' },
      });
      const around = { ...whole, traceId: first?.traceId ?? '' };
      return told(callOf([around, ...spans.map((span) => ({ ...span, parentId: span.parentId ?? around.spanId }))]));
    });
    expect(within).toEqual(within.map(() => TALK));
  });

  test('the run of an agent alone tells the whole talk that it was given', () => {
    const messages = PLAIN.map((message) => ({ ...message }));
    const run = makeSpan({
      id: 'whole',
      name: 'invoke_agent desk',
      scope: 'any',
      from: 0,
      to: 60,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': 'one',
        'gen_ai.input.messages': JSON.stringify(messages),
        'gen_ai.output.messages': JSON.stringify(PLAIN_ANSWERS.slice(2)),
      },
    });
    expect(told(callOf([run]))).toEqual(TALK);
  });

  test('a framework and its client each make a span of one request', () => {
    const [outer] = DIALECTS['OpenInference, whole requests and answers'] ?? [];
    if (!outer) throw new Error('There is no such example.');
    const inner = { ...outer, spanId: 'aaaaaaaaaaaaaaaa', parentId: outer.spanId, startMs: outer.startMs + 5 };
    expect(told(callOf([outer, inner]))).toEqual(TALK.slice(0, 2));
  });
});

describe('sides whose words do not arrive', () => {
  const hidden = (attributes: JsonObject) =>
    callOf(
      inOrder('openinference.instrumentation.openai', [
        { attributes: { 'openinference.span.kind': 'LLM', 'session.id': 'one', ...attributes } },
      ]),
    );

  test('are not recorded, and the variable that hides them is named', () => {
    const call = hidden({ 'input.value': '__REDACTED__', 'output.value': 'It is blocked.' });
    expect(told(call)).toEqual(['agent: It is blocked.']);
    expect(call).toMatchObject({
      notRecorded: ['caller'],
      partial: true,
      warnings: [expect.stringContaining('OPENINFERENCE_HIDE_INPUTS')],
    });
  });

  test('and what the model thinks is said to nobody', () => {
    const call = callOf(
      inOrder('any', [
        {
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.conversation.id': 'one',
            'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Hello?' }] }]),
            'gen_ai.output.messages': JSON.stringify([
              {
                role: 'assistant',
                parts: [
                  { type: 'reasoning', content: 'They greet me.' },
                  { type: 'text', content: 'Good day.' },
                ],
              },
            ]),
          },
        },
      ]),
    );
    expect(told(call)).toEqual(['caller: Hello?', 'agent: Good day.']);
  });
});
