import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { settleIntents } from '../../src/db/intents/settle-intents.ts';
import { reopenReadings } from '../../src/db/models/model-policy.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { ReaderAnswer } from '../../src/domain/reading/answer.ts';
import { newId } from '../../src/ids.ts';
import { toConfiguration, toDocument } from '../../src/operations/agents/file-configuration.ts';
import { loadKnownNames } from '../../src/services/reading/known-names.ts';
import { makeCall, turn } from '../support/analysed-calls.ts';
import { aboutCalls } from '../support/model-server.ts';
import { GOOD_ANSWER, type ModelWorld, openModelWorld } from '../support/model-world.ts';
import type { StoredAgent } from '../support/pipeline.ts';
import type { Loose } from '../support/world.ts';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  world.server.asked.length = 0;
  world.server.answerWith(({ schema }) => ({ value: schema.properties.outcome ? READ : HELD }));
});

/** The agent contradicts itself in words that no rule compares. */
const talk = (id: string): NormalisedCall =>
  makeCall({
    providerCallId: id,
    turns: [
      turn(0, 'agent', 'Hello, this is the practice. How can I help?'),
      turn(1, 'caller', 'Where can I leave the car when I come on Friday?'),
      turn(2, 'agent', 'Right in front, and it costs nothing for our patients.'),
      turn(3, 'caller', 'Sorry, did you say right in front?'),
      turn(4, 'agent', 'Yes, in front of the house, against a small fee.'),
      turn(5, 'caller', 'Hm. Goodbye.'),
    ],
  });
const READ: ReaderAnswer = {
  ...GOOD_ANSWER,
  requests: [{ sentence: 'Ask where to park', turn: 1, quote: 'leave the car', fulfilled: 'partly', by: 2 }],
  findings: [
    {
      turn: 4,
      quote: 'against a small fee',
      proof: [{ in: 'turn', index: 2, quote: 'it costs nothing' }],
      because: 'It said before that it is free.',
      code: 'self_contradiction',
    },
  ],
  outcome: { turn: 4, quote: 'a small fee', because: 'The caller does not know what it costs.', value: 'unresolved' },
};
const HELD = { findings: [{ number: 1, turn: 4, quote: 'a small fee', holds: true }] };

/** All that is stored of the call and summed up of its agent, without when. */
async function standing(callId: string): Promise<Loose> {
  const [row] = await world.rows(sql`
    select c.outcome, c.objective, c.signal_codes as codes, a.analysis,
      (select jsonb_agg(to_jsonb(s) order by s.ordinal) from call_signals s where s.call_id = c.id) as signals,
      (select jsonb_agg(to_jsonb(m) order by m::text) from metric_counts m where m.agent_id = c.agent_id) as counts
    from calls c join call_analyses a on a.call_id = c.id where c.id = ${callId}`);
  return row;
}

const setMode = (mode: string) =>
  world.rows(sql`update agents set model_reading = ${mode} where id = ${world.agent.agentId} returning id`);

/** Lays what was read anew, as after a change of the setting. */
async function layAnew(callId: string, deps?: ActivityDeps): Promise<Loose> {
  await reopenReadings(world.database.within(world.agent.workspaceId), world.agent.agentId, null);
  expect(await world.read(callId, deps)).toEqual({ state: 'read' });
  return standing(callId);
}

async function readCall(): Promise<string> {
  await setMode('decide');
  const [callId = ''] = await world.store([talk(newId())]);
  await world.analyse([callId]);
  expect(await world.read(callId)).toEqual({ state: 'read' });
  return callId;
}

