import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { readDefaultList } from '../../../src/db/issues/read-default-list.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import type { Signal } from '../../../src/domain/signals/signal.ts';
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
  signals: Signal[];
  call?: Parameters<typeof makeCall>[0];
  analysis?: Partial<CallAnalysis>;
}

const run = (agent: TestAgent, mode: 'incremental' | 'full' = 'incremental') =>
  scoreIssues(database.within(agent.workspaceId), testKnowledge.catalogue, agent.agentId, mode);

async function read(agent: TestAgent, readings: Reading[]): Promise<void> {
  const { agentId, workspaceId } = agent;
  const calls = readings.map(({ id, call }) => ({ payload: {}, call: makeCall({ ...call, providerCallId: id }) }));
  await storeCalls(database.within(agent.workspaceId), { ...agent, importId: null, vault: testVault, calls });
  const { rows } = await sql<{ id: string; name: string }>`select id, provider_call_id as name from calls
    where agent_id = ${agentId}`.execute(database.em().getKysely());
  const ids = new Map(rows.map((row) => [row.name, row.id]));
  const analyses = readings.map(({ id, signals, analysis }) => ({
    callId: ids.get(id) ?? '',
    analysis: makeAnalysis({ ...analysis, signals }),
  }));
  await storeBatch(database.within(agent.workspaceId), testKnowledge, { workspaceId, agentId, analyses });
}

const failed = (causeCode: string | null, over: Partial<Signal> = {}) =>
  makeSignal({
    code: 'tool_failed',
    cause:
      causeCode === null
        ? null
        : { code: causeCode, label: causeCode, detail: null, category: 'c', party: 'tool_owner' },
    ...over,
  });
