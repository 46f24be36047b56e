import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ANALYSER_DEFAULTS, createAnalyser } from '../../src/analyser/analyser.ts';
import { uploadedLinePlace } from '../../src/db/secrets/sealed-places.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { INGEST_BUCKETS, type IngestBucket } from '../../src/domain/limits/rate-limits.ts';
import type { SentSpan } from '../../src/domain/spans/span.ts';
import { rpcStatus, traceResponse } from '../../src/inbound/otlp/schema.ts';
import { exampleBytes, exampleSpans, makeSpan, otlpBytes, otlpJson, talkSpans } from '../support/spans.ts';
import { type Answered, createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let admin: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  admin = await world.token();
});

const db = () => world.database.em().getKysely();

interface Sender {
  connectionId: string;
  agentId: string;
  tokenId: string;
  token: string;
}

let made = 0;

/** What a person does for an agent that sends its calls: a connection, the agent, a token. */
async function makeSender(platform = 'livekit', as = admin): Promise<Sender> {
  made += 1;
  const connection = await world.ask('POST', '/app/connections', { as, body: { platform } });
  const agentBody = { connectionId: connection.body.id, providerAgentId: `agent ${made}`, name: 'Front desk' };
  const agent = await world.ask('POST', '/app/agents', { as, body: agentBody });
  const token = await world.ask('POST', `/app/connections/${connection.body.id}/tokens`, {
    as,
    body: { agentId: agent.body.id },
  });
  expect([connection.status, agent.status, token.status]).toEqual([200, 200, 200]);
  return {
    connectionId: connection.body.id,
    agentId: agent.body.id,
    tokenId: token.body.id,
    token: token.body.token,
  };
}

const sendRecords = (as: string | undefined, payload: unknown, type = 'application/json'): Promise<Answered> =>
  world.ask('POST', '/ingest/calls', {
    ...(as === undefined ? {} : { as }),
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    headers: { 'content-type': type },
  });

function sendSpans(
  as: string | undefined,
  payload: string | Buffer,
  { type = 'application/x-protobuf', gzip = false, url = '/otlp/v1/traces' } = {},
) {
  return world.app.inject({
    method: 'POST',
    url,
    payload: gzip ? gzipSync(payload) : payload,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      'content-type': type,
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    },
  });
}

const sendLogs = (as: string, logRecords: unknown) =>
  sendSpans(
    as,
    Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ scope: { name: 'any' }, logRecords }] }] })),
    {
      type: 'application/json',
      url: '/otlp/v1/logs',
    },
  );

interface Stored {
  traces: number;
  spans: number;
  batches: number;
  orders: number;
}
async function stored({ agentId }: Pick<Sender, 'agentId'>): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select (select count(*)::int from span_traces where agent_id = ${agentId}) as traces,
      (select coalesce(sum(spans), 0)::int from span_traces where agent_id = ${agentId}) as spans,
      (select count(*)::int from span_batches where agent_id = ${agentId}) as batches,
      (select count(*)::int from outbox_entries where agent_id = ${agentId} and workflow = 'settleSpans') as orders
  `.execute(db());
  return rows[0] as Stored;
}

/** What the stored traces say that their calls are called. */
async function names({ agentId }: Pick<Sender, 'agentId'>): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    select unnest(call_refs) as ref from span_traces where agent_id = ${agentId}`.execute(db());
  return rows.map(({ ref }) => ref);
}

const call = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  turns: [
    { role: 'agent', text: 'Hello, how can I help?', startMs: 100, endMs: 1_500 },
    { role: 'caller', text: 'I want to book a table.', startMs: 2_000, endMs: 3_400 },
  ],
  ...more,
});