test('a reading is laid under each setting as if it had been the first, and nothing is asked for it', async () => {
  await setMode('decide');
  const [callId = ''] = await world.store([talk(newId())]);
  await world.analyse([callId]);
  const rules = await standing(callId);
  await world.read(callId);
  const decided = await standing(callId);
  expect(decided).toMatchObject({ outcome: 'unresolved', objective: 'Ask where to park' });
  expect(decided.signals).toContainEqual(
    expect.objectContaining({
      code: 'self_contradiction',
      basis: 'model',
      turn_index: 4,
      proof: [{ in: 'turn', index: 2, quote: 'it costs nothing' }],
    }),
  );
  expect(world.server.asked).toHaveLength(2);

  await setMode('off');
  expect(await layAnew(callId)).toEqual(rules);
  await setMode('assist');
  const assisted = await layAnew(callId);
  expect([assisted.outcome, assisted.codes]).toEqual([rules.outcome, rules.codes]);
  expect(assisted.analysis.observations).toContainEqual(
    expect.objectContaining({ rule: 'self_contradiction', basis: 'model', kind: 'candidate' }),
  );
  await setMode('decide');
  expect(await layAnew(callId)).toEqual(decided);
  expect(await layAnew(callId)).toEqual(decided);
  expect(world.server.asked).toHaveLength(2);
});

test('another model is not asked what was answered, and reads what comes after', async () => {
  const callId = await readCall();
  const before = await standing(callId);
  const { reader } = world.deps.models;
  const other = { ...world.deps, models: { ...world.deps.models, reader: reader && { ...reader, model: 'another' } } };
  expect(await layAnew(callId, other)).toEqual(before);
  await world.rows(sql`update calls set reanalyse = true where id = ${callId}`);
  await world.analyse([callId]);
  await world.read(callId, other);
  expect(await standing(callId)).toEqual(before);
  expect(aboutCalls(world.server)).toHaveLength(1);
});

test('another text of the agent is another question, and what does not change the text is none', async () => {
  const owner = { workspaceId: world.agent.workspaceId, agentId: world.agent.agentId };
  const captured = (prompt: string, name: string) => {
    const body = { prompt, tools: [] };
    const configuration = toConfiguration(body, name);
    const version = { version: 1, providerRef: null, isCurrent: true, changedAt: null };
    return storeVersions(world.database.within(owner.workspaceId), owner, [
      { ...version, document: toDocument(body), configuration },
    ]);
  };
  await captured('Be brief.', 'One');
  const callId = await readCall();
  await captured('Be   brief.\n', 'Another');
  await layAnew(callId);
  expect(aboutCalls(world.server)).toHaveLength(1);
  await captured('Be brief. Never quote a price.', 'One');
  await layAnew(callId);
  expect(aboutCalls(world.server)).toHaveLength(2);
});

