import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCalls, NO_CALL_FILTER } from '../../../src/db/calls/read-calls.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import type { EntityManager } from '../../../src/db/database.ts';
import { mergeIntents, renameIntent } from '../../../src/db/intents/change-intents.ts';
import { findIntent, listIntentChanges, listIntents } from '../../../src/db/intents/read-intents.ts';
import { settleIntents } from '../../../src/db/intents/settle-intents.ts';
import { newId } from '../../../src/ids.ts';
import { storeAnalyses } from '../../../src/services/analysis/store-analyses.ts';
import { recomputeIssues } from '../../../src/services/issues/recompute-issues.ts';
import {
  makeAgent,
  makeAnalysis,
  makeCall,
  makeSignal,
  type TestAgent,
  testVault,
} from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { evidenceTables } from '../../support/evidence-tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const REQUESTS = {
  book: ['I want to book a table', 'can I book a table for four please', 'please book me a table by the window'],
  cancel: ['I need to cancel my reservation', 'please cancel the reservation', 'can you cancel our reservation'],
  hours: ['what are your opening hours', 'tell me the opening hours please', 'are the opening hours on the door right'],
} as const;
type Kind = keyof typeof REQUESTS;

let made = 0;
/** Calls that ask for what is named, with a signal on every third. */
async function importCalls(em: EntityManager, agent: TestAgent, kinds: readonly Kind[]): Promise<string[]> {
  const calls = kinds.map((kind, at) => {
    made += 1;
    const text = REQUESTS[kind][(at + Math.floor(at / 3)) % 3] ?? '';
    return {
      text,
      call: makeCall({
        providerCallId: `call-${made}`,
        startedAt: new Date(Date.UTC(2026, 2, 1) + made * 60_000).toISOString(),
      }),
    };
  });
  const { callIds } = await storeCalls(em, {
    ...agent,
    importId: null,
    vault: testVault,
    calls: calls.map(({ call }) => ({ call, payload: { id: call.providerCallId } })),
  });
  const { rows } = await sql<{ id: string; ref: string }>`
    select id, provider_call_id as ref from calls where id = any(${callIds}::uuid[])`.execute(em.getKysely());
  const ids = new Map(rows.map(({ ref, id }) => [ref, id]));
  await storeAnalyses(em, {
    ...agent,
    analyses: calls.map(({ text, call }, at) => ({
      callId: ids.get(call.providerCallId) ?? '',
      analysis: makeAnalysis({
        objective: text,
        requests: [{ turn: 1, text }],
        signals: at % 3 === 0 ? [makeSignal({ code: 'tool_failed' })] : [],
      }),
    })),
  });
  return calls.map(({ call }) => ids.get(call.providerCallId) ?? '');
}

const mixed = (count: number): Kind[] =>
  Array.from({ length: count }, (_, at) => (['book', 'cancel', 'hours'] as const)[at % 3] ?? 'book');
const scope = ({ workspaceId, agentId }: TestAgent) => ({ workspaceId, agentIds: [agentId] });
async function slugCounts(em: EntityManager, agent: TestAgent) {
  const { rows } = await sql<{ slug: string; calls: string }>`
    select intent_slug as slug, count(*) as calls from calls where agent_id = ${agent.agentId} group by 1 order by 1`.execute(
    em.getKysely(),
  );
  return Object.fromEntries(rows.map(({ slug, calls }) => [slug, Number(calls)]));
}
async function intentOf(em: EntityManager, agent: TestAgent, slug: string) {
  const { rows } = await sql<{
    id: string;
  }>`select id from intents where agent_id = ${agent.agentId} and kind = 'intent'
    and slug = ${slug}`.execute(em.getKysely());
  const row = await findIntent(em, scope(agent), rows[0]?.id ?? newId());
  if (row === null) throw new Error(`There is no intent ${slug}.`);
  return row;
}
/** Every sum that hangs on an intent, counted from the calls. */
async function expectSumsToAgree(em: EntityManager, agent: TestAgent) {
  const kept = await evidenceTables(em, agent.agentId);
  await recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'full');
  const counted = await evidenceTables(em, agent.agentId);
  expect(kept['issue_intents']).toEqual(counted['issue_intents']);
  const { rows } = await sql`
    select i.kind, i.slug, i.calls::int as kept, count(c.id)::int as counted from intents i
    left join calls c on c.agent_id = i.agent_id and c.state = 'analysed' and i.slug = case i.kind when 'intent' then c.intent_slug
      when 'use_case' then c.use_case_slug when 'sub_use_case' then c.sub_use_case_slug else c.persona_slug end
    where i.agent_id = ${agent.agentId} group by i.id having i.calls <> count(c.id)`.execute(em.getKysely());
  expect(rows).toEqual([]);
}