describe('a token', () => {
  test('is made for one agent, shown once, listed by its beginning, and revoked', async () => {
    const sender = await makeSender();
    expect(sender.token).toMatch(/^ing_[A-Za-z0-9_-]{32}$/);
    const url = `/app/connections/${sender.connectionId}/tokens`;
    const listed = await world.get(url, admin);
    const createdBy = { id: world.personId, name: 'An admin', isMember: true };
    expect(listed.body.data).toMatchObject([
      { id: sender.tokenId, agentId: sender.agentId, name: 'livekit', createdBy },
    ]);
    expect(listed.text).not.toContain(sender.token);
    expect(listed.body.data[0].prefix).toBe(sender.token.slice(0, 10));
    const { rows } = await sql<{ text: string }>`select t::text as text from ingest_tokens t`.execute(db());
    expect(rows.some(({ text }) => text.includes(sender.token))).toBe(false);

    expect((await sendRecords(sender.token, call('a'))).status).toBe(200);
    expect((await world.get(url, admin)).body.data[0].lastUsedAt).not.toBeNull();
    expect((await world.ask('DELETE', `${url}/${sender.tokenId}`, { as: admin })).status).toBe(200);
    expectFailure(await sendRecords(sender.token, call('b')), 401, 'invalid_ingest_token');
    expectFailure(await world.ask('DELETE', `${url}/${sender.tokenId}`, { as: admin }), 404, 'token_not_found');
  });

  test('is made for an agent of its connection only, and where calls are sent', async () => {
    const sender = await makeSender();
    const other = await makeSender('pipecat');
    const url = `/app/connections/${sender.connectionId}/tokens`;
    const foreign = await world.ask('POST', url, { as: admin, body: { agentId: other.agentId } });
    expectFailure(foreign, 404, 'agent_not_found', 'agentId');
    expectFailure(await world.ask('DELETE', `${url}/${other.tokenId}`, { as: admin }), 404, 'token_not_found');
    const polled = await world.ask('POST', '/app/connections', {
      as: admin,
      body: { platform: 'retell', apiKey: 'k' },
    });
    expectFailure(
      await world.ask('POST', `/app/connections/${polled.body.id}/tokens`, {
        as: admin,
        body: { agentId: sender.agentId },
      }),
      400,
      'invalid_parameter',
      'connectionId',
    );
  });

  test.each([
    ['livekit', { apiKey: 'k' }, 'apiKey'],
    ['otel', { baseUrl: 'https://example.com' }, 'baseUrl'],
    ['retell', {}, 'apiKey'],
  ])('a connection to %s with %j is refused', async (platform, also, param) => {
    const answer = await world.ask('POST', '/app/connections', { as: admin, body: { platform, ...also } });
    expectFailure(answer, 400, 'invalid_parameter', param);
  });

  test('reaches nothing else, and nothing else lets calls in', async () => {
    const sender = await makeSender();
    for (const url of [`/v1/agents/${sender.agentId}`, '/v1/agents', `/app/agents/${sender.agentId}/settings`]) {
      expect((await world.get(url, sender.token)).status).toBe(401);
    }
    const person = await world.token();
    for (const as of [world.readKey, world.writeKey, person, `ing_${'x'.repeat(32)}`, 'ing_short', '']) {
      const answer = await sendRecords(as === '' ? undefined : as, call('a'));
      expectFailure(answer, 401, as === '' ? 'missing_authorization' : 'invalid_ingest_token');
      const spans = await sendSpans(as === '' ? undefined : as, otlpBytes([]));
      expect(spans.statusCode).toBe(401);
      expect(rpcStatus.decode(spans.rawPayload).toJSON()).toMatchObject({ code: 16 });
    }
    expect((await sendRecords(world.writeKey, call('a'))).body.error.message).toContain('API key');
  });

  test('puts calls only where it belongs', async () => {
    const [one, other] = [await makeSender(), await makeSender()];
    await sendSpans(one.token, otlpBytes(exampleSpans('livekit-js-1.9')));
    await sendRecords(one.token, call('a'));
    expect(await stored(one)).toMatchObject({ traces: 1 });
    expect(await stored(other)).toMatchObject({ traces: 0 });
  });
});

