import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { reviewCallers } from '../../../src/db/analysis/review-callers.ts';
import { storeAnalyses } from '../../../src/db/analysis/store-analyses.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { mergeIntents, renameIntent } from '../../../src/db/intents/change-intents.ts';
import { findIntent } from '../../../src/db/intents/read-intents.ts';
import { settleIntents } from '../../../src/db/intents/settle-intents.ts';
import { repeatDetections } from '../../../src/domain/signals/detectors/repeat-call-same-intent.ts';
import { renewHistory } from '../../../src/domain/signals/renew-history.ts';
import type { CallAnalysis } from '../../../src/domain/signals/signal.ts';
import { newId } from '../../../src/ids.ts';
import { recomputeIssues } from '../../../src/services/issues/recompute-issues.ts';
import { makeAgent, makeAnalysis, makeCall, type TestAgent, testVault } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { evidenceTables } from '../../support/evidence-tables.ts';

const CODE = 'repeat_call_same_intent';
const REQUESTS = {
  book: ['I want to book a table', 'can I book a table for four please', 'please book me a table by the window'],
  cancel: ['I need to cancel my reservation', 'please cancel the reservation', 'can you cancel our reservation'],
  hours: ['what are your opening hours', 'tell me the opening hours please', 'are the opening hours on the door right'],
} as const;

interface Given {
  ref: string;
  /** Days after the first of March. */
  day: number;
  caller: string | null;
  about: keyof typeof REQUESTS;
  outcome?: CallAnalysis['outcome'];
  direction?: 'inbound' | 'outbound';
}

/** Enough calls of other callers, one each, for three intents to be found. */
const OTHERS: Given[] = Array.from({ length: 30 }, (_, at) => ({
  ref: `other-${at}`,
  day: at / 10,
  caller: `+4930555${100 + at}`,
  about: (['book', 'cancel', 'hours'] as const)[at % 3] ?? 'book',
}));
const ANN = '+49305551';
const BEN = '+49305552';
const HISTORIES: Given[] = [
  { ref: 'ann-books', day: 1, caller: ANN, about: 'book' },
  { ref: 'ann-books-again', day: 3, caller: ANN, about: 'book' },
  { ref: 'ann-asks', day: 4, caller: ANN, about: 'hours' },
  { ref: 'ann-books-much-later', day: 20, caller: ANN, about: 'book' },
  { ref: 'ben-fails', day: 1, caller: BEN, about: 'cancel', outcome: 'unresolved' },
  { ref: 'ben-tries-again', day: 2, caller: BEN, about: 'cancel' },
  { ref: 'withheld', day: 1, caller: null, about: 'book' },
  { ref: 'withheld-again', day: 2, caller: null, about: 'book' },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const emOf = (agent: TestAgent) => database.within(agent.workspaceId);
const withoutTime = ({ day, ...given }: Given) => ({
  ...given,
  startedAt: new Date(Date.UTC(2026, 2, 1) + day * 86_400_000).toISOString(),
});

/** Stores and reads calls as an import does: with what is known of their callers at that moment. */
async function importCalls(agent: TestAgent, given: readonly Given[]): Promise<void> {
  const em = emOf(agent);
  const calls = given.map(withoutTime);
  const { callIds } = await storeCalls(em, {
    ...agent,
    importId: null,
    vault: testVault,
    calls: calls.map(({ ref, caller, startedAt, direction, outcome }) => ({
      call: makeCall({
        providerCallId: ref,
        callerNumber: caller,
        startedAt,
        endedAt: startedAt,
        direction: direction ?? 'inbound',
        disconnectionReason: outcome === undefined ? 'user_hangup' : `ended_${outcome}`,
      }),
      payload: { ref },
    })),
  });
  const loaded = await loadForAnalysis(em, agent.agentId, callIds);
  const analyses = loaded.map(({ callId, call, callerHistory, payloadDigest }) => {
    const at = calls.findIndex(({ ref }) => ref === call.providerCallId);
    const found = calls[at];
    const text = REQUESTS[found?.about ?? 'book'][(at + Math.floor(at / 3)) % 3] ?? '';
    const requests = [{ turn: 1, text }];
    const read = makeAnalysis({ objective: text, requests, outcome: found?.outcome ?? 'resolved' });
    const said = repeatDetections(callerHistory, requests, 7);
    if (callerHistory !== null)
      return { callId, payloadDigest, analysis: renewHistory(read, callerHistory, {}) ?? read };
    const notComputable = Array.isArray(said) ? [] : [{ code: CODE, reason: said.reason }];
    return { callId, payloadDigest, analysis: { ...read, notComputable } };
  });
  await storeAnalyses(em, { ...agent, analyses });
}

async function group(agent: TestAgent): Promise<number> {
  await settleIntents(emOf(agent), agent, null);
  return reviewCallers(emOf(agent), agent);
}

async function marked(agent: TestAgent): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    select c.provider_call_id as ref from call_signals s join calls c on c.id = s.call_id
    where s.agent_id = ${agent.agentId} and s.code = ${CODE} order by 1`.execute(database.em().getKysely());
  return rows.map(({ ref }) => ref);
}

async function waiting(agent: TestAgent): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from callers_to_review
    where agent_id = ${agent.agentId}`.execute(database.em().getKysely());
  return Number(rows[0]?.n);
}

