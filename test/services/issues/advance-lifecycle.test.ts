import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createImport, finishImport } from '../../../src/db/imports/imports.ts';
import type { GracePlan } from '../../../src/domain/issues/grace-plan.ts';
import { resolveDueIssues } from '../../../src/services/issues/recompute-issues.ts';
import { makeAgent, type TestAgent, testKnowledge } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type DatedCall, groupAndLive, many, readCalls } from '../../support/evidence.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
let agent: TestAgent;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  agent = await makeAgent(database.em(), 'file');
});

const db = () => database.em().getKysely();
const read = (...calls: DatedCall[]) => readCalls(database, agent, calls);
const group = () => groupAndLive(database, agent);
const look = () => resolveDueIssues(database.within(agent.workspaceId), agent.agentId, testKnowledge.catalogue);
async function issue() {
  const { rows } = await sql<Record<string, unknown>>`select * from issues where agent_id = ${agent.agentId}`.execute(
    db(),
  );
  return rows[0] ?? {};
}
async function standing() {
  const { rows } = await sql<{ plan: GracePlan | null; open: number }>`
    select grace_plan as plan, open_issue_count as open from agents where id = ${agent.agentId}`.execute(db());
  return rows[0] ?? { plan: null, open: -1 };
}
async function history() {
  const { rows } = await sql<{ entry: string }>`
    select trigger || ': ' || coalesce(from_status, 'new') || ' to ' || to_status as entry from issue_history
    where agent_id = ${agent.agentId} order by created_at, id`.execute(db());
  return rows.map(({ entry }) => entry);
}
async function events() {
  const { rows } = await sql<{ kind: string }>`
    select kind from workspace_events where agent_id = ${agent.agentId} and kind <> 'issues.changed' order by id`.execute(
    db(),
  );
  return rows.map(({ kind }) => kind);
}
async function orders() {
  const { rows } = await sql`select 1 from outbox_entries where workflow_id = ${`grace/${agent.agentId}`}`.execute(
    db(),
  );
  return rows.length;
}
/** As if the issue had been resolved so many days ago. */
const resolvedDaysAgo = (days: number, over: { rejected?: boolean; fixVersion?: number } = {}) =>
  sql`update issues set status = 'resolved', resolved_at = now() - make_interval(hours => ${days * 24}),
    listed_at = now() - interval '20 days', rejected = ${over.rejected ?? false}, fix_version = ${over.fixVersion ?? null}::int
    where agent_id = ${agent.agentId}`.execute(db());

test('unseen for the grace period while calls came: resolved in the grouping that sees it, with history, event and count', async () => {
  await read(...many(3, 'old', { daysAgo: 9, shows: true }), { id: 'ok', daysAgo: 1 });
  expect(await group()).toMatchObject({ issues: 1 });
  expect(await issue()).toMatchObject({ status: 'resolved', fix: { state: 'no_change' } });
  expect(await history()).toEqual(['confirmed: new to discovered', 'not_seen: discovered to resolved']);
  // It never stood on the board, so nobody is told that it left.
  expect(await events()).toEqual([]);
  expect(await standing()).toMatchObject({ open: 0 });
  expect(await group()).toMatchObject({ changed: 0 });
});

test('an open issue has a date, and the grace workflow is told once about it', async () => {
  await read(...many(3, 'old', { daysAgo: 3, shows: true }), { id: 'ok', daysAgo: 1 });
  await group();
  const { plan } = await standing();
  expect(plan).toMatchObject({ open: 1, due: [{ title: expect.stringContaining('Title of tool_failed') }] });
  const inDays = (Date.parse(plan?.nextAt ?? '') - Date.now()) / 86_400_000;
  expect(inDays).toBeGreaterThan(3.9);
  expect(inDays).toBeLessThan(4.1);
  expect(await events()).toEqual(['issue.opened']);
  expect(await orders()).toBe(1);
  await group();
  expect(await orders()).toBe(1);
  // Evidence moves the date: the workflow hears of it.
  await read({ id: 'new', daysAgo: 2, shows: true });
  await group();
  expect(await orders()).toBe(2);
  expect(await events()).toEqual(['issue.opened']);
});

test('while an import brings history nobody is told of a row; at its end of those that still stand', async () => {
  const owner = { agentId: agent.agentId, workspaceId: agent.workspaceId };
  const em = database.within(agent.workspaceId);
  const request = await createImport(em, { ...owner, kind: 'file', limit: null, from: null });
  await read(...many(3, 'old', { daysAgo: 1, shows: true }), { id: 'ok', daysAgo: 1 });
  await group();
  expect(await standing()).toMatchObject({ open: 1 });
  expect(await events()).toEqual([]);
  await finishImport(em, { ...request, ...owner }, { status: 'complete', reason: null });
  expect(await events()).toEqual(['issue.opened', 'import.finished']);
  await group();
  expect(await events()).toEqual(['issue.opened', 'import.finished']);
});

