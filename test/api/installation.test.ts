import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeProcess } from '../../src/db/system/processes.ts';
import { eraseWorkspaceItself } from '../../src/db/system/shut.ts';
import type { ProcessStanding } from '../../src/domain/installation/findings.ts';
import { newId } from '../../src/ids.ts';
import { PACKAGE } from '../../src/layout.ts';
import { createMailer } from '../../src/outbound/mailer.ts';
import { startMailServer } from '../support/mail-server.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const ALL = '/app/installation/workspaces';

let world: World;
let operator: string;
beforeAll(async () => {
  world = await createWorld();
  operator = await world.token();
});
afterAll(() => world.close());

const run = (query: ReturnType<typeof sql>) => query.execute(world.database.em().getKysely());

/** Somebody who is a member of the first workspace and makes one. */
async function makeAnother(name: string) {
  const maker = await world.makeMember('member');
  const made = await world.ask('POST', '/app/workspaces', { as: await world.token(maker), body: { name } });
  expect(made.status).toBe(200);
  const inIt = { workspaceId: made.body.id as string, personId: maker.personId };
  return { maker, id: inIt.workspaceId, admin: await world.token(inIt) };
}

test('a workspace that somebody makes begins within what costs the operator nothing', async () => {
  const { id, admin, maker } = await makeAnother('North');
  const { body: plan } = await world.ask('GET', '/app/plan', { as: admin });
  expect(plan).toMatchObject({
    plan: 'free_org',
    allowances: { analysedCalls: 200, agents: 1, copilotMessages: 20, testCalls: 10, aiAllowanceUsd: 0 },
    storage: { limitMib: 1024, isSet: true },
  });
  expect((await world.ask('GET', '/app/plan', { as: operator })).body).toMatchObject({
    plan: 'enterprise',
    allowances: { agents: null, aiAllowanceUsd: null },
  });
  const { body } = await world.ask('GET', ALL, { as: operator });
  expect(body.data[0]).toMatchObject({ id: world.workspaceId, plan: 'enterprise', madeBy: { id: world.personId } });
  expect(body.data.find((one: { id: string }) => one.id === id)).toEqual({
    object: 'installation_workspace',
    id,
    name: 'North',
    plan: 'free_org',
    aiAllowanceUsd: 0,
    storageMib: 1024,
    members: 1,
    agents: 0,
    madeBy: { id: maker.personId, email: expect.stringContaining('@') },
    createdAt: expect.any(String),
  });
});

describe('a check', () => {
  const CHECK = '/app/installation/check';
  const STANDING: ProcessStanding = { version: '', clockMs: 0, model: null, sendsMail: true, freeBytes: 5e9 };

  test('asks what the installation depends on, and says what every process says of itself', async () => {
    const mail = await startMailServer();
    const mailer = createMailer({ url: mail.url, from: 'earshot@example.com' });
    world.services.checks.mail = () => mailer.check();
    const { database, services } = world;
    const now = { ...STANDING, version: PACKAGE.version, clockMs: Date.now() };
    const worker = { id: newId(), kind: 'worker', pid: 7, host: 'there' } as const;
    await seeProcess(database.unscoped(), worker, now);
    const { body, status } = await world.ask('GET', CHECK, { as: operator });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'installation_check',
      ok: true,
      processes: [{ kind: 'worker', host: 'there', pid: 7, version: PACKAGE.version, freeBytes: 5e9 }],
    });
    expect(Math.abs(body.processes[0].clockDifferenceMs)).toBeLessThan(60_000);
    const said = (answer: Loose, name: string) => answer.findings.find((one: Loose) => one.name === name);
    expect(said(body, 'PostgreSQL').says).toMatch(/^\d+\.\d+.* of \d+ connections; this API: \d+ busy/);
    expect(said(body, 'Mail')).toMatchObject({ state: 'fine', says: 'the mail server answers' });

    await mail.close();
    services.checks.temporal = () => Promise.reject(new Error('not there'));
    await seeProcess(database.unscoped(), worker, { ...now, version: '0.0.1', clockMs: now.clockMs - 300_000 });
    const { body: later } = await world.ask('GET', CHECK, { as: operator });
    expect(later.ok).toBe(false);
    for (const name of ['Mail', 'Temporal', 'Versions', 'Clocks']) expect(said(later, name).state).toBe('wrong');
    mailer.close();
    Object.assign(services.checks, { mail: null, temporal: null });
  });

  test('is for admins of the installation', async () => {
    const { admin } = await makeAnother('East');
    expectFailure(await world.ask('GET', CHECK, { as: admin }), 403, 'admin_only');
  });
});