describe('records', () => {
  async function lines(importId: string): Promise<Loose[]> {
    const { rows } = await sql<{ line: number; sealed: string }>`
      select line, sealed_payload as sealed from uploaded_records where import_id = ${importId} order by line
    `.execute(db());
    return rows.map(({ line, sealed }) =>
      JSON.parse(world.services.vault.open(sealed, uploadedLinePlace(world.workspaceId, importId, line))),
    );
  }

  test.each<[string, unknown, string]>([
    ['one', call('a', { labels: { outcome: 'resolved' } }), 'application/json'],
    ['a list', [call('a')], 'application/json'],
    ['lines', `${JSON.stringify(call('a'))}\n`, 'application/x-ndjson'],
  ])('%s: stored before the answer, without labels, and ordered', async (_what, body, type) => {
    const sender = await makeSender('file');
    const answer = await sendRecords(sender.token, body, type);
    expect(answer.body).toEqual({ object: 'taken_records', importId: expect.any(String), taken: 1, refused: [] });
    expect(await lines(answer.body.importId)).toEqual([call('a')]);
    const { rows } = await sql<{ workflowId: string }>`
      select workflow_id as "workflowId" from outbox_entries where agent_id = ${sender.agentId}`.execute(db());
    expect(rows).toEqual([{ workflowId: `agent/${sender.agentId}` }]);
  });

  test('that come before the import has begun join it', async () => {
    const sender = await makeSender('file');
    const first = await sendRecords(sender.token, call('a'));
    const second = await sendRecords(sender.token, [call('b'), call('c')]);
    expect(second.body.importId).toBe(first.body.importId);
    expect((await lines(first.body.importId)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test.each<[string, unknown, string | null, RegExp]>([
    ['no object', 'text', null, /no JSON object/],
    ['a list in a list', [], null, /no JSON object/],
    ['null', null, null, /no JSON object/],
    ['neither id nor turns', { turns: [] }, 'turns', /neither an id nor a turn/],
    ['what only we make', { object: 'earshot.call_spans', ref: 'a', groups: [] }, 'object', /Spans are sent to/],
    ['nothing that we know', { a: 1 }, 'turns', /no format that is known. It has no list of turns/],
    ['turns that are none', call('a', { turns: 'hello' }), 'turns', /does not begin with who speaks/],
    ['turns of null', call('a', { turns: null }), 'turns', /no list `turns`/],
    ['a turn that is text', call('a', { turns: ['hello'] }), 'turns[0]', /Turn 0 is not an object/],
    ['a turn of a list', call('a', { turns: [[]] }), 'turns[0]', /Turn 0 is not an object/],
    [
      'a role that nobody has',
      call('a', { turns: [{ role: 'wizard' }] }),
      'turns[0].role',
      /Nothing says who "wizard" is/,
    ],
    ['no role', call('a', { turns: [{ text: 'x' }] }), 'turns[0].role', /no role/],
    ['a speaker by number', call('a', { turns: [{ role: 7 }] }), 'turns[0].role', /Nothing says who "7" is/],
    ['a text that is a number', call('a', { turns: [{ role: 'agent', text: 7 }] }), 'turns[0].text', /not a string/],
    [
      'a fault in a later turn',
      call('a', { turns: [...call('a').turns, { role: 'agent', text: {} }] }),
      'turns[2].text',
      /turn 2 is not a string/,
    ],
  ])('%s: named with its line and field, and the rest is taken', async (_what, odd, field, reason) => {
    const sender = await makeSender('file');
    const answer = await sendRecords(sender.token, [call('first'), odd, call('last')]);
    expect(answer.body).toMatchObject({
      taken: 2,
      refused: [{ line: 2, field, reason: expect.stringMatching(reason) }],
    });
    expect((await lines(answer.body.importId)).map(({ id }) => id)).toEqual(['first', 'last']);
  });

  test('without an id are called after what they hold, so that the same again is the same', async () => {
    const sender = await makeSender('file');
    const { id: _, ...nameless } = call('a');
    const first = await sendRecords(sender.token, [nameless, { ...nameless, id: '' }]);
    expect(first.body).toMatchObject({ taken: 2, refused: [] });
  });

  test('of other tools: a page is several calls, a list of messages or events is one, and so is a text', async () => {
    const example = (name: string) => readFileSync(new URL(`../platforms/formats/${name}`, import.meta.url), 'utf8');
    const taken = async (name: string, type = 'application/json') => {
      const sender = await makeSender('file');
      const { body } = await sendRecords(sender.token, example(name), type);
      return body.refused.length === 0 ? body.taken : body.refused;
    };
    expect(await taken('elevenlabs-post-call-transcription.json')).toBe(1);
    expect(await taken('vapi-page.json')).toBe(1);
    expect(await taken('retell-list-v2.json')).toBe(2);
    expect(await taken('pipecat-transcript.json')).toBe(1);
    expect((await taken('openai-realtime-events.jsonl', 'application/x-ndjson'))[0]).toMatchObject({
      line: 1,
      reason: expect.stringContaining('all events of a session make one'),
    });
    expect(await taken('openai-chat-fine-tuning.jsonl', 'application/x-ndjson')).toBe(2);
    expect(await taken('speakers.vtt', 'text/vtt')).toBe(1);
    expect(await taken('elevenlabs-post-call-audio.json')).toEqual([
      { line: 1, field: 'type', reason: expect.stringContaining('import `post_call_transcription`') },
    ]);
  });

  test.each<[string, string | Buffer, string, RegExp]>([
    ['nothing', '', 'application/json', /no records/],
    ['an empty list', '[]', 'application/json', /no records/],
    ['broken JSON', '{"id":', 'application/json', /not valid JSON/],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe]), 'application/json', /not valid JSON/],
    ['another type', JSON.stringify(call('a')), 'text/plain', /application\/json/],
    ['a type that nobody reads', 'id;text', 'text/csv', /application\/x-ndjson/],
    ['too many', JSON.stringify(Array.from({ length: 1001 }, () => 1)), 'application/json', /1000 records/],
    ['nesting without end', '['.repeat(40) + ']'.repeat(40), 'application/json', /nests deeper/],
  ])('%s: refused as a whole', async (_what, body, type, message) => {
    const sender = await makeSender('file');
    const answer = await sendRecords(sender.token, body, type);
    expectFailure(answer, 400, 'invalid_body');
    expect(answer.body.error.message).toMatch(message);
  });

  const nested = (levels: number) => ({ ...call('deep'), more: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) });
  test.each<[string, unknown, RegExp]>([
    ['bytes, where its letters take several', { ...call('long'), note: '€'.repeat(400_000) }, /longer than 1 MiB/],
    ['levels', nested(32), /nests deeper than 32/],
  ])('a record with too many %s is refused', async (_what, body, reason) => {
    const sender = await makeSender('file');
    expect((await sendRecords(sender.token, body)).body).toMatchObject({
      taken: 0,
      refused: [{ line: 1, reason: expect.stringMatching(reason) }],
    });
    expect((await sendRecords(sender.token, nested(31))).body).toMatchObject({ taken: 1 });
  });

  test('compressed ones are read, and a bomb is refused before it unfolds', async () => {
    const sender = await makeSender('file');
    const send = (payload: Buffer) =>
      world.ask('POST', '/ingest/calls', {
        as: sender.token,
        payload,
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      });
    expect((await send(gzipSync(JSON.stringify(call('a'))))).body).toMatchObject({ taken: 1 });
    const bomb = await send(gzipSync(Buffer.alloc(80 * 1024 * 1024, 0x20)));
    expectFailure(bomb, 400, 'invalid_body');
    expect(bomb.body.error.message).toContain('larger than 16 MiB');
    expectFailure(await send(Buffer.from('no gzip')), 400, 'invalid_body');
  });
});

