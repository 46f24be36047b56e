import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { readComparisonFacts } from '../../../src/db/comparisons/comparison-facts.ts';
import { refreshComparisons } from '../../../src/db/comparisons/comparisons.ts';
import { type ComparisonView, listComparisons } from '../../../src/db/comparisons/read-comparisons.ts';
import { storeVersions } from '../../../src/db/versions/versions.ts';
import { factsOfCalls } from '../../../src/domain/comparisons/facts.ts';
import type { ComparedCall } from '../../../src/domain/comparisons/metrics.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import { isNobodysFailure } from '../../../src/domain/signals/nobodys-failure.ts';
import { OUTCOMES } from '../../../src/domain/vocabulary.ts';
import { storeBatch } from '../../../src/services/analysis/store-batch.ts';
import {
  makeAgent,
  makeAnalysis,
  makeCall,
  makeEntry,
  makeSignal,
  type TestAgent,
  testVault,
} from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { scoreIssues } from '../../support/score-issues.ts';

const HOUR_MS = 3_600_000;
const BASE_MS = Date.UTC(2026, 2, 1);
const CATALOGUE = new Map(['tool_failed', 'dead_air'].map((code) => [code, makeEntry({ code })]));
const KNOWS = {
  catalogue: CATALOGUE,
  assignIntents: () => ({ intents: [], byCall: new Map() }),
} as unknown as Parameters<typeof storeBatch>[1];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Made {
  id: string;
  version: number;
  startedAt: string | null;
  caller: string | null;
  analysis: Partial<CallAnalysis>;
}

async function importCalls(agent: TestAgent, made: Made[]): Promise<void> {
  const em = database.within(agent.workspaceId);
  const { callIds } = await storeCalls(em, {
    ...agent,
    importId: null,
    vault: testVault,
    calls: made.map(({ id, version, startedAt, caller }) => ({
      payload: {},
      call: makeCall({
        providerCallId: id,
        version,
        startedAt,
        endedAt: null,
        callerNumber: caller,
        durationMs: id.length * 1000,
      }),
    })),
  });
  const loaded = await loadForAnalysis(em, agent.agentId, callIds);
  await storeBatch(em, KNOWS, {
    ...agent,
    analyses: loaded.map(({ callId, call }) => ({
      callId,
      analysis: makeAnalysis(made.find(({ id }) => id === call.providerCallId)?.analysis ?? {}),
    })),
  });
  await scoreIssues(em, CATALOGUE, agent.agentId, 'incremental');
}

const refresh = (agent: TestAgent) => refreshComparisons(database.within(agent.workspaceId), CATALOGUE, agent);
const listed = (agent: TestAgent): Promise<ComparisonView[]> =>
  listComparisons(
    database.within(agent.workspaceId),
    { workspaceId: agent.workspaceId, agentIds: [agent.agentId] },
    { beforeVersion: null, limit: 100 },
  );
const startAt = (hour: number) => new Date(BASE_MS + hour * HOUR_MS).toISOString();

function someCalls(version: number, n: number, resolvedOf: (nth: number) => boolean, failing = false): Made[] {
  return Array.from({ length: n }, (_, nth) => ({
    id: `v${version}-${nth}`,
    version,
    startedAt: startAt(version * 1000 + nth),
    caller: null,
    analysis: {
      outcome: resolvedOf(nth) ? 'resolved' : 'unresolved',
      signals: failing ? [makeSignal({ code: 'tool_failed' })] : [],
      toolResults: [{ turn: 1, ok: !failing, refusal: false }],
      counts: { turns: 2, callerTurns: 1, agentTurns: 1, toolFailures: failing ? 1 : 0, frictions: 0 },
    },
  }));
}

