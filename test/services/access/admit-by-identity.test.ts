import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveInvitation } from '../../../src/db/system/invitations.ts';
import { newId } from '../../../src/ids.ts';
import { admitByIdentity } from '../../../src/services/access/admit-by-identity.ts';
import { createWorld, type Loose, type World } from '../../support/world.ts';

const ISSUER = 'https://id.example.com';
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.close());

const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;
const admit = (subject: string, email: string, issuer = ISSUER) =>
  world.database.unscoped().transactional((tx) => admitByIdentity(tx, { issuer, subject, email, name: null }));

/** A person with a password and a session, of a workspace or of none. */
async function person({ member = true, proved = true } = {}) {
  const [personId, email] = [newId(), `${newId()}@example.com`];
  await rows(sql`
    insert into people (id, email, name, password_hash, proved_at)
    values (${personId}, ${email}, 'Ada', 'a hash', case when ${proved}::boolean then now() end)`);
  if (member) {
    await rows(sql`
      insert into memberships (workspace_id, person_id, role) values (${world.workspaceId}, ${personId}, 'member')`);
  }
  await world.token({ workspaceId: world.workspaceId, personId });
  return { personId, email };
}

async function invite(email: string, expires = '1 day') {
  const { workspaceId, personId: invitedBy } = await world.makeWorkspace();
  const made = { workspaceId, email, name: 'Ada', role: 'member' as const, invitedBy, secretHash: newId() };
  await saveInvitation(world.database.unscoped(), made, 7);
  await rows(sql`update invitations set expires_at = now() + ${expires}::interval where email = ${email}`);
  return { workspaceId, invitedBy };
}

const standing = async (personId: string) => {
  const [row] = await rows(sql`
    select password_hash is not null as "hasPassword", proved_at is not null as "isProved", email,
      (select count(*)::int from sessions where person_id = people.id and revoked_at is null) as sessions,
      (select count(*)::int from memberships where person_id = people.id) as memberships
    from people where id = ${personId}`);
  return row;
};

describe('who a provider vouches for', () => {
  test('is nobody where the address belongs to nobody, or to somebody without a workspace', async () => {
    expect(await admit('stranger', 'stranger@example.com')).toBeNull();
    const alone = await person({ member: false });
    expect(await admit('alone', alone.email)).toBeNull();
  });

  test('is found by the proved address once, and by the subject from then on, whatever the address becomes', async () => {
    const { personId, email } = await person();
    const admitted = { personId, workspaceId: world.workspaceId };
    expect(await admit('ada', email)).toEqual(admitted);
    expect(await admit('ada', 'married@example.com')).toEqual(admitted);
    expect(await standing(personId)).toEqual({
      hasPassword: true,
      isProved: true,
      email: 'married@example.com',
      sessions: 1,
      memberships: 1,
    });
  });

  test('is another where the address was given to another subject, and takes the proof of it along', async () => {
    const { personId, email } = await person();
    await admit('first', email);
    expect(await admit('second', email)).toBeNull();
    expect(await standing(personId)).toMatchObject({ memberships: 1, isProved: true });
    await invite(email);
    const second = await admit('second', email);
    expect(second).toMatchObject({ workspaceId: null });
    expect(second?.personId).not.toBe(personId);
    expect(await standing(personId)).toMatchObject({ memberships: 1, isProved: false });
    expect(await admit('first', 'moved@example.com')).toMatchObject({ personId });
  });

  test('is the same person at another provider that the installation changes to', async () => {
    const { personId, email } = await person();
    await admit('here', email);
    expect(await admit('there', email, 'https://other.example.com')).toMatchObject({ personId });
  });

  test('is who the subject says, not who has the address by now', async () => {
    const [known, other] = [await person(), await person({ proved: false })];
    await admit('known', known.email);
    expect(await admit('known', other.email)).toMatchObject({ personId: known.personId });
    expect(await standing(other.personId)).toMatchObject({ hasPassword: true, isProved: false });
  });

  test('of two first sign-ins at once both are the same person', async () => {
    const { email } = await person({ proved: false });
    const both = await Promise.all([admit('twice', email), admit('twice', email)]);
    expect(both[0]).not.toBeNull();
    expect(both[0]).toEqual(both[1]);
  });

  test('comes into the workspace that they have been in for the longest', async () => {
    const { personId, email } = await person();
    const { workspaceId } = await world.makeWorkspace();
    await rows(sql`
      insert into memberships (workspace_id, person_id, role, created_at)
      values (${workspaceId}, ${personId}, 'member', now() - interval '1 year')`);
    expect(await admit('old', email)).toMatchObject({ workspaceId });
  });
});

describe('an account that stands under the address by nobody’s proof', () => {
  test('is not entered, and keeps what it has', async () => {
    const { personId, email } = await person({ proved: false });
    const admitted = await admit('proves', email);
    expect(admitted).toMatchObject({ workspaceId: null });
    expect(admitted?.personId).not.toBe(personId);
    expect(await standing(personId)).toMatchObject({ hasPassword: true, isProved: false, sessions: 1, memberships: 1 });
  });
});

describe('an invitation to the address', () => {
  test('lets in to answer it, while it is open and who made it is an admin', async () => {
    const late = `${newId()}@example.com`;
    await invite(late, '-1 minute');
    expect(await admit(newId(), late)).toBeNull();
    const left = `${newId()}@example.com`;
    const { workspaceId, invitedBy } = await invite(left);
    await rows(sql`update memberships set role = 'approver' where person_id = ${invitedBy}`);
    expect(await admit(newId(), left)).toBeNull();
    await rows(sql`update memberships set role = 'admin' where person_id = ${invitedBy}`);
    const admitted = await admit(newId(), left);
    expect(admitted).toMatchObject({ workspaceId: null });
    expect(await standing(admitted?.personId ?? '')).toMatchObject({ isProved: true, memberships: 0 });
    expect(await rows(sql`select 1 from memberships where workspace_id = ${workspaceId}`)).toHaveLength(1);
  });
});