describe('spans', () => {
  test('in protobuf and in JSON, plain and compressed, say the same and are stored before the answer', async () => {
    const spans = exampleSpans('livekit-python-1.8');
    const json = JSON.stringify(otlpJson(spans));
    const seen: Stored[] = [];
    for (const gzip of [false, true]) {
      for (const type of ['application/x-protobuf', 'application/json']) {
        const sender = await makeSender();
        const isJson = type === 'application/json';
        const answer = await sendSpans(sender.token, isJson ? json : otlpBytes(spans), { type, gzip });
        expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
          200,
          type,
          isJson ? '{}' : '',
        ]);
        seen.push(await stored(sender));
      }
    }
    expect(seen).toEqual(Array.from({ length: 4 }, () => ({ traces: 1, spans: spans.length, batches: 1, orders: 1 })));
  });

  test.each(['/otlp', '/otlp/v1/traces', '/otlp/v1/traces/v1/traces'])('come in at %s', async (url) => {
    const sender = await makeSender('otel');
    const answer = await sendSpans(sender.token, exampleBytes('genai-generic'), { type: 'application/json', url });
    expect(answer.statusCode).toBe(200);
    expect(await stored(sender)).toMatchObject({ traces: 1 });
  });

  test('metrics and logs of other things are taken and left', async () => {
    const sender = await makeSender();
    const metrics = await sendSpans(sender.token, Buffer.from([1, 2, 3]), { url: '/otlp/v1/metrics' });
    const log = { timeUnixNano: '1795802400000000000', body: { stringValue: 'GET / 200' } };
    const logs = await sendLogs(sender.token, [log]);
    expect([metrics.statusCode, logs.statusCode, logs.json()]).toEqual([200, 200, {}]);
    expect(await stored(sender)).toMatchObject({ traces: 0 });
  });

  test('and events of models that come as logs join the span that they belong to', async () => {
    const sender = await makeSender('otel');
    const ids = { traceId: '5'.repeat(32), spanId: '6'.repeat(16) };
    const body = { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Hello?' } }] } };
    const event = { timeUnixNano: '1795802400000000000', eventName: 'gen_ai.user.message', body };
    const answer = await sendLogs(sender.token, [{ ...event, ...ids }, event]);
    expect(answer.json().partialSuccess).toEqual({
      rejectedLogRecords: '1',
      errorMessage: expect.stringContaining('belong to no span'),
    });
    expect(await stored(sender)).toMatchObject({ traces: 1, spans: 1 });
    expect((await sendLogs(sender.token, 'no list')).statusCode).toBe(200);
    const broken = await sendSpans(sender.token, Buffer.from('{'), { type: 'application/json', url: '/otlp/v1/logs' });
    expect(broken.statusCode).toBe(400);
  });

  test('that hold no words are taken, and the sender is told which setting sends them', async () => {
    const sender = await makeSender('otel');
    const chat = (scope: string, attributes: JsonObject) =>
      makeSpan({ id: 'a', name: 'chat', scope, from: 0, to: 1, attributes });
    const json = (span: SentSpan) =>
      sendSpans(sender.token, Buffer.from(JSON.stringify(otlpJson([span]))), { type: 'application/json' });
    const quiet = { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': 'quiet' };
    const said = { ...quiet, 'gen_ai.input.messages': '[{"role":"user","content":"Hello?"}]' };
    const told = async (span: SentSpan) => (await json(span)).json().partialSuccess;
    const silent = (text: string) => ({ rejectedSpans: '0', errorMessage: expect.stringContaining(text) });
    expect(await told(chat('any', quiet))).toEqual(silent('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'));
    expect(await told(chat('any', { 'openinference.span.kind': 'LLM', 'input.value': '__REDACTED__' }))).toEqual(
      silent('OPENINFERENCE_HIDE_INPUTS'),
    );
    expect(await told(chat('http', { 'http.method': 'GET' }))).toEqual(
      silent('1 span of http tells of no conversation'),
    );
    expect(await told(chat('any', said))).toBeUndefined();
  });

  test('that tell of no call are counted on their connection, with the setting that would mend it', async () => {
    const sender = await makeSender('otel');
    const at = `/app/connections/${sender.connectionId}`;
    expect((await world.ask('GET', at, { as: admin })).body.spans).toBeNull();
    const quiet = { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': 'quiet' };
    await sendSpans(
      sender.token,
      otlpBytes([makeSpan({ id: 'a', name: 'chat', scope: 'any', from: 0, to: 1, attributes: quiet })]),
    );
    const { spans } = (await world.ask('GET', at, { as: admin })).body;
    expect(spans).toMatchObject({ spans: 1, traces: 1, waiting: 1, nextAt: expect.stringMatching(/Z$/) });
    expect(spans.left).toEqual([
      {
        reason: 'no_words',
        library: 'OpenTelemetry GenAI',
        spans: 1,
        traces: 1,
        lastAt: spans.lastAt,
        says: '1 span of OpenTelemetry GenAI holds nothing that was said or done.',
        advice: expect.stringContaining('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'),
      },
    ]);
    const listed = await world.ask('GET', '/app/connections?limit=100', { as: admin });
    expect(listed.body.data.find(({ id }: { id: string }) => id === sender.connectionId).spans).toEqual(spans);
  });

  test('that were sent before change nothing, and late ones join theirs', async () => {
    const sender = await makeSender();
    const spans = talkSpans('RM_1', { trace: 'one', from: 0 }, 'a');
    const [early, late] = [spans.slice(0, 3), spans.slice(3)];
    await sendSpans(sender.token, otlpBytes(early));
    await sendSpans(sender.token, otlpBytes(early));
    expect(await stored(sender)).toEqual({ traces: 1, spans: 3, batches: 1, orders: 1 });
    await sendSpans(sender.token, otlpBytes(late));
    expect(await stored(sender)).toEqual({ traces: 1, spans: 4, batches: 2, orders: 2 });
  });

  test('that come at the same time are each stored once, those of one trace too, for the agent of their token', async () => {
    const [one, other] = [await makeSender(), await makeSender()];
    const talk = (at: number) => talkSpans(`RM_${at}`, { trace: `talk ${at}`, from: 0 }, `${at}`);
    const numbers = [0, 1, 2, 3, 4, 5];
    const bodies = numbers.flatMap((at) => [
      otlpBytes(talk(at).slice(0, 3)),
      otlpBytes(talk(at).slice(3)),
      otlpBytes(talk(at).slice(3)),
    ]);
    const answers = await Promise.all(
      [one, other].flatMap(({ token }) => bodies.map((body) => sendSpans(token, body))),
    );
    expect(answers.map(({ statusCode, rawPayload }) => [statusCode, rawPayload.length])).toEqual(
      answers.map(() => [200, 0]),
    );
    for (const sender of [one, other]) {
      expect(await stored(sender)).toMatchObject({ traces: 6, spans: 24, batches: 12 });
      expect((await names(sender)).sort()).toEqual(numbers.map((at) => `RM_${at}`));
    }
  });

  test('without ids are refused in part, and the answer says so', async () => {
    const sender = await makeSender();
    const [good] = talkSpans('RM_1', { trace: 'one', from: 0 }, 'a');
    const bad = { ...makeSpan({ id: 'b', name: 'x', from: 0, to: 1 }), traceId: '0'.repeat(32) };
    const spans = good ? [good, bad] : [];
    const binary = await sendSpans(sender.token, otlpBytes(spans));
    expect(binary.statusCode).toBe(200);
    expect(traceResponse.decode(binary.rawPayload).toJSON()).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('no valid trace id') },
    });
    const json = await sendSpans(sender.token, JSON.stringify(otlpJson(spans)), { type: 'application/json' });
    expect(json.json()).toEqual(traceResponse.decode(binary.rawPayload).toJSON());
  });

  test.each(['RM_\u0000', 'RM_\ud800'])(
    'of a call whose name %j no text of the database holds are taken',
    async (ref) => {
      const sender = await makeSender();
      const body = JSON.stringify(otlpJson(talkSpans(ref, { trace: 'one', from: 0 }, 'a')));
      expect((await sendSpans(sender.token, body, { type: 'application/json' })).statusCode).toBe(200);
      expect(await names(sender)).toEqual(['RM_\ufffd']);
    },
  );

  test('that name more calls than a trace has are taken with the first of the names', async () => {
    const sender = await makeSender();
    const many = Array.from({ length: 300 }, (_, at) =>
      makeSpan({ id: `s${at}`, name: 'user_turn', from: at, to: at + 1, attributes: { 'session.id': `call ${at}` } }),
    );
    expect((await sendSpans(sender.token, otlpBytes(many))).statusCode).toBe(200);
    expect(await names(sender)).toHaveLength(100);
  });

  const SPANS_OF_TRACE = 50_000;
  test('beyond what a trace may hold are refused, whoever else sends at the same time', async () => {
    const sender = await makeSender();
    const five = (request: number) =>
      otlpBytes(
        Array.from({ length: 5 }, (_, at) => makeSpan({ id: `${request} ${at}`, name: 'user_turn', from: at, to: at })),
      );
    await sendSpans(sender.token, five(0));
    await sql`update span_traces set spans = ${SPANS_OF_TRACE - 10} where agent_id = ${sender.agentId}`.execute(db());
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((request) => sendSpans(sender.token, five(request))));
    const refused = answers.map(({ rawPayload }) => traceResponse.decode(rawPayload).toJSON().partialSuccess);
    expect(refused.filter((part) => part === undefined)).toHaveLength(2);
    expect(refused.filter((part) => part?.rejectedSpans === '5')).toHaveLength(4);
    expect(refused.find(Boolean)?.errorMessage).toBe('A trace takes 50000 spans and 64 MiB; 5 more were not taken.');
    expect(await stored(sender)).toMatchObject({ spans: SPANS_OF_TRACE, batches: 3 });
  });

  test('of more bytes than a trace may hold are refused, and the same as before are not', async () => {
    const sender = await makeSender();
    const [first, ...rest] = talkSpans('RM_1', { trace: 'one', from: 0 }, 'a');
    const sent = otlpBytes(first ? [first] : []);
    await sendSpans(sender.token, sent);
    await sql`update span_traces set bytes = 64 * 1024 * 1024 where agent_id = ${sender.agentId}`.execute(db());
    const more = await sendSpans(sender.token, JSON.stringify(otlpJson(rest)), { type: 'application/json' });
    expect(more.json().partialSuccess.rejectedSpans).toBe('3');
    const again = await sendSpans(sender.token, sent);
    expect([again.statusCode, again.rawPayload.length]).toEqual([200, 0]);
    expect(await stored(sender)).toMatchObject({ spans: 1, batches: 1 });
  });

  test('100,000 in one request: as many as a request may hold are taken, the others are said to be refused', async () => {
    const sender = await makeSender();
    const [span] = otlpJson([makeSpan({ id: 'a', name: 'turn', from: 0, to: 1 })]).resourceSpans;
    const { scopeSpans } = span as { scopeSpans: [{ spans: [Record<string, unknown>] }] };
    const [one] = scopeSpans[0].spans;
    const many = Array.from({ length: 100_000 }, (_, at) => ({
      ...one,
      spanId: (at + 1).toString(16).padStart(16, '0'),
    }));
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: many }] }] });
    const answer = await sendSpans(sender.token, body, { type: 'application/json', gzip: true });
    expect(answer.json().partialSuccess.rejectedSpans).toBe('80000');
    expect(await stored(sender)).toMatchObject({ spans: 20_000 });
  });

  test.each<[string, Buffer, string, boolean]>([
    ['garbage as protobuf', Buffer.from('ffffffffff00010203', 'hex'), 'application/x-protobuf', false],
    ['text as protobuf', Buffer.from('hello, this is no protobuf'), 'application/x-protobuf', false],
    ['garbage as JSON', Buffer.from('{"resourceSpans":'), 'application/json', false],
    ['a list as JSON', Buffer.from('[]'), 'application/json', false],
    ['another type', Buffer.from('{}'), 'text/plain', false],
    ['a bomb', Buffer.alloc(80 * 1024 * 1024), 'application/x-protobuf', true],
  ])('%s: refused for good, in words and in the encoding of the request', async (_what, body, type, gzip) => {
    const sender = await makeSender();
    const answer = await sendSpans(sender.token, body, { type, gzip });
    expect(answer.statusCode).toBe(400);
    const isBinary = type === 'application/x-protobuf';
    const status = isBinary ? rpcStatus.decode(answer.rawPayload).toJSON() : answer.json();
    expect(status).toEqual({ code: 3, message: expect.stringMatching(/\w+ \w+/) });
    expect(await stored(sender)).toMatchObject({ traces: 0, orders: 0 });
  });
});