test('sums in the database mean the same as the calls themselves', async () => {
  const agent = await makeAgent(database.em());
  const random = seededRandom(5);
  const pick = (upTo: number) => Math.floor(random.next() * upTo);
  const made = Array.from({ length: 220 }, (_, nth): Made => {
    const p50Ms = 500 + pick(2000);
    const measured = pick(3) > 0;
    return {
      id: `call-${'x'.repeat(pick(30))}-${nth}`,
      version: 1 + pick(2),
      startedAt: pick(12) === 0 ? null : startAt(pick(600)),
      caller: pick(3) === 0 ? null : `+1555010${1000 + pick(40)}`,
      analysis: {
        outcome: OUTCOMES[pick(OUTCOMES.length)] ?? 'resolved',
        outcomeReason: { rule: pick(4) === 0 ? 'wrong_number' : 'test', turns: [], text: '' },
        toolResults: Array.from({ length: pick(3) }, () => ({ turn: 1, ok: true, refusal: false })),
        counts: { turns: 2, callerTurns: 1, agentTurns: 1, toolFailures: pick(2), frictions: pick(2) },
        responseTimes: measured ? { p50Ms, p90Ms: p50Ms + pick(900) } : null,
      },
    };
  });
  await importCalls(agent, made);
  const newestMs = Math.max(...made.map(({ startedAt }) => (startedAt === null ? 0 : Date.parse(startedAt))));
  for (const version of [1, 2]) {
    for (const until of [null, startAt(300)]) {
      const chosen = made.filter(
        (one) => one.version === version && (until === null || one.startedAt === null || one.startedAt <= until),
      );
      const expected = factsOfCalls(chosen.map((one) => asCompared(one, made, newestMs)));
      const facts = await readComparisonFacts(database.within(agent.workspaceId), agent.agentId, version, until);
      expect(facts.calls).toBe(expected.calls);
      expect(facts.lastStart).toBe(expected.lastStart);
      for (const [metric, side] of expected.sides) {
        const { sorted, ...counts } = facts.sides.get(metric) ?? { sorted: [] };
        expect([metric, counts]).toEqual([metric, { k: side.k, n: side.n, notRead: side.notRead }]);
        expect([metric, sorted[0], sorted.at(-1)]).toEqual([metric, side.sorted[0], side.sorted.at(-1)]);
      }
    }
  }
});

function asCompared(one: Made, all: readonly Made[], newestMs: number): ComparedCall {
  const { analysis } = one;
  const startMs = one.startedAt === null ? null : Date.parse(one.startedAt);
  const identified = one.caller !== null && startMs !== null;
  const again = all.some(({ caller, startedAt }) => {
    const otherMs = startedAt === null ? null : Date.parse(startedAt);
    return (
      identified && caller === one.caller && otherMs !== null && otherMs > startMs && otherMs <= startMs + 168 * HOUR_MS
    );
  });
  return {
    id: one.id,
    startedAt: one.startedAt,
    outcome: analysis.outcome ?? 'resolved',
    isNobodysFailure: isNobodysFailure(makeAnalysis(analysis)),
    intentSlug: '',
    durationMs: one.id.length * 1000,
    toolResults: analysis.toolResults?.length ?? 0,
    toolFailures: analysis.counts?.toolFailures ?? 0,
    frictions: analysis.counts?.frictions ?? 0,
    calledAgain: identified ? again : null,
    calledAgainSettled: identified && newestMs >= startMs + 168 * HOUR_MS,
    responseP50Ms: analysis.responseTimes?.p50Ms ?? null,
    responseP90Ms: analysis.responseTimes?.p90Ms ?? null,
  };
}

test('each two neighbouring versions have one comparison, and the same calls write nothing again', async () => {
  const agent = await makeAgent(database.em());
  expect(await refresh(agent)).toBe(0);
  await importCalls(agent, [
    ...someCalls(1, 60, (nth) => nth % 2 === 0, true),
    ...someCalls(3, 60, (nth) => nth % 10 > 0),
  ]);
  expect(await refresh(agent)).toBe(1);
  expect(await refresh(agent)).toBe(0);
  const [only] = await listed(agent);
  expect(only).toMatchObject({ fromVersion: 1, toVersion: 3, fromCaptured: false, changes: [] });
  expect(only?.result).toMatchObject({ conclusion: 'improved', callsBefore: 60, callsAfter: 60 });
  expect(only?.result.issueMoves).toMatchObject([
    { title: 'Title of tool_failed', callsBefore: 60, callsAfter: 0, verdict: 'changed', direction: 'better' },
  ]);
  await importCalls(
    agent,
    someCalls(2, 5, () => true),
  );
  expect(await refresh(agent)).toBe(3);
  expect((await listed(agent)).map(({ fromVersion, toVersion }) => [fromVersion, toVersion])).toEqual([
    [2, 3],
    [1, 2],
  ]);
  expect((await listed(agent))[0]?.result.conclusionLabel).toBe('Not enough calls');
});