describe('plans of all workspaces', () => {
  test('are read and changed by admins of the installation, who are no members there', async () => {
    const { id, admin } = await makeAnother('South');
    const path = `${ALL}/${id}/plan`;
    const body = { plan: 'growth', allowances: { aiAllowanceUsd: 5 }, storageMib: null };
    const changed = await world.ask('PATCH', path, { as: operator, body });
    expect(changed.body).toMatchObject({ plan: 'growth', allowances: { agents: 10, aiAllowanceUsd: 5 } });
    for (const answer of [
      await world.ask('GET', path, { as: operator }),
      await world.ask('GET', '/app/plan', { as: admin }),
    ]) {
      expect(answer.body).toEqual(changed.body);
    }
    expect((await world.ask('GET', '/app/plan', { as: operator })).body.plan).toBe('enterprise');
    const { rows } = await sql<{ operation: string }>`
      select operation from audit_entries where workspace_id = ${world.workspaceId} and operation = 'changeInstallationPlan'
    `.execute(world.database.em().getKysely());
    expect(rows).toHaveLength(1);
  });

  test('are closed to admins of other workspaces, and to members of the installation', async () => {
    const { id, admin } = await makeAnother('East');
    const member = await world.token(await world.makeMember('approver'));
    for (const as of [admin, member]) {
      expectFailure(await world.ask('GET', ALL, { as }), 403, 'admin_only');
      expectFailure(await world.ask('GET', `${ALL}/${id}/plan`, { as }), 403, 'admin_only');
      const body = { plan: 'enterprise' };
      expectFailure(await world.ask('PATCH', `${ALL}/${id}/plan`, { as, body }), 403, 'admin_only');
    }
    expectFailure(await world.ask('PATCH', '/app/plan', { as: admin, body: { plan: 'scale' } }), 403, 'admin_only');
    expectFailure(await world.ask('GET', `${ALL}/${newId()}/plan`, { as: operator }), 404, 'workspace_not_found');
  });
});

test('workspaces count for who made them, also once somebody else runs them and the maker is gone', async () => {
  const first = await makeAnother('One');
  const heir = await world.makeMember('member');
  await sql`
    insert into memberships (workspace_id, person_id, role) values (${first.id}, ${heir.personId}, 'admin')
  `.execute(world.database.em().getKysely());
  const asHeir = await world.token({ workspaceId: first.id, personId: heir.personId });
  const maker = await world.token(first.maker);
  const make = (as: string) => world.ask('POST', '/app/workspaces', { as, body: { name: 'Another' } });
  for (const _ of [2, 3]) expect((await make(maker)).status).toBe(200);
  expectFailure(await make(maker), 409, 'too_many_workspaces');
  const removed = await world.ask('DELETE', `/app/members/${first.maker.personId}`, { as: asHeir });
  expect(removed.status).toBe(200);
  expectFailure(await make(maker), 409, 'too_many_workspaces');
  // Somebody whom it let in, and nobody vouched for, makes none for themselves.
  const puppet = newId();
  await run(sql`insert into people (id, email, name) values (${puppet}, ${`${puppet}@example.com`}, 'A puppet')`);
  await run(sql`insert into memberships (workspace_id, person_id, role) values (${first.id}, ${puppet}, 'member')`);
  const asPuppet = await world.token({ workspaceId: first.id, personId: puppet });
  expectFailure(await make(asPuppet), 409, 'too_many_workspaces');
  await run(sql`update people set proved_at = now() where id = ${puppet}`);
  expect((await make(asPuppet)).status).toBe(200);
});

test('a workspace that is deleted renews no allowance, also where its maker is bound to a provider since', async () => {
  const first = await makeAnother('Used');
  await run(sql`
    insert into plan_usage (workspace_id, starts_at, analysed_calls, test_calls, copilot_messages)
    values (${first.id}, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC', 200, 7, 3)`);
  await run(sql`
    insert into model_usage (id, workspace_id, purpose, subject, ask, model, priced, charged_nano_usd, settled_at)
    values (${newId()}, ${first.id}, 'call_reading', 'a call', 1, 'a-model', true, 250000000, now())`);
  const inIt = await world.token({ workspaceId: first.id, personId: first.maker.personId });
  expect((await world.ask('DELETE', '/app/workspace', { as: inIt })).status).toBe(200);
  await run(sql`
    insert into identities (issuer, subject, person_id)
    values ('https://id.example.com', 'maker', ${first.maker.personId})`);
  const maker = await world.token(first.maker);
  const make = async () => (await world.ask('POST', '/app/workspaces', { as: maker, body: { name: 'Next' } })).body;
  const used = async ({ id }: Loose) => {
    const as = await world.token({ workspaceId: id, personId: first.maker.personId });
    return (await world.get('/app/plan', as)).body.used;
  };
  const carried = { analysedCalls: 200, testCalls: 7, copilotMessages: 3, aiUsd: 0.25 };
  expect(await used(await make())).toMatchObject(carried);
  expect(await used(await make())).toMatchObject({ analysedCalls: 0, testCalls: 0, aiUsd: 0 });
  // Until its rows are erased it stands for what it keeps.
  expectFailure(
    await world.ask('POST', '/app/workspaces', { as: maker, body: { name: 'Fourth' } }),
    409,
    'too_many_workspaces',
  );
});

test('who made a workspace that stays is the same account after the last one that they belonged to was deleted', async () => {
  const stays = await makeAnother('Stays');
  const { personId } = stays.maker;
  const maker = await world.token(stays.maker);
  const { body: goes } = await world.ask('POST', '/app/workspaces', { as: maker, body: { name: 'Goes' } });
  await run(sql`delete from memberships where person_id = ${personId} and workspace_id <> ${goes.id}`);
  const inIt = await world.token({ workspaceId: goes.id, personId });
  expect((await world.ask('DELETE', '/app/workspace', { as: inIt })).status).toBe(200);
  const accounts = async () =>
    (await sql`select from people where id = ${personId}`.execute(world.database.em().getKysely())).rows.length;
  expect(await accounts()).toBe(1);
  // With the last row that counts for it, the account goes too.
  for (const id of [goes.id, stays.id]) await eraseWorkspaceItself(world.database.em(), id);
  expect(await accounts()).toBe(0);
});
