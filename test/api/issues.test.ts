import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { makeSignal } from '../support/analysed-calls.ts';
import { type MadeIssue, makeIssue } from '../support/issues.ts';
import { minute, seedCalls, walk } from '../support/seed.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let agentId: string;
let issues: string;

beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  agentId = await world.makeAgent();
  issues = `/v1/agents/${agentId}/issues`;
});
afterAll(() => world.close());

const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);

describe('the board beside its issues', () => {
  const board = () => world.get(`/v1/agents/${agentId}/board`);

  test('gives for each listed issue, in their order, the reason for its rank, as its explanation does', async () => {
    for (const [at, section] of (['not_established', 'fix', 'improve', 'hidden'] as const).entries()) {
      await makeIssue(world, agentId, { section, orderKey: 9 - at, fellOnLive: section === 'fix' });
    }
    const { status, body } = await board();
    expect(status).toBe(200);
    const listed = await walk(world, issues, 10);
    expect(body.ranks.map(({ issueId }: { issueId: string }) => issueId)).toEqual(idsOf(listed));
    expect(body.ranks.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3]);
    expect(body.ranks[1].reason).toMatch(/^Below those that still happen/);
    const explained = await world.get(`${issues}/${body.ranks[0].issueId}/explanation`);
    expect(explained.body.rank.reason).toBe(body.ranks[0].reason);
  });

  test('of an agent without issues says what was looked at', async () => {
    const { body } = await board();
    expect(body).toMatchObject({ object: 'board', calls: 0, ranks: [], unexplained: [] });
    expect(body.summary).toBe('No call has been analysed yet.');
  });
});

