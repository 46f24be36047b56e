import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadedLinePlace } from '../../src/db/secrets/sealed-places.ts';
import type { SentSpan } from '../../src/domain/spans/span.ts';
import { splitCalls } from '../../src/domain/spans/split-calls.ts';
import { readSpanRecord } from '../../src/platforms/otel/record.ts';
import { type StoredAgent, storeAgent } from '../support/pipeline.ts';
import { randomFrom } from '../support/random.ts';
import { letWaitPass, takeSent } from '../support/sent-spans.ts';
import { makeSpan, type SpanSketch, talkSpans } from '../support/spans.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

let world: ActivityWorld;
let agent: StoredAgent;
beforeAll(async () => {
  world = await openActivityWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  agent = await storeAgent(world.database.em(), world.deps.vault, { provider: 'livekit', baseUrl: null });
});

const send = (spans: readonly SentSpan[]) =>
  takeSent({ database: world.database, vault: world.deps.vault }, agent, spans);
const settle = () => world.run('settleDueSpans', agent);
const lines = async () =>
  (
    await world.rows(sql`
      select from uploaded_records join imports on imports.id = import_id where agent_id = ${agent.agentId}`)
  ).length;

/** A session and turns of it, each in a trace of its own: an agent that loses the context of its spans. */
const scattered = (ref: string, turns: number) => [
  ...talkSpans(ref, { trace: `${ref} itself`, from: 0 }, ref),
  ...Array.from({ length: turns }, (_, at) =>
    makeSpan({
      id: `${ref} ${at}`,
      trace: `${ref} ${at}`,
      name: 'user_turn',
      from: 1,
      to: 2,
      attributes: { 'gen_ai.conversation.id': ref, 'lk.pii.user_transcript': `part ${at}` },
    }),
  ),
];

describe('a call whose spans lie in very many traces', () => {
  test('is made of all of them in one look', async () => {
    await send(scattered('RM_1', 400));
    await letWaitPass(world.database, agent);
    expect(await settle()).toMatchObject({ calls: 1, leftOut: 0, nextAt: null, open: 0 });
    expect(await lines()).toBe(1);
  });

  test('and hold more than is read at once is made of as many as fit, once', async () => {
    await send(scattered('RM_1', 100));
    await send(talkSpans('RM_2', { trace: 'another', from: 0 }, 'b'));
    await letWaitPass(world.database, agent);
    await world.rows(sql`
      update span_traces set bytes = 1024 * 1024, due_at = due_at - interval '1 minute'
      where agent_id = ${agent.agentId} and 'RM_1' = any(call_refs)`);
    expect(await settle()).toMatchObject({ leftOut: 101 - 64, open: 1 });
    expect(await settle()).toMatchObject({ calls: 1, leftOut: 0, nextAt: null, open: 0 });
    expect(await settle()).toMatchObject({ calls: 0 });
  });
});

test('calls that hold more together than is read at once are made one after the other', async () => {
  for (const name of ['a', 'b', 'c']) await send(talkSpans(`RM_${name}`, { trace: name, from: 0 }, name));
  await letWaitPass(world.database, agent);
  await world.rows(sql`update span_traces set bytes = 30 * 1024 * 1024 where agent_id = ${agent.agentId}`);
  const looks = [await settle(), await settle(), await settle()];
  expect(looks.map(({ calls, leftOut, open }) => [calls, leftOut, open])).toEqual([
    [1, 0, 2],
    [2, 0, 0],
    [0, 0, 0],
  ]);
});

test('a trace that is silent while its call goes on in another is not looked at until both are', async () => {
  await send(scattered('RM_1', 2).filter(({ name }) => name === 'user_turn'));
  await world.rows(sql`
    update span_traces set due_at = now(), last_at = last_at - interval '1 hour'
    where agent_id = ${agent.agentId} and trace_id = (select min(trace_id) from span_traces where agent_id = ${agent.agentId})`);
  const look = await settle();
  expect(look).toMatchObject({ calls: 0, open: 3 });
  expect(Date.parse(look.nextAt ?? '') - Date.parse(look.now)).toBeGreaterThan(60_000);
});

/** The records that were made, the newest first. */
async function records(): Promise<string[]> {
  const made = await world.rows<{ importId: string; line: number; sealed: string }>(sql`
    select import_id as "importId", line, sealed_payload as sealed
    from uploaded_records join imports on imports.id = import_id
    where agent_id = ${agent.agentId} order by import_id desc, line desc`);
  return made.map(({ importId, line, sealed }) =>
    world.deps.vault.open(sealed, uploadedLinePlace(agent.workspaceId, importId, line)),
  );
}

/** The spans of the last record that was made, by name. */
async function lastRecord(): Promise<string[]> {
  const [last] = await records();
  if (last === undefined) throw new Error('No record was made.');
  return [...last.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name).toSorted();
}

const left = () =>
  world.rows<{ reason: string; library: string; spans: number }>(sql`
    select l.reason, l.library, l.spans::int from span_traces, jsonb_to_recordset(left_spans) as l(reason text, library text, spans int)
    where agent_id = ${agent.agentId} order by l.reason`);

