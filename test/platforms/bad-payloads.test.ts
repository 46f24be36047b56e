import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { createElevenLabsAdapter } from '../../src/platforms/elevenlabs/adapter.ts';
import { normaliseElevenLabs } from '../../src/platforms/elevenlabs/normalise.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import type { PlatformAdapter } from '../../src/platforms/port.ts';
import { createVapiAdapter } from '../../src/platforms/vapi/adapter.ts';
import { normaliseVapi } from '../../src/platforms/vapi/normalise.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const START_MS = Date.UTC(2026, 4, 4, 9);
const NOW_MS = START_MS + 86_400_000;
const iso = (afterS: number) => new Date(START_MS + afterS * 1000).toISOString();

let outbound: Outbound;
let server: ScriptedServer;
let connection: PlatformConnection;
beforeAll(() => {
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
});
afterAll(() => outbound.close());
beforeEach(async () => {
  server = await startScriptedServer();
  connection = { baseUrl: server.url, apiKey: 'key_test' };
});
afterEach(() => server.close());

const ADAPTERS = {
  vapi: () => createVapiAdapter({ outbound, digestSecret: () => 'd', nowMs: () => NOW_MS }),
  elevenlabs: () => createElevenLabsAdapter({ outbound, digestSecret: () => 'd', nowMs: () => NOW_MS }),
} satisfies Record<string, () => PlatformAdapter>;
/** A call with so long a transcript, over and whole. */
const LONG_CALL = {
  vapi: (text: string): Json => ({
    id: 'a',
    status: 'ended',
    startedAt: iso(0),
    endedAt: iso(60),
    artifact: { messages: [{ role: 'user', message: text }] },
  }),
  elevenlabs: (text: string): Json => ({
    conversation_id: 'a',
    status: 'done',
    metadata: { start_time_unix_secs: START_MS / 1000, call_duration_secs: 60 },
    transcript: [{ role: 'user', message: text, time_in_call_secs: 1 }],
  }),
};
const query = {
  providerAgentId: 'agent_a',
  from: iso(-3600),
  to: iso(3600),
  cursor: null,
  pageSize: 100,
};

describe.each(['vapi', 'elevenlabs'] as const)('%s: answers that are no success', (platform) => {
  const asks: [string, (adapter: PlatformAdapter) => Promise<unknown>][] = [
    ['the list of calls', (adapter) => adapter.listCalls(connection, query)],
    ['a call', (adapter) => adapter.getCall(connection, 'a')],
    ['the list of agents', (adapter) => adapter.listAgents(connection)],
    ['the key', (adapter) => adapter.checkKey(connection)],
  ];

  test.each(asks)('HTML with status 200 for %s is a bad answer', async (_what, ask) => {
    server.answerWith(() => ({
      text: '<!doctype html><title>Hello</title>',
      headers: { 'content-type': 'text/html' },
    }));
    await expect(ask(ADAPTERS[platform]())).rejects.toMatchObject({ kind: 'bad_answer' });
  });

  test.each(asks)(
    'JSON that was cut, for %s, is a bad answer; a connection that broke is none at all',
    async (_what, ask) => {
      server.answerWith(() => ({ text: '[{"id":"a","conversations":[{"conversation_id":' }));
      await expect(ask(ADAPTERS[platform]())).rejects.toMatchObject({ kind: 'bad_answer' });
      server.answerWith(() => 'cut');
      await expect(ask(ADAPTERS[platform]())).rejects.toMatchObject({ kind: 'unavailable' });
    },
  );

  test.each([
    [401, 'unauthorised'],
    [403, 'unauthorised'],
    [422, 'rejected'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const)('status %i is told as %s, without what the body says', async (status, kind) => {
    server.answerWith(() => ({ status, json: { message: 'a secret of the platform' } }));
    const error = await ADAPTERS[platform]()
      .listCalls(connection, query)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind, status });
    expect(String(error)).not.toContain('a secret of the platform');
  });

  test('too many requests carry how long to wait', async () => {
    server.answerWith(() => ({ status: 429, headers: { 'retry-after': '7' }, json: {} }));
    await expect(ADAPTERS[platform]().getCall(connection, 'a')).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 7_000,
    });
  });

  test('a transcript of five megabytes is read whole', async () => {
    const text = 'word '.repeat(1_000_000);
    server.answerWith(() => ({ json: LONG_CALL[platform](text) }));
    const adapter = ADAPTERS[platform]();
    const fetched = await adapter.getCall(connection, 'a');
    if (fetched.state !== 'over') throw new Error('the call is over');
    expect(adapter.normalise(fetched.payload).turns[0]?.text.length).toBeGreaterThan(4_900_000);
  });
});

