import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { reviewCosts } from '../../../src/db/analysis/review-costs.ts';
import { storeAnalyses } from '../../../src/db/analysis/store-analyses.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { readAgentCosts } from '../../../src/db/metrics/agent-costs.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { recomputeIssues } from '../../../src/services/issues/recompute-issues.ts';
import { makeAgent, makeCall, type TestAgent, testVault, turn } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { evidenceTables } from '../../support/evidence-tables.ts';

const CODE = 'cost_outlier';

interface Given {
  ref: string;
  costUsd: number | null;
  /** Nobody but the agent spoke. */
  silent?: boolean;
}

/** So many calls of an agent that cost between ten and sixteen cents. */
const usual = (count: number, from = 0): Given[] =>
  Array.from({ length: count }, (_, at) => ({ ref: `usual-${from + at}`, costUsd: 0.1 + ((from + at) % 7) / 100 }));
const DEAR: Given[] = [
  { ref: 'dear', costUsd: 1.2 },
  { ref: 'dearer', costUsd: 2.4 },
];
const OTHERS: Given[] = [
  { ref: 'half as dear', costUsd: 0.3 },
  { ref: 'free', costUsd: 0 },
  { ref: 'unknown', costUsd: null },
  { ref: 'with nobody on it', costUsd: 3, silent: true },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const emOf = (agent: TestAgent) => database.within(agent.workspaceId);

/** Stores and reads calls as an import does, in batches. */
async function importCalls(agent: TestAgent, given: readonly Given[], batch = 100): Promise<void> {
  for (let at = 0; at < given.length; at += batch) {
    const { callIds } = await storeCalls(emOf(agent), {
      ...agent,
      importId: null,
      vault: testVault,
      calls: given.slice(at, at + batch).map(({ ref, costUsd, silent }) => ({
        call: makeCall({
          providerCallId: ref,
          costUsd,
          ...(silent === true ? { turns: [turn(0, 'agent', 'Hello, how can I help?')] } : {}),
        }),
        payload: { ref, costUsd },
      })),
    });
    const loaded = await loadForAnalysis(emOf(agent), agent.agentId, callIds);
    const analyses = loaded.map(({ callId, payloadDigest, ...input }) => ({
      callId,
      payloadDigest,
      analysis: analyseCall({ ...input, agentCosts: null }, {}),
    }));
    await storeAnalyses(emOf(agent), { ...agent, analyses });
  }
}

const review = (agent: TestAgent) => reviewCosts(emOf(agent), agent);

async function found(agent: TestAgent): Promise<{ ref: string; detail: string }[]> {
  const { rows } = await sql<{ ref: string; detail: string }>`
    select c.provider_call_id as ref, s.detail from call_signals s join calls c on c.id = s.call_id
    where s.agent_id = ${agent.agentId} and s.code = ${CODE} order by 1`.execute(database.em().getKysely());
  return rows;
}
const refs = async (agent: TestAgent) => (await found(agent)).map(({ ref }) => ref);

async function binsOf(agent: TestAgent) {
  const { rows } = await sql`select bin, calls from cost_bins where agent_id = ${agent.agentId} order by 1`.execute(
    database.em().getKysely(),
  );
  return rows;
}

async function expectSumsToAgree(agent: TestAgent): Promise<void> {
  await recomputeIssues(emOf(agent), agent.agentId, 'incremental');
  const kept = { ...(await evidenceTables(emOf(agent), agent.agentId)), bins: await binsOf(agent) };
  await recomputeIssues(emOf(agent), agent.agentId, 'full');
  expect({ ...(await evidenceTables(emOf(agent), agent.agentId)), bins: await binsOf(agent) }).toEqual(kept);
}

describe('dear calls', () => {
  const all = [...usual(240), ...DEAR, ...OTHERS];
  const orders: [string, Given[][]][] = [
    ['first', [[...DEAR, ...OTHERS], usual(240)]],
    ['last', [usual(240), [...OTHERS, ...DEAR]]],
    [
      'in the middle, in many imports',
      Array.from({ length: 25 }, (_, at) => all.toSorted(byDigits).slice(at * 10, at * 10 + 10)),
    ],
    ['all at once', [all.toReversed()]],
  ];
  test.each(orders)('are found alike when they come %s', async (_name, imports) => {
    const agent = await makeAgent(database.em());
    for (const calls of imports) {
      await importCalls(agent, calls, 60);
      await review(agent);
    }
    const text = "Half of the agent's calls cost at most 0.14 USD, and 99 in 100 at most 0.31 USD.";
    expect(await found(agent)).toEqual([
      { ref: 'dear', detail: `The call cost 1.20 USD. ${text}` },
      { ref: 'dearer', detail: `The call cost 2.40 USD. ${text}` },
    ]);
    expect(await review(agent)).toBe(0);
    await expectSumsToAgree(agent);
  });

  test('are not spoken of until a hundred calls have a cost', async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, [...usual(97), ...DEAR, ...OTHERS.slice(1)]);
    expect(await review(agent)).toBe(0);
    expect((await readAgentCosts(emOf(agent), agent.agentId)).calls).toBe(99);
    await importCalls(agent, usual(1, 97));
    expect(await review(agent)).toBe(2);
    expect(await refs(agent)).toEqual(['dear', 'dearer']);
  });

  test("are no longer dear once the agent's calls cost more, and others are", async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, [...usual(120), ...DEAR]);
    await review(agent);
    const later = Array.from({ length: 300 }, (_, at) => ({ ref: `later-${at}`, costUsd: 1 + (at % 5) / 10 }));
    await importCalls(agent, [...later, { ref: 'dear now', costUsd: 9 }]);
    await review(agent);
    expect(await refs(agent)).toEqual(['dear now']);
    await expectSumsToAgree(agent);
  });

  test('are as many as there are, page by page, and a run that ended midway is finished by the next', async () => {
    const agent = await makeAgent(database.em());
    const many = Array.from({ length: 230 }, (_, at) => ({ ref: `dear-${at}`, costUsd: 5 + at / 100 }));
    await importCalls(agent, [...many, ...usual(600)]);
    let pages = 0;
    const broken = new Error('The process was killed.');
    const em = emOf(agent);
    const dying = Object.create(em) as typeof em;
    dying.transactional = (work) => {
      pages += 1;
      return pages > 1 ? Promise.reject(broken) : em.transactional(work);
    };
    await expect(reviewCosts(dying, agent)).rejects.toBe(broken);
    expect(await refs(agent)).toHaveLength(100);
    await Promise.all([review(agent), review(agent)]);
    expect(await refs(agent)).toHaveLength(230);
    expect(await review(agent)).toBe(0);
    await expectSumsToAgree(agent);
  });

  test('follow the settings of the agent', async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, [...usual(240), ...DEAR, ...OTHERS]);
    await review(agent);
    const set = (limits: object) =>
      sql`update agents set thresholds = ${JSON.stringify({ [CODE]: limits })}::jsonb where id = ${agent.agentId}`.execute(
        database.em().getKysely(),
      );
    await set({ timesMedian: 15 });
    await review(agent);
    expect(await refs(agent)).toEqual(['dear', 'dearer']);
    await set({ timesMedianLeast: 15, timesMedian: 15 });
    await review(agent);
    expect(await refs(agent)).toEqual(['dearer']);
    await set({ calls: 1_000 });
    await review(agent);
    expect(await refs(agent)).toEqual([]);
  });

  test('of another cost in a changed record are compared once that is read', async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, [...usual(120), ...DEAR]);
    await review(agent);
    await importCalls(agent, [
      { ref: 'dear', costUsd: 0.12 },
      { ref: 'usual-5', costUsd: 4 },
    ]);
    await review(agent);
    expect(await refs(agent)).toEqual(['dearer', 'usual-5']);
    await expectSumsToAgree(agent);
  });

  test('that an earlier analyser read keep what it said', async () => {
    const agent = await makeAgent(database.em());
    await importCalls(agent, usual(120));
    const { callIds } = await storeCalls(emOf(agent), {
      ...agent,
      importId: null,
      vault: testVault,
      calls: [{ call: makeCall({ providerCallId: 'earlier', costUsd: 5 }), payload: {} }],
    });
    const loaded = await loadForAnalysis(emOf(agent), agent.agentId, callIds);
    const analyses = loaded.map(({ callId, ...input }) => ({ callId, analysis: analyseCall(input, {}) }));
    await storeAnalyses(emOf(agent), { ...agent, analyses });
    expect(await review(agent)).toBe(0);
    expect(await refs(agent)).toEqual([]);
  });
});

/** A fixed order in which dear and usual calls are mixed. */
function byDigits(a: Given, b: Given): number {
  const turned = ({ ref }: Given) => [...ref].toReversed().join('');
  return turned(a) < turned(b) ? -1 : 1;
}