describe('a greeting that names no call', () => {
  const greeting = makeSpan({
    id: 'hello',
    trace: 'hello',
    name: 'tts',
    from: 0.5,
    to: 1,
    attributes: { text: 'Hello?' },
  });
  const names = ['agent_session', 'agent_speaking', 'agent_turn', 'user_turn', 'user_turn', 'user_turn'];

  test('goes with the call that was going on', async () => {
    await send([greeting, ...scattered('RM_1', 2)]);
    await letWaitPass(world.database, agent);
    expect(await settle()).toMatchObject({ calls: 1, open: 0 });
    expect(await lastRecord()).toEqual([...names.slice(0, 3), 'tts', ...names.slice(3)]);
    expect(await left()).toEqual([]);
  });

  test('and comes in after it, has it made anew of all its traces', async () => {
    await send(scattered('RM_1', 2));
    await letWaitPass(world.database, agent);
    expect(await settle()).toMatchObject({ calls: 1, open: 0 });
    expect(await lastRecord()).toEqual(names);
    await send([greeting]);
    await letWaitPass(world.database, agent);
    expect(await settle()).toMatchObject({ calls: 1, open: 0 });
    expect(await lastRecord()).toEqual([...names.slice(0, 3), 'tts', ...names.slice(3)]);
    expect(await left()).toEqual([]);
    // Late spans of the call find the greeting with it.
    await send(scattered('RM_1', 3).slice(-1));
    await letWaitPass(world.database, agent);
    await settle();
    expect(await lastRecord()).toEqual([...names.slice(0, 3), 'tts', ...names.slice(3), 'user_turn']);
  });

  test('and no call was going on, is counted', async () => {
    await send([greeting]);
    await letWaitPass(world.database, agent);
    expect(await settle()).toMatchObject({ calls: 0, open: 0 });
    expect(await left()).toEqual([{ reason: 'no_call', library: 'LiveKit Agents', spans: 1 }]);
  });
});

/** Two conversations of one program, from two seconds to a minute apart, and steps around them that name none. */
function conversations(random: () => number): SentSpan[][] {
  const between = (from: number, to: number) => from + random() * (to - from);
  const of = (sketch: SpanSketch) => makeSpan({ scope: 'pipecat', ...sketch });
  const second = between(2, 60);
  const pieces = [['one', 0, between(5, 40)] as const, ['two', second, second + between(5, 40)] as const].flatMap(
    ([ref, from, to]) => {
      const attributes = { 'conversation.id': ref };
      const turns = [0.2, 0.6].map((share, at): SpanSketch => {
        const begin = from + (to - from) * share;
        return { id: `${ref} ${at}`, parent: ref, trace: ref, name: 'turn', from: begin, to: begin + 1, attributes };
      });
      return [...turns, { id: ref, trace: ref, name: 'conversation', from, to, attributes }].map((sketch) => [
        of(sketch),
      ]);
    },
  );
  const steps = Array.from({ length: 4 }, (_, at) => {
    const from = between(-15, 110);
    return [
      of({ id: `step ${at}`, trace: `step ${at}`, name: 'tts', from, to: from + 1, attributes: { text: 'Hm.' } }),
    ];
  });
  return [...pieces, ...steps];
}

test.each(Array.from({ length: 12 }, (_, at) => at))(
  'calls of one program beside and after each other are the same in whatever order their spans come in (%i)',
  async (seed) => {
    const random = randomFrom(seed);
    const pieces = conversations(random);
    const at = splitCalls(pieces.flat());
    const order = pieces.map((piece) => ({ piece, place: random() })).sort((a, b) => a.place - b.place);
    for (const { piece } of order) {
      await send(piece);
      if (random() < 0.5) continue;
      await letWaitPass(world.database, agent);
      await settle();
    }
    await letWaitPass(world.database, agent);
    await settle();
    const spansOf = new Map<string, string[]>();
    for (const record of await records()) {
      const call = readSpanRecord(JSON.parse(record));
      if (call && !spansOf.has(call.ref)) spansOf.set(call.ref, call.spans.map(({ spanId }) => spanId).toSorted());
    }
    const expected = at.calls.map(({ ref, spans }) => [ref, spans.map(({ spanId }) => spanId).toSorted()]);
    expect(Object.fromEntries(spansOf)).toEqual(Object.fromEntries(expected));
    const leftSpans = (await left()).reduce((sum, { spans }) => sum + spans, 0);
    expect(leftSpans).toBe(at.left.reduce((sum, { spans }) => sum + spans.length, 0));
  },
);

test('spans of which no call is made are counted by what they lack', async () => {
  const quiet = { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': 'quiet' };
  await send([
    makeSpan({ id: 'a', trace: 'a', name: 'chat', scope: 'any', from: 0, to: 1, attributes: quiet }),
    makeSpan({ id: 'b', trace: 'b', name: 'GET', scope: 'http', from: 0, to: 1, attributes: { 'http.method': 'GET' } }),
    makeSpan({ id: 'c', trace: 'b', name: 'GET', scope: 'http', from: 1, to: 2, attributes: { 'http.method': 'GET' } }),
  ]);
  const counts = [
    { reason: 'no_talk', library: 'http', spans: 2 },
    { reason: 'no_words', library: 'OpenTelemetry GenAI', spans: 1 },
  ];
  // Before calls are made it is known as far as each trace tells.
  expect(await left()).toEqual(counts);
  await letWaitPass(world.database, agent);
  expect(await settle()).toMatchObject({ calls: 0, open: 0, nextAt: null });
  expect(await left()).toEqual(counts);
  expect(await lines()).toBe(0);
});