test('ElevenLabs: the same page under ever new cursors stops the list', async () => {
  let cursors = 0;
  const item = { conversation_id: 'conv_1', status: 'done', start_time_unix_secs: START_MS / 1000 };
  server.answerWith(() => {
    cursors += 1;
    return { json: { conversations: [item], has_more: true, next_cursor: `k${cursors}` } };
  });
  const adapter = ADAPTERS.elevenlabs();
  let page = await adapter.listCalls(connection, query);
  for (let nth = 0; nth < 10 && page.nextCursor !== null; nth += 1) {
    page = await adapter.listCalls(connection, { ...query, cursor: page.nextCursor });
  }
  expect(page).toMatchObject({ nextCursor: null, stalled: true });
});

interface Odd {
  payload: JsonObject;
  expected: Partial<NormalisedCall>;
  /** What a warning says, or null where none is needed. */
  warning: string | null;
}

const vapi = (over: JsonObject): JsonObject => ({
  id: 'a',
  status: 'ended',
  startedAt: iso(0),
  endedAt: iso(60),
  artifact: { messages: [{ role: 'user', message: 'Hello.', time: START_MS + 1_000, endTime: START_MS + 2_000 }] },
  ...over,
});
const vapiOdd: [string, Odd][] = [
  [
    'an end before the start gives no negative length',
    { payload: vapi({ endedAt: iso(-60) }), expected: { durationMs: 0 }, warning: 'duration' },
  ],
  [
    'a start in the future is no start',
    { payload: vapi({ startedAt: iso(10 * 86_400), endedAt: null }), expected: { startedAt: null }, warning: 'start' },
  ],
  [
    'a start as a number of seconds is no start',
    { payload: vapi({ startedAt: START_MS / 1000 }), expected: { startedAt: null, durationMs: 0 }, warning: null },
  ],
  [
    'a start before there was such a platform is no start',
    { payload: vapi({ startedAt: '1970-01-21T17:31:40Z' }), expected: { startedAt: null }, warning: 'start' },
  ],
  [
    'fields of other types read as absent',
    {
      payload: vapi({ endedReason: 7, cost: 'free', customer: 'me', type: [], analysis: 'good', artifact: [] }),
      expected: { disconnectionReason: 'unknown', costUsd: null, callerNumber: null, direction: 'web', turns: [] },
      warning: 'transcript',
    },
  ],
  ['a negative cost is no cost', { payload: vapi({ cost: -3 }), expected: { costUsd: null }, warning: null }],
  [
    'nothing but an id is a call without anything',
    {
      payload: { id: 'a' },
      expected: { startedAt: null, durationMs: 0, turns: [], partial: true },
      warning: 'going on',
    },
  ],
];