describe('the board', () => {
  test('follows the order of the contract on every page, over every mixture of states', async () => {
    const made: MadeIssue[] = [];
    const pick = <T>(values: readonly T[], at: number) => values[at % values.length] as T;
    for (let at = 0; at < 120; at += 1) {
      made.push(
        await makeIssue(world, agentId, {
          section: pick(['fix', 'improve', 'not_established', 'hidden'], at),
          status: pick(['discovered', 'resolved', 'regressed', 'measuring', 'investigating'], at),
          klass: pick(['technical', 'flow', 'content'], at),
          fellOnLive: at % 7 === 0,
          // Ties are broken by id, also among equal ranks.
          orderKey: pick([5, 1, -3, 1, 7.25, -1e9], at),
        }),
      );
    }
    const listed = made
      .filter((issue) => issue.section !== 'hidden' && issue.status !== 'resolved')
      .toSorted(
        (a, b) =>
          Number(a.section === 'not_established') - Number(b.section === 'not_established') ||
          Number(a.fellOnLive) - Number(b.fellOnLive) ||
          b.orderKey - a.orderKey ||
          (a.id < b.id ? -1 : 1),
      );
    expect(idsOf(await walk(world, issues, 7))).toEqual(idsOf(listed));
    expect(idsOf(await walk(world, issues, 100))).toEqual(idsOf(listed));
    expect(idsOf(await walk(world, `${issues}?klass=flow,content&status=resolved,regressed`, 3))).toEqual(
      idsOf(
        made
          .filter(
            (issue) =>
              issue.section !== 'hidden' &&
              issue.klass !== 'technical' &&
              ['resolved', 'regressed'].includes(issue.status),
          )
          .toSorted(
            (a, b) =>
              Number(a.section === 'not_established') - Number(b.section === 'not_established') ||
              Number(a.fellOnLive) - Number(b.fellOnLive) ||
              b.orderKey - a.orderKey ||
              (a.id < b.id ? -1 : 1),
          ),
      ),
    );
  });

  test('never shows what is not confirmed, withdrawn, a count, behaviour, or of the other kind', async () => {
    await makeIssue(world, agentId, { section: 'hidden', confirmed: false });
    await makeIssue(world, agentId, { withdrawn: true });
    await makeIssue(world, agentId, { section: 'hidden', countOnly: true });
    await makeIssue(world, agentId, { section: 'hidden', klass: 'behaviour' });
    await makeIssue(world, agentId, { source: 'outcome' });
    const shown = await makeIssue(world, agentId);
    for (const query of ['', '?includeResolved=true', '?includeDownstream=true', '?status=discovered']) {
      expect(idsOf((await world.get(`${issues}${query}`)).body.data)).toEqual([shown.id]);
    }
    expect((await world.get(`${issues}?klass=behaviour`)).body.data).toEqual([]);
    expect((await world.get(`${issues}?klass=behaviour&includeDownstream=true`)).body.data).toEqual([]);
    expect(idsOf((await world.get(`${issues}?klass=behaviour,technical`)).body.data)).toEqual([shown.id]);
  });

  test('leaves resolved issues out unless asked for; a status is the whole filter', async () => {
    const open = await makeIssue(world, agentId, { orderKey: 9 });
    const resolved = await makeIssue(world, agentId, { status: 'resolved' });
    expect(idsOf((await world.get(issues)).body.data)).toEqual([open.id]);
    expect(idsOf((await world.get(`${issues}?includeResolved=true`)).body.data)).toEqual([open.id, resolved.id]);
    expect(idsOf((await world.get(`${issues}?includeResolved=false`)).body.data)).toEqual([open.id]);
    expect(idsOf((await world.get(`${issues}?status=discovered&includeResolved=true`)).body.data)).toEqual([open.id]);
    expect(idsOf((await world.get(`${issues}?status=resolved`)).body.data)).toEqual([resolved.id]);
    const repeated = await world.get(`${issues}?status=resolved&status=discovered,resolved`);
    expect(idsOf(repeated.body.data)).toEqual([open.id, resolved.id]);
  });

  test('lists consequences only when asked, after all other rows, and folds them into their parent', async () => {
    const parent = await makeIssue(world, agentId, { orderKey: 1 });
    const folded = { section: 'hidden', downstreamOfId: parent.id, sectionNote: 'Follows from A title.' } as const;
    const small = await makeIssue(world, agentId, { ...folded, orderKey: 99, volume: 4 });
    const large = await makeIssue(world, agentId, { ...folded, orderKey: 50, volume: 8 });
    const unclear = await makeIssue(world, agentId, { section: 'not_established', orderKey: -4 });
    expect(idsOf((await world.get(issues)).body.data)).toEqual([parent.id, unclear.id]);
    const all = await walk(world, `${issues}?includeDownstream=true`, 1);
    expect(idsOf(all)).toEqual([parent.id, unclear.id, small.id, large.id]);
    expect(all[0].consequences).toEqual([
      { id: large.id, key: large.key, title: 'A title', volume: 8 },
      { id: small.id, key: small.key, title: 'A title', volume: 4 },
    ]);
    expect(all[2]).toMatchObject({ section: 'hidden', downstreamOf: parent.key, sectionNote: 'Follows from A title.' });
    expect(idsOf(await walk(world, `${issues}?includeDownstream=true`, 2))).toEqual(idsOf(all));
    expect(idsOf(await walk(world, `${issues}?includeDownstream=true`, 3))).toEqual(idsOf(all));
  });

  test('neither skips nor repeats an issue whose rank did not change while others move', async () => {
    const made: MadeIssue[] = [];
    for (let at = 0; at < 20; at += 1) made.push(await makeIssue(world, agentId, { orderKey: 20 - at }));
    const moving = made.filter((_, at) => at % 5 === 0);
    let turn = 0;
    const rows = await walk(world, issues, 3, async () => {
      turn += 1;
      for (const issue of moving) {
        const orderKey = (turn % 2 === 0 ? 1 : -1) * issue.orderKey;
        await sql`update issues set order_key = ${orderKey} where id = ${issue.id}`.execute(
          world.database.em().getKysely(),
        );
      }
    });
    const still = new Set(made.filter((issue) => !moving.includes(issue)).map((issue) => issue.id));
    expect(idsOf(rows).filter((id) => still.has(id))).toEqual(idsOf(made).filter((id) => still.has(id)));
  });

  test.each([
    ['status=', 'status'],
    ['status=open', 'status'],
    ['status=discovered,', 'status'],
    ['klass=', 'klass'],
    ['klass=Technical', 'klass'],
    ['includeResolved=1', 'includeResolved'],
    ['includeResolved=', 'includeResolved'],
    ['includeResolved=true&includeResolved=true', 'includeResolved'],
    ['includeDownstream=TRUE', 'includeDownstream'],
    ['section=fix', 'section'],
  ])('%s is refused and %s is named', async (query, param) => {
    expectFailure(await world.get(`${issues}?${query}`), 400, 'invalid_parameter', param);
  });
});

describe('one issue', () => {
  test('has every field, with null where one does not apply', async () => {
    const made = await makeIssue(world, agentId, { section: 'not_established' });
    const { body } = await world.get(`${issues}/${made.id}`);
    expect(body).toMatchObject({
      object: 'issue',
      cause: null,
      causeEstablished: false,
      causeSummary: 'Cause not established.',
      intentSlug: null,
      diagnosis: null,
      downstreamOf: null,
      consequences: [],
      firstSeenVersion: null,
      byVersion: [],
      graceDays: 7,
      fix: { state: 'no_change', version: null, liveDays: 0, graceDays: 7 },
    });
    expect(body.priorityScore).toBeGreaterThan(0);
  });

  test('is read by id also when it is hidden, and says why', async () => {
    const withdrawn = await makeIssue(world, agentId, { withdrawn: true });
    expect((await world.get(`${issues}/${withdrawn.id}`)).body).toMatchObject({
      section: 'hidden',
      sectionNote: expect.stringMatching(/^Withdrawn: /),
    });
    const other = await makeIssue(world, agentId, { source: 'outcome' });
    expect((await world.get(`${issues}/${other.id}`)).body).toMatchObject({
      section: 'hidden',
      sectionNote: expect.stringContaining('detector issues'),
    });
    const count = await makeIssue(world, agentId, { section: 'hidden', countOnly: true, sectionNote: 'Count only: x' });
    expect((await world.get(`${issues}/${count.id}`)).body).toMatchObject({
      section: 'hidden',
      sectionNote: 'Count only: x',
      recommendation: null,
      priorityScore: 0,
    });
  });

  test('of another agent is not found', async () => {
    const made = await makeIssue(world, await world.makeAgent());
    for (const path of ['', '/calls', '/explanation']) {
      expectFailure(await world.get(`${issues}/${made.id}${path}`), 404, 'issue_not_found');
    }
  });
});