test('a body that takes too long to be read is asked for again, and nothing of it is stored', async () => {
  const sender = await makeSender();
  const { analyser } = world.services;
  const hurried = createAnalyser({ ...ANALYSER_DEFAULTS, processes: 1, timeLimitMs: 1 });
  world.services.analyser = hurried;
  try {
    const spans = await sendSpans(sender.token, exampleBytes('genai-generic'), { type: 'application/json' });
    expect([spans.statusCode, spans.json()]).toMatchObject([
      503,
      { message: expect.stringContaining('Send it again') },
    ]);
  } finally {
    world.services.analyser = analyser;
    await hurried.close();
  }
  expect(await stored(sender)).toMatchObject({ spans: 0, batches: 0 });
});

describe('limits', () => {
  let limited: World;
  let as: string;
  let connectionId: string;

  beforeAll(async () => {
    limited = await createWorld({ limited: true });
    as = await limited.token();
    connectionId = (await limited.ask('POST', '/app/connections', { as, body: { platform: 'otel' } })).body.id;
  });
  afterAll(() => limited.close());

  async function makeToken(name: string): Promise<{ token: string; id: string }> {
    const agent = await limited.ask('POST', '/app/agents', { as, body: { connectionId, providerAgentId: name } });
    const url = `/app/connections/${connectionId}/tokens`;
    return (await limited.ask('POST', url, { as, body: { agentId: agent.body.id } })).body;
  }

  const send = (token: string, payload: string, gzip = false) =>
    limited.ask('POST', '/otlp/v1/traces', {
      as: token,
      payload: gzip ? gzipSync(payload) : payload,
      headers: { 'content-type': 'application/json', ...(gzip ? { 'content-encoding': 'gzip' } : {}) },
    });

  async function fill(bucket: string, seconds: number): Promise<void> {
    await sql`
      insert into buckets (name, full_at) values (${bucket}, now() + ${seconds} * interval '1 second')
      on conflict (name) do update set full_at = excluded.full_at`.execute(limited.database.em().getKysely());
  }

  /** How many tokens are drawn of a bucket that is not full, while something is done. */
  async function drawnOf(kind: IngestBucket, work: () => Promise<void>): Promise<number> {
    const name = `${kind}:${limited.workspaceId}`;
    const { burst, perMinute } = INGEST_BUCKETS[kind];
    const read = async () => {
      const { rows } = await sql<{ at: number }>`
        select extract(epoch from full_at)::float8 as at from buckets where name = ${name}`.execute(
        limited.database.em().getKysely(),
      );
      return rows[0]?.at ?? Number.NaN;
    };
    await fill(name, (burst * 60) / perMinute - 1);
    const before = await read();
    await work();
    const drawn = ((await read()) - before) * (perMinute / 60);
    await fill(name, 0);
    return Math.round(drawn);
  }

  test('a token has a bucket of its own, and says when to come again', async () => {
    const { token, id } = await makeToken('a');
    await fill(`ingest:${id}`, 3600);
    const answer = await send(token, '{}');
    expect([answer.status, answer.body.code]).toEqual([429, 8]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await limited.get('/v1/agents')).status).toBe(200);
    expect((await send((await makeToken('b')).token, '{}')).status).toBe(200);
  });

  test('bytes count as they are unpacked, also of a body that can not be read', async () => {
    const { token } = await makeToken('c');
    const blanks = ' '.repeat(2 * 1024 * 1024);
    const drawn = (payload: string, status: number) =>
      drawnOf('ingest_kib', async () => expect((await send(token, payload, true)).status).toBe(status));
    expect(await drawn(`{${blanks}}`, 200)).toBe(2049);
    expect(await drawn(`{${blanks}`, 400)).toBe(2049);
    const records = drawnOf('ingest_kib', async () => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const answer = await limited.ask('POST', '/ingest/calls', { as: token, payload: `{}${blanks}\n`, headers });
      expect(answer.body.taken).toBe(0);
    });
    expect(await records).toBe(2049);
  });

  test('spans count, those that can not be taken too', async () => {
    const { token } = await makeToken('d');
    const spans = Array.from({ length: 300 }, () => ({}));
    const drawn = await drawnOf('ingest_spans', async () => {
      const taken = await send(token, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
      expect([taken.status, taken.body.partialSuccess.rejectedSpans]).toEqual([200, '300']);
    });
    expect(drawn).toBe(301);
  });

  test.each([
    ['ingest_requests', 'Too many requests with ingest tokens of this workspace.'],
    ['ingest_kib', 'Too many bytes were sent with ingest tokens of this workspace.'],
    ['ingest_spans', 'Too many spans were sent with ingest tokens of this workspace.'],
  ])('%s is used up for all tokens of the workspace, and for nothing else', async (kind, message) => {
    const { token } = await makeToken(kind);
    await fill(`${kind}:${limited.workspaceId}`, 3600);
    const refused = await send(token, '{}');
    expect([refused.status, refused.body.message]).toEqual([429, message]);
    expect((await limited.get('/v1/agents')).status).toBe(200);
    await fill(`${kind}:${limited.workspaceId}`, 0);
    expect((await send(token, '{}')).status).toBe(200);
  });
});