const many = (count: number, prefix: string, signals: Signal[], analysis?: Partial<CallAnalysis>): Reading[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${prefix}${index}`,
    signals,
    ...(analysis ? { analysis } : {}),
  }));

async function board(agent: TestAgent) {
  const rows = await issueTable(database.em(), agent.agentId);
  return rows.map(({ row, ...rest }) => ({ ...(row as Record<string, unknown>), ...rest }));
}

test('three calls with one cause make a confirmed issue with its cause, and a second run writes nothing', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, [...many(2, 'a', [failed('http_5xx')]), ...many(7, 'ok', [])]);
  await run(agent);
  expect(await board(agent)).toMatchObject([{ confirmed: false, section: 'hidden', volume: 2 }]);
  await read(agent, many(1, 'b', [failed('http_5xx')], { outcome: 'unresolved' }));
  expect(await run(agent)).toEqual({ issues: 1, changed: 1, withdrawn: 0 });
  const [issue] = await board(agent);
  expect(issue).toMatchObject({
    key: expect.stringMatching(/^tool_failed-[0-9a-f]{20}$/),
    status: 'discovered',
    section: 'fix',
    cause_code: 'http_5xx',
    volume: 3,
    rate: 0.3,
    failed_outcome_share: 1 / 3,
    symptoms: [{ code: 'tool_failed', label: 'Title of tool_failed', count: 3 }],
    calls_by_version: [[1, 3]],
  });
  expect(issue?.section_note).toContain('whoever runs the failing service');
  expect(await run(agent)).toMatchObject({ changed: 0 });
  expect(await run(agent, 'full')).toMatchObject({ changed: 0 });
  expect((await evidenceTables(database.em(), agent.agentId)).agent).toMatchObject({ open_issue_count: 1 });
});

test('evidence that goes withdraws the issue, and evidence that comes back brings the same key', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, many(3, 'a', [failed('timeout')]));
  await run(agent);
  const [before] = await board(agent);
  await read(agent, many(3, 'a', []));
  expect(await run(agent)).toMatchObject({ withdrawn: 1 });
  expect(await board(agent)).toMatchObject([{ withdrawn: true, section: 'hidden', volume: 0, order_key: -1e9 }]);
  await read(agent, many(3, 'a', [failed('timeout')]));
  await run(agent);
  expect(await board(agent)).toMatchObject([{ key: before?.key, withdrawn: false, section: 'fix', volume: 3 }]);
});

test('a second cause becomes an issue of its own, and the larger keeps the key', async () => {
  const agent = await makeAgent(database.em());
  await read(agent, many(6, 'a', [failed('http_5xx')]));
  await run(agent);
  const [before] = await board(agent);
  await read(agent, many(4, 'b', [failed('timeout')]));
  await run(agent);
  const split = await board(agent);
  expect(split).toHaveLength(2);
  expect(split.find((issue) => issue.key === before?.key)).toMatchObject({ volume: 6, cause_code: 'http_5xx' });
  expect(split.find((issue) => issue.key !== before?.key)).toMatchObject({
    volume: 4,
    cause_code: 'timeout',
    split_cause: 'timeout',
    section: 'fix',
  });
  await read(agent, many(1, 'c', [failed('timeout')]));
  await run(agent);
  expect((await board(agent)).map(({ volume }) => volume).toSorted()).toEqual([5, 6]);
  await expectSteady(agent);
});

test('groups with one target and one cause show as one, and come back under their own keys when the cause is lost', async () => {
  const agent = await makeAgent(database.em());
  const slow = (causeCode: string | null) => failed(causeCode, { code: 'tool_slow', turnIndex: 0, quote: '' });
  await read(agent, many(5, 'a', [failed('timeout')]));
  await run(agent);
  await read(agent, [...many(2, 'a', [failed('timeout'), slow('timeout')]), ...many(4, 'b', [slow('timeout')])]);
  await run(agent);
  const [parent, child] = await board(agent);
  expect(parent).toMatchObject({ code: 'tool_failed', volume: 9, section: 'fix', merged_into: null });
  expect(parent?.symptoms).toMatchObject([
    { code: 'tool_slow', count: 6 },
    { code: 'tool_failed', count: 5 },
  ]);
  expect(child).toMatchObject({ code: 'tool_slow', volume: 6, section: 'hidden', downstream_of: parent?.key });
  await expectSteady(agent);
  await read(agent, [
    ...many(2, 'a', [failed('timeout'), slow(null)]),
    ...many(4, 'b', [slow(null)]),
    ...many(1, 'c', [slow('timeout')]),
  ]);
  await run(agent);
  const apart = await board(agent);
  expect(apart).toMatchObject([
    { key: parent?.key, volume: 5, merged_into: null },
    { key: child?.key, volume: 7, merged_into: null, section: 'not_established', cause_established: false },
  ]);
  expect(apart[1]?.section_note).toMatch(/^Cause not established/);
  expect(apart[1]?.likely_cause).toMatch(/^Cause not established/);
  await expectSteady(agent);
});

test('an issue whose calls nearly all show another one first is its consequence', async () => {
  const agent = await makeAgent(database.em());
  const claim = makeSignal({
    code: 'claimed_after_failure',
    klass: 'content',
    severity: 'critical',
    place: { kind: 'node', id: 'confirm', label: 'Confirm' },
    turnIndex: 5,
    quote: '',
  });
  await read(agent, [
    ...many(5, 'a', [failed('timeout', { turnIndex: 2, quote: '' }), claim]),
    ...many(3, 'b', [failed('timeout')]),
    ...many(20, 'ok', []),
  ]);
  await run(agent);
  const issues = await board(agent);
  const leader = issues.find((issue) => issue.code === 'tool_failed');
  expect(leader).toMatchObject({ section: 'fix', downstream_of: null });
  expect(issues.find((issue) => issue.code === 'claimed_after_failure')).toMatchObject({
    section: 'hidden',
    downstream_of: leader?.key,
  });
  expect((await evidenceTables(database.em(), agent.agentId)).agent).toMatchObject({ open_issue_count: 1 });
});

test.each([1, 2, 3])(
  'random batches, read again in random order, give the same sums and issues as counting everything anew (start %i)',
  async (start) => {
    const agent = await makeAgent(database.em());
    const random = randomFrom(start);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const places = ['book_table', 'find_slot'].map((id) => ({ kind: 'tool' as const, id, label: id }));
    const reading = (): Reading => ({
      id: `call ${Math.floor(random() * 60)}`,
      call: {
        providerCallId: '',
        version: pick([1, 2, 3]),
        startedAt: random() < 0.1 ? null : `2026-0${pick([1, 2, 3])}-1${pick([1, 2, 3])}T10:00:00.000Z`,
        durationMs: Math.floor(random() * 200_000),
        callerNumber: pick([null, '+1555010001', '+1555010002']),
      },
      analysis: {
        outcome: pick(OUTCOMES),
        callerSpoke: random() < 0.9,
        notComputable: random() < 0.3 ? [{ code: 'tool_slow', reason: 'no times' }] : [],
        requests: [{ turn: 1, text: pick(['book a table', 'cancel it', 'hello']) }],
        visits: [{ place: pick(places), firstTurn: 0 }],
      },
      signals: Array.from({ length: Math.floor(random() * 4) }, () =>
        failed(pick(['timeout', 'http_5xx', null]), {
          code: pick(['tool_failed', 'tool_slow', 'monologue', 'instant_hangup']),
          place: pick(places),
          turnIndex: Math.floor(random() * 8),
          confidence: pick([1, 0.8, 0.6]),
          quote: '',
        }),
      ),
    });
    for (let round = 0; round < 12; round += 1) {
      await read(agent, [...new Map(Array.from({ length: 15 }, reading).map((item) => [item.id, item])).values()]);
      if (random() < 0.6) await run(agent);
    }
    await run(agent);
    await expectSteady(agent);
  },
);

test.each([1, 2, 3])(
  'the same calls give the same board, in whatever order, pages and windows an import brings them (start %i)',
  async (start) => {
    const random = randomFrom(start);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const places = ['book_table', 'find_slot'].map((id) => ({ kind: 'tool' as const, id, label: id }));
    const skew = pick([0.3, 0.55, 0.65, 0.8]);
    const readings = Array.from({ length: 90 }, (_, at): Reading => {
      const day = Math.floor(random() * 70);
      const startedAt = new Date(Date.UTC(2026, 0, 1 + day, 10)).toISOString();
      const cause = random() < skew ? 'timeout' : pick(['http_5xx', null]);
      return {
        id: `call ${at}`,
        call: { providerCallId: '', version: day < 40 ? 1 : 2, startedAt: random() < 0.1 ? null : startedAt },
        analysis: {
          outcome: pick(OUTCOMES),
          notComputable: random() < 0.2 ? [{ code: 'tool_slow', reason: 'no times' }] : [],
          visits: [{ place: pick(places), firstTurn: 0 }],
        },
        signals: ['tool_failed', 'tool_slow', 'monologue', 'claimed_after_failure'].flatMap((code) =>
          random() < pick([0.02, 0.1, 0.4])
            ? [failed(cause, { code, place: pick(places), turnIndex: Math.floor(random() * 8), quote: '' })]
            : [],
        ),
      };
    });
    const boards = [];
    for (const pageSize of [90, 7, 30]) {
      const agent = await makeAgent(database.em());
      await sql`insert into imports (id, workspace_id, agent_id, kind, status)
        values (gen_random_uuid(), ${agent.workspaceId}, ${agent.agentId}, 'file', 'running')`.execute(
        database.em().getKysely(),
      );
      const order = readings.map((reading) => ({ reading, at: random() })).sort((a, b) => a.at - b.at);
      for (let at = 0; at < order.length; at += pageSize) {
        await read(
          agent,
          order.slice(at, at + pageSize).map(({ reading }) => reading),
        );
        if (random() < 0.3) await run(agent);
      }
      await run(agent);
      await expectSteady(agent);
      const listed = await readDefaultList(database.within(agent.workspaceId), agent.agentId);
      boards.push({ listed, issues: (await board(agent)).filter(({ split_cause, volume }) => !split_cause || volume) });
    }
    expect(boards[0]?.listed.length).toBeGreaterThan(0);
    for (const other of boards.slice(1)) expect(other).toEqual(boards[0]);
  },
);

/** Counting everything anew changes no row, and neither does a second run. */
async function expectSteady(agent: TestAgent): Promise<void> {
  const before = { evidence: await evidenceTables(database.em(), agent.agentId), issues: await board(agent) };
  expect(await run(agent, 'full')).toMatchObject({ changed: 0 });
  expect({ evidence: await evidenceTables(database.em(), agent.agentId), issues: await board(agent) }).toEqual(before);
  const linked = await sql`select i.key from issues i where i.agent_id = ${agent.agentId} and i.volume <>
    (select count(*) from issue_calls l where l.issue_id = i.id)`.execute(database.em().getKysely());
  expect(linked.rows).toEqual([]);
}