describe('intents of an agent', () => {
  test('are found by the grouping, and calls that come later get them at once', async () => {
    const agent = await makeAgent(database.em());
    const em = database.within(agent.workspaceId);
    await importCalls(em, agent, mixed(30));
    expect(await slugCounts(em, agent)).toEqual({ other: 30 });
    expect(await settleIntents(em, agent, null)).toMatchObject({ discovered: true });
    expect(await slugCounts(em, agent)).toEqual({
      book_table: 10,
      cancel_reservation: 10,
      ask_about_opening_hours: 10,
    });
    await importCalls(em, agent, mixed(3));
    expect(await slugCounts(em, agent)).toEqual({
      book_table: 11,
      cancel_reservation: 11,
      ask_about_opening_hours: 11,
    });
    await expectSumsToAgree(em, agent);
  });

  test('stay as they are where nothing came', async () => {
    const agent = await makeAgent(database.em());
    const em = database.within(agent.workspaceId);
    await importCalls(em, agent, mixed(12));
    await settleIntents(em, agent, null);
    const before = await evidenceTables(em, agent.agentId);
    expect(await settleIntents(em, agent, null)).toEqual({ discovered: false, moved: 0 });
    expect(await evidenceTables(em, agent.agentId)).toEqual(before);
  });

  test('are the same after one import or five', async () => {
    const em = database.em();
    const [once, often] = [await makeAgent(em), await makeAgent(em)];
    await importCalls(em, once, mixed(45));
    await settleIntents(em, once, null);
    for (let part = 0; part < 5; part += 1) {
      await importCalls(em, often, mixed(9));
      await settleIntents(em, often, null);
    }
    expect(await slugCounts(em, often)).toEqual(await slugCounts(em, once));
  });

  test('are found by words alone where the embedding model is away, and the record says so', async () => {
    const agent = await makeAgent(database.em());
    const em = database.within(agent.workspaceId);
    await importCalls(em, agent, mixed(12));
    await settleIntents(em, agent, async () => ({ vectors: null, model: 'm', note: 'It was away.' }));
    const { rows } = await sql`select embedding_model, note, calls from intent_discoveries
      where agent_id = ${agent.agentId}`.execute(em.getKysely());
    expect(rows).toEqual([{ embedding_model: null, note: 'It was away.', calls: 12 }]);
    expect(Object.keys(await slugCounts(em, agent))).toContain('book_table');
  });
});

