import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { CLINIC_AGENT_ID } from '../../packages/demo-platform/clinic/plan.ts';
import { PARCEL_AGENT_ID } from '../../packages/demo-platform/parcel/plan.ts';
import { LOOK_ALIKES, PLANTED, type PlantedFault } from '../../packages/demo-platform/planted.ts';
import { type ComparisonView, listComparisons } from '../../src/db/comparisons/read-comparisons.ts';
import type { IssueView } from '../../src/db/issues/read-issues.ts';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DemoBoard, importDemo } from '../support/demo-import.ts';

/**
 * The demo calls, taken once through store, analysis, grouping and comparison as an import takes them: the faults planted
 * in them, and the changes between versions that the agents are made with, each to be judged for what it is.
 */

const NOW = new Date('2026-06-15T13:00:00.000Z');
/** An issue counts as found where it holds this share of the planted calls. */
const FOUND_SHARE = 0.6;
/** An issue is explained where this share of its calls carries a planted fault that shows it. */
const EXPLAINED_SHARE = 0.8;

let database: TestDatabase;
const boards = new Map<string, DemoBoard>();
const comparisons = new Map<string, ComparisonView>();

beforeAll(async () => {
  database = await createTestDatabase();
  for (const { providerAgentId } of DEMO_AGENTS) {
    const board = await importDemo(database, providerAgentId, NOW);
    boards.set(providerAgentId, board);
    const scope = { workspaceId: board.agent.workspaceId, agentIds: [board.agent.agentId] };
    for (const one of await listComparisons(database.em(), scope, { beforeVersion: null, limit: 10 }))
      comparisons.set(`${providerAgentId} ${one.toVersion}`, one);
  }
}, 300_000);

afterAll(() => database.drop());

function boardOf(providerAgentId: string): DemoBoard {
  const board = boards.get(providerAgentId);
  if (board === undefined) throw new Error('The board was not made.');
  return board;
}

const isAt = (issue: IssueView, fault: Pick<PlantedFault, 'code' | 'place'>) =>
  issue.code === fault.code && issue.placeKind === fault.place.kind && issue.placeId === fault.place.id;

/** Share of the planted calls that the issue holds. */
function coverage(board: DemoBoard, issue: IssueView, callIds: readonly string[]): number {
  const evidence = board.evidence.get(issue.id) ?? new Set();
  return callIds.filter((id) => evidence.has(id)).length / callIds.length;
}

/** The issue at the right place, alone or as a symptom of the issue that it was merged into. */
function findIssue(fault: PlantedFault): IssueView | undefined {
  const board = boardOf(fault.providerAgentId);
  const holding = board.issues.filter((issue) => coverage(board, issue, fault.callIds) >= FOUND_SHARE);
  return (
    holding.find((issue) => isAt(issue, fault)) ??
    holding.find((issue) => issue.symptoms.some(({ code }) => code === fault.code))
  );
}

describe('every planted fault is found', () => {
  test.each(PLANTED)('$what ($code)', (fault) => {
    const issue = findIssue(fault);
    expect(issue?.code).toBeDefined();
    expect(issue?.confirmed).toBe(true);
    expect({ established: issue?.causeEstablished, cause: issue?.causeCode ?? null }).toEqual({
      established: fault.cause !== null,
      cause: fault.cause,
    });
  });

  test.each(PLANTED.filter(({ consequenceOf }) => consequenceOf !== null))(
    '$what: folded under what it follows from',
    (fault) => {
      const parent = PLANTED.find(({ code, place }) => code === fault.consequenceOf && place.id === fault.place.id);
      const parentKey = parent === undefined ? undefined : findIssue(parent)?.key;
      expect(parentKey).toBeDefined();
      expect(findIssue(fault)?.downstreamOfKey).toBe(parentKey);
    },
  );

  test.each(PLANTED.filter(({ fixedOnLive }) => fixedOnLive))('$what: seen on the older version alone', (fault) => {
    const versions = findIssue(fault)?.byVersion.filter(({ calls }) => calls > 0);
    expect(versions?.map(({ version }) => version)).toEqual([2]);
  });
});

describe('no look-alike is flagged', () => {
  test.each(LOOK_ALIKES)('$what', ({ providerAgentId, callIds, notCodes }) => {
    const { analyses } = boardOf(providerAgentId);
    const flagged = callIds.flatMap((id) =>
      (analyses.get(id)?.signals ?? [])
        .filter(({ code }) => notCodes.includes(code))
        .map(({ code, quote }) => ({ id, code, quote })),
    );
    expect(flagged).toEqual([]);
  });
});

test.each(DEMO_AGENTS)(
  'no call of $name is called dear: each costs what its length costs',
  async ({ providerAgentId }) => {
    const { agent } = boardOf(providerAgentId);
    const { rows } = await sql<{ compared: number; dear: number }>`
    select (select sum(calls)::int from cost_bins where agent_id = ${agent.agentId}) as compared,
      (select count(*)::int from call_codes where agent_id = ${agent.agentId} and code = 'cost_outlier') as dear
  `.execute(database.em().getKysely());
    expect(rows[0]?.compared).toBeGreaterThan(400);
    expect(rows[0]?.dear).toBe(0);
  },
);

