import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import type { Place, Signal } from '../../../src/domain/signals/signal.ts';
import { OUTCOMES } from '../../../src/domain/vocabulary.ts';
import { storeBatch } from '../../../src/services/analysis/store-batch.ts';
import {
  makeAgent,
  makeAnalysis,
  makeCall,
  makeSignal,
  type TestAgent,
  testKnowledge,
  testVault,
} from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { evidenceTables, issueTable } from '../../support/evidence-tables.ts';
import { randomFrom } from '../../support/random.ts';
import { scoreIssues } from '../../support/score-issues.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Reading {
  id: string;
  endStep: Place;
  outcome: CallAnalysis['outcome'];
  signals: Signal[];
  version?: number;
}

const COLLECT: Place = { kind: 'node', id: 'collect', label: 'Collect the date' };
const CONFIRM: Place = { kind: 'node', id: 'confirm', label: 'Confirm' };
const TURNS = 12;

const run = (agent: TestAgent, mode: 'incremental' | 'full' = 'incremental') =>
  scoreIssues(database.within(agent.workspaceId), testKnowledge.catalogue, agent.agentId, mode);

async function read(agent: TestAgent, readings: Reading[]): Promise<void> {
  const { agentId, workspaceId } = agent;
  const calls = readings.map(({ id, version = 1 }) => ({
    payload: {},
    call: makeCall({ providerCallId: id, version }),
  }));
  await storeCalls(database.within(workspaceId), { ...agent, importId: null, vault: testVault, calls });
  const { rows } = await sql<{ id: string; name: string }>`select id, provider_call_id as name from calls
    where agent_id = ${agentId}`.execute(database.em().getKysely());
  const ids = new Map(rows.map((row) => [row.name, row.id]));
  const analyses = readings.map(({ id, endStep, outcome, signals }) => ({
    callId: ids.get(id) ?? '',
    analysis: makeAnalysis({
      signals,
      outcome,
      endStep,
      visits: [COLLECT, ...(endStep === COLLECT ? [] : [endStep])].map((place) => ({ place, firstTurn: 0 })),
      counts: { turns: TURNS, callerTurns: 5, agentTurns: 6, toolFailures: 0, frictions: 0 },
    }),
  }));
  await storeBatch(database.within(workspaceId), testKnowledge, { workspaceId, agentId, analyses });
}

const many = (count: number, prefix: string, reading: Omit<Reading, 'id'>): Reading[] =>
  Array.from({ length: count }, (_, index) => ({ ...reading, id: `${prefix}${index}` }));
const failed = (turnIndex: number, over: Partial<Signal> = {}) =>
  makeSignal({
    code: 'tool_failed',
    turnIndex,
    quote: '',
    cause: { code: 'http_5xx', label: 'http_5xx', detail: null, category: 'c', party: 'tool_owner' },
    ...over,
  });
const lost = (signals: Signal[]) => ({ endStep: COLLECT, outcome: 'abandoned' as const, signals });
const fine = (signals: Signal[]) => ({ endStep: CONFIRM, outcome: 'resolved' as const, signals });

async function outcomesOf(agent: TestAgent) {
  const rows = await issueTable(database.em(), agent.agentId);
  return rows
    .map(({ row, ...rest }): Record<string, unknown> => ({ ...(row as object), ...rest }))
    .filter(({ source }) => source === 'outcome');
}

test('a fault after which calls end badly at one step becomes an outcome issue with its cause', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, [
    ...many(12, 'lost', lost([failed(4)])),
    ...many(2, 'left', lost([])),
    ...many(2, 'saved', fine([failed(4)])),
    ...many(40, 'fine', fine([])),
  ]);
  await run(agent);
  const [issue, ...others] = await outcomesOf(agent);
  expect(others).toEqual([]);
  expect(issue).toMatchObject({
    code: 'outcome.integrations',
    lane: 'integrations',
    count_only: false,
    section: 'fix',
    cause_established: true,
    cause_label: 'Cause http_5xx',
    target_kind: 'tool',
    target_id: 'book_table',
    volume: 12,
    failed_outcome_share: 1,
    symptoms: [{ code: 'abandoned', label: 'Abandoned', count: 14 }],
    first_seen_version: null,
    last_seen_version: null,
    diagnosis: {
      step: { calls: 56, endedBadlyHere: 14 },
      signal: { code: 'tool_failed', withSignal: { calls: 14, endedBadlyHere: 12 } },
    },
  });
  expect(issue?.section_note).toContain('whoever runs the failing service');
  expect(issue?.order_key).toBeGreaterThan(-1e9);
  const linked = await sql<{ calls: number }>`select count(*)::int as calls from issue_calls l
    join issues i on i.id = l.issue_id where i.agent_id = ${agent.agentId} and i.source = 'outcome'`.execute(
    database.em().getKysely(),
  );
  expect(linked.rows).toEqual([{ calls: 14 }]);
  await expectSteady(agent);
});

test('with nothing that sets the lost calls apart there is a count and no finding, and its key stays once a cause is named', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, [...many(8, 'lost', lost([])), ...many(20, 'fine', fine([]))]);
  await run(agent);
  const [count] = await outcomesOf(agent);
  expect(count).toMatchObject({
    key: expect.stringMatching(/^outcome-[0-9a-f]{20}$/),
    code: 'outcome.flow',
    count_only: true,
    section: 'hidden',
    section_note: expect.stringMatching(/^Count only: 8 calls of 28/),
    recommendation: null,
    order_key: -1e9,
    confirmed: false,
    volume: 8,
  });
  await read(agent, many(12, 'more', lost([failed(4)])));
  await run(agent);
  expect(await outcomesOf(agent)).toMatchObject([{ key: count?.key, code: 'outcome.integrations', section: 'fix' }]);
  await read(agent, many(12, 'more', lost([])));
  await run(agent);
  expect(await outcomesOf(agent)).toMatchObject([{ key: count?.key, code: 'outcome.flow', count_only: true }]);
  await expectSteady(agent);
});

