import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SentSpan } from '../../src/domain/spans/span.ts';
import { type StoredAgent, storeAgent } from '../support/pipeline.ts';
import { letWaitPass, takeSent } from '../support/sent-spans.ts';
import { makeSpan, talkSpans } from '../support/spans.ts';
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