describe('an issue grouped from calls', () => {
  const cause = {
    code: 'timeout',
    label: 'Cause timeout',
    detail: null,
    category: 'tool',
    party: 'tool_owner' as const,
  };
  let issueId: string;
  let ids: string[];
  beforeEach(async () => {
    ids = await seedCalls(
      world,
      agentId,
      Array.from({ length: 20 }, (_, at) => ({
        call: { providerCallId: `c${at}`, startedAt: minute(at), version: at < 10 ? 1 : 2 },
        analysis: {
          outcome: at < 8 ? ('unresolved' as const) : ('resolved' as const),
          visits: [{ place: { kind: 'tool' as const, id: 'book_table', label: 'book_table' }, firstTurn: 1 }],
          signals: at < 8 ? [makeSignal({ code: 'tool_failed', cause: at < 7 ? cause : null })] : [],
          notComputable: at === 19 ? [{ code: 'tool_failed', reason: 'There is no tool result.' }] : [],
        },
      })),
    );
    issueId = (await world.get(issues)).body.data[0].id;
  });

  test('counts what the calls say', async () => {
    const { body } = await world.get(`${issues}/${issueId}`);
    expect(body).toMatchObject({
      code: 'tool_failed',
      volume: 8,
      evidenceCalls: 8,
      rate: 0.4,
      failedOutcomeShare: 1,
      causeEstablished: true,
      cause: { code: 'timeout', label: 'Cause timeout' },
      causeSummary: 'Cause timeout',
      byVersion: [
        { version: 2, calls: 0, total: 10, rate: 0 },
        { version: 1, calls: 8, total: 10, rate: 0.8 },
      ],
    });
  });

  test('links its calls as evidence, newest first', async () => {
    const rows = await walk(world, `${issues}/${issueId}/calls`, 3);
    expect(idsOf(rows)).toEqual(ids.slice(0, 8).toReversed());
    expect(rows[0]).toMatchObject({ object: 'call', signalCodes: ['tool_failed'] });
  });

  test('explains its rank with every number over its base', async () => {
    const { body } = await world.get(`${issues}/${issueId}/explanation`);
    expect(body.rank.parts).toMatchObject({ harmBy: 'endings', harmFloor: 0.2, through: null });
    expect(body.rank.priorityScore).toBe((await world.get(`${issues}/${issueId}`)).body.priorityScore);
    expect(body.numbers).toMatchObject({
      ofAllCalls: { calls: 8, of: 20, rate: 0.4 },
      ofComputableCalls: { calls: 8, of: 19 },
      endedBadly: { calls: 8, of: 8, rate: 1 },
    });
    expect(body.evidenceFor).toContainEqual(expect.objectContaining({ causeCode: 'timeout', calls: 7, of: 8 }));
    expect(body.evidenceAgainst).toContainEqual(expect.objectContaining({ version: 2, calls: 0, of: 10 }));
    expect(body.history).toEqual([expect.objectContaining({ from: null, to: 'discovered', trigger: 'confirmed' })]);
  });

  test('shows in the counts of its agent, in its versions and in its coverage', async () => {
    expect((await world.get(`/v1/agents/${agentId}`)).body.counts).toMatchObject({ calls: 20, openIssues: 1 });
    const versions = await walk(world, `/v1/agents/${agentId}/versions`, 1);
    expect(versions).toEqual([
      expect.objectContaining({
        version: 2,
        calls: 10,
        gotItDone: { value: 1, n: 10 },
        handedOff: { value: 0, n: 10 },
      }),
      expect.objectContaining({ version: 1, calls: 10, gotItDone: { value: 0.2, n: 10 }, configHash: null }),
    ]);
    const { body } = await world.get(`/v1/agents/${agentId}/coverage`);
    expect(body.signals).toContainEqual(
      expect.objectContaining({
        code: 'tool_failed',
        calls: 20,
        computable: 19,
        computableShare: { value: 0.95, n: 20 },
        notComputable: [{ reason: 'There is no tool result.', calls: 1, remedy: null }],
        precision: null,
      }),
    );
  });
});

test('the catalogue lists every code once', async () => {
  const rows = await walk(world, '/v1/signals', 5);
  expect(rows.map((row) => row.code)).toEqual([...new Set(rows.map((row) => row.code))].toSorted());
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.find(({ code }) => code === 'step_blocked')).toMatchObject({ kept: 'observation' });
  expect(rows.find(({ code }) => code === 'tool_failed')).toMatchObject({ kept: 'signal', note: null });
  expectFailure(await world.get(`/v1/agents/${newId()}/coverage`), 404, 'agent_not_found');
});
