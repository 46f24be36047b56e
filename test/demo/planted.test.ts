import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { LOOK_ALIKES, PLANTED, type PlantedFault } from '../../packages/demo-platform/planted.ts';
import type { IssueView } from '../../src/db/issues/read-issues.ts';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DemoBoard, importDemo } from '../support/demo-import.ts';

/** The faults planted in the demo calls, taken through store, analysis and grouping as an import takes them. */

const NOW = new Date('2026-06-15T13:00:00.000Z');
/** An issue counts as found where it holds this share of the planted calls. */
const FOUND_SHARE = 0.6;
/** An issue is explained where this share of its calls carries a planted fault that shows it. */
const EXPLAINED_SHARE = 0.8;

let database: TestDatabase;
const boards = new Map<string, DemoBoard>();

beforeAll(async () => {
  database = await createTestDatabase();
  for (const { providerAgentId } of DEMO_AGENTS)
    boards.set(providerAgentId, await importDemo(database, providerAgentId, NOW));
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