describe('what people change', () => {
  async function settledAgent() {
    const agent = await makeAgent(database.em());
    const em = database.within(agent.workspaceId);
    await importCalls(em, agent, mixed(30));
    await settleIntents(em, agent, null);
    return { em, agent, by: { workspaceId: agent.workspaceId, personId: newId() } };
  }

  test('a name stays through later imports and discoveries, the slug never changes', async () => {
    const { em, agent, by } = await settledAgent();
    await renameIntent(em, await intentOf(em, agent, 'book_table'), 'Dinner', by);
    await renameIntent(em, await intentOf(em, agent, 'book_table'), 'Dinner', by);
    await importCalls(em, agent, mixed(30));
    expect(await settleIntents(em, agent, null)).toMatchObject({ discovered: true });
    const row = await intentOf(em, agent, 'book_table');
    expect(row).toMatchObject({ label: 'Dinner', calls: 20, named: true });
    const history = await listIntentChanges(em, row, { after: null, limit: 10 });
    expect(history.map(({ kind, from, to, personId }) => ({ kind, from, to, personId }))).toEqual([
      { kind: 'renamed', from: 'Book table', to: 'Dinner', personId: by.personId },
    ]);
  });

  test('a merged slug names the other at once, and the calls follow', async () => {
    const { em, agent, by } = await settledAgent();
    const [from, into] = [
      await intentOf(em, agent, 'ask_about_opening_hours'),
      await intentOf(em, agent, 'book_table'),
    ];
    await em.transactional((tx) => mergeIntents(tx, from, into, by));
    const find = async (intent: string) =>
      listCalls(em, scope(agent), { ...NO_CALL_FILTER, intent }, { after: null, limit: 100 });
    for (const slug of ['ask_about_opening_hours', 'book_table']) {
      const calls = await find(slug);
      expect(calls).toHaveLength(20);
      expect(new Set(calls.map(({ intentSlug }) => intentSlug))).toEqual(new Set(['book_table']));
    }
    expect(await settleIntents(em, agent, null)).toEqual({ discovered: false, moved: 10 });
    expect(await slugCounts(em, agent)).toEqual({ book_table: 20, cancel_reservation: 10 });
    expect(await find('ask_about_opening_hours')).toHaveLength(20);
    await expectSumsToAgree(em, agent);
    const listed = await listIntents(em, scope(agent), 'intent', { after: null, limit: 50 });
    expect(listed.map(({ slug, calls, aliases }) => ({ slug, calls, aliases }))).toEqual([
      { slug: 'book_table', calls: 20, aliases: ['ask_about_opening_hours'] },
      { slug: 'cancel_reservation', calls: 10, aliases: [] },
    ]);
  });

  test('after a merge, calls like those of the merged one are given the other', async () => {
    const { em, agent, by } = await settledAgent();
    const [from, into] = [
      await intentOf(em, agent, 'ask_about_opening_hours'),
      await intentOf(em, agent, 'book_table'),
    ];
    await em.transactional((tx) => mergeIntents(tx, from, into, by));
    await importCalls(em, agent, ['hours', 'hours', 'hours']);
    await settleIntents(em, agent, null);
    await importCalls(em, agent, mixed(30));
    await settleIntents(em, agent, null);
    expect(await slugCounts(em, agent)).toEqual({ book_table: 43, cancel_reservation: 20 });
  });

  test('a merge that is broken off goes on where it stopped', async () => {
    const { em, agent, by } = await settledAgent();
    const [from, into] = [
      await intentOf(em, agent, 'ask_about_opening_hours'),
      await intentOf(em, agent, 'book_table'),
    ];
    await em.transactional((tx) => mergeIntents(tx, from, into, by));
    // As after a crash between two pages: some calls have moved with their counts, the others have not.
    await sql`with moving as (select id from calls where agent_id = ${agent.agentId} and intent_slug = 'ask_about_opening_hours' limit 4),
      moved as (update calls c set intent_slug = 'book_table', use_case_slug = ${into.parentSlug}, sub_use_case_slug = 'book_table'
        from moving where moving.id = c.id)
      update intents set calls = calls + case slug when 'book_table' then 4 else -4 end
      where agent_id = ${agent.agentId} and kind = 'intent' and slug in ('book_table', 'ask_about_opening_hours')`.execute(
      em.getKysely(),
    );
    expect((await settleIntents(em, agent, null)).moved).toBe(6);
    expect(await slugCounts(em, agent)).toEqual({ book_table: 20, cancel_reservation: 10 });
  });

  test('a merge of kinds of callers holds for calls that come later', async () => {
    const { em, agent, by } = await settledAgent();
    await sql`insert into intents (id, workspace_id, agent_id, kind, slug, label) values
      (${newId()}, ${agent.workspaceId}, ${agent.agentId}, 'persona', 'calm', 'Calm')`.execute(em.getKysely());
    const personas = await listIntents(em, scope(agent), 'persona', { after: null, limit: 10 });
    const plain = personas.find(({ slug }) => slug === 'plain');
    const { rows } = await sql<{
      id: string;
    }>`select id from intents where agent_id = ${agent.agentId} and slug = 'calm'`.execute(em.getKysely());
    const calm = await findIntent(em, scope(agent), rows[0]?.id ?? '');
    if (!plain || !calm) throw new Error('The test has no personas.');
    await em.transactional((tx) => mergeIntents(tx, plain, calm, by));
    await settleIntents(em, agent, null);
    await importCalls(em, agent, mixed(3));
    const { rows: counts } = await sql`select persona_slug, count(*)::int as calls from calls
      where agent_id = ${agent.agentId} group by 1`.execute(em.getKysely());
    expect(counts).toEqual([{ persona_slug: 'calm', calls: 33 }]);
  });

  test('two merges of one intent: the second finds it gone', async () => {
    const { em, agent, by } = await settledAgent();
    const [a, b, c] = [
      await intentOf(em, agent, 'ask_about_opening_hours'),
      await intentOf(em, agent, 'book_table'),
      await intentOf(em, agent, 'cancel_reservation'),
    ];
    expect(await em.transactional((tx) => mergeIntents(tx, a, b, by))).toBe(true);
    expect(await em.transactional((tx) => mergeIntents(tx, a, c, by))).toBe(false);
    expect(await em.transactional((tx) => mergeIntents(tx, b, c, by))).toBe(true);
    await settleIntents(em, agent, null);
    expect(await slugCounts(em, agent)).toEqual({ cancel_reservation: 30 });
  });
});