test('a verdict stands until the smaller side has doubled', async () => {
  const agent = await makeAgent(database.em());
  await importCalls(agent, [...someCalls(1, 100, (nth) => nth % 2 === 0), ...someCalls(2, 30, () => true)]);
  await refresh(agent);
  const worse = someCalls(2, 59, () => false)
    .slice(30)
    .map((one, nth) => ({ ...one, startedAt: startAt(5000 + nth) }));
  await importCalls(agent, worse);
  await refresh(agent);
  const lead = (await listed(agent))[0]?.result.metrics[0];
  expect(lead).toMatchObject({ verdict: 'changed', direction: 'better', after: { n: 59 } });
  await importCalls(agent, [{ ...someCalls(2, 60, () => false).slice(59)[0], startedAt: startAt(6000) } as Made]);
  await refresh(agent);
  expect((await listed(agent))[0]?.result.metrics[0]?.direction).not.toBe('better');
});

test('what changed in the configuration stands beside it, and marks the issues there', async () => {
  const agent = await makeAgent(database.em());
  const version = (number: number, timeoutMs: number) => ({
    version: number,
    providerRef: null,
    isCurrent: number === 2,
    changedAt: null,
    document: { timeoutMs },
    configuration: {
      name: 'a',
      language: null,
      prompt: null,
      firstMessage: null,
      model: null,
      voice: null,
      tools: [
        {
          id: 'book_table',
          name: 'book_table',
          description: '',
          kind: 'other' as const,
          parameters: null,
          timeoutMs,
          speaksDuring: null,
        },
      ],
      nodes: [],
      startNodeId: null,
      variables: {},
    },
  });
  await storeVersions(database.within(agent.workspaceId), agent, [version(1, 5000), version(2, 500)]);
  await importCalls(agent, [...someCalls(1, 40, () => true), ...someCalls(2, 40, () => false, true)]);
  await refresh(agent);
  const [only] = await listed(agent);
  expect(only).toMatchObject({ fromCaptured: true, toCaptured: true });
  expect(only?.changes).toMatchObject([
    { kind: 'tool_changed', place: { kind: 'tool', id: 'book_table' }, before: '5000', after: '500' },
  ]);
  expect(only?.result.issueMoves[0]).toMatchObject({ atChangedPlace: true, direction: 'worse' });
});

test('what follows from another issue is no move of its own', async () => {
  const agent = await makeAgent(database.em());
  const silence = makeSignal({ code: 'dead_air', turnIndex: 5 });
  const failing = someCalls(1, 40, () => false, true).map((call) => ({
    ...call,
    analysis: { ...call.analysis, signals: [...(call.analysis.signals ?? []), silence] },
  }));
  await importCalls(agent, [...failing, ...someCalls(2, 40, () => true)]);
  await refresh(agent);
  const [only] = await listed(agent);
  expect(only?.result.issueMoves.map(({ title }) => title)).toEqual(['Title of tool_failed']);
  expect(only?.result.narrative).not.toContain('dead_air');
});

test('on a board of outcomes the moves are those of its own issues', async () => {
  const agent = await makeAgent(database.em());
  const early = [makeSignal({ code: 'tool_failed', turnIndex: 0, quote: '' })];
  const at = (call: Made): Made => ({
    ...call,
    analysis: {
      ...call.analysis,
      signals: call.version === 1 ? early : [],
      endStep: { kind: 'agent', id: 'start', label: 'the start of the call' },
      counts: { turns: 9, callerTurns: 4, agentTurns: 5, toolFailures: 0, frictions: 0 },
    },
  });
  await sql`update agents set board_source = 'outcome' where id = ${agent.agentId}`.execute(database.em().getKysely());
  await importCalls(agent, [...someCalls(1, 40, () => false, true), ...someCalls(2, 40, () => true)].map(at));
  await refresh(agent);
  const [only] = await listed(agent);
  expect(only?.result.issueMoves).toMatchObject([
    {
      title: expect.stringContaining('end badly at the start of the call'),
      callsBefore: 40,
      callsAfter: 0,
      direction: 'better',
    },
  ]);
});

test('another workspace sees none of it', async () => {
  const agent = await makeAgent(database.em());
  await importCalls(agent, [...someCalls(1, 3, () => true), ...someCalls(2, 3, () => true)]);
  await refresh(agent);
  const other = await makeAgent(database.em());
  const { rows } = await sql`select 1 from comparisons where agent_id = ${agent.agentId}`.execute(
    database.within(other.workspaceId).getKysely(),
  );
  expect(rows).toHaveLength(0);
});