describe('an issue whose date has come', () => {
  test('waits for calls where none came in its grace period', async () => {
    await read(...many(3, 'old', { daysAgo: 9, shows: true }), { id: 'ok', daysAgo: 8 });
    await group();
    expect(await issue()).toMatchObject({ status: 'discovered' });
    expect(await standing()).toMatchObject({ plan: { nextAt: null, waitForCalls: 1, due: [] } });
  });

  test('does not count calls on which it could not be seen', async () => {
    await read(...many(3, 'old', { daysAgo: 9, shows: true }), { id: 'blind', daysAgo: 1, blind: true });
    await group();
    expect(await issue()).toMatchObject({ status: 'discovered' });
    await read({ id: 'ok', daysAgo: 1 });
    await group();
    expect(await issue()).toMatchObject({ status: 'resolved' });
  });

  test('waits while a call of its grace period is not analysed, and says so', async () => {
    const late: DatedCall = { id: 'late', daysAgo: 2 };
    await read(...many(3, 'old', { daysAgo: 9, shows: true }), { id: 'ok', daysAgo: 1 }, { ...late, waits: true });
    await group();
    expect(await issue()).toMatchObject({ status: 'discovered' });
    expect(await standing()).toMatchObject({ plan: { waitForAnalysis: 1 } });
    expect(await look()).toEqual({ changed: 0 });
    await read({ ...late, shows: true });
    await group();
    expect(await issue()).toMatchObject({ status: 'discovered' });
    expect(await standing()).toMatchObject({ plan: { waitForAnalysis: 0, due: [{}] } });
  });

  test('waits while an import that brings history is open, and is looked at when it ends', async () => {
    const em = database.within(agent.workspaceId);
    const request = await createImport(em, { ...agent, kind: 'manual', limit: null, from: null });
    await read(...many(3, 'old', { daysAgo: 9, shows: true }), { id: 'ok', daysAgo: 1 });
    await group();
    expect(await standing()).toMatchObject({ plan: { waitForImport: 1 } });
    const before = await orders();
    await finishImport(em, { ...request, ...agent }, { status: 'complete', reason: null });
    expect(await orders()).toBe(before + 1);
    expect(await look()).toMatchObject({ changed: 1 });
    expect(await issue()).toMatchObject({ status: 'resolved' });
  });

  test('is not resolved while evidence against it is stored and not grouped yet', async () => {
    await read(...many(3, 'old', { daysAgo: 6.9, shows: true }), { id: 'ok', daysAgo: 1 });
    await group();
    await sql`update issues set last_seen_at = now() - interval '9 days' where agent_id = ${agent.agentId}`.execute(
      db(),
    );
    await sql`update issue_calls set sort_at = now() - interval '9 days' where agent_id = ${agent.agentId}`.execute(
      db(),
    );
    await read({ id: 'new', daysAgo: 1, shows: true });
    await look();
    expect(await issue()).toMatchObject({ status: 'discovered' });
  });
});

describe('a resolved issue', () => {
  beforeEach(async () => {
    await read(...many(4, 'old', { daysAgo: 12, shows: true }), { id: 'ok', daysAgo: 1 });
    await group();
  });

  test('comes back with a call that started later, and says with which', async () => {
    await resolvedDaysAgo(2);
    await read({ id: 'again', daysAgo: 1, shows: true, version: 3 });
    await group();
    expect(await issue()).toMatchObject({ status: 'regressed', resolved_at: null });
    expect((await history()).at(-1)).toBe('seen_again: resolved to regressed');
    expect((await events()).at(-1)).toBe('issue.regressed');
    expect(await group()).toMatchObject({ changed: 0 });
  });

  test('is not reopened by old calls that are imported late', async () => {
    await resolvedDaysAgo(2);
    await read(...many(5, 'late', { daysAgo: 3, shows: true }));
    await group();
    expect(await issue()).toMatchObject({ status: 'resolved', volume: 9 });
  });

  test('does not come back when a person rejected it', async () => {
    await resolvedDaysAgo(2, { rejected: true });
    await read({ id: 'again', daysAgo: 1, shows: true });
    await group();
    expect(await issue()).toMatchObject({ status: 'resolved' });
  });

  test('fixed in a version: stragglers on the one before prove nothing, a call of a later one does', async () => {
    await resolvedDaysAgo(2, { fixVersion: 2 });
    // On one day, whatever the time is now: which version is current goes by days.
    const noon = (Date.now() % DAY_MS) / DAY_MS + 0.5;
    await read(...many(5, 'two', { daysAgo: noon + 0.01, version: 2 }), {
      id: 'straggler',
      daysAgo: noon,
      shows: true,
      version: 1,
    });
    await group();
    expect(await issue()).toMatchObject({ status: 'resolved' });
    await read({ id: 'three', daysAgo: 0.1, shows: true, version: 3 });
    await group();
    expect(await issue()).toMatchObject({ status: 'regressed' });
  });

  test('fixed in a version that was rolled back: the version before is current again, so it is back', async () => {
    await resolvedDaysAgo(4, { fixVersion: 2 });
    await read(...many(5, 'two', { daysAgo: 3, version: 2 }), ...many(6, 'one', { daysAgo: 1, version: 1 }));
    await group();
    expect(await issue()).toMatchObject({ status: 'resolved' });
    await read({ id: 'one again', daysAgo: 1, shows: true, version: 1 });
    await group();
    expect(await issue()).toMatchObject({ status: 'regressed', fix: { version: 2 } });
  });
});