describe('watches that only a model can judge', () => {
  const verdicts = (callId: string) =>
    world.rows(sql`select watch_id as id, held, turn, quote, because from watch_verdicts where call_id = ${callId}`);
  async function liveWatch(agent: StoredAgent): Promise<string> {
    const em = world.database.within(agent.workspaceId);
    const id = await insertWatch(em, {
      ...agent,
      name: 'Says what parking costs',
      lane: 'speaking',
      origin: 'person',
      createdBy: newId(),
      scopeText: 'every call',
      expectationText: 'Say clearly what it costs',
      form: {
        scope: { kind: 'all_calls' },
        expectation: { kind: 'judged', text: 'Say clearly what it costs' },
        polarity: 'must',
      },
    });
    await setWatchState(em, id, 'live');
    return id;
  }
  const BROKEN = {
    number: 1,
    turn: 4,
    quote: 'against a small fee',
    because: 'No amount is named.',
    verdict: 'broken',
  };

  test('ride on the question, and what is said of them stands with its quote, follows the record, and sums up', async () => {
    await setMode('decide');
    const watchId = await liveWatch(world.agent);
    world.server.answerWith(({ schema }) => ({
      value: schema.properties.outcome ? { ...READ, expectations: [BROKEN] } : HELD,
    }));
    const id = newId();
    const [callId = ''] = await world.store([talk(id)]);
    await world.analyse([callId]);
    expect(await verdicts(callId)).toEqual([]);
    // Names and expectations of an agent are asked for once a minute.
    const fresh = { ...world.deps };
    expect(await world.read(callId, fresh)).toEqual({ state: 'read' });
    expect(aboutCalls(world.server)[0]?.context).toContain('Expectations:\n1. Say clearly what it costs');
    const said = [{ id: watchId, held: false, turn: 4, quote: 'against a small fee', because: 'No amount is named.' }];
    expect(await verdicts(callId)).toEqual(said);
    const days = () => world.rows(sql`select held, broken from watch_days where watch_id = ${watchId}`);
    expect(await days()).toEqual([{ held: 0, broken: 1 }]);

    // Read again by the rules alone, or laid under another setting: nothing is asked, and it stands once.
    await world.rows(sql`update calls set reanalyse = true where id = ${callId} returning id`);
    await world.analyse([callId]);
    expect(await verdicts(callId)).toEqual(said);
    await layAnew(callId, fresh);
    expect(await days()).toEqual([{ held: 0, broken: 1 }]);
    expect(aboutCalls(world.server)).toHaveLength(1);

    // Another record: what was said of the first one goes until the model has read the new one.
    const changed = talk(id);
    await world.store([{ ...changed, turns: [...changed.turns, turn(6, 'agent', 'Goodbye.')] }]);
    await world.analyse([callId]);
    expect(await verdicts(callId)).toEqual([]);
    await world.read(callId, fresh);
    expect(await verdicts(callId)).toEqual(said);
  });

  test('that were edited since are not given what was said of the revision before', async () => {
    const callId = await readCall();
    const [{ id } = { id: '' }] = await world.rows(sql`select id from watches where agent_id = ${world.agent.agentId}`);
    await world.rows(sql`update watches set revision = revision + 1 where id = ${id} returning id`);
    await layAnew(callId);
    expect(await verdicts(callId)).toEqual([]);
  });
});

describe('the intent that a reader names', () => {
  const intents = async (callIds: string[]) => {
    const rows = await world.rows(sql`
      select c.intent_slug as slug, i.label from calls c
      join intents i on i.agent_id = c.agent_id and i.kind = 'intent' and i.slug = c.intent_slug
      where c.id = any(${callIds}::uuid[]) order by array_position(${callIds}::uuid[], c.id)`);
    return rows.map(({ slug, label }) => `${slug} (${label})`);
  };

  test('is that of the call, one for names of one matter, known to later questions, and gone with the setting', async () => {
    await setMode('decide');
    const names = ['find parking space', 'locate a parking space', 'locate parking space near entrance'];
    let asked = 0;
    world.server.answerWith((one) => {
      if (!one.schema.properties.requests) return { value: HELD };
      const intent = names[asked] ?? '';
      asked += 1;
      const outcome = { turn: 2, quote: 'Right in front', because: 'It was told.', value: 'resolved' };
      return { value: { ...READ, findings: [], outcome, intent } };
    });
    const callIds = await world.store(names.map(() => talk(newId())));
    await world.analyse(callIds);
    const before = await intents(callIds);
    for (const callId of callIds) await world.read(callId);
    expect(await intents(callIds)).toEqual([
      'find_parking_space (Find parking space)',
      'find_parking_space (Find parking space)',
      'locate_parking_space_near_entrance (Locate parking space near entrance)',
    ]);
    const em = world.database.within(world.agent.workspaceId);
    expect(await settleIntents(em, world.agent, null)).toMatchObject({ discovered: true });
    expect(new Set(await intents(callIds))).toEqual(new Set(['find_parking_space (Find parking space)']));
    expect(await settleIntents(em, world.agent, null)).toEqual({ discovered: false, moved: 0 });
    expect((await loadKnownNames(em, world.agent.agentId)).intents).toContain('Find parking space');
    await setMode('off');
    for (const callId of callIds) await layAnew(callId);
    expect(await intents(callIds)).not.toContain('find_parking_space (Find parking space)');
    expect(before).toHaveLength(3);
  });
});
