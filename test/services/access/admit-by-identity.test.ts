import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
const admit = (subject: string, email: string) =>
  admitByIdentity(world.database.unscoped(), { issuer: ISSUER, subject, email });

/** A person with a password and a session, of a workspace or of none. */
async function person({ member = true, proved = false } = {}) {
  const [personId, email] = [newId(), `${newId()}@example.com`];
  await rows(sql`
    insert into people (id, email, name, password_hash, proved_at)
    values (${personId}, ${email}, 'Ada', 'a hash', case when ${proved}::boolean then now() end)`);
  if (member) {
    await rows(sql`
      insert into memberships (workspace_id, person_id, role) values (${world.workspaceId}, ${personId}, 'member')`);
  }
  const token = await world.token({ workspaceId: world.workspaceId, personId });
  return { personId, email, token };
}

async function invite(personId: string, { expires = '1 day', used = false } = {}) {
  const { workspaceId } = await world.makeWorkspace();
  await rows(sql`
    insert into one_time_links (id, secret_hash, purpose, person_id, workspace_id, role, expires_at, used_at)
    values (${newId()}, ${newId()}, 'invitation', ${personId}, ${workspaceId}, 'member',
      now() + ${expires}::interval, case when ${used}::boolean then now() end)`);
  return workspaceId;
}

const standing = async (personId: string) => {
  const [row] = await rows(sql`
    select password_hash is not null as "hasPassword", proved_at is not null as "isProved",
      (select count(*)::int from sessions where person_id = people.id and revoked_at is null) as sessions,
      (select count(*)::int from memberships where person_id = people.id) as memberships
    from people where id = ${personId}`);
  return row;
};

describe('who a provider vouches for', () => {
  test('is nobody where the address belongs to nobody, or to somebody without a workspace', async () => {
    expect(await admit('stranger', 'stranger@example.com')).toEqual({ outcome: 'nobody' });
    const alone = await person({ member: false });
    expect(await admit('alone', alone.email)).toEqual({ outcome: 'nobody' });
  });

  test('is found by the address once, and by the subject from then on, whatever the address becomes', async () => {
    const { personId, email } = await person();
    const admitted = { outcome: 'admitted', personId, workspaceId: world.workspaceId };
    expect(await admit('ada', email)).toEqual(admitted);
    expect(await admit('ada', 'married@example.com')).toEqual(admitted);
  });

  test('is refused where the address was given to another subject', async () => {
    const { personId, email } = await person();
    await admit('first', email);
    expect(await admit('second', email)).toEqual({ outcome: 'another_subject' });
    expect(await standing(personId)).toMatchObject({ memberships: 1 });
  });

  test('is who the subject says, not who has the address by now', async () => {
    const [known, other] = [await person(), await person()];
    await admit('known', known.email);
    expect(await admit('known', other.email)).toMatchObject({ outcome: 'admitted', personId: known.personId });
    expect(await standing(other.personId)).toMatchObject({ hasPassword: true, isProved: false });
  });

  test('of two first sign-ins at once both are the same person', async () => {
    const { personId, email } = await person();
    const both = await Promise.all([admit('twice', email), admit('twice', email)]);
    expect(both.map((one) => one.outcome === 'admitted' && one.personId)).toEqual([personId, personId]);
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

describe('the first proof of an address', () => {
  test('ends the password and the sessions from before it', async () => {
    const { personId, email } = await person();
    expect(await standing(personId)).toMatchObject({ hasPassword: true, sessions: 1 });
    await admit('proves', email);
    expect(await standing(personId)).toEqual({ hasPassword: false, isProved: true, sessions: 0, memberships: 1 });
  });

  test('a later one ends nothing', async () => {
    const { personId, email } = await person({ proved: true });
    await admit('again', email);
    expect(await standing(personId)).toMatchObject({ hasPassword: true, sessions: 1 });
  });
});

describe('an invitation to the address', () => {
  test.each([
    ['that is open lets in', {}, 1],
    ['that ran out lets nobody in', { expires: '-1 minute' }, 0],
    ['that was used lets nobody in', { used: true }, 0],
  ])('%s', async (_, made, memberships) => {
    const { personId, email } = await person({ member: false });
    const workspaceId = await invite(personId, made);
    const admission = await admit(newId(), email);
    expect(admission).toEqual(
      memberships === 1 ? { outcome: 'admitted', personId, workspaceId } : { outcome: 'nobody' },
    );
    expect(await standing(personId)).toMatchObject({ memberships });
  });

  test('is not accepted by somebody who is known, and comes with another address', async () => {
    const [known, invited] = [await person(), await person({ member: false })];
    await admit('knows', known.email);
    await invite(invited.personId);
    await admit('knows', invited.email);
    expect(await standing(invited.personId)).toMatchObject({ memberships: 0, isProved: false });
  });
});