describe('a fix that was rolled back at the platform itself', () => {
  const hashes = (...list: string[]) =>
    sql`insert into agent_versions (id, workspace_id, agent_id, version, config_hash, detected_at)
      select gen_random_uuid(), ${agent.workspaceId}, ${agent.agentId}, at, hash, now()
      from unnest(${list}::text[]) with ordinality t(hash, at) on conflict (agent_id, version)
      do update set config_hash = excluded.config_hash`.execute(db());
  const live = (version: number) =>
    sql`update agents set current_version = ${version} where id = ${agent.agentId}`.execute(db());
  const fixedIn = (version: number, status: string) =>
    sql`update issues set status = ${status}, fix_version = ${version}, resolved_at = case when ${status} = 'resolved'
      then now() - interval '1 hour' end where agent_id = ${agent.agentId}`.execute(db());
  const told = async () =>
    (
      await sql<{ reason: string }>`select reason from issue_history where agent_id = ${agent.agentId}
      and trigger = 'rolled_back'`.execute(db())
    ).rows.map(({ reason }) => reason);

  test.each<[string, string[], number, string]>([
    ['by a new version', ['a', 'b', 'a'], 3, 'Version 3 is live, and says the same as version 1: version 2,'],
    ['by the old version itself', ['a', 'b'], 1, 'Version 1 is live again: version 2,'],
  ])(
    '%s is taken back with a sentence, also where the issue counted as resolved',
    async (_, versions, now, sentence) => {
      for (const status of ['fix_deployed', 'resolved']) {
        agent = await makeAgent(database.em(), 'file');
        await read(...many(3, 'old', { daysAgo: 3, shows: true }), { id: 'two', daysAgo: 2, version: 2 });
        await group();
        await hashes(...versions);
        await fixedIn(2, status);
        await live(now);
        await look();
        expect(await issue()).toMatchObject({
          status: 'investigating',
          fix_version: null,
          fix: { state: 'no_change' },
        });
        expect(await told()).toEqual([`${sentence} which had the fix, was rolled back at the platform.`]);
        expect(await look()).toEqual({ changed: 0 });
      }
    },
  );

  test.each<[string, string[], number]>([
    ['whose version is live', ['a', 'b'], 2],
    ['after which something else went live', ['a', 'b', 'c'], 3],
    ['that the live version says too', ['a', 'b', 'b'], 3],
  ])('stays where it is: one %s', async (_, versions, now) => {
    await read(...many(3, 'old', { daysAgo: 3, shows: true }), { id: 'two', daysAgo: 2, version: 2 });
    await group();
    await hashes(...versions);
    await fixedIn(2, 'fix_deployed');
    await live(now);
    await look();
    expect(await issue()).toMatchObject({ status: 'fix_deployed', fix_version: 2 });
  });

  test('one on its way, which never took a call, is waited for', async () => {
    await read(...many(3, 'old', { daysAgo: 3, shows: true }));
    await group();
    await hashes('a', 'b');
    await fixedIn(2, 'fix_deployed');
    await live(1);
    await look();
    expect(await issue()).toMatchObject({ status: 'fix_deployed', fix_version: 2 });
  });
});

test('an issue without calls of a known time is as old as its confirmation', async () => {
  await read(...many(3, 'undated', { daysAgo: null, shows: true }), { id: 'ok', daysAgo: 1 });
  await group();
  expect(await issue()).toMatchObject({ status: 'discovered' });
  await sql`update issues set confirmed_at = now() - interval '8 days' where agent_id = ${agent.agentId}`.execute(db());
  await look();
  expect(await issue()).toMatchObject({ status: 'resolved' });
});