describe('the rest of the board', () => {
  test.each(DEMO_AGENTS)('of $name holds nothing that the planted faults do not explain', ({ providerAgentId }) => {
    const board = boardOf(providerAgentId);
    if (process.env.EARSHOT_SHOW_BOARD === '1') process.stdout.write(`${board.issues.map(line).join('\n')}\n`);
    const faults = PLANTED.filter((fault) => fault.providerAgentId === providerAgentId);
    const listed = board.issues.filter(({ section }) => section !== 'hidden');
    expect(listed.filter((issue) => !isExplained(board, issue, faults)).map(line)).toEqual([]);
  });
});

describe('the first agent', () => {
  const board = () => boardOf(DEMO_AGENTS[0]?.providerAgentId ?? '').issues;

  test('shows issues to fix, to improve and without an established cause, and a consequence', () => {
    const sections = new Set(board().map(({ section }) => section));
    expect([...sections].sort()).toEqual(expect.arrayContaining(['fix', 'improve', 'not_established']));
    expect(board().some(({ downstreamOfKey }) => downstreamOfKey !== null)).toBe(true);
  });

  test('has one issue that time resolved, and one that the live version fixed while an older one still shows it', () => {
    // That callers leave where a hand-over fails is an ending that falls with the fault, and no fault of its own.
    const listed = board().filter(
      ({ code, fellOnLive, downstreamOfKey }) =>
        fellOnLive && downstreamOfKey === null && CATALOGUE.get(code)?.ending !== true,
    );
    expect(listed.map(({ code, status }) => ({ code, status })).sort((a, b) => (a.code < b.code ? -1 : 1))).toEqual([
      { code: 'tool_failed', status: 'discovered' },
      { code: 'transfer_failed', status: 'resolved' },
    ]);
  });
});

describe('outcome issues', () => {
  test.each(DEMO_AGENTS)('of $name name what was planted, and count the rest', async ({ providerAgentId }) => {
    const { agent } = boardOf(providerAgentId);
    const { rows } = await sql<{ title: string; counts: boolean; code: string | null }>`
      select title, count_only as counts, diagnosis -> 'signal' ->> 'code' as code from issues
      where agent_id = ${agent.agentId} and source = 'outcome'`.execute(database.em().getKysely());
    const codes = PLANTED.filter((fault) => fault.providerAgentId === providerAgentId).flatMap((fault) => [
      fault.code,
      ...fault.symptoms,
    ]);
    const named = rows.filter(({ counts }) => !counts);
    expect(named.length).toBeGreaterThanOrEqual(2);
    expect(named.filter(({ code }) => code === null || !codes.includes(code))).toEqual([]);
    expect(rows.filter(({ counts, code }) => counts && code !== null)).toEqual([]);
  });
});

describe('too few calls', () => {
  test('are said to be too few, with how many are lacking, whatever their shares', () => {
    const { result } = comparisonTo(CLINIC_AGENT_ID, 2);
    expect(result).toMatchObject({ conclusion: 'insufficient_evidence', conclusionLabel: 'Not enough calls' });
    expect(result.callsBefore).toBeLessThan(30);
    expect(new Set(result.metrics.map(({ verdict }) => verdict))).toEqual(new Set(['not_enough_calls']));
    expect(result.narrative).toContain(`version 1 needs ${30 - result.callsBefore} more`);
    expect(result.narrative).not.toMatch(/better|worse/);
  });
});

describe('a better version', () => {
  test('gets more done within the same intents, and fewer of its tools fail', () => {
    const comparison = comparisonTo(CLINIC_AGENT_ID, 3);
    expect(comparison.result).toMatchObject({ conclusion: 'improved', conclusionLabel: 'Better' });
    for (const name of ['got_it_done', 'abandoned', 'tool_failure'])
      expect(metricOf(comparison, name)).toMatchObject({ verdict: 'changed', direction: 'better' });
    const { narrative } = comparison.result;
    expect(narrative).toContain(leadTold(comparison));
    expect(narrative).toContain(`${told(comparison, 'tool_failure')} (better)`);
    expect(narrative).not.toContain('what callers asked for changed');
    expect(narrative).toContain('the change made it better');
  });

  test('the look-up that got more time stopped failing, at a place that the configuration changed', () => {
    const { changes, result } = comparisonTo(CLINIC_AGENT_ID, 3);
    expect(changes.map(({ place }) => place.id)).toContain('tool_find_patient');
    const move = result.issueMoves.find(({ title, place }) => title === 'Tool failed' && place === 'find_patient');
    expect(move).toMatchObject({ verdict: 'changed', direction: 'better', callsAfter: 0, atChangedPlace: true });
    expect(result.narrative).toContain(
      `“Tool failed” at find_patient went from ${percent(move?.before.value ?? null)} to 0.0 % of calls, where the configuration changed.`,
    );
  });
});