async function expectSumsToAgree(agent: TestAgent): Promise<void> {
  await recomputeIssues(emOf(agent), agent.agentId, 'incremental');
  const kept = await evidenceTables(emOf(agent), agent.agentId);
  await recomputeIssues(emOf(agent), agent.agentId, 'full');
  expect(await evidenceTables(emOf(agent), agent.agentId)).toEqual(kept);
}

async function intentIdOf(agent: TestAgent, ref: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select i.id from calls c join intents i on i.agent_id = c.agent_id and i.kind = 'intent' and i.slug = c.intent_slug
    where c.agent_id = ${agent.agentId} and c.provider_call_id = ${ref}`.execute(database.em().getKysely());
  return rows[0]?.id ?? '';
}

describe('calls about what counted as resolved', () => {
  const orders: [string, (calls: Given[]) => Given[][]][] = [
    ['newest first', (calls) => calls.toSorted((a, b) => b.day - a.day).map((call) => [call])],
    ['oldest first', (calls) => calls.toSorted((a, b) => a.day - b.day).map((call) => [call])],
    ['all at once', (calls) => [calls]],
  ];
  test.each(orders)('are noticed when calls come %s', async (_name, order) => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, OTHERS);
    for (const batch of order(HISTORIES)) {
      await importCalls(agent, batch);
      await group(agent);
    }
    expect(await marked(agent)).toEqual(['ann-books-again']);
    await expectSumsToAgree(agent);
  });

  test('are reviewed once: a second grouping has nothing to do, and nothing is drawn from the plan', async () => {
    const agent = await makeAgent(database.em(), 'retell');
    await importCalls(agent, [...OTHERS, ...HISTORIES]);
    const drawn = () => evidenceOfPlan(agent);
    const before = await drawn();
    expect(await group(agent)).toBeGreaterThan(0);
    expect(await waiting(agent)).toBe(0);
    expect(await group(agent)).toBe(0);
    expect(await drawn()).toEqual(before);
    expect(before).not.toEqual([]);
  });

  test('follow an outcome that is read otherwise, in both directions', async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, [...OTHERS, ...HISTORIES]);
    await group(agent);
    await importCalls(agent, [{ ref: 'ann-books', day: 1, caller: ANN, about: 'book', outcome: 'unresolved' }]);
    await group(agent);
    expect(await marked(agent)).toEqual([]);
    await importCalls(agent, [{ ref: 'ben-fails', day: 1, caller: BEN, about: 'cancel', outcome: 'resolved' }]);
    await group(agent);
    expect(await marked(agent)).toEqual(['ben-tries-again']);
    await expectSumsToAgree(agent);
  });

  test('follow a merge of intents, and a rename changes nothing', async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, [...OTHERS, ...HISTORIES]);
    await group(agent);
    const [book, hours] = [await intentIdOf(agent, 'ann-books'), await intentIdOf(agent, 'ann-asks')];
    const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
    const [into, gone] = [await findIntent(emOf(agent), scope, book), await findIntent(emOf(agent), scope, hours)];
    if (into === null || gone === null) throw new Error('The intents are not there.');
    const by = { workspaceId: agent.workspaceId, personId: newId() };
    await renameIntent(emOf(agent), into, 'Tables', by);
    expect(await group(agent)).toBe(0);
    await emOf(agent).transactional((tx) => mergeIntents(tx, gone, into, by));
    await group(agent);
    expect(await marked(agent)).toEqual(['ann-asks', 'ann-books-again']);
    await expectSumsToAgree(agent);
  });

  test('are not what an agent does that calls somebody twice', async () => {
    const agent = await makeAgent(database.em());
    const calls = HISTORIES.map((call) => ({ ...call, direction: 'outbound' as const }));
    await importCalls(agent, [...OTHERS, ...calls]);
    await group(agent);
    expect(await marked(agent)).toEqual([]);
  });

  test('cannot be told where the number is withheld, and the record says so', async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, [...OTHERS, ...HISTORIES]);
    await group(agent);
    const { rows } = await sql<{ ref: string }>`
      select c.provider_call_id as ref from calls c join computability_profiles p on p.id = c.profile_id
      where c.agent_id = ${agent.agentId} and p.not_computable @> ${JSON.stringify([{ code: CODE }])}::jsonb
      order by 1`.execute(database.em().getKysely());
    expect(rows.map(({ ref }) => ref)).toEqual(['withheld', 'withheld-again']);
  });
});

async function evidenceOfPlan(agent: TestAgent): Promise<unknown[]> {
  const { rows } = await sql`select * from plan_usage where workspace_id = ${agent.workspaceId}`.execute(
    database.em().getKysely(),
  );
  return rows;
}
