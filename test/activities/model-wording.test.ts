import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModelActivities } from '../../activities/index.ts';
import { findIssue } from '../../src/db/issues/read-issues.ts';
import { newId } from '../../src/ids.ts';
import type { WordingOutcome } from '../../src/temporal/model-reader.ts';
import type { ModelAnswer } from '../support/model-server.ts';
import { failingCall, type ModelWorld, NANO_OF_A_QUESTION, openModelWorld } from '../support/model-world.ts';
import type { StoredAgent } from '../support/pipeline.ts';

let world: ModelWorld;
let agent: StoredAgent;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  world.server.asked.length = 0;
  agent = await world.newAgent();
});

const word = (): Promise<WordingOutcome> =>
  new MockActivityEnvironment({ attempt: 1 }).run(createModelActivities(world.deps).wordNext as never, agent as never);

async function wordAll(): Promise<string[]> {
  const states: string[] = [];
  for (let asked = 0; asked < 10; asked += 1) {
    const { state } = await word();
    if (state === 'none') return states;
    states.push(state);
  }
  throw new Error('it was asked without an end');
}

/** An intent of six calls, named by the rules. */
async function intent(keptAt: string | null = null): Promise<string> {
  const callIds = await world.store(
    Array.from({ length: 6 }, () => failingCall(newId())),
    agent,
  );
  await world.analyse(callIds, agent);
  const id = newId();
  await world.rows(sql`delete from intents where agent_id = ${agent.agentId} returning id`);
  await world.rows(sql`
    insert into intents (id, workspace_id, agent_id, kind, slug, label, terms, calls, kept_at)
    values (${id}, ${agent.workspaceId}, ${agent.agentId}, 'intent', 'move_appointment', 'Move appointment', '{}', 6,
      ${keptAt}::timestamptz) returning id`);
  await world.rows(
    sql`update calls set intent_slug = 'move_appointment' where agent_id = ${agent.agentId} returning id`,
  );
  return id;
}

async function named(id: string) {
  const [row] = await world.rows(sql`select slug, label from intents where id = ${id}`);
  return row;
}

const NAME = { text: 'Move an appointment', sample: 1, quote: 'move my appointment' };

describe('the name of an intent', () => {
  test('is given by the model once, from the words of callers, and its slug stays', async () => {
    world.server.answerWith(() => ({ value: NAME }));
    const id = await intent();
    expect(await wordAll()).toEqual(['worded']);
    expect(await named(id)).toEqual({ slug: 'move_appointment', label: 'Move an appointment' });
    expect(await wordAll()).toEqual([]);
    const [ledger] = await world.rows(sql`
      select count(*)::int as n, sum(charged_nano_usd)::float8 as nano from model_usage
      where agent_id = ${agent.agentId} and purpose = 'wording'`);
    expect(ledger).toEqual({ n: 1, nano: NANO_OF_A_QUESTION });
  });

  test('is left alone where a person gave it', async () => {
    world.server.answerWith(() => ({ value: NAME }));
    await intent('2026-01-01T00:00:00Z');
    expect(await wordAll()).toEqual([]);
    expect(world.server.asked).toEqual([]);
  });

  test('is left alone where a reader of the calls gave it', async () => {
    world.server.answerWith(() => ({ value: NAME }));
    await intent();
    await world.rows(sql`
      update call_analyses a set analysis = a.analysis || '{"readIntent": "move appointment"}' from calls c
      where c.id = a.call_id and c.agent_id = ${agent.agentId} returning call_id`);
    expect(await wordAll()).toEqual([]);
    expect(world.server.asked).toEqual([]);
  });

  const BAD: [string, ModelAnswer][] = [
    ['stands on words that nobody said', { value: { ...NAME, quote: 'burn it down' } }],
    ['is markup', { value: { ...NAME, text: '<b>Appointments</b>' } }],
    ['is a whole speech', { value: { ...NAME, text: 'word '.repeat(40) } }],
    ['comes in prose', { prose: 'Moving appointments' }],
  ];
  test.each(BAD)('that %s is asked for three times in all, and the rules keep theirs', async (_, answer) => {
    world.server.answerWith(() => answer);
    const id = await intent();
    expect(await wordAll()).toEqual(['unusable', 'unusable', 'unusable']);
    expect(world.server.asked).toHaveLength(3);
    expect((await named(id)).label).toBe('Move appointment');
  });
});

describe('the wording of a recommendation', () => {
  async function issue(): Promise<string> {
    const callIds = await world.store([failingCall(newId())], agent);
    await world.analyse(callIds, agent);
    const [{ id }] = await world.rows(sql`
      update issues set section = 'fix', cause_established = true, confirmed = true, cause_label = 'The tool fails',
        recommendation = 'Change move_appointment.', target_label = 'move_appointment'
      where agent_id = ${agent.agentId} and code = 'tool_failed' returning id`);
    await world.rows(sql`delete from intents where agent_id = ${agent.agentId} returning id`);
    return id;
  }
  async function shown(id: string) {
    const em = world.database.within(agent.workspaceId);
    const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
    const found = await findIssue(em, scope, id);
    return found?.recommendation;
  }
  const GOOD = {
    text: 'Find out why move_appointment answers that the calendar did not say why.',
    sample: 1,
    quote: 'did not say why',
  };

  test('takes the place of the rules words while those stay the same', async () => {
    world.server.answerWith(() => ({ value: GOOD }));
    const id = await issue();
    expect(await wordAll()).toEqual(['worded']);
    expect(await shown(id)).toBe(GOOD.text);
    await world.rows(sql`update issues set recommendation = 'Leave it.' where id = ${id} returning id`);
    expect(await shown(id)).toBe('Leave it.');
  });

  test.each([
    ['names another thing to change', { ...GOOD, text: 'Rewrite the prompt: it did not say why.' }],
    ['leads somewhere', { ...GOOD, text: 'For move_appointment see https://example.com' }],
  ])('that %s is dropped', async (_, value) => {
    world.server.answerWith(() => ({ value }));
    const id = await issue();
    await wordAll();
    expect(world.server.asked).toHaveLength(3);
    expect(await shown(id)).toBe('Change move_appointment.');
  });
});