describe('a worse version', () => {
  test('gets less done within the same intents, on enough calls before it', () => {
    const comparison = comparisonTo(PARCEL_AGENT_ID, 5);
    expect(comparison.result).toMatchObject({ conclusion: 'worsened', conclusionLabel: 'Worse' });
    expect(comparison.result.callsBefore).toBeGreaterThanOrEqual(60);
    for (const name of ['got_it_done', 'unresolved', 'tool_failure'])
      expect(metricOf(comparison, name)).toMatchObject({ verdict: 'changed', direction: 'worse' });
    const { narrative } = comparison.result;
    expect(narrative).toContain(leadTold(comparison));
    expect(narrative).toContain(`${told(comparison, 'tool_failure')} (worse)`);
    expect(narrative).not.toContain('what callers asked for changed');
    expect(narrative).toContain('the change made it worse');
  });

  test('the tool that takes days as they are said began to fail, at a place that the configuration changed', () => {
    const { changes, result } = comparisonTo(PARCEL_AGENT_ID, 5);
    expect(changes.map(({ before, after }) => `${before} → ${after}`).join('\n')).toContain('the way the caller said');
    const move = result.issueMoves.find(
      ({ place, direction }) => place === 'change_delivery_day' && direction === 'worse',
    );
    expect(move).toMatchObject({ title: 'Tool failed', verdict: 'changed', callsBefore: 0, atChangedPlace: true });
    expect(result.narrative).toContain('“Tool failed” at change_delivery_day went from 0.0 % to');
  });
});

describe('another mix of calls', () => {
  test('is neither better nor worse, although fewer callers got it done', () => {
    const comparison = comparisonTo(PARCEL_AGENT_ID, 6);
    expect(metricOf(comparison, 'got_it_done')).toMatchObject({ verdict: 'changed' });
    expect(['unclear', 'no_change']).toContain(comparison.result.conclusion);
    expect(comparison.result.issueMoves.filter(({ direction }) => direction === 'better')).toEqual([]);
  });

  test('is said to be that: the shares by intent did not move', () => {
    const comparison = comparisonTo(PARCEL_AGENT_ID, 6);
    const { narrative } = comparison.result;
    expect(narrative).toContain(leadTold(comparison));
    expect(narrative).toMatch(
      /within the same intents it moved by [+-]\d\.\d points \(95 % between -\d+\.\d and \+\d+\.\d\)/,
    );
    expect(narrative).toContain('what callers asked for changed, not shown is that the agent did');
    expect(narrative).not.toMatch(/\((better|worse)\)/);
  });
});

/** Most of an issue's calls carry a planted fault that shows this code, as itself or as a symptom. */
function isExplained(board: DemoBoard, issue: IssueView, faults: readonly PlantedFault[]): boolean {
  const explaining = faults.filter((fault) => fault.code === issue.code || fault.symptoms.includes(issue.code));
  const planted = new Set(explaining.flatMap(({ callIds }) => callIds));
  const evidence = [...(board.evidence.get(issue.id) ?? [])];
  return evidence.filter((id) => planted.has(id)).length >= evidence.length * EXPLAINED_SHARE;
}

function line(issue: IssueView): string {
  const place = `${issue.placeKind}:${issue.placeId}`;
  const cause = issue.causeEstablished ? issue.causeCode : 'no cause';
  const parent = issue.downstreamOfKey === null ? '' : `, follows from ${issue.downstreamOfKey.split('-')[0]}`;
  const symptoms = issue.symptoms.map(({ code }) => code).join(' ');
  return `${issue.section} ${issue.code} at ${place} (${cause}), ${issue.volume} calls${parent}${symptoms ? ` [${symptoms}]` : ''}`;
}

function comparisonTo(providerAgentId: string, version: number): ComparisonView {
  const found = comparisons.get(`${providerAgentId} ${version}`);
  if (found === undefined) throw new Error('The two versions were not compared.');
  return found;
}

function metricOf({ result }: ComparisonView, name: string) {
  const metric = result.metrics.find((one) => one.metric === name);
  if (metric === undefined) throw new Error('The measure is missing.');
  return metric;
}

const percent = (value: number | null) => `${((value ?? Number.NaN) * 100).toFixed(1)} %`;

/** A share that changed, as the narrative has to tell it. */
function told(comparison: ComparisonView, name: string): string {
  const { label, before, after } = metricOf(comparison, name);
  return `${label} went from ${percent(before.value)} to ${percent(after.value)}`;
}

function leadTold(comparison: ComparisonView): string {
  const { before, after } = metricOf(comparison, 'got_it_done');
  return `Got it done: ${percent(before.value)} of ${before.n} before, ${percent(after.value)} of ${after.n} after (changed)`;
}