const eleven = (over: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  conversation_id: 'a',
  status: 'done',
  metadata: { start_time_unix_secs: START_MS / 1000, call_duration_secs: 60, ...metadata },
  transcript: [{ role: 'user', message: 'Hello.', time_in_call_secs: 1 }],
  ...over,
});
const elevenOdd: [string, Odd][] = [
  [
    'a negative length is no length',
    { payload: eleven({}, { call_duration_secs: -5 }), expected: { durationMs: 0 }, warning: 'duration' },
  ],
  [
    'a length that is longer than a week is no length',
    { payload: eleven({}, { call_duration_secs: 60_000_000 }), expected: { durationMs: 0 }, warning: 'duration' },
  ],
  [
    'a start in milliseconds is no start',
    { payload: eleven({}, { start_time_unix_secs: START_MS }), expected: { startedAt: null }, warning: 'start' },
  ],
  [
    'a start in the future is no start',
    {
      payload: eleven({}, { start_time_unix_secs: START_MS / 1000 + 10 * 86_400 }),
      expected: { startedAt: null },
      warning: 'start',
    },
  ],
  [
    'numbers written as text are numbers',
    {
      payload: eleven({}, { start_time_unix_secs: String(START_MS / 1000), call_duration_secs: '60' }),
      expected: { startedAt: iso(0), durationMs: 60_000 },
      warning: null,
    },
  ],
  [
    'fields of other types read as absent',
    {
      payload: eleven(
        { transcript: {}, analysis: 'good', version_id: 7 },
        { cost_fiat: 'x', phone_call: [], error: 1 },
      ),
      expected: { turns: [], costUsd: null, platformAnalysis: null, versionBy: 'at_start', callerNumber: null },
      warning: 'transcript',
    },
  ],
  [
    'nothing but an id is a call without anything',
    {
      payload: { conversation_id: 'a' },
      expected: { startedAt: null, durationMs: 0, turns: [], partial: true },
      warning: 'processed',
    },
  ],
];

describe.each([
  ['vapi', normaliseVapi, vapiOdd],
  ['elevenlabs', normaliseElevenLabs, elevenOdd],
] as const)('%s: odd payloads are read, with a note', (platform, normalise, odd) => {
  test.each(odd)('%s', (_what, { payload, expected, warning }) => {
    const call = normalise(payload, NOW_MS);
    expect(call).toMatchObject(expected);
    if (warning === null) expect(call.warnings).toEqual([]);
    else expect(call.warnings.join(' ')).toContain(warning);
  });

  test.each<[string, Json]>([
    ['no object', []],
    ['text', 'call'],
    ['nothing', null],
    ['no id', { status: 'ended' }],
    ['an id that is none', { id: { a: 1 }, conversation_id: [] }],
    ['an id without end', { id: 'x'.repeat(300), conversation_id: 'x'.repeat(300) }],
  ])('%s is refused with a reason', (_what, payload) => {
    expect(() => normalise(payload, NOW_MS)).toThrow(/no usable|not a JSON object/);
  });

  test('turns that came twice stay two turns, in their order, and none has a negative time', () => {
    const twice: JsonObject[] = [-5, 3, 3, 1].map(
      (at): JsonObject =>
        platform === 'vapi'
          ? { role: 'user', message: 'Hello.', time: START_MS + at * 1000, secondsFromStart: at }
          : { role: 'user', message: 'Hello.', time_in_call_secs: at },
    );
    const payload = platform === 'vapi' ? vapi({ artifact: { messages: twice } }) : eleven({ transcript: twice });
    const { turns } = normalise(payload, NOW_MS);
    expect(turns.map(({ index, text }) => [index, text])).toEqual([0, 1, 2, 3].map((index) => [index, 'Hello.']));
    expect(turns.filter(({ startMs }) => startMs !== null && startMs < 0)).toEqual([]);
  });

  test('times in another unit than documented are no times', () => {
    const late = [1, 2, 3].map(
      (at): JsonObject =>
        platform === 'vapi'
          ? { role: 'user', message: 'Hello.', time: (START_MS + at * 1000) * 1000, secondsFromStart: at * 1000 }
          : { role: 'user', message: 'Hello.', time_in_call_secs: at * 1000 },
    );
    const payload = platform === 'vapi' ? vapi({ artifact: { messages: late } }) : eleven({ transcript: late });
    const call = normalise(payload, NOW_MS);
    expect(call.turns.map(({ startMs }) => startMs)).toEqual([null, null, null]);
    expect(call.warnings.length).toBeGreaterThan(0);
  });
});