test.each([
  ['a signal in the last two turns', failed(TURNS - 2)],
  ['a code that is the bad ending', failed(4, { code: 'platform_error_end' })],
  ['what callers do', failed(4, { code: 'instant_hangup' })],
])('%s nominates nothing', async (_what, signal) => {
  const agent = await makeAgent(database.em());
  await read(agent, [...many(12, 'lost', lost([signal])), ...many(40, 'fine', fine([]))]);
  await run(agent);
  expect(await outcomesOf(agent)).toMatchObject([{ code: 'outcome.flow', count_only: true }]);
});

test('a nominated code whose evidence names no cause is not established', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, [...many(12, 'lost', lost([failed(4, { cause: null })])), ...many(40, 'fine', fine([]))]);
  await run(agent);
  const [issue] = await outcomesOf(agent);
  expect(issue).toMatchObject({ section: 'not_established', cause_established: false, cause_label: null, volume: 12 });
  expect(issue?.section_note).toMatch(/^Cause not established/);
  expect(issue?.likely_cause).toMatch(/^Cause not established/);
  expect(issue?.recommendation).toBe('Look at book_table.');
});

test.each([1, 2, 3])('codes that have nothing to do with the ending name no issue (start %i)', async (start) => {
  const agent = await makeAgent(database.em());
  const random = randomFrom(start);
  const codes = ['tool_failed', 'tool_slow', 'monologue', 'claimed_after_failure', 'gone_from_the_catalogue'];
  const readings = Array.from({ length: 250 }, (_, at): Reading => {
    const signals = codes.filter(() => random() < 0.3).map((code) => failed(4, { code }));
    return { ...(random() < 0.25 ? lost(signals) : fine(signals)), id: `call ${at}` };
  });
  await read(agent, readings);
  await run(agent);
  expect(await outcomesOf(agent)).toMatchObject([{ count_only: true, diagnosis: { signal: null, tests: 10 } }]);
});

test('one change is one issue, also where calls end at two steps', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, [
    ...many(14, 'lost', lost([failed(4)])),
    ...many(9, 'later', { ...lost([failed(4)]), endStep: CONFIRM }),
    ...many(60, 'fine', fine([])),
  ]);
  await run(agent);
  const issues = await outcomesOf(agent);
  const leader = issues.find(({ section }) => section === 'fix');
  expect(leader).toMatchObject({ place_id: 'collect', volume: 14 });
  expect(issues.find(({ place_id: id }) => id === 'confirm')).toMatchObject({
    section: 'hidden',
    downstream_of: leader?.key,
    section_note: expect.stringContaining('the same change fixes both'),
  });
  await expectSteady(agent);
});

test('an issue whose step loses its last bad call is withdrawn', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, many(3, 'a', lost([])));
  await run(agent);
  await read(agent, many(3, 'a', fine([])));
  expect(await run(agent)).toMatchObject({ withdrawn: 1 });
  expect(await outcomesOf(agent)).toMatchObject([{ withdrawn: true, section: 'hidden', volume: 0 }]);
  await expectSteady(agent);
});

test.each([1, 2, 3])('random readings, read again, count the same by difference as anew (start %i)', async (start) => {
  const agent = await makeAgent(database.em());
  const random = randomFrom(start);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const steps: Place[] = [
    COLLECT,
    CONFIRM,
    { kind: 'tool', id: 'book_table', label: 'book_table' },
    { kind: 'agent', id: 'start', label: 'the start of the call' },
  ];
  const reading = (): Reading => {
    const broken = random() < 0.4;
    const signals = Array.from({ length: Math.floor(random() * 3) }, () =>
      failed(Math.floor(random() * TURNS), {
        code: pick(['tool_slow', 'monologue', 'instant_hangup', 'gone_from_the_catalogue']),
        cause:
          random() < 0.5 ? null : { code: 'timeout', label: 't', detail: null, category: 'c', party: 'tool_owner' },
        place: pick([COLLECT, { kind: 'tool', id: 'book_table', label: 'book_table' }]),
      }),
    );
    if (broken) signals.push(failed(3));
    return {
      id: `call ${Math.floor(random() * 90)}`,
      version: pick([1, 2]),
      endStep: broken ? COLLECT : pick(steps),
      outcome: broken ? 'abandoned' : pick(['resolved', 'resolved', ...OUTCOMES]),
      signals,
    };
  };
  for (let round = 0; round < 12; round += 1) {
    await read(agent, [...new Map(Array.from({ length: 20 }, reading).map((item) => [item.id, item])).values()]);
    if (random() < 0.6) await run(agent);
  }
  await run(agent);
  expect((await outcomesOf(agent)).some(({ count_only: countOnly }) => countOnly === false)).toBe(true);
  await expectSteady(agent);
});

/** Counting everything anew changes no row, and neither does a second run. */
async function expectSteady(agent: TestAgent): Promise<void> {
  const em = database.em();
  const before = { evidence: await evidenceTables(em, agent.agentId), issues: await issueTable(em, agent.agentId) };
  expect(await run(agent, 'full')).toMatchObject({ changed: 0 });
  const after = database.em();
  expect({
    evidence: await evidenceTables(after, agent.agentId),
    issues: await issueTable(after, agent.agentId),
  }).toEqual(before);
  expect(await run(agent)).toMatchObject({ changed: 0 });
}