test('the time of a demo agent ends with its newest call, so that it looks the same whenever it is started', async () => {
  agent = await makeAgent(database.em(), 'demo');
  await read(
    ...many(3, 'old', { daysAgo: 60, shows: true }),
    ...many(3, 'slow', { daysAgo: 52, shows: true, tool: 'pay' }),
  );
  await read({ id: 'ok', daysAgo: 50 });
  await group();
  const { rows } = await sql<{ place: string; status: string }>`
    select place_id as place, status from issues where agent_id = ${agent.agentId} order by place_id`.execute(db());
  expect(rows).toEqual([
    { place: 'book_table', status: 'resolved' },
    { place: 'pay', status: 'discovered' },
  ]);
  expect(await standing()).toMatchObject({ plan: { nextAt: null, waitForCalls: 1 } });
  expect(await look()).toEqual({ changed: 0 });
});

test('what was withdrawn has no timer, and evidence that comes back finds the same issue', async () => {
  await read(...many(3, 'a', { daysAgo: 3, shows: true }), { id: 'ok', daysAgo: 1 });
  await group();
  const before = await issue();
  await read(...many(3, 'a', { daysAgo: 3 }));
  await group();
  expect(await standing()).toMatchObject({ plan: { open: 0, nextAt: null, due: [] } });
  await read(...many(3, 'a', { daysAgo: 3, shows: true }));
  await group();
  expect(await issue()).toMatchObject({ id: before['id'], key: before['key'], status: 'discovered' });
  expect(await standing()).toMatchObject({ plan: { open: 1, due: [{}] } });
});

test('a shorter grace period resolves at the next look, a longer one moves the date', async () => {
  await read(...many(3, 'old', { daysAgo: 3, shows: true }), { id: 'ok', daysAgo: 1 });
  await group();
  await sql`update agents set grace_days = 2 where id = ${agent.agentId}`.execute(db());
  expect(await look()).toMatchObject({ changed: 1 });
  expect(await issue()).toMatchObject({ status: 'resolved' });
  expect(await events()).toEqual(['issue.opened', 'issue.resolved']);
});

test('only the kind of issue that the board shows is told of', async () => {
  await sql`update agents set board_source = 'outcome' where id = ${agent.agentId}`.execute(db());
  await read(...many(3, 'old', { daysAgo: 9, shows: true }), { id: 'ok', daysAgo: 1 });
  await group();
  expect(await issue()).toMatchObject({ status: 'resolved' });
  expect(await events()).toEqual([]);
});

describe('a snooze', () => {
  const snooze = (until: string | null, rate: number) =>
    sql`update issues set snoozed_at = now(), snoozed_until = ${until}::timestamptz, snooze_rate = ${rate}
      where agent_id = ${agent.agentId}`.execute(db());
  beforeEach(async () => {
    await read(...many(3, 'a', { daysAgo: 3, shows: true }), ...many(60, 'ok', { daysAgo: 2 }));
    await group();
  });

  test('ends when the issue grows', async () => {
    await snooze(null, 0.05);
    await group();
    expect(await issue()).toMatchObject({ snoozed_at: expect.anything() });
    await read(...many(20, 'more', { daysAgo: 1, shows: true }));
    await group();
    expect(await issue()).toMatchObject({ snoozed_at: null, snooze_rate: null });
    expect((await history()).at(-1)).toContain('snooze_ended');
    expect((await events()).at(-1)).toBe('issue.changed');
  });

  test('ends at its time, for which the grace workflow wakes', async () => {
    await snooze(new Date(Date.now() + 3_600_000).toISOString(), 0.9);
    await group();
    const { plan } = await standing();
    expect(Date.parse(plan?.nextAt ?? '') - Date.now()).toBeLessThan(3_700_000);
    await snooze(new Date(Date.now() - 1_000).toISOString(), 0.9);
    await look();
    expect(await issue()).toMatchObject({ snoozed_at: null });
  });
});

test('an issue that is far more common on a day than in the weeks before is noticed once', async () => {
  for (let day = 2; day <= 20; day += 1) {
    await read(...many(12, `day${day}-`, { daysAgo: day }), { id: `seen${day}`, daysAgo: day, shows: day % 4 === 0 });
  }
  await group();
  expect(await events()).toEqual(['issue.opened']);
  await read(...many(9, 'today', { daysAgo: 0.001, shows: true }), ...many(6, 'fine', { daysAgo: 0.001 }));
  await group();
  expect(await issue()).toMatchObject({ spike: { calls: 9, of: 15, pastCalls: 5, growth: expect.any(Number) } });
  expect(await events()).toEqual(['issue.opened', 'issue.spiked']);
  await read(...many(4, 'more', { daysAgo: 0.001, shows: true }));
  await group();
  expect(await issue()).toMatchObject({ spike: { calls: 13, of: 19 } });
  expect(await events()).toEqual(['issue.opened', 'issue.spiked']);
});
